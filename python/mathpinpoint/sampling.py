"""The sample web of a run: the shipped pages and generated ones beside them, and their LLM."""

import shutil
from dataclasses import dataclass
from pathlib import Path

SHIPPED = Path(__file__).parent / "sample" / "web"
PAGES, SEED, DISAGREEMENT = 250, 7, 0.05


@dataclass(frozen=True)
class SampleWeb:
    """Pages to land, evaluation sets that no query may leak, and the truth that the sample LLM answers from."""

    pages: list[Path]
    evaluation: dict[str, Path]
    truth: list[Path]


def sample_web(home: Path) -> SampleWeb:
    """The shipped pages, and generated ones made once in the home folder."""
    from mathpinpoint.sample.generate import write_web

    generated = home / "sample" / "generated"
    if not generated.exists():
        beside = generated.with_name(".generated")
        shutil.rmtree(beside, ignore_errors=True)  # left by a kill
        write_web(beside, pages=PAGES, seed=SEED)
        beside.rename(generated)
    webs = {"shipped": SHIPPED, "generated": generated}
    return SampleWeb(
        pages=[web / "pages" for web in webs.values()],
        evaluation={name: web / "evaluation" / "contest.jsonl" for name, web in webs.items()},
        truth=[web / "truth.jsonl" for web in webs.values()],
    )


def sample_server(web: SampleWeb):
    """The LLM of the sample web: a server on a free loopback port, to be used as a context manager."""
    from mathpinpoint.sample.llm.process import SampleServer

    return SampleServer(web.truth, disagreement=DISAGREEMENT, seed=SEED)
