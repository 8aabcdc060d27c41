"""Hostile files, names and texts through the real command line: none stops a run, hangs it or vanishes."""

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from homes import cli, dbt, landed, parsed, rows, said

from mathpinpoint.audit.explain import explanation_text

ESCAPES = "\x1b[2J\x1b[31mred\x07 \u202eback\u202c \x9b1A"
TEXT = (
    f"{{{{ 7 * 7 }}}} {{% for x in y %}} ''' $$ =cmd()|' /C calc'!A0 {ESCAPES} nul\0 The sum of $a$ and $b$ is even,"
    " because both of them are odd numbers."
)
BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
NAMES = (
    "quote'; drop table pages; --.html", 'double".html', "new\nline.html", "gl[o]b*?.html", "CON.html",
    "[red]x[_red].html", "\x1b[31mred.html", "x" * 250 + ".html", "%41$(id).html", os.fsdecode(b"\xff\xfe.html"),
)


def write(folder: Path) -> None:
    """The hostile folder, and beside it what its links lead to."""
    folder.mkdir()
    (folder.parent / "passwd.html").write_text("<p>the secret of another folder</p>")
    (folder / "out.html").symlink_to(folder.parent / "passwd.html")
    (folder / "loop.html").symlink_to(folder / "loop.html")
    (folder / "up").symlink_to(folder.parent)
    os.mkfifo(folder / "pipe.html")
    for name in NAMES:
        (folder / name).write_text(f"<p>A page called {name!r}.</p>")
    deep = "<div>" * 100_000 + "the deep text" + "</div>" * 100_000
    pages = {
        "deep300.html": "<div>" * 300 + "the deep text" + "</div>" * 300, "deep.html": deep,
        "attributes.html": "<p " + " ".join(f"a{n}=1" for n in range(200_000)) + ">the attributes</p>",
        "options.html": "<select>" + "<option>1" * 200_000 + "</select><p>after the options</p>",
        "laughs.xhtml": f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a0 "ha">{BOMB}<!ENTITY f SYSTEM '
        '"file:///etc/passwd">]><html><body><p>laughs &a11; &f; end</p></body></html>',
        "text.txt": TEXT, "style.css": "p {}", "long.txt": "word " * 2_000_000,
    }
    for name, text in pages.items():
        (folder / name).write_text(text)
    (folder / "charset.html").write_bytes(b'<meta charset="no-such-code"><p>caf\xe9 \x00 and \xff</p>')
    (folder / "lying.html").write_bytes(b'<meta charset="utf-16"><p>plain ASCII after all</p>')
    lines = [
        {"text": "A page from nowhere.", "url": "../../etc/passwd"}, {"text": "A page of two parts.", "url": "a\0b"},
        {"text": "A lone \ud800 surrogate.", "url": "/" + "x" * 300}, {"text": "x" * 10_000_000}, {"text": None},
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "bomb.jsonl.gz").write_bytes(gzip.compress((b'{"text":"' + b"0" * 900_000 + b'"}\n') * 200, 9))
    (folder / "cut.warc.gz").write_bytes(gzip.compress(b"WARC/1.0\r\nWARC-Type: response\r\n")[:20])


@dataclass(frozen=True)
class Read:
    """A home into which the hostile folder was landed, and what the first verb printed."""

    home: Path
    folder: Path
    printed: str


@pytest.fixture(scope="module")
def read(tmp_path_factory) -> Read:
    root = tmp_path_factory.mktemp("hostile")
    home, folder = root / "home", root / "web"
    write(folder)
    first = cli(home, "land", "pages", "--pages", folder)
    assert first.returncode == 0, said(first)
    second = cli(home, "land", "page_texts")
    assert second.returncode == 0, said(second)
    return Read(home, folder, first.stdout)


