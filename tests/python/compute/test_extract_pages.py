"""Extraction of whole pages: real ones of the shared data, and the shipped sample web."""

import json
import os
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from lxml import html
from rapidfuzz.distance import LCSseq

import mathpinpoint.sample
from mathpinpoint.compute.extract import extract
from mathpinpoint.compute.extract.mathml import mathml_to_latex
from mathpinpoint.compute.normalize import match_tokens, math_spans
from mathpinpoint.land.pages import captures
from mathpinpoint.sample.truth import Page, read_truth

_REPOSITORY = Path(__file__).parents[3]
SHARED = Path(os.environ.get("MATHPINPOINT_SHARED") or _REPOSITORY.parent / "shared" / "data")
REAL = SHARED / "pages"
WEB = Path(mathpinpoint.sample.__file__).parent / "web"
# Their formulas are no TeX on the page: what stands in formulas.json is one converter's output.
NOT_TEX = ("mathjax_asciimath_1.html", "mathjax_mathml_1.html")


def _bare(formula: str) -> str:
    """A formula without spacing, braces, delimiters, labels and style commands."""
    formula = re.sub(r"\\(?:label|tag)\{[^{}]*\}|\\(?:begin|end)\{equation\*?\}", "", formula)
    formula = formula.replace("³", "^3").replace("²", "^2")
    return re.sub(r"\\displaystyle|\\textstyle|\\text\{|[\s${}]", "", formula)


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared pages are not here")
def test_formulas_of_real_pages_are_kept():
    wanted_by_page = json.loads((REAL / "formulas.json").read_text(encoding="utf-8"))
    n_wanted = n_kept = 0
    for name, formulas in sorted(wanted_by_page.items()):
        found = extract((REAL / name).read_bytes(), format="html", charset=None)
        wanted = Counter(map(_bare, formulas))
        got = Counter(_bare(found.text[start:end]) for start, end in math_spans(found.text))
        kept = sum((wanted & got).values())
        print(f"{name}: {kept} of {len(formulas)} formulas")
        assert found.n_formulas >= len(formulas) * 0.9
        if name not in NOT_TEX:
            n_wanted, n_kept = n_wanted + len(formulas), n_kept + kept
    print(f"TeX formulas kept: {n_kept} of {n_wanted}")
    assert n_kept >= 0.97 * n_wanted


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared pages are not here")
def test_asciimath_of_a_real_page_is_kept_word_for_word():
    raw = (REAL / "mathjax_asciimath_1.html").read_bytes()
    found = extract(raw, format="html", charset=None)
    body = re.sub(r"(?s)<(script|style|pre|textarea|code)\b.*?</\1\s*>", "", raw.decode())
    sources = re.findall(r"(?<!\\)`((?:\\`|[^`])+)`", re.sub(r"</?[A-Za-z][^<>]*>", "", body))
    wanted = Counter("".join(unescape(source).split()) for source in sources)
    got = Counter("".join(found.text[start + 1 : end - 1].split()) for start, end in math_spans(found.text))
    print(f"AsciiMath kept: {(wanted & got).total()} of {wanted.total()}")
    assert wanted.total() > 80 and (wanted & got).total() >= 0.97 * wanted.total()


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared pages are not here")
def test_boilerplate_of_real_pages_is_gone():
    text = extract((REAL / "mathjax_latex_4.html").read_bytes(), format="html", charset=None).text
    for phrase in ("Hot Network Questions", "Stack Exchange", "asked", "Ask Question", "Related"):
        assert phrase not in text


def _meaning(latex: str) -> str:
    """A formula without spacing, grouping, fonts, alignment and the size of its fences."""
    latex = re.sub(r"\\(?:operatorname|mathrm|text|mathbf|displaystyle|textstyle)\b", " ", latex)
    latex = re.sub(
        r"\\(?:begin|end)\{(?:aligned|array|matrix)\}|\\(?=\[\dpt\])|\[\dpt\]", "", latex
    )
    latex = latex.replace(r"\overline", r"\bar").replace(r"\widehat", r"\hat")
    latex = re.sub(r"\\[,;:! ]|\\q?quad|[{}]", " ", latex)
    return "".join(match_tokens(f"${latex}$"))


@pytest.mark.skipif(not REAL.is_dir(), reason="the shared pages are not here")
def test_mathml_of_a_real_page_means_its_annotation():
    root = html.document_fromstring((REAL / "none_mathml_1.html").read_bytes())
    pairs = [
        (annotation.text, mathml_to_latex(math))
        for math in root.iter("math")
        for annotation in math.iter("annotation")
    ]
    n_equal = sum(_meaning(tex) == _meaning(latex) for tex, latex in pairs)
    print(f"MathML that means its annotation: {n_equal} of {len(pairs)}")
    assert len(pairs) > 100 and n_equal >= 0.95 * len(pairs)


@pytest.fixture(scope="module")
def sample_captures():
    if not (WEB / "pages").is_dir():
        pytest.skip("the sample web is not here")
    skipped = []
    batches = captures(
        [WEB / "pages"],
        text_column=None,
        landed=set(),
        skipped=skipped,
        max_page_bytes=4_000_000,
        max_ratio=100.0,
        batch_rows=64,
        batch_bytes=16_000_000,
    )
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert skipped == []
    return {row["source"]: row for row in rows}


def test_sample_pages_keep_their_text_and_lose_their_boilerplate(sample_captures):
    shares = []
    for truth in read_truth(WEB / "truth.jsonl"):
        if not isinstance(truth, Page) or truth.page not in sample_captures:
            continue
        row = sample_captures[truth.page]
        found = extract(row["raw"], format=row["format"], charset=row["charset"])
        wanted = match_tokens(f"{truth.question or ''}\n\n{truth.body}")
        got = match_tokens(found.text)
        common = LCSseq.similarity(wanted, got)
        shares.append((common / len(wanted), 1 - common / len(got), truth.page))
    print(f"{len(shares)} pages; the five of the lowest share of their text:")
    for kept, extra, name in sorted(shares)[:5]:
        print(f"  {name}: {kept:.3f} kept, {extra:.3f} of the output is more than that")
    assert len(shares) >= 60
    mean_kept = sum(kept for kept, _, _ in shares) / len(shares)
    mean_extra = sum(extra for _, extra, _ in shares) / len(shares)
    print(f"{mean_kept:.4f} kept, {mean_extra:.4f} of the output is more than that")
    assert mean_kept >= 0.999
    assert min(shares)[0] >= 0.97
    assert mean_extra <= 0.05  # titles and labels of solutions stay


def test_the_question_of_a_sample_page_of_a_known_site_is_its_question_block(sample_captures):
    n_pages = 0
    for truth in read_truth(WEB / "truth.jsonl"):
        row = sample_captures.get(truth.page) if isinstance(truth, Page) else None
        if row is None or not truth.question:
            continue
        found = extract(row["raw"], format=row["format"], charset=row["charset"])
        asked = [found.text[start:end] for start, end, role in json.loads(found.blocks) if role == "question"]
        if found.blocks == "[]":
            continue
        n_pages += 1
        wanted, got = match_tokens(truth.question), match_tokens("\n\n".join(asked))
        common = LCSseq.similarity(wanted, got)
        assert common >= 0.97 * len(wanted) and common >= 0.97 * len(got), truth.page
    print(f"{n_pages} pages of known sites")
    assert n_pages > 30
