"""The order of the stages: each lands facts, then dbt makes the next work list from them.

Every stage is `needed - landed`: kill a run at any moment, run it again, and only what is missing is done.
"""

import hashlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pyarrow as pa

from mathpinpoint.engines.local import map_shards
from mathpinpoint.loading import Options, loader_options
from mathpinpoint.locks import hold
from mathpinpoint.progress import Reporter
from mathpinpoint.schemas import LANDED, WORK
from mathpinpoint.training import land_relevance_model
from mathpinpoint.warehouse import Warehouse, WarehouseError

# The stages between the pages and the release, in order. A table may come twice.
STAGES = (
    "page_texts", "query_extractions", "question_removals", "query_forms", "signatures",
    "duplicate_verdicts", "llm_replies", "query_checks", "token_counts", "embeddings", "runs",
    "reranker_scores", "llm_replies", "trained_models", "relevance_scores",
)
FOLDER_OF = {
    "page_texts": "corpus", "query_extractions": "queries", "question_removals": "corpus",
    "query_forms": "queries", "signatures": "corpus", "duplicate_verdicts": "corpus",
    "llm_replies": "judging", "query_checks": "queries", "token_counts": "retrieval",
    "embeddings": "retrieval", "runs": "retrieval", "reranker_scores": "judging",
    "relevance_scores": "judging",
}
SHARD_ROWS = {"page_texts": 200, "embeddings": 128, "reranker_scores": 512, "relevance_scores": 512}
DEFAULT_SHARD_ROWS = 2000
PAGE_BATCH_ROWS, PAGE_BATCH_BYTES = 256, 16_000_000
PREPARED = ("path:seeds", "path:models/staging")
NO_UNIT_TESTS = ("--exclude-resource-type", "unit_test", "--indirect-selection", "cautious")
STAGE_BUILD = (*NO_UNIT_TESTS, "--exclude", *PREPARED)
LLM_TABLES = {"query_extractions": "query_writer", "query_checks": "query_checker", "llm_replies": "judge"}


@dataclass(frozen=True)
class Settings:
    """What a run is about; everything else is policy or profile."""

    home: Path
    profile: str
    pages: list[Path] = field(default_factory=list)
    evaluation: dict[str, Path] = field(default_factory=dict)
    text_column: str | None = None
    base_url: str | None = None
    workers: int = 2


def work_order(table: str) -> str:
    """The work list of `table` in the order in which it is cut into shards: by its first id columns."""
    columns = ", ".join(WORK[table].names)
    ids = [name for name in WORK[table].names if name.endswith("_id") or name in ("id", "kind", "route", "ask", "attempt", "doc_a", "doc_b", "query_sha256")]
    return f"select {columns} from {FOLDER_OF[table]}.pending_{table} order by {', '.join(ids)}"


