"""Every kind of damage and every broken rule is named."""

import csv
from pathlib import Path

import made
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mathpinpoint.release import rules
from mathpinpoint.release.layout import SUMS, sha256_file, shard_paths
from mathpinpoint.release.verify import verify_release

SEEDS = Path(__file__).parents[3] / "seeds" / "policy"


def said(folder: Path) -> list[str]:
    return [f"{problem.file}: {problem.what}" for problem in verify_release(folder)]


def reseal(folder: Path) -> None:
    """Write the checksums anew, as somebody would who changes a release by hand."""
    names = [name for name in made.contents(folder) if name != SUMS]
    lines = [f"{sha256_file(folder / name)}  {name}\n" for name in sorted(names)]
    (folder / SUMS).write_text("".join(lines))


def test_a_sound_release_has_no_problem(tmp_path):
    assert said(made.write(tmp_path / "release")) == []
    texts = made.judgments()
    codes = [made.as_json(codes) for codes in texts["reason_codes"].to_pylist()]
    place = texts.schema.get_field_index("reason_codes")
    texts = texts.set_column(place, "reason_codes", pa.array(codes, pa.string()))
    assert said(made.write(tmp_path / "text", {**made.tables(), "judgments": texts})) == []


def test_an_empty_release_has_no_problem(tmp_path):
    empty = {name: table.slice(0, 0) for name, table in made.tables().items()}
    assert said(made.write(tmp_path / "release", empty)) == []


