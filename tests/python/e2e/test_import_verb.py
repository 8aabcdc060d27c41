"""A release that a run wrote, imported into a home: the same labels, and the same training rows."""

import os
import shutil

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from homes import copied, hashes, rows

from mathpinpoint.audit.explain import explain_pair
from mathpinpoint.audit.policies import copy_project
from mathpinpoint.importing import land_release
from mathpinpoint.release.layout import ReleaseError
from mathpinpoint.warehouse import Warehouse, WarehouseError, project_folder

IDS = "query_id, positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id"
TEXTS = "anchor, positive, negative_1, negative_2, negative_3"
LOWER, UPPER = 0.01, 1.2  # bands that no policy of the project has


@pytest.fixture(scope="module")
def release(sample_home):
    return sorted((sample_home / "releases").iterdir())[-1]


@pytest.fixture(scope="module")
def imported(sample_home, release, tmp_path_factory):
    """A copy of the finished home into which its own release is imported, and what the import said."""
    before = {key: value for key, value in os.environ.items() if key.startswith("MATHPINPOINT_")}
    home = copied(sample_home, tmp_path_factory.mktemp("import") / "home")
    said = land_release(Warehouse(home), release, "own")
    yield home, said
    for key in [key for key in os.environ if key.startswith("MATHPINPOINT_")]:
        del os.environ[key]
    os.environ.update(before)


def test_every_row_of_the_release_is_there(imported, release):
    home, said = imported
    for table, config in (("documents", "corpus"), ("queries", "queries"), ("judgments", "judgments")):
        count = pq.read_table(release / config).num_rows
        assert rows(home, f"select count(*) from landed.imported_{table} where release = 'own'") == [(count,)]
        assert f"{count:,} {table}" in said


def test_under_the_same_policy_the_labels_are_the_released_ones(imported):
    home, said = imported
    assert "0 labels differ" in said
    found = rows(
        home,
        "select count(*), count(*) filter (where imported.label is distinct from own.label or imported.is_changed)"
        " from judging.imported_labels as imported"
        " inner join judging.judgments as own using (query_id, doc_id) where imported.release = 'own'",
    )
    assert found == [(rows(home, "select count(*) from judging.judgments")[0][0], 0)]


def test_the_training_rows_are_the_homes_own(imported):
    home, said = imported
    own = set(rows(home, f"select {IDS}, {TEXTS} from training.rows"))
    assert set(rows(home, f"select {IDS}, {TEXTS} from training.imported_rows where release = 'own'")) == own
    assert f"{len(own):,} queries give a training row" in said and own
    reasons = "select query_id, n_positives, n_negatives, reason from training."
    assert set(rows(home, f"{reasons}imported_outcomes")) == set(rows(home, f"{reasons}outcomes"))


def test_importing_again_changes_nothing(imported, release):
    home, said = imported
    before = hashes(home / "landed")
    assert land_release(Warehouse(home), release, "own") == said
    assert hashes(home / "landed") == before


def test_other_bands_cut_the_relevance_models_labels_anew(imported, tmp_path):
    home, _ = imported
    copy_project(project_folder(), tmp_path)
    bands = f"v2,0,,{LOWER}\nv2,1,{LOWER},{UPPER}\nv2,2,{UPPER},\n"
    bands = "policy,label,min_score,below_score\n" + bands + bands.replace("v2", "v1")
    (tmp_path / "seeds" / "policy" / "label_bands.csv").write_text(bands)
    warehouse = Warehouse(home, project=tmp_path)
    warehouse.build("--select", "label_bands", "imported_labels", "--exclude-resource-type", "unit_test", "test")
    found = rows(home, "select judge, raw_score, released_label, label, is_changed from judging.imported_labels")
    changed = 0
    for judge, raw_score, released, label, is_changed in found:
        cut = 0 if (raw_score or 0) < LOWER else 1 if raw_score < UPPER else 2
        assert label == (cut if judge == "rm8b" else released), (judge, raw_score, released)
        assert is_changed == (label != released)
        changed += is_changed
    assert changed > 0


def without_sums(release, folder):
    """A copy of a release that says nothing of its files, as others publish theirs: it can be changed."""
    (shutil.copytree(release, folder) / "SHA256SUMS").unlink()


@pytest.mark.parametrize("copy", [shutil.copytree, without_sums], ids=["with checksums", "without"])
def test_a_damaged_release_is_refused_with_the_file_and_what_to_run(release, tmp_path, copy):
    folder = tmp_path / "damaged"
    copy(release, folder)
    (shard,) = (folder / "queries").glob("*.parquet")
    content = bytearray(shard.read_bytes())
    content[8:4000] = bytes(3992)  # of the first column's pages
    shard.write_bytes(content)
    named = shard if copy is shutil.copytree else shard.parent
    with pytest.raises(ReleaseError, match=f"{named}.*mathpinpoint verify {folder}"):
        land_release(Warehouse(tmp_path / "home"), folder, "damaged")
    landed = list((tmp_path / "home" / "landed").rglob("*.parquet"))
    assert {path.name for path in landed} == {"empty.parquet"}


def test_other_content_needs_another_name(imported, release, tmp_path):
    home, _ = imported
    without_sums(release, tmp_path / "other")
    (shard,) = (tmp_path / "other" / "queries").glob("*.parquet")
    pq.write_table(pq.read_table(shard).slice(1), shard)
    before = hashes(home / "landed")
    with pytest.raises(WarehouseError, match="holds another release named 'own'.*--name"):
        land_release(Warehouse(home), tmp_path / "other", "own")
    assert hashes(home / "landed") == before


def test_a_release_with_a_pair_twice_is_refused_before_anything_is_landed(sample_home, release, tmp_path):
    without_sums(release, tmp_path / "twice")
    (shard,) = (tmp_path / "twice" / "judgments").glob("*.parquet")
    table = pq.read_table(shard)
    pq.write_table(pa.concat_tables([table, table.slice(3, 1)]), shard)
    pair = f"{table['qid'][3]}, {table['did'][3]} stands in 2 rows"
    with pytest.raises(ReleaseError, match=pair):
        land_release(Warehouse(tmp_path / "home"), tmp_path / "twice", "twice")
    landed = list((tmp_path / "home" / "landed").rglob("*.parquet"))
    assert {path.name for path in landed} == {"empty.parquet"}


def test_a_release_without_raw_scores_keeps_its_labels(release, tmp_path):
    """Of a release with the columns that all must have, into a home that holds nothing else."""
    without_sums(release, tmp_path / "small")
    (shard,) = (tmp_path / "small" / "judgments").glob("*.parquet")
    table = pq.read_table(shard).select(["qid", "did", "label"])
    pq.write_table(table, shard)
    said = land_release(Warehouse(tmp_path / "home"), tmp_path / "small", "small")
    assert "0 labels differ" in said
    found = rows(tmp_path / "home", "select label, count(*) from judging.imported_labels group by all order by all")
    counts = pc.value_counts(table["label"]).to_pylist()
    assert found == sorted((one["values"], one["counts"]) for one in counts)
    row = next(row for row in table.to_pylist() if row["label"] is not None)
    explained = explain_pair(Warehouse(tmp_path / "home"), row["qid"], row["did"])
    (label,) = explained["imported_labels"]
    assert (label["release"], label["label"], label["released_label"]) == ("small", row["label"], row["label"])
    assert explained["imported_query"] and explained["imported_document"] and explained["imported_outcomes"]
    with pytest.raises(WarehouseError, match="p_unknown is not in queries.queries"):
        explain_pair(Warehouse(tmp_path / "home"), "p_unknown", row["did"])
