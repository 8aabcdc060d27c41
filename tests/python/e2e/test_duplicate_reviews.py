"""A near-duplicate that holds more than its keeper: an LLM is asked what a deletion would lose."""

import os
import shutil
from collections.abc import Iterator

import pytest
from rich.console import Console

from mathpinpoint.clients.profiles import sections, to_toml
from mathpinpoint.loading import NoEndpoint
from mathpinpoint.pipeline import Pipeline, Settings
from mathpinpoint.progress import Reporter
from mathpinpoint.sample.llm.process import SampleServer
from mathpinpoint.sampling import SHIPPED
from mathpinpoint.warehouse import Warehouse

BEFORE = (
    "page_texts", "query_extractions", "question_removals", "query_forms", "signatures", "duplicate_verdicts",
)
NOTED = {"at-least-nine.md": "product-at-least-nine.html"}  # the copy has a note about itself
METHOD = {"two-sixes.md": "two-sixes-in-a-row.html"}  # the copy has a further solution
PAGES = {**NOTED, **METHOD}
NAMES = """
select regexp_extract(deleted.source, '[^/]*$'), regexp_extract(kept.source, '[^/]*$') {more}
from {pairs} as pairs
inner join corpus.exact_documents as one on pairs.doc_id = one.doc_id
inner join corpus.exact_documents as other on pairs.{keeper} = other.doc_id
inner join landed.pages as deleted on one.page_id = deleted.page_id
inner join landed.pages as kept on other.page_id = kept.page_id
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of PAGES alone."""
    folder = tmp_path_factory.mktemp("reviewed") / "pages"
    for path in (SHIPPED / "pages").rglob("*.*"):
        if path.name in {*PAGES, *PAGES.values()}:
            target = folder / path.relative_to(SHIPPED / "pages")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return folder


@pytest.fixture(scope="module")
def server():
    with SampleServer([SHIPPED / "truth.jsonl"], disagreement=0.0, seed=7) as running:
        yield running


@pytest.fixture(scope="module")
def reviewed(pages, server) -> Iterator[Warehouse]:
    """The home after the reviews, its corpus built anew; before them nothing more was deleted."""
    home = pages.parent / "home"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MATHPINPOINT_HOME", str(home))
        run(home, pages, server.base_url, *BEFORE)
        warehouse = Warehouse(home)
        assert warehouse.execute("select count(*) from corpus.survivors") == [(0,)]
        with pytest.raises(NoEndpoint, match=r"duplicate_reviewer(.|\n)*duplicate_review .* sample-truth +2 "):
            run(home, pages, None, "duplicate_reviews")
        run(home, pages, server.base_url, "duplicate_reviews", profile=by_batch(pages.parent))
        yield warehouse


def by_batch(folder):
    """The sample profile, its reviewer asked through the Batch API."""
    path, values = folder / "sample.toml", sections("sample")
    values["duplicate_reviewer"]["transport"] = "batch"
    path.write_text(to_toml(values))
    return str(path)


def run(home, pages, base_url, *tables, profile="sample") -> None:
    pipeline = Pipeline(Settings(home, profile, [pages], base_url=base_url), Reporter(Console(), quiet=True))
    try:
        pipeline.prepare()
        pipeline.land_pages()
        for table in tables:
            pipeline.land(table)
        pipeline.build("review_list", "documents", "pending_duplicate_reviews")
    finally:
        os.close(pipeline.lock)


def named(warehouse, pairs, keeper, more="") -> set[tuple]:
    return set(warehouse.execute(NAMES.format(pairs=pairs, keeper=keeper, more=more)))


def test_a_copy_with_a_note_is_deleted_by_the_review_and_one_with_a_method_is_kept(reviewed):
    (noted,), (method,) = NOTED.items(), METHOD.items()
    assert named(reviewed, "corpus.survivors", "kept_doc_id", ", pairs.rule") == {(*noted, "reviewed")}
    listed = named(reviewed, "corpus.review_list", "keeper_id", ", pairs.outcome, pairs.lost")
    assert listed == {(*method, "reviewed", "solution")}
    assert reviewed.execute("select count(*) from corpus.documents") == [(3,)]


def test_what_was_asked_is_landed_and_nothing_is_pending(reviewed):
    (lacking,) = reviewed.execute("select min(n_tokens_lacking) from corpus.duplicate_edges")[0]
    assert lacking > reviewed.execute("select max(max_tokens_lacking) from policy.dedup_rules")[0][0]
    assert reviewed.execute("select count(*), min(stage) from landed.duplicate_reviews") == [(2, "duplicate_review")]
    assert reviewed.execute("select count(*) from corpus.pending_duplicate_reviews") == [(0,)]
    assert reviewed.execute("select count(*) from corpus.reviews where is_gap") == [(0,)]


def test_the_reviews_came_in_one_batch(reviewed, server):
    counts = server.counts()
    assert (counts["batches"], counts["batch_requests"]) == (1, 2)


def test_a_second_run_asks_nothing(reviewed, pages):
    run(reviewed.home, pages, None, "duplicate_reviews")
    assert reviewed.execute("select count(*) from landed.duplicate_reviews") == [(2,)]
