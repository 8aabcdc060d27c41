"""The large labelled fixture: changed copies of evaluation items, their number twins, and other problems."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import changes

from mathpinpoint.compute.subsequence import lcs_length, letters

DATA = Path(os.environ.get("MATHPINPOINT_SHARED") or Path(__file__).parents[3] / "shared" / "data")
SETS = {name: DATA / "evaluation" / f"{name}_test.jsonl" for name in ("gsm8k", "math500")}
PROBLEMS = DATA / "problems" / "math_test.jsonl"
WORD = re.compile(r"[a-z]{2,}")
TWIN_SHARE, TWIN_WORDS = 0.6, 3


@dataclass(frozen=True)
class Labelled:
    """A query of the fixture: how it came about, and the (set, item id) that it copies, if it is one."""

    kind: str
    text: str
    item: tuple[str, str] | None


def is_there() -> bool:
    return PROBLEMS.is_file() and all(path.is_file() for path in SETS.values())


def items(path: Path) -> dict[str, str]:
    """Text by id, as the loader of evaluation items reads the file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ids = [next((str(row[key]) for key in ("id", "idx", "unique_id") if key in row), None) for row in rows]
    texts = [row.get("problem") or row["question"] for row in rows]
    return {name or str(number): text for number, (name, text) in enumerate(zip(ids, texts, strict=True), start=1)}


def labelled(known: dict[str, dict[str, str]], step: int) -> dict[str, Labelled]:
    """By name: each kind of change of every `step`-th item, and every `step`-th problem of the test set of MATH.

    500 of its 5,000 problems are the items of math500 (kind exact), the others are no items (kind unrelated).
    """
    names = changes.names_of([text for texts in known.values() for text in texts.values()])
    held = {text: ("math500", item_id) for item_id, text in known["math500"].items()}
    found = dict(_copies(known, names, step))
    for number, line in enumerate(PROBLEMS.read_text(encoding="utf-8").splitlines()[::step]):
        text = json.loads(line)["problem"]
        item = held.get(text)
        found[f"math_test {number}"] = Labelled("exact" if item else "unrelated", text, item)
    return found


def _copies(known: dict, names: set[str], step: int) -> Iterator[tuple[str, Labelled]]:
    for eval_set, texts in known.items():
        for item_id, text in list(texts.items())[::step]:
            for kind in (*changes.COPIES, *changes.TWINS):
                key = f"{eval_set} {item_id} {kind}"
                if changed := changes.changed(kind, text, key, names):
                    yield key, Labelled(kind, changed, (eval_set, item_id))


def is_twin(one: str, other: str) -> bool:
    """Are two problems one template: 60 % of the words outside formulas and figures the same, in order?"""
    words = [WORD.findall(changes.FORMULA.sub(" ", text).lower()) for text in (one, other)]
    if min(map(len, words)) < TWIN_WORDS:
        return False
    joined = [" ".join(some) for some in words]
    spelt = letters(joined)
    return lcs_length(*(spelt[text] for text in joined)) >= TWIN_SHARE * max(map(len, words))
