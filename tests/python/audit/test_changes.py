"""The pairs that two policies judge differently, counted again in Python over label tables drawn at random."""

import random
from collections import Counter

import duckdb
import pytest

from mathpinpoint.audit.changes import EXAMPLES, by_stage_lines, changed_pairs, example_lines, kinds_of_change

STAGES = ("dense_top5", "short_doc", "fused_short")


def drawn(seed: int) -> dict[tuple[str, str], tuple]:
    """Judgments by pair: (stage, judge, label, raw score)."""
    draw = random.Random(seed)
    return {
        (f"p_{number // 20}", f"d_{number % 20}"): (
            STAGES[number % 3], draw.choice(["llm", "rm8b"]), draw.choice([0, 1, 2, None]), draw.random()
        )
        for number in range(2000) if draw.random() < 0.9
    }


@pytest.fixture(scope="module")
def found():
    """The two sides, and what `changes` says of them."""
    sides = {"a": drawn(1), "b": drawn(2)}
    with duckdb.connect() as connection:
        for name, side in sides.items():
            connection.execute(f"attach ':memory:' as {name}")
            connection.execute(f"create schema {name}.judging")
            connection.execute(
                f"create table {name}.judging.judgments "
                "(query_id text, doc_id text, stage text, judge text, label bigint, raw_score double)"
            )
            rows = [[*pair, *rest] for pair, rest in side.items()]
            connection.executemany(f"insert into {name}.judging.judgments values (?, ?, ?, ?, ?, ?)", rows)
        changed_pairs(connection, "a", "b")
        yield sides["a"], sides["b"], *kinds_of_change(connection)


def expected(a: dict, b: dict) -> dict[tuple[str, str], tuple]:
    """(stage, change, label before, label after) of every pair that differs."""
    kinds = {}
    for pair in a.keys() | b.keys():
        before, after = a.get(pair), b.get(pair)
        change = "gained" if before is None else "lost" if after is None else "flipped"
        labels = (before and before[2], after and after[2])
        if change != "flipped" or labels[0] != labels[1]:
            kinds[pair] = ((after or before)[0], change, *labels)
    return kinds


def test_every_pair_that_differs_is_counted_in_its_stage(found):
    a, b, by_stage, _ = found
    counts = {
        (row["stage"], row["change"], row["label_before"], row["label_after"]): row["n_pairs"] for row in by_stage
    }
    assert counts == Counter(expected(a, b).values())
    assert {kind[1] for kind in counts} == {"gained", "lost", "flipped"}


def test_each_kind_of_change_has_its_examples(found):
    a, b, _, examples = found
    kinds = expected(a, b)
    shown = Counter()
    for row in examples:
        pair = row["query_id"], row["doc_id"]
        kind = (row["change"], row["label_before"], row["label_after"])
        assert kinds[pair] == (row["stage"], *kind)
        assert (row["judge_before"], row["judge_after"]) == tuple(side.get(pair, (None,) * 4)[1] for side in (a, b))
        shown[kind] += 1
    all_of_it = Counter(kind[1:] for kind in kinds.values())
    assert shown == {kind: min(count, EXAMPLES) for kind, count in all_of_it.items()}
    assert max(all_of_it.values()) > EXAMPLES


def test_the_text_names_stage_labels_and_pairs(found):
    *_, by_stage, examples = found
    assert len(by_stage_lines(by_stage)) == len(by_stage)
    assert any("short_doc" in line and "flipped" in line and "0 → 2" in line for line in by_stage_lines(by_stage))
    lines = example_lines(examples)
    kinds = {(row["change"], row["label_before"], row["label_after"]) for row in examples}
    assert len(lines) == len(examples) + len(kinds) and "examples: flipped 0 → 2" in lines


def test_a_policy_against_itself_changes_nothing():
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as a")
        connection.execute("create schema a.judging")
        connection.execute(
            "create table a.judging.judgments as select 'q' as query_id, 'd' as doc_id, 'short_doc' as stage,"
            " 'llm' as judge, cast(null as bigint) as label, 0.5 as raw_score"
        )
        changed_pairs(connection, "a", "a")
        assert kinds_of_change(connection) == ([], [])