def test_every_file_is_a_page_or_has_a_reason(read):
    found = [row["source"] for table in ("pages", "skipped_inputs") for row in landed(read.home, table)]
    sources = {source.partition("#")[0] for source in found}
    names = {os.fsencode(path.name).decode("utf-8", "backslashreplace") for path in read.folder.iterdir()}
    assert names <= sources
    reasons = {row["source"]: row["reason"] for row in landed(read.home, "skipped_inputs")}
    assert reasons.pop("cut.warc.gz") in ("unreadable", "empty")
    assert reasons == {
        "out.html": "outside_link", "loop.html": "outside_link", "up": "outside_link", "pipe.html": "other_kind",
        "style.css": "other_kind", "long.txt": "too_large", "rows.jsonl#3": "too_large", "rows.jsonl#4": "bad_row",
        "bomb.jsonl.gz": "unpacks_too_much",
    }


def test_every_page_has_a_text_or_a_reason(read):
    texts = {row["page_id"]: row for row in landed(read.home, "page_texts")}
    pages = {row["page_id"]: row["source"] for row in landed(read.home, "pages")}
    assert set(texts) == set(pages)
    found = {source: texts[page_id] for page_id, source in pages.items()}
    assert all(row["outcome"] == "ok" or row["reason"] for row in found.values())
    for source, words in (("deep300.html", "the deep text"), ("deep.html", "the deep text"),
                          ("options.html", "after the options"), ("laughs.xhtml", "laughs"), ("charset.html", "caf"),
                          ("lying.html", "plain ASCII after all"), ("rows.jsonl#0", "A page from nowhere.")):
        row = found[source]
        assert words in (row["text"] or "") or row["reason"] in ("timeout", "memory", "too_deep"), source
    held = "\n".join(row["text"] or "" for row in texts.values())
    assert "secret" not in held and "root:" not in held and len(found["laughs.xhtml"]["text"]) < 5_000
    kept = found["text.txt"]["text"]
    assert "{{ 7 * 7 }} {% for x in y %} '''" in kept and "=cmd()" in kept
    assert not any(char in kept for char in "\x1b\x07\0\u202e\x9b")


def test_the_funnel_of_inputs_closes_over_what_was_skipped(read):
    n_captures, n_skipped = len(landed(read.home, "pages")), len(landed(read.home, "skipped_inputs"))
    status = {row["table"]: row for row in parsed(cli(read.home, "status", "--json"))}
    assert status["skipped_inputs"]["landed"] == n_skipped
    again = cli(read.home, "land", "pages", "--pages", read.folder)
    assert again.returncode == 0, said(again)
    assert len(landed(read.home, "skipped_inputs")) == n_skipped
    built = dbt(
        read.home, "build", "--select", "+funnel", "funnel_reasons_are_known", "--indirect-selection", "cautious",
        "--exclude-resource-type", "unit_test",
    )
    assert built.returncode == 0, said(built)
    counted = dict(rows(read.home, "select reason, n from audit.funnel where unit = 'input'"))
    assert sum(counted.values()) == n_captures + n_skipped
    assert counted["kept"] == len({row["page_id"] for row in landed(read.home, "pages")})
    named = rows(read.home, "select id from audit.funnel_items where unit = 'input' and reason = 'outside_link'")
    assert sorted(named) == [("loop.html",), ("out.html",), ("up",)]


def test_nothing_that_a_terminal_obeys_is_printed(read):
    for name in ("pages", "skipped_inputs"):
        told = cli(read.home, "query", f"select source, source as \"{ESCAPES.replace(chr(7), '')}\" from landed.{name}")
        assert told.returncode == 0, said(told)
        assert set(told.stdout) & set("\x1b\x07\x9b\u202e") == set()
    assert set(read.printed) & set("\x1b\x07\x9b\u202e") == set()
    raw = parsed(cli(read.home, "query", "select source from landed.pages where source like '%red.html'", "--json"))
    assert {"source": "\x1b[31mred.html"} in raw


def test_an_explanation_shows_hostile_text_on_one_line_and_harmless():
    told = explanation_text({"query": [{"query_text": f"Find\n{ESCAPES}"}], "replies": [], "resolution": "label 2"})
    assert told.splitlines()[1].startswith("  query_text: Find  [2J [31mred") and len(told.splitlines()) == 6
    assert set(told) & set("\x1b\x07\x9b\u202e") == set()
