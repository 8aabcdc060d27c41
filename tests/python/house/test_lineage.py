"""Between stages only the models are built that what landed since can change, with the tests that can be run."""

import pytest

from mathpinpoint.lineage import Lineage


@pytest.fixture
def lineage(manifest, tmp_path):
    for table in ("pages", "page_texts", "signatures"):
        (tmp_path / "landed" / table).mkdir(parents=True)
    return Lineage(manifest, tmp_path / "landed")


def land(lineage, table, name="one"):
    (lineage.landed / table / f"{name}.parquet").touch()


def built(lineage, *wanted):
    stale = lineage.stale(wanted)
    lineage.built(stale)
    return stale


def test_what_is_asked_for_is_built_with_all_above_it_and_once(lineage):
    assert built(lineage, "pending_page_texts") == ["pages", "pending_page_texts", "texts"]
    assert built(lineage, "pending_page_texts") == []


def test_what_a_new_shard_is_shown_in_is_built_anew_and_nothing_else(lineage, manifest):
    whole = [node.name for node in manifest.nodes.values() if node.resource_type == "model"]
    wanted = [name for name in whole if name in lineage.models]
    assert built(lineage, *wanted) == sorted(wanted)
    land(lineage, "signatures")
    again = built(lineage, *wanted)
    assert {"document_signatures", "band_members", "survivors", "judgments"} <= set(again)
    assert not {"pages", "texts", "page_questions", "forms", "likenesses"} & set(again)
    land(lineage, "signatures")  # a shard that was there
    assert built(lineage, *wanted) == []
    (lineage.landed / "pages" / ".half.parquet").touch()  # one that is not landed yet
    assert built(lineage, *wanted) == []


def test_a_model_stays_stale_until_it_is_wanted(lineage):
    built(lineage, "pending_signatures")
    land(lineage, "page_texts")
    assert "texts" in built(lineage, "pending_query_extractions")
    later = built(lineage, "pending_signatures")
    assert "exact_documents" in later and "texts" not in later


def test_a_failed_build_leaves_its_models_stale(lineage):
    assert lineage.stale(["pending_page_texts"]) == lineage.stale(["pending_page_texts"]) != []


def test_a_data_test_waits_for_the_last_of_its_tables(lineage):
    stale = lineage.stale(["leaks"])
    tests = lineage.tests_of(stale)
    assert any("leaks" in name for name in tests)
    assert "no_query_is_an_evaluation_item" not in tests  # it reads queries, too
    lineage.built(stale)
    stale = lineage.stale(["queries"])
    assert "no_query_is_an_evaluation_item" in lineage.tests_of(stale)


def test_each_data_test_is_run_by_some_build_when_all_is_built_in_steps(lineage):
    run = set()
    for name in sorted(lineage.models):
        stale = lineage.stale([name])
        run |= set(lineage.tests_of(stale))
        lineage.built(stale)
    assert run == {lineage.names[test] for test, tables in lineage.tests.items() if tables}


def test_what_is_named_is_built_alone_and_the_hooks_run_each_time(empty_home):
    test = "no_query_is_an_evaluation_item"
    for names in ({"routes", "active_policy", test}, {"queries"}):
        built = empty_home.build_named(names, "--exclude-resource-type", "unit_test", "--indirect-selection", "empty")
        assert {row.node.name for row in built if row.node.resource_type != "operation"} == names
        assert empty_home.execute("select n_built from audit.last_build") == [(len(names - {test}),)]
