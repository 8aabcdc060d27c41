"""A home that a person can hold in the head: fourteen pages, one query that is retrieved, one that leaks.

Page and document i are named by the digits of i. Documents 1, 2 and 3 are a chain of near-duplicates, best first:
1 is like 2, 2 like 3, 1 unlike 3. Document 4 is like 1 and 2, but of different mathematics. Document 2 is merged
into 1, so that it is not searched.
The query comes from page 0. Dense returns 0, 1, 3, 4 ... 12 in this order, bm25 document 13 alone, ngram5 nothing.
Document 12 is long. The reranker prefers 6 to 7 to ... 11, which leaves 11 to the catch-all rule.
The LLM's first three replies about 12 cannot be read; asked again, it answers.
"""

import csv
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from mathpinpoint.schemas import LANDED
from mathpinpoint.warehouse import Warehouse

N_PAGES = 14
QUERY, LEAK = "What is the sum of the first ten odd numbers?", "Is seven a prime number?"
DENSE = [number for number in range(13) if number != 2]
LABELS = {0: 2, 1: 2, 3: 0, 4: 0, 5: 1, **dict.fromkeys(range(6, 11), 0)}  # by the LLM, first asked
AGAIN = 12  # answered with a 2 when it is asked again
SENT_AT = datetime(2026, 1, 1, tzinfo=UTC)
SHINGLES = {1: range(1, 21), 2: range(3, 23), 3: range(5, 25), 4: range(1, 22)}


def page_id(number: int) -> str:
    return "p_" + f"{number:02d}" * 12


def doc_id(number: int) -> str:
    return "d_" + f"{number:02d}" * 12


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def solution(number: int) -> str:
    return f"Solution {number}: add the odd numbers pairwise, so that the sum is $100$."


def page_text(number: int) -> str:
    return f"{QUERY}\n{solution(number)}" if number == 0 else solution(number)


def home(folder: Path, project: Path) -> Warehouse:
    """Land the facts in `folder` and build it; the searches are landed when their fingerprints are known."""
    warehouse = Warehouse(folder, project)
    warehouse.create()
    facts = Facts(project / "seeds" / "policy")
    for table in ("pages", "page_texts", "query_extractions", "question_removals", "query_forms",
                  "evaluation_items", "signatures", "duplicate_verdicts", "nearest_items", "same_problem_replies",
                  "query_checks", "token_counts", "reranker_scores", "llm_replies", "trained_models",
                  "relevance_scores"):
        land(warehouse, table, getattr(facts, table)())
    warehouse.build("--select", "+searches", "--exclude-resource-type", "unit_test", "--indirect-selection", "empty")
    fingerprints = dict(warehouse.execute("select route, fingerprint from retrieval.searches"))
    land(warehouse, "runs", runs(fingerprints))
    warehouse.build("--exclude-resource-type", "unit_test")
    return warehouse


def land(warehouse: Warehouse, table: str, rows: list[dict]) -> None:
    schema = LANDED[table].schema
    without_time = schema.remove(schema.get_field_index("landed_at"))
    warehouse.land(table, "tiny", pa.Table.from_pylist(rows, without_time).to_batches(), {})


def runs(fingerprints: dict[str, str]) -> list[dict]:
    lists = {"dense": DENSE, "bm25": [13], "ngram5": []}
    return [
        {"query_id": page_id(0), "route": route, "fingerprint": fingerprints[route], "rank": rank,
         "doc_id": doc_id(number), "score": 1 / rank}
        for route, numbers in lists.items() for rank, number in enumerate(numbers, start=1)
    ] + [{"query_id": page_id(0), "route": "ngram5", "fingerprint": fingerprints["ngram5"]}]


