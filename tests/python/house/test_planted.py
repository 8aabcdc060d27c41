"""Faults planted in a copy of the project: each fails the build, by name."""

import csv
import shutil
from pathlib import Path

import pytest

from mathpinpoint.warehouse import Warehouse, WarehouseError

FILES = ("dbt_project.yml", "profiles.yml")
FOLDERS = ("models", "macros", "seeds", "prompts", "tests/data")
PROMPT = "prompts/query_check_prompt.md"
CATCH_ALL, MISSPELT = ("v2", "short_doc"), ("v1", "dense_top5")


def plant_in_rules(path: Path) -> None:
    """Delete the catch-all rule of v2, and misspell a judge of v1."""
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        for row in rows:
            if (row["policy"], row["rule"]) != CATCH_ALL:
                judge = "lmm" if (row["policy"], row["rule"]) == MISSPELT else row["judge"]
                writer.writerow({**row, "judge": judge})


@pytest.fixture(scope="module")
def planted(project, tiny_home, tmp_path_factory) -> Warehouse:
    """The tiny home's facts under a copy of the project in which three things are wrong."""
    copy, home = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("planted")
    for name in FILES:
        shutil.copy(project / name, copy / name)
    for name in FOLDERS:
        shutil.copytree(project / name, copy / name)
    plant_in_rules(copy / "seeds/policy/judge_rules.csv")
    prompt = copy / PROMPT
    prompt.write_bytes(prompt.read_bytes().replace(b".", b"!", 1))
    shutil.copytree(tiny_home.landed, home / "landed")
    return Warehouse(home, copy)


def failure(warehouse: Warehouse, *select: str) -> str:
    """What a build of the selection says that failed; tests are run only where they are named."""
    with pytest.raises(WarehouseError) as raised:
        warehouse.build("--select", *select, "--exclude-resource-type", "unit_test", "--indirect-selection", "empty")
    return str(raised.value)


def test_a_misspelt_judge_fails_the_build(planted):
    test = "relationships_judge_rules_judge__judge__ref_judges_"
    assert f"seeds/policy/policy.yml: {test}" in failure(planted, "judges", "judge_rules", test)


def test_a_prompt_changed_by_one_byte_fails_the_build(planted):
    message = failure(planted, "prompts", "prompt_files_are_the_pinned_ones")
    assert "tests/data/prompt_files_are_the_pinned_ones.sql" in message


def test_a_deleted_catch_all_rule_fails_the_build_before_there_is_any_candidate(planted):
    test = "every_rank_of_a_candidate_rule_has_a_judge_rule"
    assert f"tests/data/{test}.sql" in failure(planted, f"+{test}")


def test_a_deleted_catch_all_rule_leaves_a_candidate_without_a_judge(planted):
    test = "every_candidate_is_routed_by_a_rule"
    message = failure(planted, f"+{test}")
    assert f"tests/data/{test}.sql" in message
    assert "Got 1 result" in message
