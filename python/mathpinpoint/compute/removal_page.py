"""A page while its question is removed: its tokens, its blocks, what is cut out of it so far."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from mathpinpoint.compute.alignment import LINES, SENTENCES, Block, Span, blocks_of, strictly_inside
from mathpinpoint.compute.normalize import match_spans, match_tokens, math_spans

PUNCTUATION = frozenset(".,;:?!")
Zone = tuple[int, int, str]  # start, end, role: question, answer, comment, other


class Page:
    """A page's text, its tokens and blocks, and what has been taken out of it so far."""

    def __init__(self, text: str, question: str, budget_chars: int, zones: Sequence[Zone]) -> None:
        self.text, self.question, self.zones = text, match_tokens(question), zones
        spans = match_spans(text)
        self.tokens = [token for token, _, _ in spans]
        self.starts = [start for _, start, _ in spans]
        self.ends = [end for _, _, end in spans]
        self.formulas = math_spans(text)
        self.edges = sorted({edge for start, end, _ in zones for edge in (start, end)})
        self.lines = blocks_of(text, self.starts, self.formulas, LINES, self.edges)
        self.blocks = blocks_of(text, self.starts, self.formulas, SENTENCES, self.edges)
        self.is_taken = [False] * len(spans)
        self.budget_chars = budget_chars  # left for what is no copy of the question
        self.removed: list[tuple[int, int, str, float]] = []

    def take(self, start: int, end: int, kind: str, score: float) -> None:
        """Removes the characters from `start` to `end` and the punctuation that ends them."""
        while end < len(self.text) and self.text[end] in PUNCTUATION:
            end += 1
        self.removed.append((start, end, kind, round(score, 4)))
        for at in range(bisect_left(self.starts, start), bisect_left(self.starts, end)):
            self.is_taken[at] = True

    def can_cut(self, start: int, end: int) -> bool:
        """True if neither end is within a formula or a word, and no border of the page's blocks between them."""
        return not any(start < edge < end for edge in self.edges) and not any(
            strictly_inside(at, self.formulas) or self.text[max(at - 1, 0) : at + 1].isalnum()
            for at in (start, end)
            if 0 < at < len(self.text)
        )

    def asked_zones(self) -> list[Zone]:
        """What the asker wrote."""
        return [zone for zone in self.zones if zone[2] == "question"]

    def is_answered(self, at: int) -> bool:
        """True if the place is within what another wrote than the asker; False where nobody knows."""
        return self._role(at) in ("answer", "comment")

    def is_asked(self, block: Block, zone_end: int) -> bool:
        """True if a block is in the question zone: before `zone_end`, or the asker's, and no answer's."""
        role = self._role(block.start)
        return role == "question" or (block.end <= zone_end and role not in ("answer", "comment"))

    def _role(self, at: int) -> str | None:
        place = bisect_right(self.zones, at, key=lambda zone: zone[0]) - 1
        return self.zones[place][2] if place >= 0 and at < self.zones[place][1] else None

    def is_free(self, block: Block) -> bool:
        return not any(self.is_taken[block.first : block.last])

    def out_of_formulas(self, start: int, end: int) -> Span:
        """Moves both ends out of formulas: one that is half within comes along, another stays."""
        for formula in {strictly_inside(at, self.formulas) for at in (start, end)} - {None}:
            within = min(end, formula[1]) - max(start, formula[0])
            comes_along = 2 * within >= formula[1] - formula[0]
            if formula[0] < start:
                start = formula[0] if comes_along else formula[1]
            if end < formula[1]:
                end = formula[1] if comes_along else max(start, formula[0])
        return start, end
