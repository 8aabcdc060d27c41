"""The pyarrow schema, grain and key of every landed table, and of every work list.

A landed table is a folder of immutable Parquet shards, `landed/<table>/<shard>.parquet`.
A work list is the dbt model `pending_<table>`; its columns are what the loader reads.
`models/staging/sources.yml` is held equal to this file by a test.
"""

from dataclasses import dataclass

import pyarrow as pa

TIMESTAMP = pa.timestamp("us", tz="UTC")
INTS = pa.list_(pa.int64())
VECTOR = pa.list_(pa.float32())


@dataclass(frozen=True)
class Table:
    """A landed table: its grain in one sentence, its key, its columns."""

    grain: str
    key: tuple[str, ...]
    schema: pa.Schema


def _columns(*pairs: tuple[str, pa.DataType]) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in pairs])


def _landed(*pairs: tuple[str, pa.DataType]) -> pa.Schema:
    return _columns(*pairs, ("landed_at", TIMESTAMP))


TEXT, INT, REAL, FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()

# The conditions of a request to an LLM: who is asked, under what, about what.
CONDITIONS = (
    ("query_id", TEXT),  # for query_extractions: the page's id
    ("doc_id", TEXT),  # null where the task shows no document
    ("query_sha256", TEXT),  # of the query text shown; null where none is shown
    ("doc_sha256", TEXT),  # of the page or document text shown, after truncation
    ("prompt", TEXT),  # file name under prompts/
    ("prompt_sha256", TEXT),
    ("model", TEXT),
    ("parameters", TEXT),  # JSON object: sampling, effort, max tokens
    ("truncation_chars", INT),
    ("layout", TEXT),  # pairs a request, '1x1'
    ("position", INT),  # of the pair within the request, from 1
    ("ask", INT),  # number of the deliberate repeat, from 1
    ("attempt", INT),  # number of the try of this ask, from 1
    ("label_round", TEXT),  # v1, v2_gap, v2_fused; null where no label is made
    ("stage", TEXT),
    ("policy", TEXT),
)

LLM_REPLY = _landed(
    ("request_key", TEXT),  # sha256 of the canonical request body
    *CONDITIONS,
    ("status", TEXT),  # ok, http_error, transport_error
    ("http_status", INT),
    ("error", TEXT),
    ("model_reported", TEXT),
    ("provider_request_id", TEXT),
    ("finish_reason", TEXT),
    ("refusal", TEXT),
    ("content", TEXT),  # the message's content, untouched
    ("raw", TEXT),  # the whole response body, untouched
    ("prompt_tokens", INT),
    ("completion_tokens", INT),
    ("latency_seconds", REAL),
    ("sent_at", TIMESTAMP),
)
REPLY_KEY = ("request_key", "attempt")

