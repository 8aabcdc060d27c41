"""A run on the sample web, and the same run again."""

import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from homes import cli, hashes, rows, said

from mathpinpoint.pipeline import STAGES

FOUR_GIGABYTES = 4_000_000_000


def test_a_run_ends_with_the_funnel_the_labels_and_what_to_do_next(sample_run):
    printed = sample_run.result.stdout
    parts = [
        "Funnel", "pages → documents", "pages → queries", "candidate pairs → judgments",
        "queries → training rows", "Labels by stage", "Judge: sample-truth (profile sample)",
        "These labels are the sample's truth, not a model's opinion.", "Release: ", "Next:",
        "mathpinpoint explain p_", 'mathpinpoint query "select', "mathpinpoint verify ",
    ]
    at = [printed.find(part) for part in parts]
    assert -1 not in at and at == sorted(at), printed
    stages = ("dense_top5", "rerank_top5", "long_doc", "short_doc", "fused_short")
    assert all(stage in printed for stage in stages), printed
    (release,) = _releases(sample_run.home)
    assert release in printed.replace("\n", "")


def _releases(home):
    return [str(path) for path in (home / "releases").iterdir()][-1:]


def test_a_run_holds_less_than_four_gigabytes(sample_run):
    print(f"peak {sample_run.peak_bytes / 1e9:.2f} GB")
    assert 0 < sample_run.peak_bytes < FOUR_GIGABYTES


def test_the_summary_counts_what_the_tables_hold(sample_run):
    home, printed = sample_run.home, sample_run.result.stdout
    pages = rows(home, "select count(*) from corpus.pages")[0][0]
    documents, queries, judgments, training = (
        rows(home, f"select count(*) from {table}")[0][0]
        for table in ("corpus.documents", "queries.queries", "judging.judgments", "training.rows")
    )
    assert f"pages → documents: {pages:,} → {documents:,}" in printed
    assert re.search(rf"pages → queries: [\d,]+ → {queries:,}\n", printed)
    assert f"candidate pairs → judgments: {judgments:,} → {judgments:,}" in printed
    assert f"queries → training rows: {queries:,} → {training:,}" in printed
    mix = rows(home, "select count(*) from judging.judgments where stage = 'dense_top5'")[0][0]
    line = next(line for line in printed.splitlines() if line.strip().startswith("dense_top5"))
    assert sum(int(cell.replace(",", "")) for cell in line.split()[2:]) == mix <= judgments


def test_the_same_run_again_lands_nothing_and_asks_nothing(sample_run):
    asked = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(self.path)
            self.send_error(500)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = sample_run.home
    before, released = hashes(home / "landed"), _releases(home)
    try:
        url = f"http://127.0.0.1:{server.server_port}/v1"
        again = cli(home, "run", "--home", home, "--base-url", url)
    finally:
        server.shutdown()
        server.server_close()
    assert again.returncode == 0, said(again)
    assert asked == []
    assert hashes(home / "landed") == before
    for table in dict.fromkeys(STAGES):
        times = STAGES.count(table)
        assert again.stdout.count(f"  {table}: nothing pending") == times, again.stdout
    assert _releases(home) == released and released[0] in again.stdout.replace("\n", "")
