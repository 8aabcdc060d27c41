"""page_texts: order, outcomes, hostile pages under small limits."""

import pyarrow as pa

from mathpinpoint.land.page_texts import rows
from mathpinpoint.schemas import LANDED, WORK

LIMITS = {"seconds": 3.0, "memory_bytes": 1_000_000_000, "max_page_bytes": 3_000_000}


def batch(*pages: tuple[str, bytes]) -> pa.RecordBatch:
    records = [
        {"page_id": f"p_{number:02}", "format": kind, "charset": None, "raw": raw}
        for number, (kind, raw) in enumerate(pages)
    ]
    return pa.RecordBatch.from_pylist(records, schema=WORK["page_texts"])


def landed(*batches: pa.RecordBatch, **options) -> list[dict]:
    found = list(rows(iter(batches), workers=1, **{**LIMITS, **options}))
    schema = LANDED["page_texts"].schema
    assert all(b.schema.names == [n for n in schema.names if n != "landed_at"] for b in found)
    return [row for b in found for row in b.to_pylist()]


def test_rows_follow_the_work_list():
    first = batch(*[("md", f"page {n} holds $x_{n}$".encode()) for n in range(20)])
    second = batch(("html", b"<p>one</p>"), ("txt", b"two"), ("html", b""))
    found = landed(first, second.slice(0, 0), second)
    assert [row["page_id"] for row in found] == [f"p_{n:02}" for n in (*range(20), 0, 1, 2)]
    assert [row["text"] for row in found[20:]] == ["one", "two", ""]
    assert [row["outcome"] for row in found[19:]] == ["ok", "ok", "ok", "empty"]
    assert found[3]["text_sha256"] and found[3]["n_formulas"] == 1


def deep(tag: str, depth: int) -> bytes:
    return (
        f"<html><body>{f'<{tag}>' * depth}the deep text{f'</{tag}>' * depth}</body></html>".encode()
    )


def test_deep_pages_keep_their_text():
    pages = [
        ("html", deep(tag, depth))
        for tag in ("div", "span", "b", "blockquote")
        for depth in (300, 100_000)
    ]
    deep_math = b"<p>a</p><math>" + b"<mrow>" * 240 + b"<mi>x</mi>" + b"</mrow>" * 240 + b"</math>"
    for row in landed(batch(*pages, ("html", deep_math))):
        assert row["outcome"] == "ok" or row["reason"] in ("timeout", "memory"), row
        assert "the deep text" in row["text"] or "$x$" in row["text"]


def test_a_page_that_hangs_fails_alone():
    attributes = b"<p " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b">text</p>"
    options = b"<select>" + b"<option>1" * 200_000 + b"</select><p>after the options</p>"
    found = landed(batch(("html", attributes), ("html", options), ("html", b"<p>next</p>")))
    assert found[0]["outcome"] in ("ok", "failed")
    assert found[0]["outcome"] == "ok" or found[0]["reason"] in ("timeout", "memory")
    assert found[1]["outcome"] == "ok" or found[1]["reason"] in ("timeout", "memory")
    assert (found[2]["outcome"], found[2]["text"]) == ("ok", "next")
    print([(row["outcome"], row["reason"]) for row in found])


def test_a_page_over_the_cap_is_not_read():
    found = landed(batch(("html", b"x" * 3_000_001), ("html", b"<p>next</p>")))
    assert [(row["outcome"], row["reason"]) for row in found] == [
        ("failed", "too_large"),
        ("ok", None),
    ]


def test_long_lines_and_unclosed_mathematics():
    pages = [
        b"<p>" + b"word " * 500_000 + b"</p>",
        b"$" * 50_000,
        b"\\( x " * 20_000,
        b"\\[ x " * 20_000,
        b"$x " * 50_000,
        b"`" * 50_000,
        b"\\begin{align}" * 10_000,
        b"[tex]" * 50_000,
        b"{" * 100_000,
    ]
    found = landed(batch(*(("html", raw) for raw in pages)), seconds=2.0)
    print([(row["outcome"], row["reason"]) for row in found])
    assert {row["outcome"] for row in found} <= {"ok", "empty", "failed"}
    assert {row["reason"] for row in found} <= {None, "no_text", "timeout"}
    assert found[0]["outcome"] == "ok" and found[0]["n_chars"] > 2_400_000


def test_entities_are_not_expanded_and_files_not_read():
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    raw = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a0 "ha">{bomb}'
        '<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        "<html><body><p>see &a11; &f; end</p></body></html>"
    )
    (row,) = landed(batch(("html", raw.encode())))
    assert row["outcome"] == "ok" and "root:" not in row["text"] and row["n_chars"] < 5_000