class Pipeline:
    """One run over one home folder."""

    def __init__(self, settings: Settings, reporter: Reporter):
        self.settings, self.reporter = settings, reporter
        self.warehouse = Warehouse(settings.home)
        self.lock = hold(self.warehouse.home / "run.lock", str(self.warehouse.home))
        self.warehouse.create()
        self.is_built = False  # are all work lists built since the last landing?

    def run(self) -> None:
        """Land and decide everything, from the pages to the tables of the release."""
        self.prepare()
        self.land_pages()
        self.land_evaluation_items()
        if self.warehouse.has_landed("page_texts"):
            self.build(*(f"+pending_{table}" for table in FOLDER_OF), "+relevance_model")
            self.is_built = True
        for table in STAGES:
            self.land(table)
        self.build_all()

    def land(self, table: str) -> int:
        """Land what is pending of one table; returns how many rows of its work list were done."""
        if table == "trained_models":
            return self.train_relevance_model()
        if table in LLM_TABLES:
            return self.land_replies(table)
        self.build(f"+pending_{table}")
        return self.land_pending(table)

    def build(self, *select: str) -> None:
        """Let dbt build the selected models and the data tests that need nothing else."""
        if not self.is_built:
            self.warehouse.build("--select", *select, *STAGE_BUILD)

    def prepare(self) -> None:
        """Build the policy and the views of the landed tables, which the later builds take as they are."""
        self.warehouse.build("--select", *PREPARED, *NO_UNIT_TESTS)
        if not self.warehouse.execute("select count(*) from staging.active_policy")[0][0]:
            raise WarehouseError(
                f"Profile {Path(self.settings.profile).stem} or the policy is unknown to seeds/policy. "
                "Add its rows to profiles.csv and llm_tasks.csv, or name another with --profile or --policy."
            )

    def build_all(self) -> None:
        """Build and test everything."""
        counted = []
        with self.reporter.stage("dbt build", None, "nodes") as counter:
            counted = self.warehouse.build(*NO_UNIT_TESTS)
            counter.set(len(counted))

    def land_pages(self) -> None:
        from mathpinpoint.land.pages import captures

        self.build("+pending_page_texts")
        landed = set(self.warehouse.execute("select page_id, source from staging.stg_pages"))
        limits, skipped = loader_options("pages", self.warehouse, self.settings)[0][1], []
        with self.reporter.stage("pages", None, "captures") as counter:
            for batch in captures(
                self.settings.pages, text_column=self.settings.text_column, landed=landed, skipped=skipped,
                batch_rows=PAGE_BATCH_ROWS, batch_bytes=PAGE_BATCH_BYTES, **limits,
            ):
                self.land_batch("pages", batch)
                counter.add(batch.num_rows)
        for one in skipped:
            self.reporter.say(f"    skipped {one.source}: {one.reason}")

    def land_evaluation_items(self) -> None:
        from mathpinpoint.land.evaluation_items import items

        landed = {row[0] for row in self.warehouse.execute("select distinct eval_set from staging.stg_evaluation_items")}
        wanted = {name: path for name, path in self.settings.evaluation.items() if name not in landed}
        if wanted:
            options = loader_options("evaluation_items", self.warehouse, self.settings)[0][1]
            with self.reporter.stage("evaluation_items", None, "items") as counter:
                for batch in items(wanted, **options):
                    self.land_batch("evaluation_items", batch)
                    counter.add(batch.num_rows)

    def land_batch(self, table: str, batch: pa.RecordBatch) -> None:
        self.is_built = False
        self.warehouse.land(table, shard_name(table, batch, {}), [batch], {})

    def land_pending(self, table: str) -> int:
        """Map the loader over the shards of the work list."""
        total = self.warehouse.execute(f"select count(*) from {FOLDER_OF[table]}.pending_{table}")[0][0]
        if not total:
            self.reporter.say(f"  {table}: nothing pending")
            return 0
        self.is_built = False
        with self.reporter.stage(table, total, "rows") as counter:
            for work, options in loader_options(table, self.warehouse, self.settings):
                function = partial(land_shard, self.settings.home, table, options)
                for done in map_shards(function, self.shards(table, work), workers=self.workers(table)):
                    counter.add(done)
        return total

    def workers(self, table: str) -> int:
        return self.settings.workers if table in ("embeddings", "reranker_scores") else 1

    def shards(self, table: str, where: str) -> Iterator[pa.Table]:
        """Slices of fixed size of the ordered work list."""
        sql = work_order(table).replace(" order by ", f" {where} order by ")
        rows = SHARD_ROWS.get(table, DEFAULT_SHARD_ROWS)
        whole = self.warehouse.table(sql).cast(WORK[table])
        for start in range(0, whole.num_rows, rows):
            yield whole.slice(start, rows).combine_chunks()

    def land_replies(self, table: str) -> int:
        """Ask the LLM until nothing of the work list is left; what is in the journal is never asked again."""
        from mathpinpoint.clients.journal import Journal
        from mathpinpoint.land.replies import ask

        asked = 0
        with Journal(self.warehouse.home / "journal" / f"{table}.jsonl") as journal:
            write = partial(self.seal, table)
            journal.recover(write)
            while total := self.pending_after_build(table):
                client = loader_options(table, self.warehouse, self.settings)[0][1]
                with self.reporter.stage(table, total, "requests") as counter:
                    ask(
                        iter(self.warehouse.table(work_order(table)).cast(WORK[table]).to_batches()),
                        prompt_folder=self.warehouse.project / "prompts", journal=journal, total=total,
                        progress=lambda done, _, tokens, counter=counter: (
                            counter.set(done),
                            setattr(counter, "note", f", {tokens.prompt + tokens.completion:,} tokens"),
                        ),
                        **client,
                    )
                journal.seal(write)
                asked += total
        if not asked:
            self.reporter.say(f"  {table}: nothing pending")
        return asked

    def pending_after_build(self, table: str) -> int:
        self.build(f"+pending_{table}")
        return self.warehouse.execute(f"select count(*) from {FOLDER_OF[table]}.pending_{table}")[0][0]

    def seal(self, table: str, batches: Iterator[pa.RecordBatch]) -> None:
        """Write the journal's rows as a shard named by its keys, so that a repeated sealing is the same shard."""
        self.is_built = False
        schema = LANDED[table].schema
        rows = pa.Table.from_batches(batches, schema.remove(schema.get_field_index("landed_at")))
        name = hashlib.sha256(repr(rows.select(["request_key", "attempt"]).to_pylist()).encode()).hexdigest()
        self.warehouse.land(table, name[:32], rows.to_batches(), {"input_sha256": name})

    def train_relevance_model(self) -> int:
        """Train the relevance model on the LLM's labels, once; a trained one is used as it is."""
        self.build("+relevance_training_pairs", "+relevance_model")
        if self.warehouse.execute("select count(*) from judging.relevance_model")[0][0]:
            self.reporter.say("  trained_models: nothing pending")
            return 0
        self.is_built = False
        return land_relevance_model(self.warehouse, self.settings, self.reporter)


def shard_name(table: str, shard: pa.Table | pa.RecordBatch, options: Options) -> str:
    """32 hex digits of a hash over the rows' content and the loader's options."""
    digest = hashlib.sha256(f"{table}|{sorted(options.items(), key=str)!r}".encode())
    table_of = shard if isinstance(shard, pa.Table) else pa.Table.from_batches([shard])
    for batch in table_of.combine_chunks().to_batches():
        digest.update(batch.serialize())
    return digest.hexdigest()[:32]


def land_shard(home: Path, table: str, options: Options, shard: pa.Table) -> int:
    """Run the loader over one shard of its work list and land what it gives; returns the shard's rows."""
    loader = importlib.import_module(f"mathpinpoint.land.{table}")
    named = {key: value for key, value in options.items() if not isinstance(value, pa.Table)}
    name = shard_name(table, shard, named)
    Warehouse(home).land(
        table, name, loader.rows(iter(shard.to_batches()), **options),
        {"input_sha256": name, "options": repr(sorted(named.items(), key=str))},
    )
    return shard.num_rows
