"""LaTeX to MathML by a generator, to LaTeX by a converter, to MathML again: is it the same MathML?"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

from lxml import etree, html

from mathpinpoint.compute.extract.mathml import mathml_to_latex
from mathpinpoint.compute.normalize import math_spans, stored_text

# Formulas to sources of `math` elements; null where one is no formula for the generator.
Generator = Callable[[list[str]], list[str | None]]
# The source of a `math` element to LaTeX.
Converter = Callable[[str], str]

_TRANSPARENT = frozenset(("mrow", "mstyle", "mpadded", "semantics", "math"))
_TOKENS = frozenset(("mi", "mo", "mn", "mtext", "mspace", "ms"))
_SPACES = dict.fromkeys(map(ord, "\u2009\u200a\u2005\u205f\u2063"), " ")
_ACROSS = {ord("∣"): "|", ord("∥"): "‖", 0x20D7: "→", ord("ˉ"): "¯", ord("‾"): "¯"}
_ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.DOTALL)
_UNKNOWN = re.compile(r">\\\\?[A-Za-z]")  # a command that the generator left as it is
_MEANT = ("mathvariant", "linethickness", "notation", "open", "close", "separators", "bevelled")
_DRAWN = re.compile(r"[\\^_]")


def formulas(problems: Path, count: int) -> list[str]:
    """Distinct formulas of the problems and solutions that hold a command or a script, `count` of them.

    They are those of the greatest hashes, so that the draw is the same everywhere; the converter was made with the
    formulas of the least.
    """
    found: set[str] = set()
    with problems.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for text in map(stored_text, (row["problem"], row["solution"])):
                found |= {text[start:end].strip("$ ") for start, end in math_spans(text)}
    drawn = (latex for latex in found if _DRAWN.search(latex))
    return sorted(drawn, key=lambda latex: hashlib.sha256(latex.encode()).hexdigest(), reverse=True)[:count]


def canonical(source: str, *, is_strict: bool = False, is_across: bool = False) -> str:
    """MathML without annotation, nameless groups, spacing and style.

    `is_strict` keeps all but the annotation; `is_across` makes one of the characters and elements that two writers of
    MathML use for one symbol, for a comparison of what they wrote.
    """
    root = etree.fromstring(without_annotation(source).encode())
    math = root if etree.QName(root).localname == "math" else root.find(".//{*}math")
    if is_strict:
        return etree.tostring(math, method="c14n", with_tail=False).decode()
    return "".join(_canonical(math, _ACROSS if is_across else {}))


def without_annotation(source: str) -> str:
    """MathML without the LaTeX that the generator wrote into it."""
    return _ANNOTATION.sub("", source)


def _canonical(element: etree._Element, across: dict[int, str]) -> list[str]:
    name = etree.QName(element).localname
    text = unicodedata.normalize("NFC", " ".join("".join(element.itertext()).translate(_SPACES).split()))
    if name in _TOKENS and not text:
        return []  # spacing, or nothing to see
    children = [part for child in element for part in _grouped(child, name, across)]
    inside = children if len(element) else [text]
    if name in _TRANSPARENT:
        return inside
    name = "mo" if text == "…" else name  # latex2mathml writes the dots of `\\ldots` as a letter
    meant = {key: value for key in _MEANT if (value := element.get(key)) and (name, key) != ("mo", "mathvariant")}
    if "linethickness" in meant:
        meant["linethickness"] = meant["linethickness"].rstrip("pxemt")
    if across and name in _TOKENS and not len(element):
        return _spelt(text.translate(across), name, meant)
    return [f"<{name}{''.join(f' {key}={value}' for key, value in meant.items())}>", *inside, f"</{name}>"]


def _spelt(text: str, name: str, meant: dict[str, str]) -> list[str]:
    """A leaf by its characters: a symbol without the element's name, a number without the full stop after it."""
    stop = "." if name == "mn" and text.endswith(".") else ""
    text = text.removesuffix(stop)
    if text.isalnum() or name == "mtext":
        font = meant.get("mathvariant", "")
        return [f"<{name} {font}>{text}</{name}>", *([f"<.>{stop}</.>"] if stop else [])]
    return [f"<.>{text}</.>"]


def _grouped(child: etree._Element, parent: str, across: dict[int, str]) -> list[str]:
    """An argument as one group, whatever rows it is made of; the parts of a row as they are."""
    parts = _canonical(child, across)
    return parts if parent in _TRANSPARENT | {"mtd", "msqrt", "menclose", "mphantom"} else ["(", *parts, ")"]


def katex() -> Generator:
    """KaTeX, run by the JavaScript engine that PyKaTeX holds."""
    import pykatex

    def generate(latex: str) -> str | None:
        try:
            source = pykatex.renderToString(latex, output="mathml", displayMode="\\begin{" in latex, strict="ignore")
        except pykatex.ParseError:
            return None
        return source[source.index("<math") : source.rindex("</span>")]

    return lambda batch: list(map(generate, batch))


def latex2mathml() -> Generator:
    """latex2mathml; it knows `align*` and not `aligned`."""
    from latex2mathml.converter import convert

    def generate(latex: str) -> str | None:
        try:
            source = convert(latex.replace("{aligned}", "{align*}"))
            etree.fromstring(source.encode())
        except Exception:  # it raises whatever its parts raise, and writes what is no XML
            return None
        return None if _UNKNOWN.search(source) else source

    return lambda batch: list(map(generate, batch))


def pandoc() -> Generator:
    """pandoc, by the program that pypandoc-binary holds: one page holds all formulas of a batch."""
    import pypandoc

    def generate(batch: list[str]) -> list[str | None]:
        page = "\n\n".join(f"${' '.join(latex.split())}$" for latex in batch)
        options = ["--mathml", "--wrap=none", "--quiet"]
        made = pypandoc.convert_text(page, "html", "markdown+tex_math_dollars", extra_args=options)
        paragraphs = html.document_fromstring(f"<div>{made}</div>").findall(".//p")
        if len(paragraphs) != len(batch):
            raise RuntimeError(f"pandoc made {len(paragraphs)} paragraphs of {len(batch)} formulas")
        maths = [paragraph.find(".//math") for paragraph in paragraphs]
        return [None if math is None else etree.tostring(math, encoding="unicode", with_tail=False) for math in maths]

    return generate


def ours(source: str) -> str:
    """The converter of this project."""
    return mathml_to_latex(etree.fromstring(source.encode()))


def mathml_to_latex_peer() -> Converter:
    """PyPI mathml-to-latex."""
    from mathml_to_latex import MathMLToLaTeX

    return MathMLToLaTeX().convert
