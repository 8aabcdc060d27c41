"""Whatever ranks or draws gives the same rows on any number of threads, with and without the optimizer's rewrites."""

import duckdb
import pytest

REWRITES = ("", "top_n_window_elimination", "window_rewriter,window_self_join,join_order,build_side_probe_side")
ROWS = "select count(*), bit_xor(hash(made)), sum(cast(hash(made) as hugeint)) from ({}) as made"


@pytest.fixture(scope="module")
def ranking_models(sample_home):
    """The SELECT of each model that orders rows, as dbt compiled it for the finished run."""
    compiled = (sample_home / "target" / "compiled").rglob("models/**/*.sql")
    found = {path.stem: text for path in compiled if "row_number()" in (text := path.read_text(encoding="utf-8"))}
    assert {"ranks", "exact_documents", "llm_labels"} <= set(found)
    return found


@pytest.fixture(scope="module")
def expected(sample_home, ranking_models):
    return rows_of(sample_home, ranking_models, 1, "")


def rows_of(home, models, threads, rewrites):
    """Count and hashes of each model's rows, made under these settings."""
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        connection.execute(f"set threads = {threads}; set disabled_optimizers = '{rewrites}'")
        return {name: connection.execute(ROWS.format(sql)).fetchone() for name, sql in models.items()}


@pytest.mark.parametrize("rewrites", REWRITES)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_ranks_and_draws_do_not_depend_on_how_the_engine_makes_them(
    sample_home, ranking_models, expected, threads, rewrites
):
    assert rows_of(sample_home, ranking_models, threads, rewrites) == expected


def test_an_order_that_is_not_total_would_be_seen(sample_home):
    """The same check over a row_number that ties: some setting gives other rows."""
    tied = {"tied": "select query_id, doc_id, row_number() over (partition by route order by rank) as place"
            " from retrieval.hits"}
    seen = {rows_of(sample_home, tied, threads, rewrites)["tied"] for threads in (1, 2, 8) for rewrites in REWRITES}
    assert len(seen) > 1
