"""What extraction does where a page is wrapped, cut, drawn or encoded in ways that would lose its mathematics."""

import pytest

from mathpinpoint.compute.extract import extract
from mathpinpoint.compute.extract.charset import decode
from mathpinpoint.compute.extract.tree import without_crowds
from mathpinpoint.compute.normalize import math_spans

PROSE = "<p>Some running text that surely belongs to the main part of this page, long enough to be kept by all.</p>"
LINKS = '<nav><a href="/">Home</a></nav>'


def found_in(body: str, head: str = ""):
    page = f"<html><head><title>Notes</title>{head}</head><body>{LINKS}{body}</body></html>"
    return extract(page.encode(), format="html", charset=None)


@pytest.mark.parametrize(
    "wrapper",
    ['<form id="aspnetForm">{}</form>', '<div class="sidebar">{}</div>', '<aside>{}</aside>', "<header>{}</header>",
     '<div role="banner">{}</div>'],
)
def test_a_wrapper_that_holds_the_page_is_no_margin(wrapper):
    found = found_in(wrapper.format(rf"<h1>A</h1>{PROSE * 3}<p>where \(x^2\) is</p>"))
    assert "where $x^2$ is" in found.text and "Home" not in found.text


def test_formulas_of_a_margin_bring_the_whole_text_where_they_are_many():
    found = found_in(rf"<h1>A</h1>{PROSE * 5}<aside><p>Remember \(x^2\) and \(y^2\).</p></aside>")
    assert found.extract_mode == "full"
    assert "Remember $x^2$ and $y^2$." in found.text and "Home" not in found.text


def test_a_formula_of_a_margin_stays_out_where_the_page_has_many():
    many = "".join(rf"<p>Then \(x_{{{n}}}\) follows from the one before it, as we have seen.</p>" for n in range(20))
    found = found_in(rf"<h1>A</h1>{PROSE}{many}<aside><p>New: \(q^2\) by others</p></aside>")
    assert found.n_formulas == 20 and "others" not in found.text


def test_a_remover_that_drops_formulas_is_overruled():
    cells = "".join(rf'<div class="footer-links"><a href="#">\(f_{n}\)</a></div>' for n in range(9))
    found = found_in(f"<h1>A</h1>{PROSE}<div>{cells}</div>{PROSE}")
    assert [f"$f_{n}$" in found.text for n in range(9)] == [True] * 9


def test_a_container_of_a_formula_needs_no_renderer():
    found = found_in(f'<h1>A</h1>{PROSE}<p>of <span class="math-container">$5$</span> and costs $5 or $6</p>')
    assert r"of $5$ and costs \$5 or \$6" in found.text and found.math_sources == "math_class:1"


def test_the_source_that_mathjax_4_writes_is_taken():
    drawn = r'<mjx-math data-latex="\frac{a}{b}"><mjx-mi data-latex="b"><mjx-c class="mjx-c1D465"></mjx-c></mjx-mi>'
    found = found_in(f"<h1>A</h1>{PROSE}<p>of <mjx-container>{drawn}</mjx-math></mjx-container></p>")
    assert r"of $\frac{a}{b}$" in found.text and found.is_math_lossy is False


@pytest.mark.parametrize(
    "formula", ["1/n^2", "x% of y", '"a" \\label{x}', "{:(a,b),(c,d):}", "x=(-b +- sqrt(b^2 - 4ac))/(2a)"]
)
def test_asciimath_is_kept_word_for_word(formula):
    head = '<script src="MathJax.js?config=AM_CHTML"></script>'
    found = found_in(f'<h1>A</h1>{PROSE}<p>a `{formula}` b <script type="math/asciimath">{formula}</script></p>', head)
    assert [found.text[start:end] for start, end in math_spans(found.text)] == [f"${formula}$"] * 2
    assert found.math_sources == "asciimath:2"


