"""MathML to LaTeX, on formulas of our own."""

import pytest
from lxml import etree

from mathpinpoint.compute.extract.mathml import mathml_to_latex

CASES = [
    ("<mi>a</mi><mo>&#x2260;</mo><mn>0</mn>", r"a\ne0"),
    (
        "<mfrac><mn>1</mn><mrow><mi>x</mi><mo>&#x2212;</mo><mn>2</mn></mrow></mfrac>",
        r"\frac{1}{x-2}",
    ),
    ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
    ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
    ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}"),
    ("<msup><mi>f</mi><mo>&#x2032;</mo></msup>", "f'"),
    ("<msubsup><mi>a</mi><mi>i</mi><mn>2</mn></msubsup>", "a_{i}^{2}"),
    ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "{a+b}^{2}"),
    (
        "<munderover><mo>&#x2211;</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
        "</munderover>"
        "<mi>k</mi>",
        r"\sum_{k=1}^{n}k",
    ),
    (
        "<munder><mi>lim</mi><mrow><mi>x</mi><mo>&#x2192;</mo><mi>&#x221E;</mi></mrow></munder>",
        r"\lim_{x\to\infty}",
    ),
    ("<mover><mi>x</mi><mo>&#xAF;</mo></mover>", r"\overline{x}"),
    ("<mover><mi>v</mi><mo>&#x2192;</mo></mover>", r"\vec{v}"),
    ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>&#x2192;</mo></mover>", r"\overrightarrow{AB}"),
    ("<munder><mi>x</mi><mi>n</mi></munder>", r"\underset{n}{x}"),
    ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
    ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", r"\sin x"),
    ("<mi>&#x1D431;</mi><mi>&#x211D;</mi>", r"\mathbf{x}\mathbb{R}"),
    ('<mi mathvariant="double-struck">Z</mi>', r"\mathbb{Z}"),
    ("<mi>&#x3B1;</mi><mi>x</mi>", r"\alpha x"),
    ("<mn>50</mn><mo>%</mo>", r"50\%"),
    ("<mo>{</mo><mi>x</mi><mo>}</mo>", r"\{x\}"),
    ("<mtext>if </mtext><mi>x</mi>", r"\text{if }x"),
    ("<mfenced><mi>x</mi><mi>y</mi></mfenced>", "(x,y)"),
    ('<mfenced open="[" close=")"><mn>0</mn><mn>1</mn></mfenced>', r"\left[ 0,1\right)"),
    ("<mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>", r"\binom{n}{k}"),
    (
        "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr>"
        "<mtr><mtd><mn>0</mn></mtd>"
        "<mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo>",
        r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}",
    ),
    (
        "<mo>|</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable><mo>|</mo>",
        r"\begin{vmatrix} a \end{vmatrix}",
    ),
    (
        "<mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd>"
        "<mtd><mi>x</mi><mo>&gt;</mo><mn>0</mn></mtd></mtr>"
        "</mtable><mo></mo>",
        r"\begin{cases} 1 & x>0 \end{cases}",
    ),
    (
        "<mmultiscripts><mi>C</mi><mi>k</mi><none/><mprescripts/><mi>n</mi><none/></mmultiscripts>",
        "{}_{n}C_{k}",
    ),
    ("<menclose notation='box'><mn>7</mn></menclose>", r"\boxed{7}"),
    ("<mi>a</mi><mspace width='1em'/><mi>b</mi>", r"a\quad b"),
    (
        "<mo>(</mo><mfrac><mi>&#x3C0;</mi><mn>2</mn></mfrac><mo>)</mo>",
        r"\left( \frac{\pi}{2}\right)",
    ),
    ("<mfrac/>", r"\frac{}{}"),
    ("<mi></mi><mo>=</mo>", "="),
]


@pytest.mark.parametrize(("mathml", "latex"), CASES)
def test_conversion(mathml, latex):
    math = etree.fromstring(f"<math xmlns='http://www.w3.org/1998/Math/MathML'>{mathml}</math>")
    assert mathml_to_latex(math) == latex


def test_semantics_and_styles_are_seen_through():
    math = etree.fromstring(
        "<math><semantics><mstyle><mrow><mi>x</mi><mo>&#xB1;</mo><mn>1</mn></mrow></mstyle>"
        "<annotation>y</annotation></semantics></math>"
    )
    assert mathml_to_latex(math) == r"x\pm1"


def test_a_fraction_of_fractions_keeps_its_structure():
    deep = "<mi>x</mi>"
    for _ in range(5):
        deep = f"<mfrac><mn>1</mn><mrow><mn>1</mn><mo>+</mo>{deep}</mrow></mfrac>"
    latex = mathml_to_latex(etree.fromstring(f"<math>{deep}</math>"))
    assert latex == r"\frac{1}{1+" * 5 + "x" + "}" * 5