def test_a_flipped_byte_is_named_wherever_it_is(tmp_path):
    folder = made.write(tmp_path / "release")
    for name, content in made.contents(folder).items():
        if name == SUMS:
            continue
        for place in (len(content) // 3, len(content) // 2, len(content) - 3):
            flipped = bytearray(content)
            flipped[place] ^= 0x10
            (folder / name).write_bytes(flipped)
            assert any(line.startswith(f"{name}: has sha256") for line in said(folder))
        (folder / name).write_bytes(content)
    assert said(folder) == []


def test_a_page_checksum_speaks_where_the_list_was_written_anew(tmp_path):
    folder = made.write(tmp_path / "release")
    path = shard_paths(folder, "judgments")[1]
    content = bytearray(path.read_bytes())
    start = pq.read_metadata(path).row_group(0).column(1).dictionary_page_offset
    content[start + 60] ^= 0x10
    path.write_bytes(content)
    reseal(folder)
    lines = said(folder)
    assert lines[0].startswith("judgments/train-00001-of-00003.parquet: cannot be read: ")


@pytest.mark.parametrize("damage", ["truncated", "empty", "html"])
def test_a_shard_that_is_no_parquet_is_named(tmp_path, damage):
    folder = made.write(tmp_path / "release")
    path = shard_paths(folder, "corpus")[0]
    content = path.read_bytes()
    path.write_bytes({"truncated": content[:-40], "empty": b"", "html": b"<html></html>"}[damage])
    reseal(folder)
    lines = said(folder)
    assert any(line.startswith("corpus/train-00000-of-00003.parquet: cannot be") for line in lines)
    assert "README.md: says 60 rows of corpus; the shards hold 35" in lines


def test_missing_and_foreign_files_are_named(tmp_path):
    folder = made.write(tmp_path / "release")
    shard_paths(folder, "corpus")[2].unlink()
    (folder / "notes.txt").write_text("mine")
    lines = said(folder)
    assert "notes.txt: is not in SHA256SUMS" in lines
    assert "corpus/train-00002-of-00003.parquet: is missing" in lines
    (folder / SUMS).unlink()
    assert "is missing" in said(folder)[0]
    (folder / "README.md").write_text("no front matter")
    assert any(line.startswith("README.md: has no dataset_info") for line in said(folder))


def test_a_shard_with_other_columns_is_named(tmp_path):
    folder = made.write(tmp_path / "release")
    path = shard_paths(folder, "queries")[0]
    pq.write_table(pq.read_table(path).drop_columns(["text"]), path)
    path = shard_paths(folder, "corpus")[1]
    table = pq.read_table(path)
    pq.write_table(table.append_column("extra", pa.nulls(table.num_rows)), path)
    path = shard_paths(folder, "judgments")[0]
    table = pq.read_table(path)
    text = table["label"].cast(pa.string())
    pq.write_table(table.set_column(table.schema.get_field_index("label"), "label", text), path)
    lines = "\n".join(said(folder))
    assert "queries/train-00000-of-00001.parquet: lacks the columns text" in lines
    assert "corpus/train-00001-of-00003.parquet: has other columns than the first shard" in lines
    assert "judgments/train-00000-of-00003.parquet: has columns of a wrong type: label st" in lines


# A cell that is changed (table, row, column, value), and what is said of it. Row 1 is the LLM's
# with label 0 and code list; row 3 is the relevance model's; row 0 and 50 are not evaluable.
BROKEN = [
    ("judgments", 1, "dense_rank", 0, "dense_rank is below 1"),
    ("judgments", 1, "dense_rank", -4, "dense_rank is below 1"),
    ("judgments", 1, "label", 3, "label is not 0, 1, 2 or null"),
    ("judgments", 1, "label", None, "label is there for an unevaluable query, or missing"),
    ("judgments", 1, "query_evaluable", False, "label is there for an unevaluable query"),
    ("judgments", 1, "dense_score", float("nan"), "dense_score is not a finite number"),
    ("judgments", 1, "rrf_score", float("inf"), "rrf_score is not a finite number"),
    ("judgments", 1, "judge", "gpt", "judge is neither llm nor rm8b"),
    ("judgments", 1, "did", "d_elsewhere", "did is not in corpus"),
    ("judgments", 1, "qid", "p_000000000000000000000000 ", "qid is not in queries"),
    ("judgments", 1, "did", None, "did is null"),
    ("judgments", 3, "rm8b_score", None, "judge is rm8b without rm8b_score"),
    ("judgments", 1, "rubric_sha256", None, "judge is llm without rubric_sha256"),
    ("judgments", 1, "rrf_score", None, "fused_rank without rrf_score"),
    ("judgments", 1, "reason_codes", [], "reason_codes do not fit label"),
    ("judgments", 1, "reason_codes", None, "reason_codes do not fit label"),
    ("judgments", 1, "reason_codes", ["wrong_problem", "full_solution"], "do not fit label"),
    ("judgments", 1, "answer_validity", None, "answer_validity does not fit label"),
    ("judgments", 50, "reason_codes", ["topic_only"], "reason_codes do not fit an unevaluable"),
    ("queries", 4, "source_did", "d_elsewhere", "source_did is not in corpus"),
    ("queries", 4, "qid", "p_000000000000000000000003", "1 rows repeat a qid"),
    ("queries", 4, "text", None, "text is null"),
    ("corpus", 4, "did", "d_000000000000000000000003", "1 rows repeat a did"),
    ("corpus", 4, "n_chars", 5, "n_chars is not the length of text"),
]


@pytest.mark.parametrize("config, row, column, value, what", BROKEN)
def test_a_broken_rule_is_named(tmp_path, config, row, column, value, what):
    found = made.tables()
    values = found[config][column].to_pylist()
    values[row] = value
    found[config] = made.with_column(found[config], column, values)
    lines = said(made.write(tmp_path / "release", found))
    assert any(what in line and line.startswith(config) for line in lines), lines


def test_pairs_and_ranks_occur_once_in_a_query_also_across_row_groups(tmp_path):
    one = made.judgments()
    double = pa.concat_tables([one.slice(0, 50), one.slice(49)])  # row groups hold 50 rows
    lines = said(made.write(tmp_path / "release", {**made.tables(), "judgments": double}))
    assert [line.split(": ")[1] for line in lines] == [
        "1 rows repeat a did of their query", "1 rows repeat a dense_rank of their query",
        "1 rows repeat a bm25_rank of their query", "1 rows repeat a fused_rank of their query",
    ]
    reversed_rows = one.take(list(range(one.num_rows))[::-1])
    lines = said(made.write(tmp_path / "back", {**made.tables(), "judgments": reversed_rows}))
    assert any("rows are not ordered by qid" in line for line in lines)


@pytest.mark.skipif(not SEEDS.is_dir(), reason="needs the policy seeds of a checkout")
def test_the_rules_of_a_judgement_are_those_of_the_seeds():
    with (SEEDS / "validity_rules.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    for label, names in rules.VALIDITY.items():
        wanted = {row["answer_validity"] for row in rows if row[f"for_score_{label}"] == "true"}
        assert set(names) == wanted
    with (SEEDS / "reason_codes.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    for label, names in rules.CODES.items():
        assert set(names) == {r["reason_code"] for r in rows if r[f"for_score_{label}"] == "true"}
    wanted = {row["reason_code"] for row in rows if row["for_unevaluable"] == "true"}
    assert set(rules.UNEVALUABLE) == wanted
