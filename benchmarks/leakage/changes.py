"""Copies of an evaluation item as they turn up on the web, each change alone, drawn by a seed."""

import random
import re

NUMBER = re.compile(r"\d+")
DOLLARS = re.compile(r"\$[^$]*\$")
FORMULA = re.compile(
    r"\[asy\].*?\[/asy\]|\\\[.*?\\\]|\\\(.*?\\\)|\$\$.*?\$\$|\$.*?\$|\\begin\{.*?\\end\{[a-z*]*\}|\\[A-Za-z]+",
    re.DOTALL,
)
SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z$])")
NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
NAMES = ("Olga", "Pavel", "Ingrid", "Tariq", "Yuki", "Nadia", "Bruno", "Leila")
PREFIXES = ("Problem 3. ", "Exercise 12: ", "(4) ", "Q7. ", "Question 2) ")
STYLES = (
    (r"\frac", r"\dfrac"), (r"\le ", r"\leq "), (r"\ge ", r"\geq "), (r"\ldots", r"\dots"), (r"\ne ", r"\neq "),
    (r"\left(", "("), (r"\right)", ")"),
)
SYNONYMS = {
    "find": "determine", "determine": "find", "compute": "calculate", "calculate": "compute", "evaluate": "compute",
    "express": "write", "how many": "what number of", "what is": "find", "suppose": "assume", "such that": "so that",
    "positive": "strictly positive", "smallest": "least", "largest": "greatest", "greatest": "largest",
    "least": "smallest", "total": "overall", "buys": "purchases", "bought": "purchased", "each": "every",
    "every": "each", "then": "after that", "gives": "hands", "has": "owns", "needs": "requires", "makes": "produces",
    "money": "cash", "also": "in addition", "simplify": "reduce", "graph": "plot", "solve": "work out",
    "give": "state", "contains": "holds", "exactly": "precisely", "begins": "starts", "points": "places",
}
WORDS = re.compile(r"\b(" + "|".join(sorted(SYNONYMS, key=len, reverse=True)) + r")\b", re.IGNORECASE)
SYNONYM_SHARE = 0.5  # of the words that have one


def names_of(texts: list[str]) -> set[str]:
    """Capital words that no text writes small: names of people and places."""
    small = set(re.findall(r"\b[a-z]{3,}\b", " ".join(texts)))
    return {word for text in texts for word in NAME.findall(FORMULA.sub(" ", text)) if word.lower() not in small}


def _prose(text: str, change) -> str:
    """The text with `change` done to what lies outside formulas."""
    pieces, at = [], 0
    for formula in FORMULA.finditer(text):
        pieces += [change(text[at : formula.start()]), formula[0]]
        at = formula.end()
    return "".join([*pieces, change(text[at:])])


def case(text: str, draw: random.Random, names: set[str]) -> str:
    def change(prose: str) -> str:
        return re.sub(r"[A-Za-z]{2,}", lambda found: found[0].upper() if draw.random() < 0.2 else found[0], prose)

    return _prose(text, change).replace(". ", ".  ")


def prefix(text: str, draw: random.Random, names: set[str]) -> str:
    return draw.choice(PREFIXES) + case(text, draw, names)


def latex(text: str, draw: random.Random, names: set[str]) -> str | None:
    def restyled(found: re.Match) -> str:
        body = found[0][1:-1]
        for plain, styled in STYLES:
            body = body.replace(plain, styled)
        body = re.sub(r"([\^_])(\w)(?!\w)", r"\1{\2}", body)
        return rf"\({body.strip()}\)"

    changed = DOLLARS.sub(restyled, text) if text.count("$") % 2 == 0 else text
    return None if changed == text else changed


def sentence(text: str, draw: random.Random, names: set[str]) -> str | None:
    parts = SENTENCE.split(text)
    if len(parts) < 2:
        return None
    del parts[draw.randrange(len(parts))]
    return " ".join(parts)


def synonyms(text: str, draw: random.Random, names: set[str]) -> str | None:
    def other(found: re.Match) -> str:
        word = found[0]
        if draw.random() >= SYNONYM_SHARE:
            return word
        new = SYNONYMS[word.lower()]
        return new.capitalize() if word[0].isupper() else new

    changed = _prose(text, lambda prose: WORDS.sub(other, prose))
    return None if changed == text else changed


def name(text: str, draw: random.Random, names: set[str]) -> str | None:
    found = sorted(names & set(NAME.findall(FORMULA.sub(" ", text))))
    if not found:
        return None
    new = dict(zip(found, draw.sample(NAMES, len(NAMES)), strict=False))
    return _prose(text, lambda prose: NAME.sub(lambda hit: new.get(hit[0], hit[0]), prose))


def number(text: str, draw: random.Random, names: set[str]) -> str | None:
    changed = NUMBER.sub(lambda found: str(int(found[0]) + draw.randint(1, 9)), text)
    return None if changed == text else changed


COPIES = {
    "case": case, "prefix": prefix, "latex": latex, "sentence": sentence, "synonyms": synonyms, "name": name,
}
TWINS = {"number": number}


def changed(kind: str, text: str, key: str, names: set[str]) -> str | None:
    """The text with one kind of change, null where there is nothing to change; the same for the same key."""
    return (COPIES | TWINS)[kind](text, random.Random(f"{kind}|{key}"), names)
