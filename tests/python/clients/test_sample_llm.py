"""Client and prompts against the sample LLM, which answers from the truth and misbehaves."""

import importlib.resources
import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
import worklist

from mathpinpoint.clients import prompts
from mathpinpoint.clients.journal import Journal
from mathpinpoint.land import replies
from mathpinpoint.sample.llm import SampleServer
from mathpinpoint.sample.truth import Page, read_truth

TRUTH = Path(str(importlib.resources.files("mathpinpoint.sample") / "web" / "truth.jsonl"))
FAULTS = {
    "rate_limit": 0.08, "server_error": 0.05, "drop": 0.05, "truncated_body": 0.05,
    "refusal": 0.05, "length": 0.05, "invalid_json": 0.05, "retry_after_seconds": 0.1,
}  # fmt: skip


@pytest.fixture(scope="module")
def server():
    if not TRUTH.is_file():
        pytest.skip("the sample web is not there")
    with SampleServer(TRUTH, disagreement=0.0, seed=1) as running:
        yield running


def work(prompt: str) -> list[dict]:
    pages = [page for page in read_truth(TRUTH) if isinstance(page, Page) and page.query]
    queries = [page.query for page in pages][:20]
    return [
        worklist.row(
            number, prompt=prompt, model="sample-truth",
            query_text=None if prompt == "query_gen_prompt.txt" else queries[number % 20],
            doc_text=None if prompt == "query_check_prompt.md" else f"{page.question}\n{page.body}",
        )
        for number, page in enumerate(pages)
    ]


def land(rows: list[dict], server: SampleServer, folder: Path) -> list[dict]:
    with Journal(folder / "j") as journal:
        replies.ask(
            worklist.batches(rows), prompt_folder=worklist.PROMPTS, journal=journal,
            client=worklist.client(server.base_url, concurrency=8, attempts=6),
            total=len(rows), max_transport_failures=8, progress=lambda *call: None,
        )
        return list(journal.rows())


@pytest.mark.parametrize(
    "prompt", ["judge_prompt.md", "query_gen_prompt.txt", "query_check_prompt.md"]
)
def test_good_replies_fit_the_schema_and_faults_are_rows(server, tmp_path, prompt):
    rows = work(prompt)
    server.reset()
    server.set_misbehaviour(FAULTS)
    landed = land(rows, server, tmp_path)
    counts = server.counts()
    assert len(landed) == counts["distinct_bodies"]
    assert {row["status"] for row in landed} == {"ok"}
    schema = prompts.load(worklist.PROMPTS, prompt).schema
    kinds: Counter[str] = Counter()
    for row in landed:
        assert json.loads(row["raw"])["choices"][0]["message"]["content"] == row["content"]
        if row["refusal"] or row["finish_reason"] == "length":
            kinds["refusal" if row["refusal"] else "length"] += 1
            continue
        try:
            jsonschema.validate(json.loads(row["content"]), schema)
            kinds["valid"] += 1
        except ValueError:
            kinds["invalid"] += 1
    print(prompt, dict(kinds), counts["by_fault"])
    assert kinds["valid"] > len(landed) / 2 and kinds["refusal"] + kinds["length"] > 0


def test_a_model_that_the_server_does_not_have_stops_the_run(server, tmp_path):
    server.set_misbehaviour({})
    rows = [row | {"model": "no-such-model"} for row in work("query_check_prompt.md")]
    with pytest.raises(replies.EndpointDown, match="HTTP 404.*no-such-model"):
        land(rows, server, tmp_path)
