"""Extraction of small pages: every carrier of mathematics, boilerplate, titles, outcomes."""

import pytest

from mathpinpoint.compute.extract import extract

FILLER = "<p>Some running text that surely belongs to the main part of this page, long enough.</p>"
KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
    '<annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span></span>'
)
MATHML = "<math{}><msup><mi>x</mi><mn>2</mn></msup><mo>&#x2212;</mo><mn>5</mn></math>"
WIRIS = "«math»«msup»«mi»x«/mi»«mn»2«/mn»«/msup»«/math»"


def page(body: str, head: str = "") -> bytes:
    return f"<html><head>{head}</head><body><h1>A title</h1>{FILLER}{body}{FILLER}</body></html>".encode()


def text_of(body: str, head: str = "") -> str:
    return extract(page(body, head), format="html", charset=None).text


CARRIERS = [
    ("katex", f"<p>Let {KATEX} be</p>", "Let $x^2$ be", "katex:1"),
    (
        "katex display",
        f'<p>Let <span class="katex-display">{KATEX}</span> be</p>',
        "$$x^2$$",
        "katex:1",
    ),
    (
        "mathjax script",
        '<p>a <span class="MathJax_Preview">x2</span><span class="MathJax">x2</span>'
        '<script type="math/tex">x^2</script> b</p>',
        "a $x^2$ b",
        "mathjax_script:1",
    ),
    (
        "mathjax display",
        '<p>a</p><script type="math/tex; mode=display">x^2</script>',
        "$$x^2$$",
        "mathjax_script:1",
    ),
    (
        "asciimath script",
        '<p>a <script type="math/asciimath">1/n^2</script> b</p>',
        "$1/n^2$",
        "asciimath:1",
    ),
    (
        "mml script",
        '<p>a <script type="math/mml"><math><msup><mi>x</mi><mn>2</mn></msup></math>'
        "</script> b</p>",
        "$x^{2}$",
        "mathjax_mathml:1",
    ),
    (
        "assistive",
        '<p>a <mjx-container jax="CHTML"><mjx-math><mjx-c class="mjx-c1D465"></mjx-c></mjx-math>'
        "<mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container> b</p>",
        "a $x$ b",
        "mathjax_mathml:1",
    ),
    (
        "glyphs",
        '<p>a <mjx-container><mjx-math><mjx-c class="mjx-c1D465"></mjx-c><mjx-c class="mjx-c2B">'
        '</mjx-c><mjx-c class="mjx-c31"></mjx-c></mjx-math></mjx-container> b</p>',
        "a $x+1$ b",
        "mathjax_glyphs:1",
    ),
    (
        "data-mathml",
        "<p>a <span class='MathJax' data-mathml='&lt;math&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;/math&gt;'>"
        "<span>x</span></span> b</p>",
        "a $x$ b",
        "mathjax_mathml:1",
    ),
    ("mathml", f"<p>Solve {MATHML.format('')} now</p>", "Solve $x^{2}-5$ now", "mathml:1"),
    ("mathml block", MATHML.format(' display="block"'), "$$x^{2}-5$$", "mathml:1"),
    ("alttext", '<p>a <math alttext="x^2"><mi>y</mi></math> b</p>', "a $x^2$ b", "mathml:1"),
    ("prefixed", "<p>a <m:math><m:mi>x</m:mi></m:math> b</p>", "a $x$ b", "mathml:1"),
    (
        "mediawiki",
        '<p>a <span class="mwe-math-element"><span style="display: none;"><math alttext="'
        '{\\displaystyle \\sigma ^{2}}"><mi>s</mi></math></span><img class="mwe-math-fallback-image-inline"'
        ' alt="z"></span> b</p>',
        r"a $\sigma ^{2}$ b",
        "mediawiki:1",
    ),
    (
        "image alt",
        '<p>a <img class="latex" src="l.png" alt="\\frac{1}{2}"> b</p>',
        r"a $\frac{1}{2}$ b",
        "image:1",
    ),
    ("image delimited", '<p>a <img src="l.png" alt="$x+1$"> b</p>', "a $x+1$ b", "image:1"),
    (
        "codecogs",
        '<p>a <img src="https://latex.codecogs.com/gif.latex?%5Cinline%20x%5E2+1"> b</p>',
        "a $x^2+1$ b",
        "image:1",
    ),
    (
        "codecogs plus",
        '<p>a <img src="https://latex.codecogs.com/svg.image?x+%2B+1"> b</p>',
        "a $x + 1$ b",
        "image:1",
    ),
    (
        "mimetex",
        '<p>a <img src="/cgi-bin/mimetex.cgi?\\Re(z)&lt;0"> b</p>',
        r"a $\Re(z)<0$ b",
        "image:1",
    ),
    (
        "wordpress",
        '<p>a <img src="https://s0.wp.com/latex.php?latex=x%5E2&amp;bg=ffffff"> b</p>',
        "a $x^2$ b",
        "image:1",
    ),
    (
        "chart",
        '<p>a <img src="https://chart.googleapis.com/chart?cht=tx&amp;chl=x%5E2"> b</p>',
        "a $x^2$ b",
        "image:1",
    ),
    (
        "wiris",
        f'<p>a <img class="Wirisformula" data-mathml="{WIRIS}" alt="x squared"> b</p>',
        "a $x^{2}$ b",
        "image:1",
    ),
    (
        "canvas",
        '<p>a <img class="equation_image" alt="LaTeX: x^2" data-equation-content="x^2"> b</p>',
        "a $x^2$ b",
        "image:1",
    ),
    ("data", '<p>a <span data-expr="x^2">x</span> b</p>', "a $x^2$ b", "data_attribute:1"),
    (
        "sup",
        "<p>the sum x<sup>2</sup> + a<sub>n<sup>2</sup></sub> here</p>",
        "x^{2} + a_{n^{2}} here",
        "sup_sub:2",
    ),
    ("parentheses", r"<p>a \(x &lt; 1\) b</p>", "a $x < 1$ b", "tex:1"),
    ("brackets", r"<p>a \[x<br>y\] b</p>", "$$x y$$", "tex:1"),
    (
        "environment",
        r"<p>\begin{align}x&amp;=1\\ y&amp;=2\end{align}</p>",
        r"$$\begin{align}x&=1\\ y&=2\end{align}$$",
        "tex:1",
    ),
    ("equation", r"<p>\begin{equation}\label{e}x=1\end{equation}</p>", "$$x=1$$", "tex:1"),
    ("tags", "<p>a [tex]x^2[/tex] b</p>", "a $x^2$ b", "tex:1"),
    ("dollars", r"<p>a $\alpha$ b and $$x=1$$</p>", r"a $\alpha$ b and $$x=1$$", "tex:2"),
    ("inner dollar", r"<p>\[x \text{ if $x>0$}\]</p>", r"$$x \text{ if }x>0$$", "tex:1"),
]


