"""What the audit reports of a finished home, counted again by hand; and an alarm, from a planted fault to the line."""

from collections import Counter

import duckdb
import pyarrow.parquet as pq
from homes import rows

from mathpinpoint.audit.summary import alarm_lines
from mathpinpoint.warehouse import Warehouse


def test_a_sound_home_has_no_alarm_and_every_count_of_its_card_is_counted_again(sample_home):
    assert alarm_lines(Warehouse(sample_home)) == ["No alarm."]
    counts = rows(
        sample_home, "select section, count(*), bool_and(n_card = n_recounted) from audit.card_counts group by 1"
    )
    expected = rows(
        sample_home,
        "select 'rows', 3, true union all select 'labels', count(*), true from audit.label_mix"
        " union all select 'funnel', count(*), true from audit.funnel",
    )
    assert sorted(counts) == sorted(expected)


def test_the_label_mix_that_the_card_prints_is_that_of_the_released_rows(sample_release):
    judgments = pq.read_table(sample_release / "judgments").select(["stage", "judge", "label_round", "label"])
    found = Counter(tuple(row.values()) for row in judgments.to_pylist())
    card = (sample_release / "README.md").read_text("utf-8").split("## Labels\n\n")[1].split("\n\n")[0]
    printed = {}
    for line in card.splitlines()[2:]:
        *key, n_pairs = [cell.strip() for cell in line.strip("|").split("|")]
        printed[tuple(key)] = int(n_pairs.replace(",", ""))
    assert printed == {
        tuple("" if value is None else str(value) for value in key): count for key, count in found.items()
    }


def test_coverage_is_the_share_of_a_routes_first_pairs_that_are_judged(sample_home):
    judged = set(rows(sample_home, "select query_id, doc_id from judging.judgments"))
    found = rows(sample_home, "select route, depth, n_pairs, n_judged from audit.coverage")
    assert found
    for route, depth, n_pairs, n_judged in found:
        pairs = rows(sample_home, f"select query_id, doc_id from retrieval.ranks where {route}_rank <= {depth}")
        assert (n_pairs, n_judged) == (len(pairs), sum(pair in judged for pair in pairs)), (route, depth)


def test_a_count_that_no_table_holds_raises_an_alarm_in_the_summary(home_copy):
    with duckdb.connect(home_copy / "warehouse.duckdb") as connection:
        connection.execute("update audit.card_counts set n_card = n_card + 1, is_alarm = true where name = 'corpus'")
    ((n_documents,),) = rows(home_copy, "select count(*) from corpus.documents")
    assert alarm_lines(Warehouse(home_copy)) == [
        f"ALARM count of the card differs, rows corpus: {n_documents + 1:,} where the tables hold {n_documents:,}"
    ]
