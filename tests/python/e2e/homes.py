"""Home folders in the end-to-end tests: run the real commands on them, read what they hold."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import psutil
import pyarrow.parquet as pq

REPO = Path(__file__).resolve().parents[3]
SEEDS = REPO / "seeds" / "policy"
SECONDS = 1200  # for one command, on a machine that does much else
MODELS_ONLY = ("--exclude-resource-type", "unit_test", "test")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The process's environment without this project's own settings, for one home."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MATHPINPOINT_")}
    target = str(home / "target")
    return {
        **kept, "HF_HUB_OFFLINE": "1", "COLUMNS": "200", "MATHPINPOINT_HOME": str(home),
        "DBT_TARGET_PATH": target, "DBT_LOG_PATH": target, **more,
    }


def cli(home: Path, *arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command line on a home in a process of its own; `more` is added to the environment."""
    command = [sys.executable, "-m", "mathpinpoint.cli", *map(str, arguments)]
    return subprocess.run(
        command, env=environment(home, **more), capture_output=True, text=True, timeout=SECONDS
    )


def dbt(
    home: Path, *arguments: str, prefix: tuple[str, ...] = (), project: Path = REPO, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run dbt as a user does, in the folder of the project; `prefix` comes before the command."""
    command = [*prefix, str(Path(sys.executable).with_name("dbt")), "--no-use-colors", *arguments]
    return subprocess.run(
        [*command, "--profiles-dir", "."], cwd=project, capture_output=True, text=True, timeout=SECONDS,
        env=environment(home, **more),
    )


def measured(home: Path, *arguments: str | Path) -> tuple[subprocess.CompletedProcess[str], int]:
    """Run the command line; also give the most memory (bytes) that its processes held at once."""
    most = 0
    ended = threading.Event()

    def watch() -> None:
        nonlocal most
        here = psutil.Process()
        while not ended.is_set():
            held = 0
            for process in here.children(recursive=True):
                try:
                    held += process.memory_info().rss
                except psutil.Error:
                    continue
            most = max(most, held)
            time.sleep(0.25)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return cli(home, *arguments), most
    finally:
        ended.set()
        watcher.join()


def rows(home: Path, sql: str, parameters: list[Any] | None = None) -> list[tuple]:
    """Rows of one question to a home's warehouse."""
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute(sql, parameters or []).fetchall()


def landed(home: Path, table: str) -> list[dict[str, Any]]:
    """Rows of a landed table, read from its shards."""
    return pq.read_table(home / "landed" / table).to_pylist()


def seed(name: str, **wanted: str) -> list[dict[str, str]]:
    """Rows of a policy seed as text, those whose columns hold what is wanted."""
    import csv

    with (SEEDS / f"{name}.csv").open(encoding="utf-8") as lines:
        return [
            row for row in csv.DictReader(lines)
            if all(row[key] == value for key, value in wanted.items())
        ]


def hashes(folder: Path) -> dict[str, str]:
    """sha256 of each file under a folder, by relative path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def copied(home: Path, target: Path) -> Path:
    """Copy a home; its views read the facts of the first one until it is built again."""
    shutil.copytree(home, target, ignore=shutil.ignore_patterns("spill", "sample"))
    return target


def said(result: subprocess.CompletedProcess[str]) -> str:
    """What a command printed, for the message of an assertion."""
    return f"exit {result.returncode}\n{result.stdout[-6000:]}\n{result.stderr[-6000:]}"


def parsed(result: subprocess.CompletedProcess[str]) -> Any:
    """The JSON that a command printed."""
    assert result.returncode == 0, said(result)
    return json.loads(result.stdout)
