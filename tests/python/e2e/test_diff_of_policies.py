"""What another policy would change, counted again by hand from the two files that `diff` builds."""

import csv
import os
import subprocess
from pathlib import Path

import duckdb
import pytest
from homes import copied, rows

from mathpinpoint.audit.diff import diff_policies, diff_text
from mathpinpoint.audit.policies import copy_project
from mathpinpoint.importing import land
from mathpinpoint.warehouse import Warehouse, WarehouseError, project_folder

LOWER, UPPER = 0.01, 1.2  # bands that no policy of the project has


@pytest.fixture(scope="module")
def warehouse(sample_home, tmp_path_factory):
    """A copy of the finished home, with a copy of the project that a test may change."""
    before = {key: value for key, value in os.environ.items() if key.startswith("MATHPINPOINT_")}
    project = tmp_path_factory.mktemp("project")
    copy_project(project_folder(), project)
    bands = project / "seeds" / "policy" / "label_bands.csv"
    shipped = bands.read_text()
    write_bands(bands)
    git = ["git", "-C", str(project), "-c", "user.name=Test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run([*git, *command], check=True)
    bands.write_text(shipped)
    warehouse = Warehouse(copied(sample_home, tmp_path_factory.mktemp("diff") / "home"), project=project)
    land(warehouse, sorted((sample_home / "releases").iterdir())[-1], "own")
    yield warehouse
    for key in [key for key in os.environ if key.startswith("MATHPINPOINT_")]:
        del os.environ[key]
    os.environ.update(before)


@pytest.fixture(scope="module")
def versions(warehouse):
    return diff_policies(warehouse, "v1", "v2")


@pytest.fixture(scope="module")
def seeds(warehouse, tmp_path_factory):
    """A folder of seeds whose bands give other labels."""
    folder = tmp_path_factory.mktemp("seeds")
    write_bands(folder / "label_bands.csv")
    return folder


@pytest.fixture(scope="module")
def bands(warehouse, seeds):
    return diff_policies(warehouse, "v2", str(seeds))


def write_bands(path: Path) -> None:
    text = "policy,label,min_score,below_score\n"
    for policy in ("v1", "v2"):
        text += f"{policy},0,,{LOWER}\n{policy},1,{LOWER},{UPPER}\n{policy},2,{UPPER},\n"
    path.write_text(text)


def pairs(side, sql):
    """Rows of one question to a side's file, as a dict from pair to the rest."""
    with duckdb.connect(side["file"], read_only=True) as connection:
        return {row[:2]: row[2:] for row in connection.execute(sql).fetchall()}


def test_new_candidates_and_their_judges_are_counted(versions):
    a, b = (
        pairs(versions[side], "select query_id, doc_id from retrieval.candidates") for side in "ab"
    )
    assert versions["candidates"] == {
        "n_a": len(a), "n_b": len(b), "added": len(b.keys() - a.keys()), "removed": 0,
    }
    assert len(b) > len(a) and a.keys() <= b.keys()
    for row in versions["assignments"]:
        assert (row["n_b"] > row["n_a"] == 0) == row["rule"].startswith(("fused_", "v2_")), row
    text = diff_text(versions)
    assert f"({len(b) - len(a):,} added, 0 removed)" in text and "fused_short" in text


def test_labels_gained_are_those_of_the_second_policy_alone(versions):
    a, b = (
        pairs(versions[side], "select query_id, doc_id, label from judging.judgments") for side in "ab"
    )
    found = versions["judgments"]
    assert found["gained"] == len(b.keys() - a.keys()) > 0
    assert (found["lost"], found["flipped"]) == (0, 0)
    assert sum(row["n_pairs"] for row in versions["labels"] if row["before"] == "none") == found["gained"]
    assert sum(row["n_pairs"] for row in versions["labels"]) >= len(a.keys() | b.keys())


def test_training_rows_are_compared_by_query_and_by_what_they_use(versions):
    sql = (
        "select query_id, '', positive_doc_id, negative_1_doc_id, negative_2_doc_id, negative_3_doc_id"
        " from training.rows"
    )
    a, b = (pairs(versions[side], sql) for side in "ab")
    assert versions["training_rows"] == {
        "n_a": len(a), "n_b": len(b), "gained": len(b.keys() - a.keys()), "lost": len(a.keys() - b.keys()),
        "changed": sum(a[query] != b[query] for query in a.keys() & b.keys()),
    }
    for row in versions["training_reasons"]:
        assert (row["reason"] == "kept") <= (row["n_a"] == len(a) and row["n_b"] == len(b))


def test_other_bands_flip_the_relevance_models_labels_alone(warehouse, bands):
    flipped = 0
    for judge, label, raw_score in rows(
        warehouse.home, "select judge, label, raw_score from judging.judgments"
    ):
        if judge == "rm8b":
            flipped += label != (0 if raw_score < LOWER else 1 if raw_score < UPPER else 2)
    found = bands["judgments"]
    assert found["flipped"] == flipped > 0
    assert (found["gained"], found["lost"]) == (0, 0)
    assert bands["candidates"]["added"] == bands["candidates"]["removed"] == 0
    assert all(row["n_new"] == 0 for row in bands["pending"])
    assert sum(row["n_pairs"] for row in bands["labels"] if row["before"] != row["after"]) == flipped


def test_changes_add_up_over_the_stages_and_are_shown_by_examples(versions, bands):
    for found in (versions, bands):
        for kind in ("gained", "lost", "flipped"):
            assert sum(row[kind] for row in found["stages"]) == found["judgments"][kind]
            shown = [row for row in found["examples"] if row["kind"] == kind]
            assert len(shown) == min(10, found["judgments"][kind])
            for side, column in (("a", "before"), ("b", "after")):
                states = pairs(found[side], "select query_id, doc_id, label, stage from judging.judgments")
                for row in shown:
                    label, stage = states.get((row["query_id"], row["doc_id"]), (None, row["stage"]))
                    assert stage == row["stage"] and (label is None or row[column] == str(label))
        for kind in ("gained", "lost", "changed"):
            shown = [row for row in found["examples"] if row["kind"] == f"row {kind}"]
            assert len(shown) == min(10, found["training_rows"][kind])
    assert {row["kind"] for row in bands["examples"]} >= {"flipped"} and bands["stages"]
    (example, *_) = bands["examples"]
    assert f"{example['query_id']} {example['doc_id']}" in diff_text(bands)


def test_an_imported_releases_labels_flip_as_the_homes_own(bands):
    (found,) = bands["imported"]
    assert (found["release"], found["flipped"]) == ("own", bands["judgments"]["flipped"])
    assert (found["n_rows_a"], found["n_rows_b"]) == (bands["training_rows"]["n_a"], bands["training_rows"]["n_b"])
    assert f"imported release own: {found['flipped']:,} of {found['n_pairs']:,} labels flipped" in diff_text(bands)


def test_what_a_wider_rule_has_to_ask_is_counted_and_priced(warehouse, tmp_path):
    path = warehouse.project / "seeds" / "policy" / "judge_rules.csv"
    with path.open(newline="") as lines:
        rules = list(csv.DictReader(lines))
    for rule in rules:
        if rule["policy"] == "v2" and rule["rule"] == "dense_top5":
            rule["max_rank"] = "9"
    with (tmp_path / path.name).open("w", newline="") as lines:
        writer = csv.DictWriter(lines, rules[0])
        writer.writeheader()
        writer.writerows(rules)
    found = diff_policies(warehouse, "v2", str(tmp_path))
    asked = rows(
        warehouse.home,
        "select count(*) from retrieval.candidates as candidates left join judging.asks as asks"
        " on candidates.query_id = asks.query_id and candidates.doc_id = asks.doc_id and asks.label_round = 'v1'"
        " and asks.stage <> 'source_page' where candidates.dense_rank <= 9 and asks.query_id is null",
    )[0][0]
    (new,) = [row["n_new"] for row in found["pending"] if row["landed_table"] == "llm_replies"]
    assert new == asked > 0
    (cost,) = found["costs"]
    assert cost["n_requests_b"] - cost["n_requests_a"] == asked
    assert cost["prompt_tokens"] > 0 and cost["completion_tokens"] == 200 * asked
    assert f"newly to be judged by llm: {asked:,} pairs" in diff_text(found)


def test_a_revision_is_compared_with_the_seeds_as_they_are(warehouse, bands):
    """The one commit of the project's copy has the other bands, its working tree the shipped ones."""
    found = diff_policies(warehouse, "HEAD", "v2")
    assert found["judgments"] == bands["judgments"]
    turned = [{**row, "before": row["after"], "after": row["before"]} for row in bands["labels"]]
    assert found["labels"] == sorted(turned, key=lambda row: (row["before"], row["after"]))


def test_the_same_policy_twice_changes_nothing_and_builds_nothing(warehouse, versions):
    file = Path(versions["b"]["file"])
    built_at = file.stat().st_mtime_ns
    found = diff_policies(warehouse, "v2", "v2")
    assert file.stat().st_mtime_ns == built_at and found["a"]["file"] == str(file)
    assert found["judgments"]["flipped"] == found["candidates"]["added"] == 0
    assert all(row["before"] == row["after"] for row in found["labels"])


def test_the_homes_own_warehouse_stays_as_it_was(warehouse, sample_home, versions):
    counts = [
        rows(home, "select count(*) from judging.judgments")[0][0] for home in (warehouse.home, sample_home)
    ]
    assert counts[0] == counts[1]
    assert (warehouse.home / "warehouse.duckdb").stat().st_size == (
        sample_home / "warehouse.duckdb"
    ).stat().st_size


def test_an_unknown_name_lists_what_there_is(warehouse):
    with pytest.raises(WarehouseError, match="'v9' is no policy.*policies.csv: v1, v2"):
        diff_policies(warehouse, "v9", "v2")


def test_a_file_that_replaces_no_seed_is_refused_by_name(warehouse, tmp_path):
    (tmp_path / "label_band.csv").write_text("policy\n")
    with pytest.raises(WarehouseError, match="label_band.csv replaces no seed.*label_bands.csv"):
        diff_policies(warehouse, "v2", str(tmp_path))


def test_a_misspelt_judge_does_not_build(warehouse, tmp_path):
    text = (warehouse.project / "seeds" / "policy" / "judge_rules.csv").read_text()
    (tmp_path / "judge_rules.csv").write_text(text.replace(",rm8b,", ",rm8,", 1))
    with pytest.raises(WarehouseError, match="relationships_judge_rules_judge"):
        diff_policies(warehouse, "v2", str(tmp_path))


def test_a_home_without_facts_says_what_to_run(tmp_path):
    with pytest.raises(WarehouseError, match="mathpinpoint run"):
        diff_policies(Warehouse(tmp_path / "none"), "v1", "v2")
