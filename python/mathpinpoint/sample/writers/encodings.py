"""A text with formulas between `$` as HTML, or as plain text, in one of the encodings."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from random import Random
from urllib.parse import quote

from mathpinpoint.sample.writers.katex import katex
from mathpinpoint.sample.writers.mathml import mathml
from mathpinpoint.sample.writers.plain import plain

ENCODINGS = (
    "mathjax_script", "mathjax_tex", "katex", "mathml",
    "tex_image", "sup_sub", "unicode", "markdown",
)  # fmt: skip
_HEADS = {
    "mathjax_script": '<script async src="https://cdn.mathjax.example/2.7.9/MathJax.js?config=TeX-AMS_HTML"></script>',
    "mathjax_tex": "<script>MathJax = {tex: {inlineMath: [['$', '$'], ['\\\\(', "
    "'\\\\)']]}};</script>\n"
    '<script async src="https://cdn.mathjax.example/npm/mathjax@3/es5/tex-chtml.js"></script>',
    "katex": '<link rel="stylesheet" href="https://cdn.katex.example/npm/katex@0.16/dist/katex.min.css">',
}
_LONG = 34  # formulas of more characters may stand on a line of their own


@dataclass(frozen=True)
class Style:
    """How one page writes its formulas: `variant` chooses between habits of the same encoding."""

    encoding: str
    variant: int
    has_display: bool

    @property
    def head(self) -> str:
        """What the page's head loads for it."""
        return _HEADS.get(self.encoding, "")


def draw_style(encoding: str, rng: Random) -> Style:
    """The habits of one page."""
    return Style(encoding, rng.randrange(3), rng.random() < 0.35)


def fits(encoding: str, texts: list[str]) -> bool:
    """Whether each formula of the texts can be written so."""
    if encoding not in ("sup_sub", "unicode"):
        return True
    formulas = (piece for text in texts for piece in text.split("$")[1::2])
    return all(plain(formula, encoding == "sup_sub") is not None for formula in formulas)


def _script(tex: str, style: Style, display: bool) -> str:
    mode = "; mode=display" if display else ""
    preview = '<span class="MathJax_Preview"></span>' if style.variant else ""
    return f'{preview}<script type="math/tex{mode}">{tex}</script>'


def _delimited(tex: str, style: Style, display: bool) -> str:
    marks = (("\\(", "\\)"), ("$", "$"), ("\\(", "\\)"))[style.variant]
    if display:
        marks = (("\\[", "\\]"), ("$$", "$$"), ("$$", "$$"))[style.variant]
    return marks[0] + escape(tex, quote=False) + marks[1]


def _image(tex: str, style: Style, display: bool) -> str:
    alt, code = escape(tex), quote(tex, safe="")
    if style.variant == 0:
        return (
            "<img "
            f'src="https://s0.wp.example/latex.php?latex={code}'
            '&#038;bg=ffffff&#038;fg=000000&#038;s=0" '
            f'alt="{alt}" title="{alt}" class="latex" />'
        )
    if style.variant == 1:
        return f'<img src="https://latex.codecogs.com/gif.latex?{code}" alt="" border="0" />'
    return f'<img class="tex" alt="{alt}" src="/cache/math/{len(tex):02d}{len(code):03d}.png" />'


_WRITERS: dict[str, Callable[[str, Style, bool], str]] = {
    "mathjax_script": _script,
    "mathjax_tex": _delimited,
    "katex": lambda tex, style, display: katex(tex, display),
    "mathml": lambda tex, style, display: mathml(tex, display),
    "tex_image": _image,
    "sup_sub": lambda tex, style, display: str(plain(tex, True)),
    "unicode": lambda tex, style, display: escape(str(plain(tex, False)), quote=False),
}


def to_html(text: str, style: Style) -> str:
    """One paragraph's inner HTML."""
    pieces = text.split("$")
    write = _WRITERS[style.encoding]
    for index, piece in enumerate(pieces):
        if index % 2:
            display = style.has_display and len(piece) > _LONG
            pieces[index] = write(piece, style, display)
        else:
            pieces[index] = escape(piece, quote=False)
    return "".join(pieces).replace("\n", "<br>\n")


def to_plain(text: str, style: Style) -> str:
    """One paragraph of a Markdown or text file."""
    pieces = text.split("$")
    for index in range(1, len(pieces), 2):
        if style.encoding == "unicode":
            pieces[index] = str(plain(pieces[index], False))
        elif style.has_display and len(pieces[index]) > _LONG:
            pieces[index] = f"\n\n$${pieces[index]}$$\n\n"
        else:
            pieces[index] = f"${pieces[index]}$"
    return "".join(pieces)
