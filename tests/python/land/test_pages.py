"""Captures: every kind of input, what is skipped, what is new."""

import gzip
import hashlib
import io
import json
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from fastwarc.warc import WarcRecord, WarcRecordType

from mathpinpoint.land import skipped_inputs
from mathpinpoint.land.page_files import Skipped
from mathpinpoint.land.pages import captures
from mathpinpoint.schemas import LANDED

LIMITS = {"max_page_bytes": 100_000, "max_ratio": 50.0, "batch_rows": 64, "batch_bytes": 1_000_000}
HTML = "<html><body><p>A page about x<sup>2</sup></p></body></html>"


def read(*paths, text_column=None, landed=(), **limits):
    """Rows and what was skipped of a call."""
    skipped = []
    batches = list(
        captures(
            paths,
            text_column=text_column,
            landed=set(landed),
            skipped=skipped,
            **{**LIMITS, **limits},
        )
    )
    names = [name for name in LANDED["pages"].schema.names if name != "landed_at"]
    assert all(batch.schema.names == names for batch in batches)
    return [row for batch in batches for row in batch.to_pylist()], skipped


def test_a_folder_is_walked_in_order(tmp_path):
    for name in ("b/2.html", "b/1.md", "a.txt", "c.xhtml", "B.HTM", "style.css", "b/deep/x.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"page {name}")
    rows, skipped = read(tmp_path)
    assert [row["source"] for row in rows] == [
        "B.HTM",
        "a.txt",
        "c.xhtml",
        "b/1.md",
        "b/2.html",
        "b/deep/x.html",
    ]
    assert [row["format"] for row in rows] == ["html", "txt", "html", "md", "html", "html"]
    raw = b"page a.txt"
    assert rows[1]["page_id"] == "p_" + hashlib.sha256(raw).hexdigest()[:24]
    assert (rows[1]["raw"], rows[1]["n_bytes"], rows[1]["url"]) == (raw, len(raw), None)
    assert skipped == [Skipped("style.css", "other_kind", ".css")]


def test_only_new_captures_are_given(tmp_path):
    (tmp_path / "a.html").write_text("one")
    (tmp_path / "b.html").write_text("one")
    rows, _ = read(tmp_path)
    assert len(rows) == 2 and rows[0]["page_id"] == rows[1]["page_id"]
    again, _ = read(tmp_path, landed=[(rows[0]["page_id"], "a.html")])
    assert [row["source"] for row in again] == ["b.html"]
    (tmp_path / "a.html").write_text("two")
    changed, _ = read(tmp_path, landed=[(row["page_id"], row["source"]) for row in rows])
    assert [row["source"] for row in changed] == ["a.html"]
    assert len(read(tmp_path, tmp_path)[0]) == 2


def test_links_that_leave_the_folder_are_skipped(tmp_path):
    (tmp_path / "outside.html").write_text("secret")
    web = tmp_path / "web"
    web.mkdir()
    (web / "in.html").write_text("inside")
    (web / "same.html").symlink_to(web / "in.html")
    (web / "out.html").symlink_to(tmp_path / "outside.html")
    (web / "folder").symlink_to(tmp_path)
    (web / "broken.html").symlink_to(web / "nothing.html")
    rows, skipped = read(web)
    assert [row["source"] for row in rows] == ["in.html", "same.html"]
    assert [(one.source, one.reason) for one in skipped] == [
        ("broken.html", "outside_link"), ("folder", "outside_link"), ("out.html", "outside_link"),
    ]


def test_strange_names_are_sources_like_others(tmp_path):
    names = [
        "quote'; --.html",
        "new\nline.html",
        "gl[o]b*?.html",
        "CON.html",
        os.fsdecode(b"\xff\xfe.html"),
    ]
    for name in names:
        (tmp_path / name).write_text(name, errors="replace")
    rows, skipped = read(tmp_path)
    assert len(rows) == len(names) and skipped == []
    assert "\\xff\\xfe.html" in [row["source"] for row in rows]


def response(body: bytes, content_type: str, status="200 OK", extra="") -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.response, b"urn:uuid:1")
    record.headers["WARC-Target-URI"] = "http://a.example/page"
    record.headers["Content-Type"] = "application/http; msgtype=response"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{extra}"
    record.set_bytes_content(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return record


def warc(*records: WarcRecord) -> bytes:
    members = []
    for record in records:
        plain = io.BytesIO()
        record.write(plain)
        members.append(gzip.compress(plain.getvalue(), mtime=0))
    return b"".join(members)


def test_warc(tmp_path):
    records = [
        response(HTML.encode(), "text/html; charset=iso-8859-1"),
        response(b"img", "image/png"),
        response(b"gone", "text/html", status="404 Not Found"),
        response(gzip.compress(b"packed page"), "text/plain", extra="Content-Encoding: gzip\r\n"),
        response(gzip.compress(b"0" * 5_000_000), "text/html", extra="Content-Encoding: gzip\r\n"),
        response(b"<p>last</p>", "application/xhtml+xml"),
    ]
    (tmp_path / "crawl.warc.gz").write_bytes(warc(*records))
    rows, skipped = read(tmp_path / "crawl.warc.gz")
    assert [row["source"] for row in rows] == [
        "crawl.warc.gz#0",
        "crawl.warc.gz#3",
        "crawl.warc.gz#5",
    ]
    assert [row["format"] for row in rows] == ["html", "txt", "html"]
    assert [row["charset"] for row in rows] == ["iso-8859-1", None, None]
    assert rows[1]["raw"] == b"packed page" and rows[0]["url"] == "http://a.example/page"
    assert [(one.source, one.reason, one.detail) for one in skipped] == [
        ("crawl.warc.gz#1", "other_content", "status 200, content type image/png"),
        ("crawl.warc.gz#2", "other_content", "status 404, content type text/html"),
        ("crawl.warc.gz#4", "too_large", "more than 100000 bytes"),
    ]
    (tmp_path / "cut.warc.gz").write_bytes(warc(*records)[:300])
    rows, skipped = read(tmp_path)
    assert len(rows) >= 3 and all(row["source"].startswith("c") for row in rows)


def test_tables(tmp_path):
    texts = [HTML, "# Markdown\n\n$x$", None]
    urls = ["http://a.example/1", None, "http://a.example/3"]
    pq.write_table(
        pa.table({"id": [1, 2, 3], "content": texts, "url": urls}), tmp_path / "t.parquet"
    )
    records = [{"text": text, "url": url} for text, url in zip(texts, urls, strict=True)]
    lines = "".join(json.dumps(record) + "\n" for record in records).encode()
    (tmp_path / "t.jsonl").write_bytes(lines + b"{broken\n[1]\n")
    (tmp_path / "u.jsonl.gz").write_bytes(gzip.compress(lines))
    (tmp_path / "v.jsonl.zst").write_bytes(zstandard.compress(lines))
    (tmp_path / "w.csv").write_text(
        'url,html\nhttp://a.example/1,"<p>a, ""b""</p>\n<p>c</p><p>d</p>"\n,plain\n'
    )
    rows, skipped = read(tmp_path)
    by_source = {row["source"]: row for row in rows}
    assert sorted(by_source) == [
        f"{name}#{n}"
        for name in ("t.jsonl", "t.parquet", "u.jsonl.gz", "v.jsonl.zst", "w.csv")
        for n in (0, 1)
    ]
    for name in ("t.jsonl", "t.parquet", "u.jsonl.gz", "v.jsonl.zst"):
        first, second = by_source[f"{name}#0"], by_source[f"{name}#1"]
        assert (first["format"], first["url"]) == ("html", "http://a.example/1")
        assert (second["format"], second["url"], second["charset"]) == ("md", None, "utf-8")
    assert by_source["w.csv#0"]["format"] == "html" and by_source["w.csv#1"]["raw"] == b"plain"
    assert {one.reason for one in skipped} == {"bad_row"}
    reasons = {one.source: one.detail for one in skipped}
    assert reasons["t.parquet#2"] == "no text" and reasons["t.jsonl#3"].startswith("not JSON")
    assert reasons["t.jsonl#4"] == "not a JSON object" and len(reasons) == 6


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "t.csv"])
def test_a_table_without_a_text_column_is_refused(tmp_path, name):
    path = tmp_path / name
    if name == "t.parquet":
        pq.write_table(pa.table({"body": ["a"], "link": ["b"]}), path)
    else:
        path.write_text('{"body": "a", "link": "b"}\n' if name == "t.jsonl" else "body,link\na,b\n")
    with pytest.raises(
        ValueError, match=rf"{name} has no column content, text, html.* body, link.*--text-column"
    ):
        read(path)
    with pytest.raises(ValueError, match="no column page;"):
        read(path, text_column="page")
    rows, _ = read(path, text_column="body")
    assert [row["raw"] for row in rows] == [b"a"]


