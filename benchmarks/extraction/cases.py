"""The pages that are read, each with the formulas, and where it is known the text, that should come out."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree
from lxml import html as lxml_html

from mathpinpoint.compute.normalize import math_spans
from mathpinpoint.land.pages import captures
from mathpinpoint.sample.generate import write_web
from mathpinpoint.sample.truth import Page, read_truth

ASCIIMATH_PAGE, MATHML_PAGE = "mathjax_asciimath_1.html", "mathjax_mathml_1.html"
TEX, ASCIIMATH, MATHML = "tex", "asciimath", "mathml"
DOCUMENTATION = Path("/usr/share/doc")

_MAX_BYTES = 4_000_000  # as the policy's limit for a page
_UNREAD = re.compile(r"<(script|style|pre|textarea|code)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_BACKTICKS = re.compile(r"(?<!\\)`((?:\\`|[^`])+)`")
_RAISED = re.compile(r"\b([A-Za-z0-9]{1,8})<sup>\s*([-\u2212\u2013]?[A-Za-z0-9+]{1,5})\s*</sup>")
_ORDINAL = re.compile(r"st|nd|rd|th|TM")


@dataclass(frozen=True)
class Case:
    """One page. `formulas` are LaTeX, sources of AsciiMath or sources of MathML, by `kind`."""

    name: str
    kind: str
    raw: bytes
    formulas: tuple[str, ...]
    text: str | None = None  # what the page says, without boilerplate; null where nobody has written it down


def sample_cases(folder: Path, pages: int, seed: int) -> list[Case]:
    """HTML pages of a generated web, with what their writer wrote: each way of writing formulas in HTML."""
    write_web(folder, pages, seed)
    batches = captures(
        [folder / "pages"], text_column=None, landed=set(), skipped=[], max_page_bytes=4_000_000, max_ratio=100.0,
        batch_rows=64, batch_bytes=16_000_000,
    )
    raw = {row["source"]: row["raw"] for batch in batches for row in batch.to_pylist() if row["format"] == "html"}
    found = []
    for truth in read_truth(folder / "truth.jsonl"):
        if isinstance(truth, Page) and truth.page in raw:
            text = f"{truth.question or ''}\n\n{truth.body}"
            formulas = tuple(text[start:end].strip("$ ") for start, end in math_spans(text))
            found.append(Case(f"{truth.encoding}: {truth.page}", TEX, raw[truth.page], formulas, text))
    return found


def real_cases(folder: Path) -> list[Case]:
    """Real pages with the formulas that `formulas.json` names.

    The formulas of the AsciiMath page are its own sources between backticks, those of the MathML page its elements:
    for both, the file holds what some converter made of them.
    """
    named = json.loads((folder / "formulas.json").read_text(encoding="utf-8"))
    found = []
    for name, formulas in sorted(named.items()):
        raw = (folder / name).read_bytes()
        if name == ASCIIMATH_PAGE:
            source = _TAG.sub("", _UNREAD.sub("", raw.decode()))
            found.append(Case(name, ASCIIMATH, raw, tuple(map(html.unescape, _BACKTICKS.findall(source)))))
        elif name == MATHML_PAGE:
            found.append(Case(name, MATHML, raw, tuple(_maths(raw))))
        else:
            found.append(Case(name, TEX, raw, tuple(formulas)))
    return found


def documentation_cases(least: int) -> list[Case]:
    """Installed documentation pages with `least` powers or more written with `<sup>`, links and ordinals aside."""
    found = []
    for path in sorted(DOCUMENTATION.rglob("*.html")) if DOCUMENTATION.is_dir() else []:
        raw = path.read_bytes() if path.is_file() and path.stat().st_size <= _MAX_BYTES else b""
        if b"<sup>" not in raw:
            continue
        source = _UNREAD.sub(" ", raw.decode("utf-8", "replace"))
        powers = [f"{base}^{{{power}}}" for base, power in _RAISED.findall(source) if not _ORDINAL.fullmatch(power)]
        if len(powers) >= least:
            found.append(Case(str(path.relative_to(DOCUMENTATION)), TEX, raw, tuple(powers)))
    return found


def _maths(raw: bytes) -> Iterator[str]:
    root = lxml_html.document_fromstring(raw, parser=lxml_html.HTMLParser(remove_comments=True))
    for math in root.iter("math"):
        source = etree.tostring(math, encoding="unicode", with_tail=False)
        yield source.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
