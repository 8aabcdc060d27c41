"""Who judges what, worked out again from the landed facts: ranks, fusion, candidates, stages."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from homes import landed, rows, seed


@dataclass
class Ranked:
    """One document of one query: its rank by route, its exact fused score and its fused rank."""

    ranks: dict[str, int] = field(default_factory=dict)
    score: Fraction = Fraction(0)
    fused: int = 0


@dataclass
class Facts:
    """What routing depends on, by query."""

    ranked: dict[str, dict[str, Ranked]]
    source: dict[str, str]
    is_long: dict[str, bool]
    reranked: dict[tuple[str, str], float]


def facts_of(home: Path, policy: str) -> Facts:
    """Read and rank everything; the only tables taken from the warehouse are the queries and searches."""
    (profile,) = seed("profiles", profile="sample")
    counts = {
        row["doc_id"]: row["n_tokens"] > int(profile["long_tokens"])
        for row in landed(home, "token_counts") if row["tokenizer"] == profile["tokenizer"]
    }
    reranked = {
        (row["query_id"], row["doc_id"]): row["score"]
        for row in landed(home, "reranker_scores") if row["model"] == profile["reranker"]
    }
    source = dict(rows(home, "select query_id, source_doc_id from queries.queries"))
    return Facts(ranked_of(home, policy), source, counts, reranked)


def ranked_of(home: Path, policy: str) -> dict[str, dict[str, Ranked]]:
    """Every hit of the searches in use, fused."""
    searches = set(rows(home, "select query_id, route, fingerprint from retrieval.searches"))
    weights = {row["route"]: (Fraction(row["weight"]), int(row["rrf_k"])) for row in seed("routes", policy=policy)}
    ranked: dict[str, dict[str, Ranked]] = defaultdict(lambda: defaultdict(Ranked))
    for row in landed(home, "runs"):
        if row["rank"] is not None and (row["query_id"], row["route"], row["fingerprint"]) in searches:
            ranked[row["query_id"]][row["doc_id"]].ranks[row["route"]] = row["rank"]
    for found in ranked.values():
        for one in found.values():
            one.score = sum(
                (weights[route][0] / (weights[route][1] + rank) for route, rank in one.ranks.items()),
                Fraction(0),
            )
        order = sorted(found, key=lambda doc: (-found[doc].score, min(found[doc].ranks.values()), doc))
        for place, doc_id in enumerate(order, 1):
            found[doc_id].fused = place
    return ranked


def assigned(facts: Facts, *, is_fused: bool) -> set[tuple[str, str, str, str, str]]:
    """Every candidate's (query, document, rule, stage, judge); new candidates where `is_fused`."""
    found: set[tuple[str, str, str, str, str]] = set()
    for query_id, ranked in facts.ranked.items():
        found |= {(query_id, *row) for row in _of_dense(query_id, ranked, facts)}
        if is_fused:
            found |= {(query_id, *row) for row in _of_new(query_id, ranked, facts)}
    return found


def _of_dense(query_id, ranked, facts):
    """The dense top 20: the first five and all long ones, then the best of the reranker."""
    pool = []
    for doc_id, one in ranked.items():
        place = one.ranks.get("dense", 21)
        if place <= 5:
            yield doc_id, "dense_top5", "dense_top5", "llm"
        elif place <= 20 and facts.is_long[doc_id]:
            yield doc_id, "long_doc", "long_doc", "llm"
        elif place <= 20:
            pool.append(doc_id)
    pool.sort(key=lambda doc: (-facts.reranked[query_id, doc], doc))
    for doc_id in pool[:5]:
        yield doc_id, "rerank_top5", "rerank_top5", "llm"
        yield doc_id, "rerank_top5_model", "rerank_top5", "rm8b"
    for doc_id in pool[5:]:
        yield doc_id, "short_doc", "short_doc", "rm8b"


def _of_new(query_id, ranked, facts):
    """The fused top 20 without the dense top 20 and the query's own page."""
    for doc_id, one in ranked.items():
        if one.fused > 20 or one.ranks.get("dense", 21) <= 20 or doc_id == facts.source[query_id]:
            continue
        if not facts.is_long[doc_id]:
            yield doc_id, "fused_short", "fused_short", "rm8b"
        elif one.fused <= 5:
            yield doc_id, "fused_long_top5", "fused_long_top5", "llm"
        else:
            yield doc_id, "fused_long", "fused_long", "rm8b"