LANDED: dict[str, Table] = {
    "pages": Table(
        "One row per capture: a page's raw bytes as found at one place of one input.",
        ("page_id", "source"),
        _landed(
            ("page_id", TEXT),  # p_ + 24 hex of sha256 of the raw bytes
            ("source", TEXT),  # file, or file#record
            ("url", TEXT),
            ("format", TEXT),  # html, md, txt
            ("charset", TEXT),  # named by an HTTP header, else null
            ("raw", pa.binary()),
            ("n_bytes", INT),
        ),
    ),
    "skipped_inputs": Table(
        "One row per reason for which a file, record or row of an input was not taken as a page.",
        ("source", "reason"),
        _landed(
            ("source", TEXT),  # file, or file#record
            ("reason", TEXT),  # other_kind, outside_link, unreadable, too_large, unpacks_too_much, ...
            ("detail", TEXT),  # what was found, for a person
        ),
    ),
    "page_texts": Table(
        "One row per page, extractor version and norm version: its text, or why there is none.",
        ("page_id", "extractor", "extractor_version", "norm_version"),
        _landed(
            ("page_id", TEXT),
            ("extractor", TEXT),
            ("extractor_version", TEXT),
            ("norm_version", TEXT),
            ("outcome", TEXT),  # ok, empty, failed
            ("reason", TEXT),  # why not ok: too_deep, timeout, memory, too_large, ...
            ("title", TEXT),
            ("text", TEXT),  # the stored form, mathematics as $...$ and $$...$$
            ("text_sha256", TEXT),
            ("n_chars", INT),
            ("n_formulas", INT),
            ("math_sources", TEXT),  # 'katex:3,mathml:1', sorted by name
            ("is_math_lossy", FLAG),
            ("extract_mode", TEXT),  # main, full
            ("repetition_share", REAL),  # share of word 5-grams that are repeats
            ("n_problems", INT),  # separate problems found on the page
            ("blocks", TEXT),  # JSON [[start, end, role], ...]: offsets into text, in order; [] if no site is known
        ),
    ),
    "query_extractions": Table(
        "One row per reply to a query-extraction request (page, prompt, model, attempt).",
        REPLY_KEY,
        LLM_REPLY,
    ),
    "question_removals": Table(
        "One row per page, question and version: the page's text with that question removed.",
        ("page_id", "text_sha256", "blocks_sha256", "question_sha256", "removal_version", "norm_version"),
        _landed(
            ("page_id", TEXT),
            ("text_sha256", TEXT),  # of the page's text
            ("blocks_sha256", TEXT),  # of the page's blocks as JSON; of '[]' where there are none
            ("question_sha256", TEXT),  # of question_verbatim; of '' where there is none
            ("removal_version", TEXT),
            ("norm_version", TEXT),
            ("outcome", TEXT),  # exact, whitespace, near, not_found, no_question
            ("spans", TEXT),  # JSON [[start, end, kind, score], ...] into the page's text
            ("n_removed_chars", INT),
            ("residue_share", REAL),  # share of the question's 5-grams left in the text
            ("text", TEXT),
            ("canonical_sha256", TEXT),
            ("n_chars", INT),
            ("n_prose_tokens", INT),
            ("n_math_spans", INT),
        ),
    ),
    "query_forms": Table(
        "One row per query text: its keys and shingles for dedup and leakage.",
        ("query_sha256", "norm_version"),
        _landed(
            ("query_sha256", TEXT),
            ("norm_version", TEXT),
            ("query_key", TEXT),  # NFKC, whitespace folded, lower case
            ("canonical_key", TEXT),  # match tokens joined by one space
            ("n_tokens", INT),
            ("shingles", INTS),  # sorted distinct hashes of token 5-grams
        ),
    ),
    "evaluation_items": Table(
        "One row per item of an evaluation set that no training query may leak, and norm version.",
        ("eval_set", "item_id", "norm_version"),
        _landed(
            ("eval_set", TEXT),
            ("item_id", TEXT),
            ("text", TEXT),
            ("norm_version", TEXT),
            ("query_key", TEXT),
            ("canonical_key", TEXT),
            ("n_tokens", INT),
            ("shingles", INTS),
        ),
    ),
    "leak_overlaps": Table(
        "One row per query text, evaluation item and norm version: the length of their longest common subsequence.",
        ("query_sha256", "eval_set", "item_id", "norm_version"),
        _landed(
            ("query_sha256", TEXT),
            ("eval_set", TEXT),
            ("item_id", TEXT),
            ("norm_version", TEXT),
            ("n_lcs", INT),  # in match tokens
            ("n_query_tokens", INT),
            ("n_item_tokens", INT),
        ),
    ),
    "signatures": Table(
        "One row per document, scheme and norm version: its shingles and MinHash band hashes.",
        ("doc_id", "scheme", "norm_version"),
        _landed(
            ("doc_id", TEXT),
            ("scheme", TEXT),  # algorithm, hash, shingle, permutations, bands
            ("norm_version", TEXT),
            ("n_tokens", INT),
            ("shingles", INTS),  # sorted distinct hashes of token 5-grams
            ("bands", INTS),  # one hash per band, the band's number hashed in
        ),
    ),
    "duplicate_verdicts": Table(
        "One row per pair of near-duplicate documents: does the mathematics conflict?",
        ("doc_a", "doc_b", "guard_version"),
        _landed(
            ("doc_a", TEXT),  # doc_a < doc_b
            ("doc_b", TEXT),
            ("guard_version", TEXT),
            ("is_conflict", FLAG),
            ("conflict", TEXT),  # the first conflicting edit, 'a ⇒ b', else null
            ("n_tokens_only_a", INT),  # tokens of a that no match in b covers
            ("n_tokens_only_b", INT),
        ),
    ),
    "duplicate_reviews": Table(
        "One row per reply to a duplicate review (document to delete, document to keep, prompt, model, attempt).",
        REPLY_KEY,
        LLM_REPLY,  # query_id is the document to delete, doc_id the one to keep
    ),
    "query_checks": Table(
        "One row per reply to a self-containedness request (query, prompt, model, attempt).",
        REPLY_KEY,
        LLM_REPLY,
    ),
    "token_counts": Table(
        "One row per document and tokenizer: its length in that tokenizer's tokens.",
        ("doc_id", "tokenizer"),
        _landed(("doc_id", TEXT), ("tokenizer", TEXT), ("n_tokens", INT)),
    ),
    "embeddings": Table(
        "One row per text and encoder: its L2-normalized vector.",
        ("kind", "id", "text_sha256", "model"),
        _landed(
            ("kind", TEXT),  # document, query, evaluation_item
            ("id", TEXT),
            ("text_sha256", TEXT),
            ("model", TEXT),
            ("vector", VECTOR),
        ),
    ),
    "nearest_items": Table(
        "One row per evaluation set, query text and encoder: the item of the set nearest in meaning.",
        ("eval_set", "query_sha256", "model"),
        _landed(
            ("eval_set", TEXT), ("query_sha256", TEXT), ("model", TEXT),
            ("item_id", TEXT),  # of equal cosines, the smallest id
            ("cosine", REAL),
        ),
    ),
    "same_problem_replies": Table(
        "One row per reply to a same-problem request (query, evaluation item, prompt, model, attempt).",
        REPLY_KEY,
        LLM_REPLY,
    ),
    "runs": Table(
        "One row per hit of a search; a search without hits is one row of null rank.",
        ("query_id", "route", "fingerprint", "rank"),
        _landed(
            ("query_id", TEXT),
            ("route", TEXT),  # dense, bm25, ngram5
            ("fingerprint", TEXT),  # corpus, query text and the route's parameters
            ("engine", TEXT),  # what searched: kernel, exact, or the library of a graph and its version
            ("rank", INT),  # from 1
            ("doc_id", TEXT),
            ("score_fixed", INT),  # the score that ranks: round(score * 2^20), dense: cosine
            ("score", REAL),
            ("n_match", INT),  # matched 5-grams (ngram5), else null
        ),
    ),
    "recall_checks": Table(
        "One row per sampled query of an approximate search: how many of the exact hits it found.",
        ("query_id", "route", "fingerprint"),
        _landed(
            ("query_id", TEXT),
            ("route", TEXT),
            ("fingerprint", TEXT),  # of the search, as in runs
            ("engine", TEXT),  # the library of the graph and its version
            ("parameters", TEXT),  # JSON: of the graph and of its search
            ("n_exact", INT),  # hits of the exact search, down to the route's depth
            ("n_found", INT),  # of these, the hits of the approximate search
            ("n_found_wider", INT),  # of these, the hits with twice the expansion of the search
        ),
    ),
    "reranker_scores": Table(
        "One row per (query, document) pair and reranker: its zero-shot score.",
        ("query_id", "doc_id", "model"),
        _landed(("query_id", TEXT), ("doc_id", TEXT), ("model", TEXT), ("score", REAL)),
    ),
    "llm_replies": Table(
        "One row per reply to a judge request (pair, prompt, model, ask, attempt).",
        REPLY_KEY,
        LLM_REPLY,
    ),
    "trained_models": Table(
        "One row per model that this project trained.",
        ("model_id",),
        _landed(
            ("model_id", TEXT),
            ("role", TEXT),  # relevance_model, retriever
            ("base_model", TEXT),
            ("version", INT),  # from 1 within a role and base model; the highest is used
            ("rows_sha256", TEXT),  # of the training rows, in order
            ("n_rows", INT),
            ("parameters", TEXT),  # JSON: steps, batch, learning rate, seed, threads, versions
            ("metrics", TEXT),  # JSON: the held-out report
            ("path", TEXT),  # relative to the home folder
        ),
    ),
    "trained_pairs": Table(
        "One row per (model, query, document) pair that a relevance model saw, or held out.",
        ("model_id", "query_id", "doc_id"),
        _landed(
            ("model_id", TEXT),
            ("query_id", TEXT),
            ("doc_id", TEXT),
            ("split", TEXT),  # train, held_out
            ("label", INT),
            ("raw_score", REAL),  # the finished model's score, of held-out pairs
        ),
    ),
    "relevance_scores": Table(
        "One row per (query, document) pair and relevance model: its raw score.",
        ("query_id", "doc_id", "model"),
        _landed(
            ("query_id", TEXT),
            ("doc_id", TEXT),
            ("model", TEXT),  # trained_models.model_id
            ("raw_score", REAL),  # expected label, 0 to 2
            ("probability_0", REAL),
            ("probability_1", REAL),
            ("probability_2", REAL),
        ),
    ),
    "evaluation_runs": Table(
        "One row per hit of a retriever under evaluation.",
        ("model", "dimensions", "fingerprint", "query_id", "rank"),
        _landed(
            ("model", TEXT),
            ("dimensions", INT),
            ("fingerprint", TEXT),  # of the corpus searched
            ("query_id", TEXT),
            ("rank", INT),
            ("doc_id", TEXT),
            ("score", REAL),
        ),
    ),
    "imported_documents": Table(
        "One row per document of an imported release.",
        ("release", "doc_id"),
        _landed(
            ("release", TEXT), ("doc_id", TEXT), ("text", TEXT),
            ("n_chars", INT), ("is_multi_problem", FLAG),
        ),
    ),
    "imported_queries": Table(
        "One row per query of an imported release.",
        ("release", "query_id"),
        _landed(
            ("release", TEXT), ("query_id", TEXT), ("text", TEXT),
            ("source_doc_id", TEXT), ("is_from_page_question", FLAG),
        ),
    ),
    "imported_judgments": Table(
        "One row per judged pair of an imported release.",
        ("release", "query_id", "doc_id"),
        _landed(
            ("release", TEXT), ("query_id", TEXT), ("doc_id", TEXT),
            ("dense_rank", INT), ("bm25_rank", INT), ("ngram5_rank", INT),
            ("fused_rank", INT), ("rrf_score", REAL), ("stage", TEXT), ("label", INT),
            ("is_query_evaluable", FLAG), ("is_source_page", FLAG), ("judge", TEXT),
            ("raw_score", REAL), ("dense_score", REAL), ("reranker_score", REAL),
            ("answer_validity", TEXT), ("reason_codes", TEXT), ("confidence", REAL),
            ("rationale", TEXT), ("prompt_sha256", TEXT), ("label_round", TEXT),
        ),
    ),
}