@pytest.mark.parametrize(
    ("body", "text", "sources"), [c[1:] for c in CARRIERS], ids=[c[0] for c in CARRIERS]
)
def test_carrier(body, text, sources):
    found = extract(page(body), format="html", charset=None)
    assert text in found.text
    assert found.math_sources == sources
    assert found.is_math_lossy is (sources == "mathjax_glyphs:1")


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
        '<p>the 5<sup>th</sup> term<sup class="reference">[3]</sup>, seen<sup><a href="#f">2</a></sup></p>'
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
    raw = b"<html><head><title>Roots of x^2 | Some Site</title></head><body><p>text here</p></body></html>"
    assert extract(raw, format="html", charset=None).title == "Roots of x^2"
    raw = b"<title>Site.net</title><div id=page-header><h1>Site.net</h1></div><h1>Roots \\(x\\)</h1><p>t</p>"
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
        '<div class="post"><div class="postbody"><p class="author">by bob</p><div class="content">{}'
        '<div class="signature">my quote</div></div></div></div>'
    )
    raw = (
        f"<body><h1>Sums</h1>{post.format('What is 1+1?')}{post.format('It is 2.')}</body>".encode()
    )
    assert extract(raw, format="html", charset=None).text == "Sums\n\nWhat is 1+1?\n\nIt is 2."


def test_wiki_without_edit_links_and_references():
    raw = (
        '<body><nav>menu</nav><h1>Variance</h1><div class="mw-parser-output"><p>It is<sup class="reference">'
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


def test_a_page_that_speaks_of_tokens_and_templates_stays_as_it_is():
    text = text_of("<p>write {{ x }} and {% if %} and ''' and =cmd() and zqabcm0qz</p>")
    assert "write {{ x }} and {% if %} and ''' and =cmd() and zqabcm0qz" in text
