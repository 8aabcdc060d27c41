"""Mirrors merge and twins stay apart: extraction, removal, tokens, Jaccard and guard together."""

from itertools import chain
from pathlib import Path

import pytest

import mathpinpoint.sample
from mathpinpoint.compute.extract import extract
from mathpinpoint.compute.guard import compare
from mathpinpoint.compute.normalize import match_tokens
from mathpinpoint.compute.removal import remove_question
from mathpinpoint.land.pages import captures
from mathpinpoint.sample.generate import write_web
from mathpinpoint.sample.truth import Page, read_truth

WEB = Path(mathpinpoint.sample.__file__).parent / "web"
MIN_JACCARD, MAX_INSERTION, SHINGLE = 0.80, 8, 5


def similarity(a: list[str], b: list[str]) -> float:
    """The Jaccard similarity of the sets of 5-grams."""
    one, two = (
        set(zip(*(tokens[at:] for at in range(SHINGLE)), strict=False)) for tokens in (a, b)
    )
    return len(one & two) / max(1, len(one | two))


def verdict(a: tuple[str, str], b: tuple[str, str]) -> tuple[bool, float, str | None]:
    """Whether two (text without its question, question) merge, their similarity, the conflict."""
    conflict = None
    texts = [match_tokens(text) for text, _ in (a, b)]
    found = similarity(*texts)
    for sides in (texts, [match_tokens(question) for _, question in (a, b)]):
        if all(sides) and conflict is None:
            conflict = compare(*sides, max_insertion=MAX_INSERTION).conflict
    return found >= MIN_JACCARD and conflict is None, found, conflict


def document(raw: bytes, format: str, charset: str | None, question: str | None) -> tuple[str, str]:
    text = extract(raw, format=format, charset=charset).text or ""
    if not question:
        return text, ""
    left = remove_question(text, question, max_share=0.15, max_extra_chars=500)
    return left.text, question


def documents(web: Path) -> dict[str, tuple[str, str]]:
    """(Text without the question, question) of each page of a web, by its name."""
    batches = captures(
        [web / "pages"], text_column=None, landed=set(), skipped=[], max_page_bytes=4_000_000,
        max_ratio=100.0, batch_rows=64, batch_bytes=16_000_000,
    )
    rows = chain.from_iterable(batch.to_pylist() for batch in batches)
    pages = {page.page: page for page in read_truth(web / "truth.jsonl") if isinstance(page, Page)}
    return {
        row["source"]: document(
            row["raw"], row["format"], row["charset"], pages[row["source"]].question
        )
        for row in rows
    }


def wrong_pairs(web: Path) -> list[tuple]:
    """Mirrors that would stay apart and twins that would merge; prints how many were seen."""
    found, wrong, seen = documents(web), [], {"mirror_of": 0, "twin_of": 0}
    for page in read_truth(web / "truth.jsonl"):
        for kind in seen if isinstance(page, Page) else ():
            original = getattr(page, kind)
            if original is None:
                continue
            seen[kind] += 1
            is_one, share, conflict = verdict(found[page.page], found[original])
            if is_one != (kind == "mirror_of"):
                wrong.append((kind, page.page, original, round(share, 3), conflict))
    print(f"{seen}, wrong: {len(wrong)}")
    assert min(seen.values()) > 0
    return wrong


def test_mirrors_of_the_shipped_web_merge_and_twins_do_not():
    if not (WEB / "pages").is_dir():
        pytest.skip("the sample web is not here")
    assert wrong_pairs(WEB) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mirrors_of_a_generated_web_merge_and_twins_do_not(tmp_path, seed):
    write_web(tmp_path, pages=250, seed=seed)
    assert wrong_pairs(tmp_path) == []


SOLUTION = (
    "<p>By Vieta, the sum of the roots is 7 and their product is 4.</p>"
    "<p>Hence a<sup>2</sup> + b<sup>2</sup> = 7<sup>2</sup> − 2 · 4 = 41, and with S for the sum"
    " of the fourth powers we get S = 41<sup>2</sup> − 2 · 4<sup>2</sup> = 1649 by the same"
    " identity, applied to the squares of the roots in place of the roots themselves.</p>"
    "<p>The larger root is about 6.37 and its fourth power about 1648.7, so that log S is near to"
    " 7.41, as it should be: the smaller root adds very little to the sum of fourth powers.</p>"
)
TEX = (
    "<p>By Vieta, the sum of the roots is $7$ and their product is $4$.</p>"
    "<p>Hence $a^2 + b^2 = 7^2 - 2 \\cdot 4 = 41$, and with $S$ for the sum"
    " of the fourth powers we get $S = 41^2 - 2 \\cdot 4^2 = 1649$ by the same"
    " identity, applied to the squares of the roots in place of the roots themselves.</p>"
    "<p>The larger root is about $6.37$ and its fourth power about $1648.7$, so that $\\log S$ is"
    " near to $7.41$, as it should be: the smaller root adds very little to the sum of fourth"
    " powers.</p>"
)
PLAIN = "<html><head><title>Roots | Pi Street</title></head><body><h1>Roots</h1>{}</body></html>"
WRAPPED = (
    "<html><head><title>Roots - Sum Yard</title></head><body><div id='page'>"
    "<header><h1>Sum Yard</h1><p>a yard full of sums</p></header><h1>Roots</h1>"
    "<div>Sponsored links</div><div><div>Question:</div></div><div>Solution 1:</div>{}"
    "<p>Ivo · helped 12 people</p><p>Zoe answered · 3 May 2020</p>"
    "<div><h4>More from this category</h4><a>Two pipes</a> <a>A long wall</a></div>"
    "<p>All content is collected from elsewhere. DMCA | Privacy | Sitemap</p></div></body></html>"
)


def page(wrapping: str, body: str) -> tuple[str, str]:
    return document(wrapping.format(body).encode(), "html", None, None)


def test_another_wrapping_and_another_encoding_is_a_mirror():
    original = page(PLAIN, SOLUTION)
    for wrapping, body in ((PLAIN, TEX), (WRAPPED, SOLUTION), (WRAPPED, TEX)):
        is_one, share, conflict = verdict(original, page(wrapping, body))
        assert (is_one, conflict) == (True, None), share


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("is 7 and", "is 8 and"), ("product is 4", "product is 5"), ("− 2 · 4 =", "+ 2 · 4 ="),
        ("log S", "sin S"), ("with S for", "with T for"), ("is near", "is not near"),
    ],
)
def test_a_changed_problem_is_no_mirror_in_any_wrapping(old, new):
    twin = SOLUTION.replace(old, new)
    assert twin != SOLUTION
    for wrapping in (PLAIN, WRAPPED):
        for original in (SOLUTION, TEX):
            assert not verdict(page(PLAIN, original), page(wrapping, twin))[0]
