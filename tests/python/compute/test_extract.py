"""Extraction of small pages: every carrier of mathematics, boilerplate, titles, outcomes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.extract import extract

FILLER = "<p>Some running text that surely belongs to the main part of this page, long enough.</p>"
KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
    '<annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span></span>'
)


def page(body: str, head: str = "") -> bytes:
    body = f"<h1>A title</h1>{FILLER}{body}{FILLER}"
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def text_of(body: str, head: str = "") -> str:
    return extract(page(body, head), format="html", charset=None).text


def test_asciimath_needs_its_renderer():
    head = '<script src="MathJax.js?config=AM_HTMLorMML"></script>'
    assert "a $x^2/3$ b" in text_of("<p>a `x^2/3` b</p>", head)
    assert "`x^2/3`" in text_of("<p>a `x^2/3` b</p>")


def test_a_minus_alone_in_its_element_survives():
    body = "<p>Roots of x<i>−</i>5, <b>≥</b> and <span class='op'>√</span>2, <em>∈</em> here.</p>"
    text = text_of(body)
    for symbol in "−≥√∈":
        assert symbol in text


@pytest.mark.parametrize(
    "text",
    [
        "costs $5 and then $7 more",
        "between $5/$7",
        "he has $20 million and she has $30 million",
        "paid $3, so 4 apples and $12 remain",
    ],
)
def test_money_is_not_mathematics(text):
    found = extract(
        page(rf"<p>\(x\) {text}</p>", "<script src=MathJax.js></script>"),
        format="html",
        charset=None,
    )
    assert found.n_formulas == 1
    assert text.replace("$", r"\$") in found.text


def test_numbers_and_letters_between_dollars_are_mathematics():
    body = r"<p>take $5$ apples, $n$ pears, $a + b$, $2x+1$ and \(y\)</p>"
    text = text_of(body, '<script src="/katex/auto-render.js"></script>')
    assert "take $5$ apples, $n$ pears, $a + b$, $2x+1$ and $y$" in text


def test_code_and_ignored_parts_are_left_alone():
    body = r"<pre>echo $HOME and $PATH</pre><p class='tex2jax_ignore'>$x$</p><p>\(y\)</p>"
    found = extract(page(body), format="html", charset=None)
    assert found.n_formulas == 1 and r"echo \$HOME and \$PATH" in found.text


def test_footnotes_and_ordinals_are_no_exponents():
    text = text_of(
        '<p>the 5<sup>th</sup> term<sup class="reference">[3]</sup>, '
        'seen<sup><a href="#f">2</a></sup></p>'
    )
    assert "the 5th term, seen" in text


def test_hidden_solutions_are_shown_and_menus_are_not():
    body = (
        r'<div class="solution" style="display:none"><p>It is \(42\), as was shown above.</p></div>'
        '<div style="display:none"><p>subscribe now</p></div><nav><a>Home</a></nav>'
    )
    text = text_of(body)
    assert "It is $42$" in text and "subscribe" not in text and "Home" not in text


def test_title_is_the_heading_or_the_cleaned_title():
    assert extract(page(""), format="html", charset=None).title == "A title"
    raw = b"<head><title>Roots of x^2 | Some Site</title></head><body><p>text here</p></body>"
    assert extract(raw, format="html", charset=None).title == "Roots of x^2"
    raw = (
        b"<title>Site</title><div id=page-header><h1>Site</h1></div><h1>Roots \\(x\\)</h1><p>t</p>"
    )
    assert extract(raw, format="html", charset=None).title == "Roots $x$"


def test_question_and_answers_without_votes_and_names():
    post = '<div class="js-post-body"><p>{}</p></div><div class="user-info">bob 12 votes</div>'
    body = "".join(
        f'<div class="answer">{post.format(text)}</div>'
        for text in ("How to find \\(x\\)?", "By \\(x=2\\).", "Also \\(x=3\\).")
    )
    raw = f"<html><body><h1>Find x</h1>{body}<aside>related</aside></body></html>".encode()
    found = extract(raw, format="html", charset=None)
    assert found.text == "Find x\n\nHow to find $x$?\n\nBy $x=2$.\n\nAlso $x=3$."


def test_forum_posts_without_signatures():
    post = (
        '<div class="post"><div class="postbody"><p class="author">by bob</p>'
        '<div class="content">{}'
        '<div class="signature">my quote</div></div></div></div>'
    )
    raw = (
        f"<body><h1>Sums</h1>{post.format('What is 1+1?')}{post.format('It is 2.')}</body>".encode()
    )
    assert extract(raw, format="html", charset=None).text == "Sums\n\nWhat is 1+1?\n\nIt is 2."


def test_wiki_without_edit_links_and_references():
    raw = (
        '<body><nav>menu</nav><h1>Variance</h1><div class="mw-parser-output">'
        '<p>It is<sup class="reference">'
        '[1]</sup> spread.</p><h2>Proof<span class="mw-editsection">[edit]</span></h2><p>Easy.</p>'
        '<div class="reflist">1. Someone</div></div></body>'
    )
    text = extract(raw.encode(), format="html", charset=None).text
    assert text == "Variance\n\nIt is spread.\n\nProof\n\nEasy."


def test_the_same_bytes_give_the_same_row():
    raw = page(f"<p>Let {KATEX} be</p>")
    assert extract(raw, format="html", charset=None) == extract(raw, format="html", charset=None)


@pytest.mark.parametrize(
    "raw", [b"", b"   ", b"<html></html>", b"<script>x()</script>", b"<!-- a -->"]
)
def test_a_page_without_text_is_empty(raw):
    found = extract(raw, format="html", charset=None)
    assert (found.outcome, found.reason) == ("empty", "no_text")


FRAGMENTS = [
    "<math>",
    "</math>",
    "<mfrac>",
    "<msubsup>",
    '<span class="katex">',
    "</span>",
    "<html>",
    "<body>",
    '<script type="math/mml"><html><title>',
    '<script type="math/tex">',
    "</script>",
    "<mjx-container>",
    "<sup>",
    "</sup>",
    "$",
    "$$",
    "\\[",
    "\\(",
    "\\)",
    "x_1",
    "&#xD800;",
    "\x00",
    "<br>",
    "<pre>",
    "```",
    '<img class="latex" alt="',
    '">',
    '<img src="latex.php?latex=%ff">',
    "<mmultiscripts><mprescripts/>",
    "<span class=\"MathJax\" data-mathml=\"<?xml version='1.0' encoding='x'?>\">",
    "<math><munder/></math>",
    '<span class="mwe-math-element"><math></math></span>',
    "<mtable><mtr>",
    "\n---\n",
    "<!--",
    "`",
    "\\",
    "<mfenced/><mroot/><menclose notation='box'/>",
    '<div itemprop="text" class="mw-parser-output">',
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25), st.sampled_from(["html", "md", "txt"]))
def test_no_order_of_fragments_raises(fragments, kind):
    found = extract(" a ".join(fragments).encode(), format=kind, charset=None)
    assert found.outcome in ("ok", "empty")
    found.text.encode("utf-8")


def test_a_page_that_speaks_of_tokens_and_templates_stays_as_it_is():
    text = text_of("<p>write {{ x }} and {% if %} and ''' and =cmd() and zqabcm0qz</p>")
    assert "write {{ x }} and {% if %} and ''' and =cmd() and zqabcm0qz" in text
