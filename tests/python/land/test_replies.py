"""The LLM loaders: once asked, always kept; stopped cleanly; a dead endpoint costs nothing."""

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from starlette.responses import Response

sys.path.insert(0, str(Path(__file__).parents[1] / "clients"))

import worklist  # noqa: E402
from kill_loader import run  # noqa: E402
from llm_server import completion, serving  # noqa: E402

from mathpinpoint.clients.budget import Budget, BudgetSpent, Price  # noqa: E402
from mathpinpoint.clients.journal import Journal  # noqa: E402
from mathpinpoint.land import (  # noqa: E402
    duplicate_reviews,
    llm_replies,
    query_checks,
    query_extractions,
    replies,
)
from mathpinpoint.schemas import LANDED  # noqa: E402


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "j.jsonl") as opened:
        yield opened


def ask(rows, journal, server, progress=lambda done, total, tokens: None, budget=None, **values):
    client = worklist.client(server.base_url, **values)
    replies.ask(
        worklist.batches(rows), prompt_folder=worklist.PROMPTS, journal=journal, client=client,
        total=len(rows), max_transport_failures=3, progress=progress, budget=budget,
    )


def rows_of(number: int) -> list[dict]:
    return [worklist.row(one) for one in range(number)]


def answer(number, body):
    return completion('{"score": 2}')


def fails_for(word: str, reply):
    """A script that fails every request whose page or query holds `word`."""
    def script(number, body):
        return reply if word in body["messages"][1]["content"] else completion("{}")

    return script


@pytest.mark.parametrize(
    ("loader", "prompt", "table"),
    [
        (llm_replies, "judge_prompt.md", "llm_replies"),
        (query_checks, "query_check_prompt.md", "query_checks"),
        (duplicate_reviews, "duplicate_review_prompt.md", "duplicate_reviews"),
        (query_extractions, "query_gen_prompt.txt", "query_extractions"),
    ],
)
def test_loaders_land_every_row_with_its_conditions(journal, loader, prompt, table):
    work = [worklist.row(number, prompt=prompt) for number in range(20)]
    calls = []
    with serving(answer) as server:
        found = list(loader.rows(
            worklist.batches(work), prompt_folder=worklist.PROMPTS, journal=journal, total=20,
            client=worklist.client(server.base_url), max_transport_failures=3,
            progress=lambda *call: calls.append(call),
        ))
        ask(work, journal, server)
        assert len(server.asked) == 20
    table_found = pa.Table.from_batches(found)
    schema = LANDED[table].schema
    assert table_found.schema == schema.remove(schema.get_field_index("landed_at"))
    by_query = {row["query_id"]: row for row in table_found.to_pylist()}
    assert len(by_query) == 20 and set(by_query) == {row["query_id"] for row in work}
    for row in work:
        landed = by_query[row["query_id"]]
        kept = set(row) - {"query_text", "doc_text"}
        assert {name: landed[name] for name in kept} == {name: row[name] for name in kept}
        assert landed["content"] == '{"score": 2}' and landed["sent_at"].year >= 2024
    assert calls[-1] == (20, 20, (140, 60)) and [done for done, _, _ in calls] == list(range(1, 21))


def test_same_request_is_asked_once_and_another_attempt_or_ask_again(journal):
    work = [worklist.row(1), worklist.row(1, query_id="p_other"), worklist.row(1, attempt=2),
            worklist.row(1, ask=2)]
    with serving(answer) as server:
        ask(work, journal, server)
    assert len(server.asked) == 3 and len({key for key, _, _ in server.asked}) == 2
    assert len(journal.keys()) == 3


@pytest.mark.parametrize("status", [400, 422, 500, 503, 403, 404])
def test_failure_of_one_request_is_a_row(journal, status):
    refused = Response('{"error": {"message": "not this one"}}', status, {"retry-after": "0"})
    with serving(fails_for("$5+1$", refused)) as server:
        ask(rows_of(12), journal, server)
    landed = {row["query_id"]: row for row in journal.rows()}
    assert len(landed) == 12 and landed["p_0005"]["error"] == "not this one"
    assert (landed["p_0005"]["status"], landed["p_0005"]["http_status"]) == ("http_error", status)
    assert [row["status"] for row in landed.values()].count("ok") == 11


def test_one_truncated_reply_is_a_transport_error_row(journal):
    with serving(fails_for("$11+1$", Response('{"choices": [{'))) as server:
        ask(rows_of(12), journal, server, attempts=1)
    assert {row["query_id"]: row["status"] for row in journal.rows()}["p_0011"] == "transport_error"
    assert len(journal.keys()) == 12


def test_an_endpoint_that_is_down_uses_up_no_attempt(journal):
    with serving(answer) as server:
        ask(rows_of(5), journal, server)
    with pytest.raises(replies.EndpointDown, match=rf"{server.base_url} failed \d+ requests in a"):
        ask(rows_of(12), journal, server, attempts=1)
    assert len(journal.keys()) == 5
    with pytest.raises(replies.EndpointDown, match="failed 1 requests.*ConnectError.*base_url"):
        ask(rows_of(6), journal, server, attempts=1)


