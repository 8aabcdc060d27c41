"""The journal: durable, exclusive, tolerant of a kill, sealed without loss."""

import json
import os
import resource
import stat
import subprocess
import sys

import pyarrow as pa
import pytest

from mathpinpoint.clients.journal import SCHEMA, Journal
from mathpinpoint.locks import Busy


def row(key: str, attempt: int = 1, **values: object) -> dict:
    return {name: None for name in SCHEMA.names} | {
        "request_key": key, "attempt": attempt, "sent_at": 1_700_000_000_000_000, **values
    }


def collect(shards: list[pa.Table]):
    return lambda batches: shards.append(pa.Table.from_batches(list(batches), SCHEMA))


def test_rows_survive_closing_and_are_private(tmp_path):
    path = tmp_path / "journal" / "llm_replies.jsonl"
    with Journal(path) as journal:
        journal.append(row("b", content="α\n\u2028\x00 $x$"))
        journal.extend([row("a", 2), row("a", 1)])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Journal(path) as journal:
        assert journal.keys() == {("b", 1), ("a", 1), ("a", 2)}
        assert ("a", 2) in journal and ("c", 1) not in journal
        assert [(r["request_key"], r["attempt"]) for r in journal.rows()] == [
            ("a", 1), ("a", 2), ("b", 1)
        ]
        assert list(journal.rows())[2]["content"] == "α\n\u2028\x00 $x$"


@pytest.mark.parametrize("cut", range(1, 40, 6))
def test_torn_last_line_is_dropped_and_the_next_row_is_whole(tmp_path, cut):
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.extend([row("a"), row("b")])
    os.truncate(path, path.stat().st_size - cut)
    with Journal(path) as journal:
        assert journal.keys() == {("a", 1)}
        journal.append(row("c"))
    lines = path.read_bytes().splitlines()
    assert [json.loads(line)["request_key"] for line in lines] == ["a", "c"]


def test_damage_in_the_middle_is_named(tmp_path):
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.extend([row("a"), row("b")])
    path.write_bytes(b"\0\0\n" + path.read_bytes())
    with pytest.raises(ValueError, match="line 1 is damaged"):
        Journal(path)


def test_seal_hands_over_ordered_batches_and_empties_the_journal(tmp_path):
    shards: list[pa.Table] = []
    with Journal(tmp_path / "j") as journal:
        journal.extend([row("b"), row("a", 2), row("a")])
        journal.seal(collect(shards))
        assert journal.keys() == set()
        journal.seal(collect(shards))  # nothing to seal, no empty shard
        journal.append(row("c"))
    assert len(shards) == 1 and shards[0].schema == SCHEMA
    assert shards[0]["request_key"].to_pylist() == ["a", "a", "b"]
    assert shards[0]["attempt"].to_pylist() == [1, 2, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["j", "j.lock"]


def test_failed_seal_is_handed_over_again_by_recover_first_the_same(tmp_path):
    shards: list[pa.Table] = []

    def fails_after_writing(batches):
        collect(shards)(batches)
        raise OSError("disk full")

    with Journal(tmp_path / "j") as journal:
        journal.extend([row("b"), row("a")])
        with pytest.raises(OSError):
            journal.seal(fails_after_writing)
        journal.append(row("c"))
    with Journal(tmp_path / "j") as journal:
        journal.recover(collect(shards))
    assert shards[0] == shards[1]
    assert shards[2]["request_key"].to_pylist() == ["c"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["j", "j.lock"]


def test_second_process_is_refused_with_the_first_ones_pid(tmp_path):
    code = "import sys; from pathlib import Path\n"
    code += "from mathpinpoint.clients.journal import Journal\nJournal(Path(sys.argv[1]))"
    with Journal(tmp_path / "j.jsonl"):
        second = subprocess.run(
            [sys.executable, "-c", code, tmp_path / "j.jsonl"], capture_output=True, text=True
        )
    assert second.returncode and f"Busy: {tmp_path / 'j.jsonl'} is in use" in second.stderr
    assert f"PID {os.getpid()}" in second.stderr
    with pytest.raises(Busy), Journal(tmp_path / "k"):
        Journal(tmp_path / "k")


def test_full_disk_keeps_every_acknowledged_row_and_no_torn_one(tmp_path):
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.append(row("a"))
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, hard))
        try:
            with pytest.raises(OSError, match=f"{path}.*then run again"):
                journal.extend([row("b"), row("c")])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert journal.keys() == {("a", 1)}
        journal.append(row("d"))
        assert [r["request_key"] for r in journal.rows()] == ["a", "d"]