def test_broken_and_oversized_files_are_reported(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"<html>not parquet</html>")
    (tmp_path / "b.parquet").write_bytes(b"")
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b"0" * 20_000_000))
    (tmp_path / "d.jsonl.gz").write_bytes(
        gzip.compress((b'{"text":"' + b"0" * 50_000 + b'"}\n') * 500)
    )
    (tmp_path / "e.jsonl.zst").write_bytes(b"no zstd")
    (tmp_path / "f.html").write_bytes(b"x" * 100_001)
    (tmp_path / "g.warc.gz").write_bytes(b"no warc")
    (tmp_path / "h.html").write_text("fine")
    (tmp_path / "i.jsonl.gz").write_bytes(gzip.compress(b'{"text": "a"}\n' * 3)[:-12])
    rows, skipped = read(tmp_path)
    assert "h.html" in [row["source"] for row in rows]
    whole = {one.source: one.reason for one in skipped if "#" not in one.source}
    assert whole == {
        "a.parquet": "unreadable",
        "b.parquet": "unreadable",
        "c.jsonl.gz": "unpacks_too_much",
        "d.jsonl.gz": "unpacks_too_much",
        "e.jsonl.zst": "unreadable",
        "f.html": "too_large",
        "g.warc.gz": "unreadable",
        "i.jsonl.gz": "unreadable",
    }


