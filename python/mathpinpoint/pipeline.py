"""The order of the stages: each lands facts, then dbt makes the next work list from them.

Every stage is `needed - landed`: kill a run at any moment, run it again, and only what is missing
is done.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pyarrow as pa

from mathpinpoint.asking import LLM_TABLES, ask_pending
from mathpinpoint.audit.policies import unknown_names
from mathpinpoint.audit.recall import recall_lines
from mathpinpoint.audit.status import cost_text
from mathpinpoint.clients.budget import Budget
from mathpinpoint.engines import engine
from mathpinpoint.land.page_files import Skipped
from mathpinpoint.land.skipped_inputs import batch as skipped_batch
from mathpinpoint.lineage import Lineage
from mathpinpoint.loading import NotSent, loader_options
from mathpinpoint.locks import hold
from mathpinpoint.progress import Reporter
from mathpinpoint.shards import FOLDER_OF, land_shard, n_pending, prepared, shard_name, shards_of
from mathpinpoint.training import land_relevance_model
from mathpinpoint.warehouse import Warehouse, WarehouseError

# The stages between the pages and the release, in order. A table may come twice.
STAGES = (
    "page_texts",
    "query_extractions",
    "question_removals",
    "query_forms",
    "leak_overlaps",
    "signatures",
    "duplicate_verdicts",
    "duplicate_reviews",
    "question_embeddings",
    "nearest_items",
    "same_problem_replies",
    "llm_replies",
    "query_checks",
    "token_counts",
    "embeddings",
    "recall_checks",
    "runs",
    "reranker_scores",
    "llm_replies",
    "trained_models",
    "relevance_scores",
)
# A stage that lands a part of a table: queries and evaluation items are embedded before anything is paid for a
# query, documents when they are searched.
PARTS = {"question_embeddings": ("embeddings", "where kind <> 'document'")}
# Work lists that one build makes: the second stage has nothing to build.
TOGETHER = {"recall_checks": ("pending_runs",)}
PAGE_BATCH_ROWS, PAGE_BATCH_BYTES = 256, 16_000_000
SKIPPED_BATCH_ROWS = 10_000
PREPARED = ("path:seeds", "path:models/staging")
NAMED = (
    "--no-write-json", "--cache-selected-only", "--exclude-resource-type", "unit_test", "--indirect-selection", "empty"
)
NO_UNIT_TESTS = ("--exclude-resource-type", "unit_test", "--indirect-selection", "cautious")
WORK_LISTS = tuple(f"pending_{table}" for table in FOLDER_OF)


@dataclass(frozen=True)
class Settings:
    """What a run is about; everything else is policy or profile."""

    home: Path
    profile: str
    pages: list[Path] = field(default_factory=list)
    evaluation: dict[str, Path] = field(default_factory=dict)
    text_column: str | None = None
    base_url: str | None = None
    max_usd: float | None = None
    workers: int = 2
    engine: str = "local"


class Pipeline:
    """One run over one home folder."""

    def __init__(self, settings: Settings, reporter: Reporter):
        self.settings, self.reporter = settings, reporter
        self.map_shards = engine(settings.engine)
        self.budget = Budget(settings.max_usd)
        self.warehouse = Warehouse(settings.home)
        try:
            self.lock = hold(self.warehouse.home / "run.lock", str(self.warehouse.home))
            self.warehouse.create()
        except OSError as error:
            raise WarehouseError(
                f"{self.warehouse.home} cannot be written ({error.strerror}). "
                "Name another folder with --home, or make room and rights in this one."
            ) from error
        self.lineage: Lineage | None = None  # of `prepare`, which comes before any build

    def run(self) -> None:
        """Land and decide everything, from the pages to the tables of the release."""
        self.prepare()
        self.land_pages()
        self.land_evaluation_items()
        if self.warehouse.has_landed("page_texts"):
            self.build(*WORK_LISTS, "relevance_model")
        for table in STAGES:
            self.land(table)
        self.build_all()

    def land(self, stage: str) -> int:
        """Land what is pending of one stage's table; returns how many rows of its work list were done."""
        if stage == "trained_models":
            return self.train_relevance_model()
        if stage in LLM_TABLES:
            return self.land_replies(stage)
        table, part = PARTS.get(stage, (stage, ""))
        self.build(f"pending_{table}", *TOGETHER.get(stage, ()))
        landed = self.land_pending(stage, table, part)
        if landed and table == "recall_checks":
            self.build("search_recall")
            for line in recall_lines(self.warehouse):
                self.reporter.say(f"    {line}")
        return landed

    def build(self, *models: str) -> None:
        """Let dbt build and test the models and all above them, as far as what has landed since changes them."""
        if stale := self.lineage.stale(models):
            self.warehouse.build_named({*stale, *self.lineage.tests_of(stale)}, *NAMED)
            self.lineage.built(stale)

    def prepare(self) -> None:
        """Build the policy and the views of the landed tables; later builds take them as they are."""
        self.warehouse.build("--select", *PREPARED, *NO_UNIT_TESTS)
        self.lineage = Lineage(self.warehouse.manifest, self.warehouse.landed)
        if not self.warehouse.execute("select count(*) from staging.active_policy")[0][0]:
            raise WarehouseError(unknown_names(self.warehouse, Path(self.settings.profile).stem))

    def build_status(self) -> None:
        """Build what `status` shows: the work lists, their cost, what is stale."""
        self.build(*WORK_LISTS, "pending_costs", "stale_facts", "search_recall")

    def build_all(self) -> None:
        """Build and test everything."""
        counted = []
        with self.reporter.stage("dbt build", None, "nodes") as counter:
            counted = self.warehouse.build(*NO_UNIT_TESTS)
            counter.set(len(counted))

    def land_pages(self) -> None:
        from mathpinpoint.land.pages import captures

        self.build("pending_page_texts")
        landed = set(self.warehouse.execute("select page_id, source from staging.stg_pages"))
        limits, skipped = loader_options("pages", self.warehouse, self.settings)[0][1], []
        with self.reporter.stage("pages", None, "captures") as counter:
            for batch in captures(
                self.settings.pages,
                text_column=self.settings.text_column,
                landed=landed,
                skipped=skipped,
                batch_rows=PAGE_BATCH_ROWS,
                batch_bytes=PAGE_BATCH_BYTES,
                **limits,
            ):
                self.land_batch("pages", batch)
                counter.add(batch.num_rows)
        self.land_skipped(skipped)

    def land_skipped(self, skipped: list[Skipped]) -> None:
        """Land what is no page, each with its reason, and say how many there are of each."""
        known = set(self.warehouse.execute("select source, reason from staging.stg_skipped_inputs"))
        for start in range(0, len(skipped), SKIPPED_BATCH_ROWS):
            batch = skipped_batch(skipped[start : start + SKIPPED_BATCH_ROWS], known)
            if batch.num_rows:
                self.land_batch("skipped_inputs", batch)
        for reason, n in sorted(Counter(one.reason for one in skipped).items()):
            first = next(one for one in skipped if one.reason == reason)
            more = f" and {n - 1:,} more" if n > 1 else ""
            self.reporter.say(f"    skipped, {reason}: {first.source} ({first.detail}){more}")

    def land_evaluation_items(self) -> None:
        from mathpinpoint.compute.normalize import NORM_VERSION
        from mathpinpoint.land.evaluation_items import items

        landed = {
            row[0]
            for row in self.warehouse.execute(
                "select distinct eval_set from staging.stg_evaluation_items"
                " inner join policy.versions using (norm_version)"
            )
        }
        wanted = {
            name: path for name, path in self.settings.evaluation.items() if name not in landed
        }
        if wanted:
            options = loader_options("evaluation_items", self.warehouse, self.settings)[0][1]
            with self.reporter.stage("evaluation_items", None, "items") as counter:
                for name, path in wanted.items():  # a set is one shard: landed whole or not at all
                    shard = hashlib.sha256(f"{name}|{NORM_VERSION}".encode()).hexdigest()[:32]
                    batches = items({name: path}, **options)
                    manifest = {"eval_set": name}
                    counter.add(self.warehouse.land("evaluation_items", shard, batches, manifest))

    def land_batch(self, table: str, batch: pa.RecordBatch) -> None:
        self.warehouse.land(table, shard_name(table, batch, {}), [batch], {})

    def land_pending(self, stage: str, table: str, part: str) -> int:
        """Map the loader over the shards of the work list, or of the part of it that a WHERE clause names."""
        total = n_pending(self.warehouse, table, part)
        if not total:
            self.reporter.say(f"  {stage}: nothing pending")
            return 0
        with self.reporter.stage(stage, total, "rows") as counter:
            for where, options in loader_options(table, self.warehouse, self.settings):
                land = partial(land_shard, self.settings.home, table, prepared(table, options))
                pieces = shards_of(self.warehouse, table, part or where)
                for done in self.map_shards(land, pieces, workers=self.workers(table)):
                    counter.add(done)
        return total

    def workers(self, table: str) -> int:
        """Shards at a time; here the loader of pages has worker processes of its own."""
        return 1 if table == "page_texts" and self.settings.engine == "local" else self.settings.workers

    def land_replies(self, table: str) -> int:
        """Ask the LLM until nothing of the work list is left."""
        rebuild = partial(self.build, f"pending_{table}")
        try:
            return ask_pending(table, self.warehouse, self.settings, self.reporter, rebuild, self.budget)
        except NotSent as error:
            self.build_status()
            raise type(error)(f"{error}\n{cost_text(self.warehouse, table)}") from None

    def train_relevance_model(self) -> int:
        """Train the relevance model on the LLM's labels, once; a trained one is used as it is."""
        self.build("relevance_training_pairs", "relevance_model")
        if self.warehouse.execute("select count(*) from judging.relevance_model")[0][0]:
            self.reporter.say("  trained_models: nothing pending")
            return 0
        return land_relevance_model(self.warehouse, self.settings, self.reporter)
