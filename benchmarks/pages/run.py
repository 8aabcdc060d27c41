"""One web of so many pages, from its files to documents and queries; prints what `__main__` reads."""

import json
import sys
import time
from collections import defaultdict
from pathlib import Path

from rich.console import Console

from mathpinpoint.pipeline import STAGES, Pipeline, Settings
from mathpinpoint.progress import Reporter
from mathpinpoint.sample.generate import write_web
from mathpinpoint.sample.llm.process import SampleServer
from mathpinpoint.warehouse import Warehouse

LAST, SEED = "query_checks", 3


class TimedWarehouse(Warehouse):
    """A warehouse that knows how long dbt took."""

    dbt_seconds = 0.0

    def build(self, *arguments: str, **more) -> list:
        start = time.perf_counter()
        try:
            return super().build(*arguments, **more)
        finally:
            self.dbt_seconds += time.perf_counter() - start


def main(folder: Path, n_pages: int) -> None:
    write_web(folder / "web", pages=n_pages, seed=SEED)
    seconds: dict[str, float] = defaultdict(float)

    def timed(stage: str, work, *arguments) -> None:
        start = time.perf_counter()
        work(*arguments)
        seconds[stage] += time.perf_counter() - start

    evaluation = {"contest": folder / "web" / "evaluation" / "contest.jsonl"}
    with SampleServer(folder / "web" / "truth.jsonl", disagreement=0.05, seed=SEED) as server:
        settings = Settings(
            home=folder / "home", profile="sample", pages=[folder / "web" / "pages"], evaluation=evaluation,
            base_url=server.base_url,
        )
        pipeline = Pipeline(settings, Reporter(Console(stderr=True)))
        pipeline.warehouse = TimedWarehouse(folder / "home")
        timed("prepare", pipeline.prepare)
        timed("pages", pipeline.land_pages)
        timed("evaluation_items", pipeline.land_evaluation_items)
        for stage in STAGES[: STAGES.index(LAST) + 1]:
            timed(stage, pipeline.land, stage)
        timed("documents and queries", pipeline.build, "documents", "queries")
        n_requests = server.counts()["requests"]
    counts = {
        table: pipeline.warehouse.execute(f"select count(*) from {schema}.{table}")[0][0]
        for schema, table in (("corpus", "documents"), ("queries", "queries"))
    }
    found = {"seconds": seconds, "dbt_seconds": pipeline.warehouse.dbt_seconds, **counts, "requests": n_requests}
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