def test_a_wrong_key_stops_and_names_the_variable(journal, monkeypatch):
    monkeypatch.setenv("TEST_LLM_KEY", "sk-wrong")
    refused = Response('{"error": {"message": "bad key sk-wrong"}}', 401)
    with serving(lambda number, body: refused) as server:
        with pytest.raises(replies.EndpointDown, match=r"HTTP 401.*\(TEST_LLM_KEY\)") as error:
            ask(rows_of(50), journal, server, api_key_env="TEST_LLM_KEY")
    assert len(server.asked) < 10 and not journal.keys() and "sk-wrong" not in str(error.value)


def test_what_progress_raises_stops_the_run_and_loses_nothing(journal):
    class Spent(Exception):
        pass

    def progress(done, total, tokens):
        if tokens.prompt >= 35:
            raise Spent

    with serving(lambda number, body: 0.05) as server:
        with pytest.raises(Spent):
            ask(rows_of(60), journal, server, progress)
        assert 5 <= len(server.asked) <= 5 + 2 * 4 and len(journal.keys()) == len(server.asked)
        ask(rows_of(60), journal, server)
        assert len(server.asked) == len(journal.keys()) == 60


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGINT])
def test_signal_keeps_the_replies_in_flight(tmp_path, which):
    context = multiprocessing.get_context("spawn")
    with serving(lambda number, body: 0.3) as server:
        process = context.Process(target=run, args=(str(tmp_path), server.base_url, 90, 4))
        process.start()
        while len(server.asked) < 6:
            process.join(0.01)
        os.kill(process.pid, which)
        process.join(20)
        assert process.exitcode == 1  # KeyboardInterrupt
    with Journal(tmp_path / "journal" / "llm_replies.jsonl") as journal:
        assert len(journal.keys()) == len(server.asked) <= 12


def test_changed_prompt_stops_before_anything_is_asked(journal):
    with serving(answer) as server:
        with pytest.raises(ValueError, match="another judge_prompt.md.*dbt build"):
            ask([worklist.row(1, prompt_sha256="0" * 64)], journal, server)
    assert not server.asked


def test_estimate_counts_each_request_once():
    work = [worklist.row(1), worklist.row(1), worklist.row(2)]
    count, tokens = replies.estimate(worklist.batches(work), worklist.PROMPTS)
    bodies = [one.body for one in replies.requests(worklist.batches(work), worklist.PROMPTS)]
    chars = sum(len(message["content"]) for body in bodies for message in body["messages"])
    assert (count, tokens) == (2, chars // 4) and tokens > 1000


def test_loaders_import_neither_dbt_nor_torch_nor_a_database():
    code = "import sys, openai\nfrom mathpinpoint.land import llm_replies, query_checks\n"
    code += "from mathpinpoint.land import batched, query_extractions\n"
    code += "print({'dbt', 'torch', 'duckdb', 'pandas'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


LIMITED = {"parameters": '{"temperature": 0, "max_tokens": 20}'}


def budget_of(limit_usd: float) -> Budget:
    budget = Budget(limit_usd)
    budget.prices = {"m-1": Price(input_usd=0.001, output_usd=0.01)}  # a reply: 7 tokens in, 3 out, 0.037 USD
    return budget


def test_nothing_is_sent_that_could_pass_the_cap_and_a_higher_one_goes_on(journal):
    work = [row | LIMITED for row in rows_of(60)]
    most = max(budget_of(1).most_usd(request.body) for request in replies.requests(
        worklist.batches(work), worklist.PROMPTS
    ))
    with serving(answer) as server:
        budget = budget_of(most + 20 * 0.037)
        with pytest.raises(BudgetSpent, match="Stopped before the cap.*--max-usd"):
            ask(work, journal, server, budget=budget)
        asked = len(server.asked)
        assert 20 <= asked < 60 and budget.spent_usd == pytest.approx(asked * 0.037)
        assert budget.spent_usd <= budget.limit_usd and budget.reserved_usd == pytest.approx(0)
        assert len(journal.keys()) == asked
        ask(work, journal, server, budget=budget_of(1000))
        assert len(server.asked) == len(journal.keys()) == 60


def test_a_cap_below_one_request_sends_nothing(journal):
    with serving(answer) as server:
        with pytest.raises(BudgetSpent):
            ask([row | LIMITED for row in rows_of(5)], journal, server, budget=budget_of(0.01))
        assert not server.asked and not journal.keys()


def test_a_cap_needs_a_limit_of_completion_tokens(journal):
    with serving(answer) as server, pytest.raises(ValueError, match="max_completion_tokens or max_tokens"):
        ask(rows_of(5), journal, server, budget=budget_of(1000))
    assert not server.asked


def test_what_costs_money_elsewhere_needs_a_cap_and_what_is_free_or_here_does_not():
    from mathpinpoint.loading import NoCap, require_cap

    budget = budget_of(1)
    budget.prices["free"] = Price(0, 0)
    require_cap("llm_replies", "https://example.org/v1", ["m-1"], budget)
    budget.limit_usd = None
    require_cap("llm_replies", "https://example.org/v1", ["free"], budget)
    require_cap("llm_replies", "http://127.0.0.1:1/v1", ["m-1"], budget)
    with pytest.raises(NoCap, match="m-1.*nothing was sent.*--max-usd"):
        require_cap("llm_replies", "https://example.org/v1", ["free", "m-1"], budget)
