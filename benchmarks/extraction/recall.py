"""How much of a page's formulas, words and boilerplate is in the text that an extractor gave."""

import re
from collections.abc import Sequence
from functools import cache

from extraction import roundtrip
from extraction.cases import ASCIIMATH, MATHML, Case
from rapidfuzz.distance import LCSseq

from mathpinpoint.compute.normalize import match_tokens, math_spans, stored_text

_LABEL = re.compile(r"\\(?:label|tag)\*?\{[^{}]*\}|\\(?:begin|end)\{(?:equation|displaymath)\*?\}|\\nonumber\b")
_END = "\x1f"


def lost_formulas(case: Case, output: str) -> list[str]:
    """The formulas of a page that its output does not hold, each as often as it is missing."""
    if case.kind == MATHML:
        return _lost_mathml(case.formulas, output)
    if case.kind == ASCIIMATH:
        bare = "".join(output.replace(r"\$", "$").split())
        return _missing([("".join(source.replace(r"\$", "$").split()), source) for source in case.formulas], bare)
    pairs = [(_sequence(f"${_LABEL.sub(' ', latex)}$"), latex) for latex in case.formulas]
    return _missing(pairs, _sequence(output))


def kept_and_left(text: str, output: str) -> tuple[float, float]:
    """Share of the tokens of `text` that are in the output in order, and share of the output that is something else."""
    wanted, got = match_tokens(text), match_tokens(output)
    common = LCSseq.similarity(wanted, got)
    return common / max(len(wanted), 1), 1 - common / len(got) if got else 0.0


def _sequence(text: str) -> str:
    """The match tokens of a text without case, each between two marks; delimiters and spacing are none of them."""
    return _END + "".join(f"{token.lower()}{_END}" for token in match_tokens(text))


def _missing(wanted: Sequence[tuple[str, str]], output: str) -> list[str]:
    """Names of the strings that `output` does not hold apart from one another, the longest looked for first."""
    lost = []
    for sequence, name in sorted(wanted, key=lambda pair: (-len(pair[0]), pair[1])):
        at = output.find(sequence) if sequence.strip(_END) else 0
        if at < 0:
            lost.append(name)
        elif sequence.strip(_END):
            output = f"{output[:at]}{_END}\x00{_END}{output[at + len(sequence) :]}"
    return lost


@cache
def _generator() -> roundtrip.Generator:
    return roundtrip.katex()


def _lost_mathml(formulas: Sequence[str], output: str) -> list[str]:
    """MathML is kept where a formula of the output gives the same MathML when it is rendered."""
    text = stored_text(output)
    found = [text[start:end].strip("$") for start, end in math_spans(text)]
    inline, displayed = _generator()(found), _generator()([rf"\displaystyle {latex}" for latex in found])
    forms = [
        {roundtrip.canonical(source, is_across=True) for source in pair if source}
        for pair in zip(inline, displayed, strict=True)
    ]
    lost = []
    for formula in formulas:
        wanted = roundtrip.canonical(formula, is_across=True)
        at = next((at for at, form in enumerate(forms) if wanted in form), None)
        if at is None:
            lost.append(formula)
        else:
            del forms[at]
    return lost
