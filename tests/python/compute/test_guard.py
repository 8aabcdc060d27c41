"""The conflict guard: changed mathematics is told apart, changed wrapping is not."""

import json
import os
import random
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.guard import bears_mathematics, compare
from mathpinpoint.compute.normalize import match_tokens, stored_text

SHARED = Path(
    os.environ.get("MATHPINPOINT_SHARED") or Path(__file__).parents[3].parent / "shared" / "data"
)
PROBLEMS = SHARED / "problems" / "math_test.jsonl"
MAX_INSERTION = 8


def conflict(a: str, b: str) -> bool:
    return compare(match_tokens(a), match_tokens(b), max_insertion=MAX_INSERTION).is_conflict


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Problems with their solutions, of 120 to 400 match tokens."""
    if not PROBLEMS.exists():
        pytest.skip("the shared problems are not here")
    with PROBLEMS.open() as lines:
        found = [json.loads(line) for line in islice(lines, 0, 2000, 5)]
    pages = [stored_text(f"{item['problem']}\n\n{item['solution']}") for item in found]
    return [page for page in pages if 120 <= len(match_tokens(page)) <= 400][:150]


def changed(tokens: list[str], at: int, rng: random.Random) -> list[str]:
    """The tokens with the one at a place changed: a number, a letter, an operator, a 'not'."""
    token = tokens[at]
    if token[0].isdigit():
        new = [str(int(float(token)) + rng.randint(1, 9))]
    elif token in "+-<>=":
        new = [rng.choice([other for other in "+-<>=" if other != token])]
    elif token.isalpha() and len(token) == 1:
        new = [chr((ord(token) - 97 + 1) % 26 + 97)] if token.islower() else [token.lower()]
    else:
        new = [token, "not"]
    return tokens[:at] + new + tokens[at + 1 :]


def test_one_change_of_the_mathematics_always_conflicts(texts, capsys):
    rng, told = random.Random(5), {}
    for text in texts:
        tokens = match_tokens(text)
        kinds = {
            "number": [at for at, token in enumerate(tokens) if token[0].isdigit()],
            "operator": [at for at, token in enumerate(tokens) if token in "+-<>="],
            "letter": [at for at, token in enumerate(tokens) if token.isalpha() and len(token) < 2],
            "negation": [at for at, token in enumerate(tokens) if token in ("is", "are", "be")],
        }
        for kind, places in kinds.items():
            for at in rng.sample(places, min(2, len(places))):
                edited = changed(tokens, at, rng)
                verdict = compare(tokens, edited, max_insertion=MAX_INSERTION)
                told.setdefault(kind, []).append(verdict.is_conflict)
    with capsys.disabled():
        print()
        for kind, found in told.items():
            print(f"one {kind} changed: {sum(found)} of {len(found)} conflict")
    assert set(told) == {"number", "operator", "letter", "negation"}
    assert all(all(found) for found in told.values())


def test_a_number_changed_in_the_text_conflicts_unless_it_is_a_label(texts, capsys):
    rng, n_seen, missed = random.Random(11), 0, []
    for text in texts:
        numbers = [*re.finditer(r"(?<![\d.])\d+(?![\d.]*\d)", text)]
        for hit in rng.sample(numbers, min(6, len(numbers))):
            edited = f"{text[:hit.start()]}{int(hit[0]) + rng.randint(1, 9)}{text[hit.end():]}"
            n_seen += 1
            if not conflict(text, edited):
                missed.append(text[max(0, hit.start() - 20) : hit.end() + 10])
    with capsys.disabled():
        print(f"\nnumber changed in the text: {n_seen - len(missed)} of {n_seen} conflict", missed)
    assert all(re.search(r"(?i)(?:case|step|part) \d+", place) for place in missed)
    assert len(missed) <= 0.01 * n_seen


BOILERPLATE = (
    "Posted by gauss42 on 12 May 2019 at 14:30, viewed 1,204 times, 17 votes.",
    "You need to log in to post a comment. 3 users like this answer, 2 comments were hidden.",
    "Last edited 5 days ago. See also: 20 more problems of this kind, with solutions and hints.",
)


def variants(text: str, rng: random.Random) -> dict[str, str]:
    """The same page again: in other wrapping, cut, with typos, in other spelling."""
    words, marks = text.split(" "), text.split("$")
    plain = [at for at, word in enumerate(words) if word.isalpha() and 4 <= len(word)]
    typos = list(words)
    for at in rng.sample(plain, min(2, len(plain))):
        word = words[at]
        typos[at] = word[:1] + word[2] + word[1] + word[3:]
    notes = rng.sample(BOILERPLATE, 2)
    return {
        "boilerplate": f"{notes[0]}\n\n{text}\n\n{notes[1]}",
        "typos": " ".join(typos),
        "white space": "\n".join(text.split(" ")),
        "case": "$".join([marks[0].upper(), *marks[1:]]),
        "delimiters": text.replace("$$", "\0").replace("$", "$ ").replace("\0", "$$"),
        "commands": text.replace(r"\frac", r"\dfrac").replace(r"\le ", r"\leq "),
        "greeting": f"Hello, can somebody please help me with the following problem?\n\n{text}",
    }


def test_other_wrapping_does_not_conflict(texts, capsys):
    rng = random.Random(7)
    told: dict[str, list[bool]] = {}
    for text in texts:
        for name, variant in variants(text, rng).items():
            told.setdefault(name, []).append(conflict(text, variant))
    with capsys.disabled():
        print()
        for name, found in told.items():
            print(f"{name}: {sum(found)} of {len(found)} conflict")
    every = [verdict for found in told.values() for verdict in found]
    assert sum(every) <= 0.02 * len(every)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("$x∉A$", "$x∈A$"), ("$f(x)<3$", "$f(x)>3$"), ("$3x+5=20$", "$7x-2=16$"),
        ("$x^2$", "$x2$"), ("let $N$ be", "let $n$ be"), ("$5!$ ways", "$5$ ways"),
        ("$f'(x)$", "$f(x)$"), ("at least one", "at most one"), ("it is prime", "it is not prime"),
        ("Find 2(x+1).", "Find 2x+1."), ("three boxes", "five boxes"),
        (r"$\sin x$", r"$\cos x$"), ("with radius 3", "with diameter 3"),
        ("102 puppies, 9 a cage", "13 puppies, 2 a cage"),
        ("Problem 3. 12 apples", "Problem 3. 15 apples"), ("Exercise 4: 3x", "Exercise 4: 5x"),
        ("Problem 3 apples are left", "Problem 4 apples are left"),
        ("Proof.\n\nThe answer 12 is right", "Proof.\n\nThe answer 13 is right"),
        ("So it is.\n\nAnswer 12", "So it is.\n\nAnswer 13"),
        ("So it is.\n\nAnswer 12.\n\nBye", "So it is.\n\nAnswer 13.\n\nBye"),
        ("Find f(a).", "Find f(b)."), ("we have\n(a) + 1", "we have\n(b) + 1"),
        ("In a room are 7 people.", "In a room are people."),
        (r"$\log x$", "sin x"), ("Let N be odd", "Let n be odd"),
        ("7 (mod 5)", r"$7 \pmod 6$"), ("Anna helped 3 people.", "Anna helped 4 people."),
    ],
)
def test_pairs_that_conflict(a, b):
    assert conflict(a, b)
    assert conflict(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (r"\(x\)", "$x$"), (r"$\dfrac{1}{2}$", r"$\frac12$"), ("$x ≤ 3$", r"$x\leq3$"),
        ("Please find $x$.", "find $x$"), ("", ""), ("Find the colour", "Find the color"),
        ("Roots\n\nSolution 1:\n\nAdd 3", "Roots\n\nAnswer 2:\n\nAdd 3"),
        ("Problem 33. Find 2x.", "Exercise 4: Find 2x."), ("(a) Find x", "Find x"),
        ("Answer 1\n\nAdd.\n\nAnswer 2\n\nOr not.", "Add.\n\nOr not."),
        ("Roots\n\nBao asked · 14 March 2019\n\nAdd 3", "Roots\n\nAdd 3"),
        ("Add 3. Ekin · helped 17 people", "Add 3."), ("Viewed 31 times. Add 3.", "Add 3."),
        (r"$\log S + \gcd(a, b)$", "log S + gcd(a, b)"), ("$A$ and $I$", "A and I"),
        (r"$3 \equiv 8 \pmod{5}$", "3 ≡ 8 (mod 5)"), ("A man, a plan", "a man, A PLAN"),
        ("Hello, A man is 3 years old", "a man is 3 years old"),
        ("Find $x$.", "Hi there, I have tried this for 3 hours now. Find $x$."),
    ],
)
def test_pairs_that_do_not_conflict(a, b):
    assert not conflict(a, b)
    assert not conflict(b, a)


def test_verdict_names_the_first_conflict_and_counts_tokens():
    verdict = compare("solve 3 x = 5".split(), "so solve 3 x = 7".split(), max_insertion=8)
    assert (verdict.conflict, verdict.n_tokens_only_a, verdict.n_tokens_only_b) == ("5 ⇒ 7", 1, 2)


def test_insertion_is_judged_by_its_length():
    a, b = "find x".split(), "find 3 x".split()
    assert compare(a, b, max_insertion=8).is_conflict
    assert not compare(a, b, max_insertion=1).is_conflict


def test_marks_bear_no_mathematics():
    assert not any(map(bears_mathematics, [".", ",", "?", "word", "'"]))
    assert all(map(bears_mathematics, ["3", "x", "<", r"\frac", "not", "seven", "3.5", "∤"]))


@settings(max_examples=200, deadline=None)
@given(st.text(), st.text())
def test_any_two_texts_have_a_verdict(a, b):
    tokens_a, tokens_b = match_tokens(a), match_tokens(b)
    there = compare(tokens_a, tokens_b, max_insertion=8)
    back = compare(tokens_b, tokens_a, max_insertion=8)
    assert not compare(tokens_a, tokens_a, max_insertion=8).is_conflict
    assert there.n_tokens_only_a - there.n_tokens_only_b == len(tokens_a) - len(tokens_b)
    assert back.n_tokens_only_a - back.n_tokens_only_b == len(tokens_b) - len(tokens_a)
