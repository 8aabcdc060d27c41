"""House rules over the Python of the package."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

MAX_FUNCTION_LINES, MAX_FILE_LINES = 40, 250
DATA_FILES = {"schemas.py"}  # the contract: one line a column
POLICY_FREE = ("compute", "land")  # rooms in which a number is an argument without a default


@pytest.fixture(scope="module")
def sources(project) -> dict[str, str]:
    folder = project / "python" / "mathpinpoint"
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.py"))}


def functions(text: str) -> list[ast.FunctionDef]:
    return [
        node for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def is_compiled(function: ast.FunctionDef) -> bool:
    """A numba kernel: it can call nothing of ours, so it may be long."""
    return any("njit" in ast.unparse(decorator) for decorator in function.decorator_list)


def n_lines(function: ast.FunctionDef) -> int:
    """Lines of the function below its signature: that of a verb lists its options."""
    return function.end_lineno - function.body[0].lineno + 1


def test_no_function_is_longer_than_a_screen(sources):
    long = {
        f"{path}:{function.name}": n_lines(function)
        for path, text in sources.items() for function in functions(text)
        if n_lines(function) > MAX_FUNCTION_LINES and not is_compiled(function)
    }
    assert long == {}


def test_no_file_is_longer_than_250_lines(sources):
    lines = {path: len(text.splitlines()) for path, text in sources.items() if path not in DATA_FILES}
    assert {path: count for path, count in lines.items() if count > MAX_FILE_LINES} == {}


def test_every_module_says_what_it_is(sources):
    assert [p for p, text in sources.items() if text.strip() and not ast.get_docstring(ast.parse(text))] == []


def test_nothing_imports_pandas(project):
    importing = [
        path for folder in ("python", "tests/python", "tests/oracle")
        for path in (project / folder).rglob("*.py")
        if re.search(r"^\s*(?:import|from) pandas\b", path.read_text(), re.MULTILINE)
    ]
    assert importing == []


def default_numbers(text: str) -> list[str]:
    """Parameters whose default is a number other than 0 and 1, as `function(parameter=value)`."""
    found = []
    for function in functions(text):
        names = [*function.args.posonlyargs, *function.args.args]
        positional = zip(names[len(names) - len(function.args.defaults):], function.args.defaults, strict=True)
        keywords = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        for name, default in (*positional, *keywords):
            value = getattr(default, "value", None)
            if isinstance(value, int | float) and not isinstance(value, bool) and value not in (0, 1):
                found.append(f"{function.name}({name.arg}={value})")
    return found


def test_no_number_of_the_policy_is_a_default(sources):
    found = {
        path: default_numbers(text) for path, text in sources.items()
        if path.split("/")[0] in POLICY_FREE and default_numbers(text)
    }
    assert found == {}


def test_a_planted_default_is_found():
    assert default_numbers("def cut(texts, limit=100, *, share: float = 0.15, start=0): ...") == [
        "cut(limit=100)", "cut(share=0.15)",
    ]


def test_rooms_import_only_what_they_may(project):
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=project, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout
