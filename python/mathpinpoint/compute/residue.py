"""The near-verbatim pass of question removal: copies of the question, and pieces of it.

A copy is an infix of the page within some edits of the question. The question zone is the page
up to the end of its first copy: titles, stubs and parts of the question stand there. Where the
page's blocks are known, so is what its asker wrote, and nothing else of the page is the question
zone. What the pass deletes beyond copies of the question is held within a budget of characters.
"""

from mathpinpoint.compute.alignment import (
    ARTICLE,
    Block,
    Match,
    Span,
    blocks_touched,
    common_share,
    covered,
    infix_match,
)
from mathpinpoint.compute.guard import compare
from mathpinpoint.compute.removal_page import PUNCTUATION, Page

FIRST_COPY_EDITS = 0.25  # of the question's tokens
FURTHER_COPY_EDITS = 0.10
FURTHER_COPY_SHARE = 0.90  # of the blocks that it touches
PART_SHARE = 0.50  # of a block within a copy; a block with less was put in between
BLOCK_COVERAGE, ZONE_COVERAGE, ZONE_MISSES = 0.85, 0.60, 2
QUOTE_COVERAGE, QUOTE_LENGTH = 0.90, 0.60
ASKED_SHARE, ASKED_COVERAGE = 0.50, 0.50  # of the asker's block; of each of its sentences
MIN_TOKENS = 3
MAX_COPIES = 4
_UNCOUNTED = PUNCTUATION | {">"}  # the mark of a quotation


def remove_residue(page: Page, zone_end: int | None) -> bool:
    """Takes what is left of the question; `zone_end` is the end of a copy already taken.

    Returns True if the question itself was found, here or before.
    """
    if len(page.question) < MIN_TOKENS:
        return zone_end is not None
    if zone_end is None:
        zone_end = _take_first_copy(page)
    if zone_end is None:
        zone_end = _take_asked(page)
    if zone_end is None:
        return _take_pieces(page)
    for block in (*page.lines, *page.blocks):
        if page.is_asked(block, zone_end):
            _take_stub(page, block)
    _take_further_copies(page)
    for block in page.blocks:
        if not page.is_asked(block, zone_end):
            _take_quote(page, block)
    return True


def _parts(page: Page, match: Match) -> tuple[list[Span], int]:
    """The spans of a copy, without blocks put in between; and how many characters are extra."""
    matched = {at for at, _ in match.pairs}
    first, last = match.pairs[0][0], match.pairs[-1][0]
    parts: list[Span] = []
    extra = 0
    for block in blocks_touched(page.blocks, page.starts[first], page.ends[last]):
        inner = range(max(block.first, first), min(block.last, last + 1))
        if not inner or sum(at in matched for at in inner) < PART_SHARE * len(inner):
            continue
        start = page.starts[inner[0]] if inner[0] == first else block.start
        end = page.ends[inner[-1]] if inner[-1] == last else block.end
        start, end = page.out_of_formulas(start, end)
        if start < end:
            parts.append((start, end))
            asked = sum(page.ends[at] - page.starts[at] for at in inner if at in matched)
            whole = sum(page.ends[at] - page.starts[at] for at in inner)
            extra += whole - asked
    return parts, extra


def _take_first_copy(page: Page) -> int | None:
    """Takes the best copy of the question; returns its end, or None if there is none."""
    asked, hidden = page.question, page.is_taken
    if page.asked_zones():  # what answers say again is a quotation at most
        hidden = [taken or page.is_answered(at) for taken, at in zip(hidden, page.starts, strict=True)]
    match = infix_match(asked, page.tokens, hidden, int(FIRST_COPY_EDITS * len(asked)))
    if match is None or not match.pairs:
        return None
    parts, extra = _parts(page, match)
    if not parts or extra > page.budget_chars:
        return None
    page.budget_chars -= extra
    for start, end in parts:
        page.take(start, end, "near", 1 - match.n_edits / len(asked))
    return parts[-1][1]


def _take_asked(page: Page) -> int | None:
    """Takes the sentences of what the asker wrote that reword the question; returns the end of their block.

    A sentence with a number, an operator or a letter of its own stays: it asks something else.
    """
    for start, end, _ in page.asked_zones():
        blocks = [block for block in page.blocks if start <= block.start and block.end <= end]
        tokens = [token for block in blocks for token in page.tokens[block.first : block.last]]
        if common_share(page.question, tokens) < ASKED_SHARE:
            continue
        is_taken = False
        for block in blocks:
            if block.last - block.first < MIN_TOKENS or not page.is_free(block):
                continue
            found = covered(page.question, page.tokens[block.first : block.last])
            if found.share >= ASKED_COVERAGE and not found.adds_symbols:
                extra = round((1 - found.share) * (block.end - block.start))
                is_taken |= _take_block(page, block, "asked", found.share, extra)
        if is_taken:
            return end
    return None


def _take_further_copies(page: Page) -> None:
    """Takes copies that fill their lines or sentences, as a quotation does."""
    asked, masked = page.question, list(page.is_taken)
    for _ in range(MAX_COPIES - 1):
        match = infix_match(asked, page.tokens, masked, int(FURTHER_COPY_EDITS * len(asked)))
        if match is None or not match.pairs:
            return
        first, last = match.pairs[0][0], match.pairs[-1][0] + 1
        masked[first:last] = [True] * (last - first)
        if any(page.is_taken[first:last]):
            continue
        touched = blocks_touched(page.blocks, page.starts[first], page.ends[last - 1])
        n_touched = sum(_n_counted(page.tokens[block.first : block.last]) for block in touched)
        if _n_counted(page.tokens[first:last]) < FURTHER_COPY_SHARE * n_touched:
            continue
        sides = (_without_articles(tokens) for tokens in (asked, page.tokens[first:last]))
        if compare(*sides, max_insertion=len(page.tokens) + 1).is_conflict:
            continue
        for start, end in _parts(page, match)[0]:
            page.take(start, end, "copy", 1 - match.n_edits / len(asked))


def _n_counted(tokens: list[str]) -> int:
    return sum(token not in _UNCOUNTED for token in tokens)


def _without_articles(tokens: list[str]) -> list[str]:
    return [token for token in tokens if token != ARTICLE]


def _take_block(page: Page, block: Block, kind: str, score: float, n_extra: int) -> bool:
    """Takes a whole block if the budget holds its extra characters."""
    if n_extra > page.budget_chars:
        return False
    page.budget_chars -= n_extra
    page.take(block.start, block.end, kind, score)
    return True


def _take_stub(page: Page, block: Block) -> None:
    """Takes a block of the question zone that is a piece of the question: a title, a stub."""
    if block.last - block.first < MIN_TOKENS or not page.is_free(block):
        return
    found = covered(page.question, page.tokens[block.first : block.last])
    if found.share >= BLOCK_COVERAGE and not found.differs:
        _take_block(page, block, "block", found.share, block.end - block.start)


def _take_quote(page: Page, block: Block) -> None:
    """Takes a block after the question zone that says most of the question again."""
    n_tokens = block.last - block.first
    if n_tokens < max(MIN_TOKENS, QUOTE_LENGTH * len(page.question)) or not page.is_free(block):
        return
    found = covered(page.question, page.tokens[block.first : block.last])
    if found.share >= QUOTE_COVERAGE and not found.differs:
        _take_block(page, block, "quote", found.share, block.end - block.start)


def _take_pieces(page: Page) -> bool:
    """Takes the pieces of a question that is nowhere whole, if they make up most of it."""
    pieces, asked, n_misses = [], set(), 0
    for block in page.blocks:
        if block.last - block.first < MIN_TOKENS:
            continue
        found = covered(page.question, page.tokens[block.first : block.last])
        if found.share >= BLOCK_COVERAGE and not found.differs:
            again = len(found.question & asked) / len(found.question)
            pieces.append((block, found.share, round(again * (block.end - block.start))))
            asked |= found.question
            n_misses = 0
        elif pieces:
            n_misses += 1
            if n_misses >= ZONE_MISSES and len(asked) >= ZONE_COVERAGE * len(page.question):
                break
    if len(asked) < ZONE_COVERAGE * len(page.question):
        return False
    return any([_take_block(page, block, "block", share, n) for block, share, n in pieces])
