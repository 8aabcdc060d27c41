"""Ways to find a question in a page: each takes (page text, question) and gives the spans that it would remove."""

from collections.abc import Callable

from rapidfuzz.fuzz import partial_ratio_alignment

from mathpinpoint.compute.alignment import infix_match
from mathpinpoint.compute.normalize import match_spans, match_tokens
from mathpinpoint.compute.removal import remove_question

Spans = list[tuple[int, int]]
COPIES = 4
LIMITS = {"max_share": 0.15, "max_extra_chars": 500}  # the shipped policy's removal_rules
LEAST_RATIO, EDITS, GRAM, GAP = 80, 0.25, 4, 6


def ours(text: str, question: str) -> Spans:
    return [(start, end) for start, end, _, _ in remove_question(text, question, **LIMITS).spans]


def exact(text: str, question: str) -> Spans:
    """Every place where the question stands as it is."""
    found, at = [], text.find(question)
    while at >= 0:
        found.append((at, at + len(question)))
        at = text.find(question, at + len(question))
    return found


def partial_ratio(text: str, question: str) -> Spans:
    """The best fuzzy window of the question's length, masked and searched again."""
    found = []
    for _ in range(COPIES):
        best = partial_ratio_alignment(question, text, score_cutoff=LEAST_RATIO)
        if best is None or best.dest_start == best.dest_end:
            break
        found.append((best.dest_start, best.dest_end))
        text = text[: best.dest_start] + "\0" * (best.dest_end - best.dest_start) + text[best.dest_end :]
    return found


def infix(text: str, question: str) -> Spans:
    """The best infix within some edits, on match tokens, masked and searched again."""
    asked, spans = match_tokens(question), match_spans(text)
    tokens, masked, found = [token for token, _, _ in spans], [False] * len(spans), []
    for _ in range(COPIES):
        match = infix_match(asked, tokens, masked, int(EDITS * len(asked)))
        if match is None or not match.pairs:
            break
        first, last = match.pairs[0][0], match.pairs[-1][0]
        found.append((spans[first][1], spans[last][2]))
        masked[first : last + 1] = [True] * (last + 1 - first)
    return found


def chained_grams(text: str, question: str) -> Spans:
    """Every run of 4-grams of match tokens that stand in the question, small gaps bridged."""
    asked, spans = match_tokens(question), match_spans(text)
    tokens = [token for token, _, _ in spans]
    grams = {tuple(asked[at : at + GRAM]) for at in range(len(asked) - GRAM + 1)}
    runs: list[list[int]] = []
    for at in range(len(tokens) - GRAM + 1):
        if tuple(tokens[at : at + GRAM]) not in grams:
            continue
        if runs and at <= runs[-1][1] + GAP:
            runs[-1][1] = at + GRAM - 1
        else:
            runs.append([at, at + GRAM - 1])
    return [(spans[first][1], spans[last][2]) for first, last in runs]


REMOVERS: dict[str, Callable[[str, str], Spans]] = {
    "mathpinpoint": ours,
    "exact substring": exact,
    "rapidfuzz partial_ratio": partial_ratio,
    "edlib infix": infix,
    "4-gram chaining": chained_grams,
}
