"""MathML to LaTeX, on what renderers write: spaces as characters, marked fences, symbols made of elements."""

import pytest
from lxml import etree

from mathpinpoint.compute.extract.mathml import mathml_to_latex

PARTS = "<mi>a</mi><mo>&#x2212;</mo><mn>2</mn>"
CASES = [
    ("a bar is a letter, a relation or a fence",
     "<mi mathvariant='normal'>&#x2223;</mi><mi>x</mi><mi mathvariant='normal'>&#x2223;</mi>"
     "<mo>&#x2223;</mo><mi>y</mi>",
     r"|x|\mid y"),
    ("a double bar as well",
     "<mi mathvariant='normal'>&#x2225;</mi><mi>x</mi><mo>&#x2225;</mo><mi>y</mi><mo fence='true'>&#x2225;</mo>",
     r"\|x\parallel y\|"),
    ("fences that are marked stretch",
     f"<msup><mrow><mo fence='true'>(</mo>{PARTS}<mo fence='true'>)</mo></mrow><mn>2</mn></msup>",
     r"\left( a-2\right)^{2}"),
    ("fences that do not stretch stay as they are",
     "<mo stretchy='false'>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mo stretchy='false'>)</mo><mn>2</mn></msup>",
     r"(\frac{1}{2})^{2}"),
    ("a fence on one side", "<mrow><mo fence='true'></mo><mi>f</mi><mo fence='true'>|</mo></mrow>", r"\left. f\right|"),
    ("a name that is applied", "<mi mathvariant='normal'>cis</mi><mo>&#x2061;</mo><mi>x</mi>", r"\operatorname{cis}x"),
    ("an upright word", "<mi mathvariant='normal'>k</mi><mi mathvariant='normal'>m</mi><mi>x</mi>", r"\mathrm{km}x"),
    ("a name with limits", "<munder><mi>argmax</mi><mi>x</mi></munder>", r"\operatorname*{argmax}_{x}"),
    ("thin spaces and their opposite",
     "<mn>1</mn><mo>,</mo><mtext>&#x2009;&#x2063;</mtext><mn>0</mn><mtext>&#x2009;</mtext>",
     r"1,\!0\,"),
    ("named spaces", "<mi>a</mi><mspace width='negativethinmathspace'/><mspace width='thickmathspace'/><mi>b</mi>",
     r"a\!\;b"),
    ("a space at the end is none", "<mi>a</mi><mtext>&#xA0;</mtext>", "a"),
    ("a number with a comma", "<mn>50,000</mn>", "50{,}000"),
    ("a modulus in parentheses",
     "<mi>b</mi><mspace width='1em'/><mo>(</mo><mi>mod</mi><mspace width='0.333em'/><mn>13</mn><mo>)</mo>",
     r"b\pmod{13}"),
    ("a modulus of letters",
     "<mo>(</mo><mrow><mi mathvariant='normal'>m</mi><mi mathvariant='normal'>o</mi>"
     "<mi mathvariant='normal'>d</mi></mrow><mi>p</mi><mo>)</mo>", r"\pmod{p}"),
    ("a binomial between rows that hold its fences",
     "<mrow><mrow><mo>(</mo></mrow><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mrow><mo>)</mo></mrow></mrow>",
     r"\binom{n}{k}"),
    ("a modulus between", "<mi>a</mi><mo><mrow><mi>m</mi><mi>o</mi><mi>d</mi></mrow></mo><mi>b</mi>", r"a\bmod b"),
    ("a mark within a symbol", "<mi><mover><mo><mi>b</mi></mo><mi>a</mi></mover></mi>", r"\overset{a}{b}"),
    ("an arrow as long as its label", "<mover><mo stretchy='true'>&#x2192;</mo><mi>x</mi></mover>", r"\xrightarrow{x}"),
    ("an arrow over a point", "<mover><mi>D</mi><mo stretchy='true'>&#x2192;</mo></mover>", r"\overrightarrow{D}"),
    ("a vector", "<mover><mi>D</mi><mo>&#x20D7;</mo></mover>", r"\vec{D}"),
    ("a struck relation", "<mi>a</mi><mo>&#x2261;&#x338;</mo><mi>b</mi>", r"a\not\equiv b"),
    ("a relation struck by a box",
     "<mpadded width='0'><mtext>&#x29F8;</mtext></mpadded><mo>&#x2282;</mo><mi>b</mi>", r"\not \subset b"),
    ("a tilde is a relation", "<mi>a</mi><mo>~</mo><mi>b</mi>", r"a\sim b"),
    ("words in italics", "<mtext mathvariant='italic'>reversible&#xA0;prime</mtext>", r"\textit{reversible prime}"),
    ("equations that are aligned",
     "<mtable><mtr><mtd columnalign='right'><mi>a</mi></mtd><mtd columnalign='left'><mi/><mo>=</mo><mi>b</mi></mtd>"
     "</mtr></mtable>", r"\begin{aligned} a & =b \end{aligned}"),
    ("an array with lines",
     "<mtable columnalign='left right' columnlines='solid' rowlines='solid'><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi>"
     "</mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>",
     r"\begin{array}{l|r} a & b \\ \hline c & d \end{array}"),
    ("the number of an equation is none of its cells",
     "<mtable columnalign='right left'><mtr><mtd class='mtr-glue'/><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mi>b</mi></mtd>"
     "<mtd class='mml-eqn-num'/></mtr></mtable>", r"\begin{aligned} a & =b \end{aligned}"),
]  # fmt: skip


@pytest.mark.parametrize(("mathml", "latex"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_renderers_write_keeps_its_meaning(mathml, latex):
    math = etree.fromstring(f"<math xmlns='http://www.w3.org/1998/Math/MathML'>{mathml}</math>")
    assert mathml_to_latex(math) == latex
