"""Tokens that stand in for mathematics while a page's boilerplate is removed."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

from mathpinpoint.compute.extract.latex import clean_latex

VERBATIM = "asciimath"  # a notation of its own: no rule of LaTeX cleans it


@dataclass(frozen=True)
class Formula:
    """A formula found on a page: its LaTeX, where it came from, how it stands."""

    latex: str
    source: str  # katex, mathml, mathjax_script, tex, image, sup_sub, ...
    form: str  # inline, display, bare (an exponent or index in prose)


class MathTokens:
    """The formulas of one page; each stands in its text as an ASCII word.

    The words hold a nonce made of the page's bytes: the same page gives the same words, and no
    page can name its own.
    """

    def __init__(self, raw: bytes):
        self.nonce = hashlib.sha256(raw).hexdigest()[:8]
        self.formulas: list[Formula] = []
        self.is_lossy = False
        self.pattern = re.compile(rf"zq{self.nonce}m(\d+)qz")
        self.mark = f"zq{self.nonce}sqz"  # a word that stands for no formula

    def put(self, latex: str, source: str, form: str) -> str:
        """Keep a formula and return its token; '' if nothing of it is left when cleaned."""
        if self.nonce in latex:
            latex = self.pattern.sub(lambda found: self.formulas[int(found[1])].latex, latex)
        if source == VERBATIM:
            latex = _verbatim(latex)
        elif form != "bare":
            latex = clean_latex(latex)
        if not latex:
            return ""
        self.formulas.append(Formula(latex, source, form))
        return f"zq{self.nonce}m{len(self.formulas) - 1}qz"

    def restore(self, text: str) -> tuple[str, Counter]:
        r"""Text with `$…$` and `$$…$$` for tokens and `\$` for dollars; formulas by source."""
        sources: Counter = Counter()
        parts: list[str] = []
        position = 0
        for found in self.pattern.finditer(text):
            formula = self.formulas[int(found[1])]
            sources[formula.source] += 1
            parts.append(_escaped(text[position : found.start()]))
            mark = {"inline": "$", "display": "$$", "bare": ""}[formula.form]
            is_glued = mark and parts[-1] == "" and len(parts) > 1 and parts[-2].endswith("$")
            parts.append((" " if is_glued else "") + mark + formula.latex + mark)
            position = found.end()
        parts.append(_escaped(text[position:]))
        return "".join(parts), sources


def _verbatim(source: str) -> str:
    """A source on one line between dollars; a space guards a last backslash (`\\ `)."""
    source = " ".join(re.sub(r"(?<!\\)\$", r"\\$", source).split())
    return source + " " if (len(source) - len(source.rstrip("\\"))) % 2 else source


def _escaped(prose: str) -> str:
    return re.sub(r"(?<!\\)\$", r"\\$", prose) if "$" in prose else prose
