"""Extraction of every carrier of mathematics, each on a small page."""

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
    body = f"<h1>A title</h1>{FILLER}{body}{FILLER}"
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


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
        '{\\displaystyle \\sigma ^{2}}"><mi>s</mi></math></span>'
        '<img class="mwe-math-fallback-image-inline"'
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
    ("hashes", "<p>a ##x^2## b, issue ##12## here</p>", "a $x^2$ b, issue ##12## here", "tex:1"),
    ("class", '<p>a <span class="math inline">x_1^2</span> b</p>', "a $x_1^2$ b", "math_class:1"),
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