# What each loader reads: the columns of the dbt model pending_<table>, in this order.
# Every work list is read ordered by its first columns, so that shards are always the same.
_QUERY, _DOCUMENT = ("query_text", TEXT), ("doc_text", TEXT)
WORK: dict[str, pa.Schema] = {
    "page_texts": _columns(
        ("page_id", TEXT), ("format", TEXT), ("charset", TEXT), ("raw", pa.binary())
    ),
    "query_extractions": _columns(*CONDITIONS, _QUERY, _DOCUMENT),
    "question_removals": _columns(
        ("page_id", TEXT), ("text_sha256", TEXT), ("text", TEXT), ("blocks", TEXT), ("question_verbatim", TEXT)
    ),
    "query_forms": _columns(("query_sha256", TEXT), ("query_text", TEXT)),
    "leak_overlaps": _columns(
        ("query_sha256", TEXT), ("eval_set", TEXT), ("item_id", TEXT), ("query_tokens", TEXT), ("item_tokens", TEXT)
    ),
    "signatures": _columns(("doc_id", TEXT), ("doc_text", TEXT)),
    "duplicate_verdicts": _columns(
        ("doc_a", TEXT), ("doc_b", TEXT), ("text_a", TEXT), ("text_b", TEXT),
        ("question_a", TEXT), ("question_b", TEXT),
    ),
    "duplicate_reviews": _columns(*CONDITIONS, _QUERY, _DOCUMENT),
    "query_checks": _columns(*CONDITIONS, _QUERY, _DOCUMENT),
    "token_counts": _columns(("doc_id", TEXT), ("doc_text", TEXT)),
    "embeddings": _columns(
        ("kind", TEXT), ("id", TEXT), ("text_sha256", TEXT), ("text", TEXT)
    ),
    "nearest_items": _columns(("eval_set", TEXT), ("query_sha256", TEXT)),
    "same_problem_replies": _columns(*CONDITIONS, _QUERY, _DOCUMENT),
    "runs": _columns(
        ("route", TEXT), ("query_id", TEXT), ("fingerprint", TEXT), ("query_text", TEXT),
        ("query_sha256", TEXT),
    ),
    "recall_checks": _columns(("route", TEXT), ("query_id", TEXT), ("fingerprint", TEXT)),
    "reranker_scores": _columns(("query_id", TEXT), ("doc_id", TEXT), _QUERY, _DOCUMENT),
    "llm_replies": _columns(*CONDITIONS, _QUERY, _DOCUMENT),
    "relevance_scores": _columns(("query_id", TEXT), ("doc_id", TEXT), _QUERY, _DOCUMENT),
}
