"""Bytes, shards and atomicity of a written release."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import made
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mathpinpoint.release.layout import CONFIGS, ReleaseError, shard_paths


def test_bytes_depend_on_rows_alone(tmp_path):
    first = made.contents(made.write(tmp_path / "a" / "release"))
    for number, batch_rows in enumerate((1, 7, 64)):
        folder = made.write(tmp_path / str(number) / "release", batch_rows=batch_rows)
        assert made.contents(folder) == first
    large = {
        name: table.cast(pa.schema([
            pa.field(field.name, pa.large_string(), metadata={"made": "elsewhere"})
            if field.type == pa.string() else field for field in table.schema
        ]))
        for name, table in made.tables().items()
    }
    assert made.contents(made.write(tmp_path / "large" / "release", large)) == first


def test_shards_and_row_groups_have_the_fixed_number_of_rows(tmp_path):
    folder = made.write(tmp_path / "release", batch_rows=13)
    names = [path.name for path in shard_paths(folder, "corpus")]
    assert names == [f"train-0000{number}-of-00003.parquet" for number in range(3)]
    sizes = []
    for path in shard_paths(folder, "corpus"):
        metadata = pq.read_metadata(path)
        sizes.append([metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)])
    assert sizes == [[10, 10, 5], [10, 10, 5], [10]]


def test_the_rows_come_back_as_they_went_in(tmp_path):
    folder = made.write(tmp_path / "release", batch_rows=13)
    for config, table in made.tables().items():
        back = pa.concat_tables(pq.read_table(path) for path in shard_paths(folder, config))
        assert back.to_pylist() == table.to_pylist()
        assert back.schema.names == table.schema.names


def test_an_empty_table_is_one_valid_shard(tmp_path):
    folder = made.write(tmp_path / "release", {n: t.slice(0, 0) for n, t in made.tables().items()})
    for config in CONFIGS:
        [path] = shard_paths(folder, config)
        assert pq.read_table(path).num_rows == 0 and path.name == "train-00000-of-00001.parquet"


def test_at_most_a_few_row_groups_are_held(tmp_path):
    made.write(tmp_path / "warm")
    group = made.corpus().slice(0, 10)
    text = pa.array(["x" * 100_000 + str(n) for n in range(10)])
    group = group.set_column(1, "text", text)
    most = 0

    def batches():
        nonlocal most
        for _ in range(60):
            most = max(most, pa.total_allocated_bytes() - before)
            yield from group.to_batches()

    opened = made.streams(made.tables())
    opened["corpus"] = lambda: pa.RecordBatchReader.from_batches(group.schema, batches())
    before = pa.total_allocated_bytes()
    made.write_release(
        tmp_path / "release", opened, made.FACTS,
        rows_per_shard=made.SHARDS, row_group_rows={**made.GROUPS, "corpus": 25},
    )
    print(f"{60 * 1.0:.0f} MB of text written, at most {most / 1e6:.1f} MB held")
    assert most < 4 * 25 * 100_000


def test_a_missing_column_is_named(tmp_path):
    found = made.tables()
    found["judgments"] = found["judgments"].drop_columns(["label", "judge"])
    with pytest.raises(ReleaseError, match="stream of judgments lacks label, judge. Needed: qid"):
        made.write(tmp_path / "release", found)
    assert list(tmp_path.iterdir()) == []


def test_the_same_content_is_left_alone_and_other_content_refused(tmp_path):
    folder = made.write(tmp_path / "release")
    inode = folder.stat().st_ino
    made.write(folder)
    assert folder.stat().st_ino == inode
    before = made.contents(folder)
    other = {**made.tables(), "corpus": made.corpus().slice(1)}
    with pytest.raises(ReleaseError, match="exists with other content .content .*; new: content"):
        made.write(folder, other)
    assert made.contents(folder) == before
    made.write(folder, other, replace=True)
    assert made.contents(folder) != before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_folder_whose_file_has_rotted_is_not_the_same(tmp_path):
    folder = made.write(tmp_path / "release")
    shard_paths(folder, "queries")[0].write_bytes(b"rot")
    with pytest.raises(ReleaseError, match="exists with other content"):
        made.write(folder)


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
import made
from pathlib import Path

target, replace, left = Path(sys.argv[2]), sys.argv[3] == "replace", int(sys.argv[4])

def counted(name, function):
    def call(*arguments, **options):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

from mathpinpoint.release import layout, staging, writer
for module, name in ((os, "fsync"), (os, "rename"), (Path, "rename"), (Path, "write_text"),
                     (staging, "_exchange"), (writer, "sha256_file")):
    setattr(module, name, counted(name, getattr(module, name)))
made.write(target, {**made.tables(), "corpus": made.corpus().slice(1)}, replace=replace)
print(int(sys.argv[4]) - left)
"""
MANY = 1_000_000


def run_killed(target: Path, how: str, step: int) -> int | None:
    """Write in a process that kills itself before the given file operation; else their number."""
    here = str(Path(made.__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, here, str(target), how, str(step)],
        capture_output=True, text=True, timeout=120,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return None if done.returncode else int(done.stdout)


@pytest.mark.parametrize("how", ["new", "replace"])
def test_a_kill_at_any_step_leaves_the_old_or_the_new_release(tmp_path, how):
    """Steps are the file operations: describe, rename, write, fsync, publish."""
    new = made.contents(
        made.write(tmp_path / "new", {**made.tables(), "corpus": made.corpus().slice(1)})
    )
    old = made.contents(made.write(tmp_path / "old")) if how == "replace" else None
    if old:
        made.write(tmp_path / "counted" / "release")
    n_steps = run_killed(tmp_path / "counted" / "release", how, MANY)
    seen = []
    for step in [*range(0, n_steps - 3, 5), *range(n_steps - 3, n_steps)]:
        target = tmp_path / f"at-{step}" / "release"
        if old:
            made.write(target)
        assert run_killed(target, how, step) is None
        found = made.contents(target) if target.exists() else None
        seen.append("new" if found == new else "old" if found == old else "half")
        made.write(target, {**made.tables(), "corpus": made.corpus().slice(1)}, replace=True)
        assert made.contents(target) == new
        assert [path.name for path in target.parent.iterdir()] == ["release"]
    print(f"{how}: killed before {len(seen)} of {n_steps} file operations, left {set(seen)}")
    assert set(seen) == {"old", "new"} and seen == sorted(seen, reverse=True)


def test_what_a_living_run_writes_is_left_alone(tmp_path):
    alive = tmp_path / f".release.staging-{os.getppid()}"
    dead = tmp_path / ".release.staging-999999999"
    alive.mkdir()
    dead.mkdir()
    made.write(tmp_path / "release")
    assert alive.exists() and not dead.exists()


def test_a_folder_that_is_no_release_is_never_replaced(tmp_path):
    from mathpinpoint.release.staging import staged

    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("keep me")
    with pytest.raises(ReleaseError, match="is no release"), staged(tmp_path / "notes", replace=True) as staging:
        (staging / "file").write_text("x")
    assert (tmp_path / "notes" / "mine.txt").read_text() == "keep me"