def test_a_line_over_the_cap_is_skipped_alone(tmp_path):
    long, odd = "x" * 250_000, "http://a.example/\\ud800"
    lines = f'{{"text": "{long}"}}\n\n{{"text": "b \\ud800", "url": "{odd}"}}\n'
    (tmp_path / "a.jsonl").write_text(lines)
    rows, skipped = read(tmp_path)
    assert [(row["source"], row["raw"], row["url"]) for row in rows] == [
        ("a.jsonl#1", b"b ?", "http://a.example/?")
    ]
    assert [(one.source, one.reason) for one in skipped] == [("a.jsonl#0", "too_large")]


def test_a_field_over_the_cap_is_skipped_alone(tmp_path):
    (tmp_path / "a.csv").write_text(f'text,url\nfirst,\n{"x" * 250_000},\n"a ""b""",http://a.example/\n')
    rows, skipped = read(tmp_path)
    assert [row["raw"] for row in rows] == [b"first", b'a "b"']
    assert [(one.source, one.reason) for one in skipped] == [("a.csv#1", "too_large")]


def test_a_quotation_left_open_ends_its_file_and_no_other(tmp_path):
    (tmp_path / "a.csv").write_text('text,url\nfirst,\n"' + "x\n" * 1_000_000)
    (tmp_path / "b.txt").write_text("page")
    rows, skipped = read(tmp_path)
    assert [row["raw"] for row in rows] == [b"first", b"page"]
    assert [(one.source, one.reason) for one in skipped] == [("a.csv", "unreadable")]


def test_files_in_which_there_is_nothing_are_named(tmp_path):
    (tmp_path / "a.jsonl").write_text("\n\n")
    (tmp_path / "b.csv").write_text("text,url\n")
    (tmp_path / "c.warc.gz").write_bytes(b"")
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "d.parquet")
    rows, skipped = read(tmp_path)
    assert rows == []
    assert [(one.source, one.reason) for one in skipped] == [
        (name, "empty") for name in ("a.jsonl", "b.csv", "c.warc.gz", "d.parquet")
    ]


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.html")
    assert read(tmp_path) == ([], [Skipped("pipe.html", "other_kind", "no regular file")])


def test_an_archive_that_unpacks_to_more_than_its_size_allows_is_left(tmp_path):
    bomb = WarcRecord()
    bomb.init_headers(WarcRecordType.resource, b"urn:uuid:2")
    bomb.headers["Content-Type"] = "application/octet-stream"
    bomb.set_bytes_content(b"0" * 30_000_000)
    (tmp_path / "a.warc.gz").write_bytes(warc(response(HTML.encode(), "text/html"), bomb))
    rows, skipped = read(tmp_path)
    assert [row["source"] for row in rows] == ["a.warc.gz#0"]
    assert [(one.source, one.reason) for one in skipped] == [("a.warc.gz", "unpacks_too_much")]


def test_what_was_skipped_lands_once(tmp_path):
    name = os.fsdecode(b"\xff.css")
    damaged = Skipped("b\x1b[31m.gz", "unreadable", f"{name} \ud800" + "x" * 900)
    found = [Skipped("a.css", "other_kind", ".css"), damaged]
    known = {("old.css", "other_kind")}
    batch = skipped_inputs.batch([*found, found[0], Skipped("old.css", "other_kind", ".css")], known)
    assert batch.schema.names == [name for name in LANDED["skipped_inputs"].schema.names if name != "landed_at"]
    rows = batch.to_pylist()
    assert [(row["source"], row["reason"]) for row in rows] == [("a.css", "other_kind"), ("b\x1b[31m.gz", "unreadable")]
    assert rows[1]["detail"].startswith("\\udcff.css \\ud800xxx") and len(rows[1]["detail"]) == 500
    assert skipped_inputs.batch(found, known).num_rows == 0


def test_a_path_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing is not there"):
        read(tmp_path / "nothing")
    (tmp_path / "a.docx").write_bytes(b"x")
    assert read(tmp_path / "a.docx")[1] == [Skipped("a.docx", "other_kind", ".docx")]


def test_batches_are_small(tmp_path):
    for number in range(10):
        (tmp_path / f"{number}.txt").write_text("x" * 1_000 + str(number))
    sizes = [
        batch.num_rows
        for batch in captures(
            [tmp_path],
            text_column=None,
            landed=set(),
            skipped=[],
            max_page_bytes=10_000,
            max_ratio=10.0,
            batch_rows=4,
            batch_bytes=3_000,
        )
    ]
    assert sizes == [3, 3, 3, 1]


def test_an_empty_csv_is_skipped_and_the_others_are_read(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "page.txt").write_text("What is 2 + 2? It is 4.")
    skipped = []
    batches = list(
        captures(
            [tmp_path], text_column=None, landed=(), skipped=skipped, max_page_bytes=10_000,
            max_ratio=100, batch_rows=10, batch_bytes=10_000,
        )
    )
    assert [batch["source"].to_pylist() for batch in batches] == [["page.txt"]]
    assert skipped == [Skipped("empty.csv", "empty", "nothing is in it")]
