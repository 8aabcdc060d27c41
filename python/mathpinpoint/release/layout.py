"""Where things are in a release: three configs, their columns and shards, the checksums."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

SUMS, CARD, CROISSANT = "SHA256SUMS", "README.md", "croissant.json"


class ReleaseError(Exception):
    """What is wrong with a release, where, and what to do."""


@dataclass(frozen=True)
class Config:
    """One table of a release: its key, and the columns that every release has."""

    about: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


CONFIGS = {
    "judgments": Config(
        "One row per judged pair of a query and a document.",
        ("qid", "did"),
        (
            "qid", "did", "dense_rank", "bm25_rank", "ngram5_rank", "fused_rank", "rrf_score",
            "stage", "label", "query_evaluable", "is_source_page", "judge", "rm8b_score",
            "dense_score", "reranker_score", "answer_validity", "reason_codes", "confidence",
            "rationale", "rubric_sha256", "label_round",
        ),
    ),
    "queries": Config(
        "One row per query: a question that a page asks and answers.",
        ("qid",),
        ("qid", "text", "source_did", "from_page_question"),
    ),
    "corpus": Config(
        "One row per document: a page's text without the question that it answers.",
        ("did",),
        ("did", "text", "n_chars", "multi_problem"),
    ),
}


@dataclass(frozen=True)
class Written:
    """What was written of one config; sha256 by the file's path within the release."""

    config: str
    features: list[dict]
    n_rows: int
    n_bytes: int  # uncompressed
    n_file_bytes: int
    shards: dict[str, str]

    @property
    def version(self) -> str:
        """Three numbers drawn from the content: a cache of other content is never taken for it."""
        digest = hashlib.sha256("".join(self.shards.values()).encode()).hexdigest()
        return f"1.{int(digest[:6], 16)}.{int(digest[6:12], 16)}"


def shard_name(config: str, number: int, total: int) -> str:
    return f"{config}/train-{number:05d}-of-{total:05d}.parquet"


def shard_paths(folder: Path, config: str) -> list[Path]:
    return sorted((folder / config).glob("train-*.parquet"))


def sha256_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def files_in(folder: Path) -> list[str]:
    """The paths of all files but the checksums, relative, in the order of their names."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in found if name != SUMS)


def read_sums(folder: Path) -> dict[str, str]:
    """sha256 by file; raises ReleaseError where the list is missing or not one."""
    path = folder / SUMS
    if not path.is_file():
        raise ReleaseError(f"{path} is missing: {folder} is no finished release.")
    sums = {}
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        digest, separator, name = line.partition("  ")
        if not separator or len(digest) != 64:
            raise ReleaseError(f"{path} line {number} is not 'sha256  file'.")
        sums[name] = digest
    return sums
