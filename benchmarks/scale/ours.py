"""One home at a share of the full size: its facts, then the project's own models under policy v1 and under v2."""

from pathlib import Path

from measure import OURS, Bench, in_process
from scale import home as facts

HERE = Path(__file__).parent
FUSION, LABELS, REST = "fusion and candidates", "from candidates to labels", "training rows and release"
RANGES = 64  # of the trial, at full size
STAGES = {
    FUSION: ("landed_searches", "left_over_searches", "hits", "ranks", "candidates"),
    "routing": ("rule_matches", "reranker_pool"),
    "assignments": (
        "reranker_ranks", "candidate_assignments", "judge_task", "shown_documents", "source_requests",
        "candidate_requests",
    ),
    "replies to labels": (
        "source_replies", "source_labels", "candidate_replies", "gaps", "assignments", "asks", "llm_labels",
    ),
    "judgments": ("model_scores", "judgments"),
    REST: ("splits", "unevaluable_queries", "usable_pairs", "outcomes", "training_rows", "release_judgments"),
}
COUNTS = """
select
    count(*), count(*) filter (label_round = 'v2_gap'), count(*) filter (label_round = 'v2_fused'),
    (select count(*) from release.judgments), (select count(*) from training.rows)
from judging.judgments
"""


class Home:
    """A home that is filled and built stage by stage; what each cost goes into the benchmark."""

    def __init__(self, bench: Bench, folder: Path, share: float):
        self.bench, self.folder, self.share = bench, folder, share
        self.size = 0  # queries

    def make(self) -> None:
        """Land the hits, and everything that the models above them would have made."""
        made = facts.make(self.folder, self.share)
        self.size = made["queries"]
        for name in ("documents", "hits"):
            self.bench.add(name, OURS, self.size, made[name])
        self.bench.add("landed GB", OURS, self.size, facts.folder_bytes(self.folder / "landed") / 1e9)

    def trial(self) -> None:
        """The plain statement, range by range, over the same hits."""
        found = in_process(HERE / "trial.py", str(self.folder), str(max(1, round(RANGES * self.share))))
        self.keep(FUSION, "trial", found)

    def keep(self, measure: str, system: str, found: dict) -> None:
        """CPU, wall and memory of one process; spill where there is some."""
        self.bench.add(f"CPU s of {measure}", system, self.size, found["cpu"])
        self.bench.add(f"seconds of {measure}", system, self.size, found["wall"])
        self.bench.add(f"peak GB of {measure}", system, self.size, found["peak_bytes"] / 1e9)
        if found.get("spilled_bytes"):
            self.bench.add(f"spilled GB of {measure}", system, self.size, found["spilled_bytes"] / 1e9)

    def policy(self, policy: str) -> tuple[int, int, int]:
        """Build every stage, answering what it asks; gives rows, rows of gaps and rows of the fusion."""
        took = {}
        for name, models in STAGES.items():
            if name == "replies to labels":
                self.answer(policy, models)
            took[name] = in_process(HERE / "stage.py", str(self.folder), policy, *models)
            self.keep(f"{name}, {policy}", OURS, took[name])
            if name == "routing":
                facts.land_reranker_scores(self.folder)
        labels = [took[name]["cpu"] for name in STAGES if name != FUSION]
        self.bench.add(f"CPU s of {LABELS} and rows, {policy}", OURS, self.size, sum(labels))
        with facts.opened(self.folder) as connection:
            n_rows, n_gaps, n_fused, n_released, n_training = connection.execute(COUNTS).fetchone()
        for name, value in {"judgments": n_rows, "released": n_released, "training rows": n_training}.items():
            self.bench.add(f"{name}, {policy}", OURS, self.size, value)
        self.bench.add(f"GB of the warehouse, {policy}", OURS, self.size, self.warehouse_bytes() / 1e9)
        return n_rows, n_gaps, n_fused

    def answer(self, policy: str, models: tuple[str, ...]) -> None:
        """Reply to what is asked; under v2 the gaps are known once v1's replies have been read again."""
        if policy != "v1":
            in_process(HERE / "stage.py", str(self.folder), policy, *models)
        facts.make_replies(self.folder, with_gaps=policy != "v1")
        facts.land_relevance_scores(self.folder)

    def warehouse_bytes(self) -> int:
        """Bytes of the DuckDB file."""
        return (self.folder / "warehouse.duckdb").stat().st_size