def test_a_space_at_the_end_of_a_formula_does_not_open_its_fence():
    found = found_in(rf"<h1>A</h1>{PROSE}<p>a \(x\ \) b \(y\\\) c</p>")
    assert [found.text[start:end] for start, end in math_spans(found.text)] == ["$x$", r"$y\\$"]


@pytest.mark.parametrize(
    ("formula", "is_lossy"),
    [
        ('<span class="katex"><span class="katex-html"><span>x</span><span>2</span></span></span>', True),
        ('<mjx-container><svg><use data-c="1D465"></use></svg></mjx-container>', True),
        ('<span class="MathJax_SVG"><svg><title>x</title></svg></span>', True),
        ('<img class="latex" src="/l/1.png" alt="">', True),
        ('<img src="photo.png" alt="">', False),
        ('<span class="katex"><math><mi>x</mi></math></span>', False),
        ("x<sup>2</sup>", False),
    ],
)
def test_mathematics_without_its_structure_is_lossy(formula, is_lossy):
    assert found_in(f"<h1>A</h1>{PROSE}<p>of {formula} here</p>").is_math_lossy is is_lossy


@pytest.mark.parametrize(
    ("carrier", "is_lossy"),
    [('<script type="math/tex">x</script>', True), ("x<sup>2</sup>", True), ("<math><mi>x</mi></math>", True),
     ('<span class="katex">x</span>', True), (r"\(x\)", False)],
)
def test_a_page_too_deep_to_parse_says_what_it_lost(carrier, is_lossy):
    found = found_in(f"{'<div>' * 3000}{carrier} words{'</div>' * 3000}")
    assert (found.extract_mode, found.is_math_lossy) == ("full", is_lossy) and "words" in found.text


RUSSIAN = "Найдите все корни уравнения, если известно, что сумма их равна семи. " * 5
JAPANESE = "次の方程式を解きなさい。ただし、実数解のみを求めるものとする。" * 5


@pytest.mark.parametrize(
    ("raw", "header", "text"),
    [
        (RUSSIAN.encode("cp1251"), None, RUSSIAN),
        (RUSSIAN.encode("koi8-r"), "koi8-r", RUSSIAN),
        (JAPANESE.encode("euc-jp"), None, JAPANESE),
        (JAPANESE.encode("iso-2022-jp"), "iso-2022-jp", JAPANESE),
        (RUSSIAN.encode("utf-16-le"), "utf-16le", RUSSIAN),
        ("x ≤ 2".encode("utf-32"), None, "x ≤ 2"),
        (b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251"), "euc-jp", "<meta charset=windows-1251>" + RUSSIAN),
        (b"<?xml version='1.0' encoding='koi8-r'?>" + RUSSIAN.encode("koi8-r"), None,
         "<?xml version='1.0' encoding='koi8-r'?>" + RUSSIAN),
    ],
    ids=["detected", "header", "detected Japanese", "escapes", "no mark", "mark", "header that does not fit", "XML"],
)
def test_a_page_is_read_in_its_charset(raw, header, text):
    assert decode(raw, header).lstrip("\ufeff") == text


@pytest.mark.parametrize("attribute", ["a{}=1", "a{}", 'a{}="x > y"', "a{} = 'x'"])
def test_a_tag_of_very_many_attributes_is_read_without_them(attribute):
    crowd = " ".join(attribute.format(number) for number in range(50_000))
    found = found_in(rf"<p {crowd}>where \(x^2\) is</p><p title='kept'>and more</p>")
    assert "where $x^2$ is" in found.text and "and more" in found.text


def test_only_the_attributes_of_a_crowded_tag_go():
    plain, crowd = '<p title="a > b">', "<p" + " b=2" * 1000 + ">"
    assert without_crowds(plain + "x" * 5000 + crowd + "y") == plain + "x" * 5000 + "<p>y"
    assert without_crowds(plain + "<p" + " b=2" * 999 + ">") == plain + "<p" + " b=2" * 999 + ">"