class Facts:
    """The landed rows, under the versions, models and prompts that the policy wants."""

    def __init__(self, seeds: Path):
        def rows(name: str) -> list[dict[str, str]]:
            with (seeds / f"{name}.csv").open(newline="") as stream:
                return list(csv.DictReader(stream))

        (self.active,), (self.versions,) = rows("active"), rows("versions")
        (self.profile,) = (row for row in rows("profiles") if row["profile"] == self.active["profile"])
        self.tasks = {
            row["task"]: row for row in rows("llm_tasks")
            if (row["policy"], row["profile"]) == (self.active["policy"], self.active["profile"])
        }
        self.prompts = {row["prompt"]: row["prompt_sha256"] for row in rows("prompts")}
        (self.scheme,) = {row["signature_scheme"] for row in rows("dedup_rules")}
        self.norm = {"norm_version": self.versions["norm_version"]}

    def reply(self, task: str, content: dict | str, **conditions) -> dict:
        """One row of an LLM table; the request's key is made of what tells the requests apart."""
        asked = self.tasks[task]
        told = content if isinstance(content, str) else json.dumps(content)
        return {
            "ask": 1, "attempt": 1, **conditions, "request_key": sha256(f"{task}{sorted(conditions.items())}"),
            "prompt": asked["prompt"], "prompt_sha256": self.prompts[asked["prompt"]], "model": asked["model"],
            "parameters": asked["parameters"], "layout": asked["layout"], "position": 1, "status": "ok",
            "model_reported": asked["model"], "finish_reason": "stop", "content": told, "sent_at": SENT_AT,
        }

    def judged(self, number: int, label: int, **conditions) -> dict:
        """A reply of the judge about the query and a document."""
        validity, code = {2: ("correct", "full_solution"), 1: ("correct", "correct_partial_method"),
                          0: ("not_applicable", "wrong_problem")}[label]
        content = {"query_evaluable": True, "score": label, "answer_validity": validity,
                   "reason_codes": [code], "confidence": 0.9, "rationale": "as written"}
        return self.reply("judge", content, **self.pair(number), **conditions)

    def pair(self, number: int) -> dict:
        return {"query_id": page_id(0), "doc_id": doc_id(number), "query_sha256": sha256(QUERY),
                "doc_sha256": sha256(solution(number))}

    def pages(self) -> list[dict]:
        return [
            {"page_id": page_id(number), "source": f"web/{number}.md", "format": "md",
             "raw": page_text(number).encode(), "n_bytes": len(page_text(number))}
            for number in range(N_PAGES)
        ]

    def page_texts(self) -> list[dict]:
        return [
            {"page_id": page_id(number), "extractor": self.versions["extractor"], **self.norm,
             "extractor_version": self.versions["extractor_version"], "outcome": "ok",
             "text": page_text(number), "text_sha256": sha256(page_text(number)),
             "n_chars": len(page_text(number)), "n_formulas": N_PAGES - number, "is_math_lossy": False,
             "extract_mode": "main", "repetition_share": 0.0, "n_problems": 1}
            for number in range(N_PAGES)
        ]

    def query_extractions(self) -> list[dict]:
        asks = {
            0: {"has_query": True, "question_verbatim": QUERY, "query": QUERY, "from_page_question": True,
                "edit_ops": ["none"]},
            5: {"has_query": True, "question_verbatim": None, "query": LEAK, "from_page_question": False,
                "edit_ops": ["composed"]},
        }
        return [
            self.reply("query_extraction", asks.get(number, {"has_query": False}), query_id=page_id(number),
                       doc_sha256=sha256(page_text(number)))
            for number in range(N_PAGES)
        ]

    def question_removals(self) -> list[dict]:
        return [
            {"page_id": page_id(number), "text_sha256": sha256(page_text(number)), **self.norm,
             "blocks_sha256": sha256("[]"), "question_sha256": sha256(QUERY if number == 0 else ""),
             "removal_version": self.versions["removal_version"],
             "outcome": "exact" if number == 0 else "no_question", "spans": "[]", "text": solution(number),
             "canonical_sha256": f"{number:02d}" * 32, "n_chars": len(solution(number)),
             "n_prose_tokens": 30, "n_math_spans": 1}
            for number in range(N_PAGES)
        ]

    def query_forms(self) -> list[dict]:
        return [
            {"query_sha256": sha256(text), **self.norm, "query_key": text.lower(), "canonical_key": text.lower(),
             "n_tokens": 9, "shingles": shingles}
            for text, shingles in ((QUERY, [1, 2, 3]), (LEAK, [4]))
        ]

    def evaluation_items(self) -> list[dict]:
        return [{"eval_set": "test", "item_id": "1", "text": LEAK, **self.norm, "query_key": LEAK.lower(),
                 "canonical_key": LEAK.lower(), "n_tokens": 5, "shingles": [4]}]

    def nearest_items(self) -> list[dict]:
        return [{"eval_set": "test", "query_sha256": sha256(QUERY), "model": self.profile["encoder"], "item_id": "1",
                 "cosine": 0.9}]

    def same_problem_replies(self) -> list[dict]:
        return [self.reply("same_problem", {"same_problem": "no", "difference": "topic"}, query_id=page_id(0),
                           query_sha256=sha256(QUERY), doc_sha256=sha256(LEAK))]

    def signatures(self) -> list[dict]:
        return [
            {"doc_id": doc_id(number), "scheme": self.scheme, **self.norm, "n_tokens": 30,
             "shingles": list(SHINGLES.get(number, range(100 * number, 100 * number + 20))),
             "bands": [1 if number in SHINGLES else 100 + number]}
            for number in range(N_PAGES)
        ]

    def duplicate_verdicts(self) -> list[dict]:
        return [
            {"doc_a": doc_id(a), "doc_b": doc_id(b), "guard_version": self.versions["guard_version"],
             "is_conflict": b == 4, "n_tokens_only_a": 0, "n_tokens_only_b": 0}
            for a, b in ((1, 2), (2, 3), (1, 4), (2, 4))
        ]

    def query_checks(self) -> list[dict]:
        return [self.reply(task, {"self_contained": task == "query_check"}, query_id=page_id(0),
                           query_sha256=sha256(QUERY)) for task in ("query_check", "query_check_second")]

    def token_counts(self) -> list[dict]:
        return [
            {"doc_id": doc_id(number), "tokenizer": self.profile["tokenizer"],
             "n_tokens": int(self.profile["long_tokens"]) + (1 if number == 12 else 0)}
            for number in range(N_PAGES)
        ]

    def reranker_scores(self) -> list[dict]:
        return [{"query_id": page_id(0), "doc_id": doc_id(number), "model": self.profile["reranker"],
                 "score": float(-number)} for number in range(6, 12)]

    def llm_replies(self) -> list[dict]:
        first = [self.judged(number, label, ask=2, label_round="v1") for number, label in LABELS.items()]
        failed = [self.reply("judge", "no JSON", **self.pair(AGAIN), ask=2, attempt=attempt, label_round="v1")
                  for attempt in (1, 2, 3)]
        return [self.judged(0, 2, label_round="v1"), *first, *failed,
                self.judged(AGAIN, 2, ask=3, label_round="v2_gap")]

    def trained_models(self) -> list[dict]:
        return [{"model_id": "m", "role": "relevance_model", "base_model": self.profile["relevance_base"],
                 "version": 1, "path": "models/m"}]

    def relevance_scores(self) -> list[dict]:
        return [{"query_id": page_id(0), "doc_id": doc_id(number), "model": "m",
                 "raw_score": 1.7 if number == 13 else 0.2} for number in (*range(6, 12), 13)]
