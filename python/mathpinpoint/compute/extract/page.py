"""One page from bytes to the row that is landed."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field

from mathpinpoint.compute import normalize
from mathpinpoint.compute.extract import boilerplate, captions, delimiters, flat, sites, tree
from mathpinpoint.compute.extract.charset import decode
from mathpinpoint.compute.extract.flags import problem_count, repetition_share
from mathpinpoint.compute.extract.markdown import markdown_text
from mathpinpoint.compute.extract.math_tokens import MathTokens
from mathpinpoint.compute.extract.prepass import replace_carriers
from mathpinpoint.compute.extract.roles import OTHER, Block

EXTRACTOR = "mathpinpoint"
EXTRACTOR_VERSION = "3"

_TITLE_CHARS = 500
_OPEN = re.compile(r"\\(?:begin|\(|\[)")  # a delimiter that could reach over a blank line
_HTML_FORMAT, _MARKDOWN_FORMAT = "html", "md"


@dataclass(frozen=True)
class Extraction:
    """The text of one page, or why there is none: the landed columns but the page's id."""

    outcome: str
    reason: str | None = None
    title: str | None = None
    text: str | None = None
    text_sha256: str | None = None
    n_chars: int | None = None
    n_formulas: int | None = None
    math_sources: str | None = None
    is_math_lossy: bool | None = None
    extract_mode: str | None = None
    repetition_share: float | None = None
    n_problems: int | None = None
    blocks: str | None = None  # JSON: [start, end, role] for each block of a site that is known
    extractor: str = EXTRACTOR
    extractor_version: str = EXTRACTOR_VERSION
    norm_version: str = field(default_factory=lambda: normalize.NORM_VERSION)


def failed(reason: str) -> Extraction:
    """The extraction of a page that gave none."""
    return Extraction("failed", reason)


def extract(raw: bytes, *, format: str, charset: str | None) -> Extraction:
    """Text of a page of `format` html, md or txt, in stored form; deterministic."""
    page = decode(raw, charset)
    tokens = MathTokens(raw)
    if format == _HTML_FORMAT:
        blocks, title, mode = _html_blocks(page, tokens)
    elif format == _MARKDOWN_FORMAT:
        text, title = _markdown_text(page, tokens)
        blocks, mode = [Block("", text)], "full"
    else:
        blocks, title, mode = _one_block(_mathematics(captions.drop_signature(page), page, tokens), "", "full")
    named = flat.flat_title(page) if format == _HTML_FORMAT else ""
    blocks = [Block(b.role, captions.drop_captions(b.text, tokens.pattern, named)) for b in blocks]
    return _extraction(blocks, title, mode, tokens)


def extract_item(item: tuple[str, str | None, bytes | None]) -> Extraction:
    """Extract one page (format, charset, raw bytes; None of a page that is too large)."""
    format, charset, raw = item
    return failed("too_large") if raw is None else extract(raw, format=format, charset=charset)


def _extraction(blocks: list[Block], title: str, mode: str, tokens: MathTokens) -> Extraction:
    sources: Counter = Counter()
    stored, spans = _stored(blocks, tokens, sources)
    title = normalize.stored_text(tokens.restore(title)[0]).replace("\n", " ")[:_TITLE_CHARS]
    return Extraction(
        outcome="ok" if stored else "empty",
        reason=None if stored else "no_text",
        title=title or None,
        text=stored,
        text_sha256=normalize.sha256_text(stored),
        n_chars=len(stored),
        n_formulas=sum(sources.values()),
        math_sources=",".join(f"{name}:{sources[name]}" for name in sorted(sources)),
        is_math_lossy=tokens.is_lossy,
        extract_mode=mode,
        repetition_share=repetition_share(stored),
        n_problems=problem_count(stored),
        blocks=json.dumps(spans, separators=(",", ":")),
    )


def _stored(blocks: list[Block], tokens: MathTokens, sources: Counter) -> tuple[str, list[tuple[int, int, str]]]:
    """The page's stored text, and where the blocks of a known site are in it; counts the formulas in `sources`.

    No block has a place where a formula that begins in one would end in another.
    """
    parts = []
    for block in blocks:
        restored, found = tokens.restore(block.text)
        sources.update(found)
        if stored := normalize.stored_text(restored):
            parts.append((block.role, stored))
    text = "\n\n".join(stored for _, stored in parts)
    if len(parts) > 1 and _OPEN.search(text) and (whole := normalize.stored_text(text)) != text:
        return whole, []
    spans, position = [], 0
    for role, stored in parts:
        spans.append((position, position + len(stored), role))
        position += len(stored) + len("\n\n")
    return text, [span for span in spans if span[2]]


def _one_block(text: str, title: str, mode: str) -> tuple[list[Block], str, str]:
    return [Block("", text)], title, mode


def _html_blocks(page: str, tokens: MathTokens) -> tuple[list[Block], str, str]:
    """Blocks, title and mode of an HTML page; one block without a role where the site is not known."""
    try:
        root = tree.parse(tree.without_crowds(page))
    except tree.TooDeep:
        tokens.is_lossy = bool(flat.CARRIER.search(page))
        return _one_block(_mathematics(flat.flat_text(page), page, tokens), flat.flat_title(page), "full")
    if root is None:
        return _one_block("", "", "full")
    replace_carriers(root, page, tokens)
    scripts = _scripts(root) if delimiters.has_asciimath(page) else ""
    tree.drop_unread(root)
    tree.unwrap_inline(root)
    held = list(root.iter())  # lxml makes the objects of a tree anew where nothing holds them
    tree.replace_text(root, _replacer(page, scripts, tokens), delimiters.has_hint)
    tree.show_solutions(root, tokens.pattern.search)
    del held
    title = sites.page_title(root)
    posts = sites.posts(root, tokens.mark)
    if posts is not None:
        return [Block(OTHER, title), *posts], title, "main"
    boilerplate.keep_wrappers(root)
    boilerplate.drop_small_parts(root, tokens)
    boilerplate.drop_site_headers(root, tokens, title)
    boilerplate.drop_link_lists(root, tokens)
    text, mode = boilerplate.main_text(root, tokens)
    return _one_block(text, title, mode)


def _scripts(root) -> str:
    return " ".join(f"{script.get('src') or ''} {script.text or ''}" for script in root.iter("script"))


def _replacer(page: str, scripts: str, tokens: MathTokens):
    """The function that replaces formulas between delimiters in a run of text."""
    dollars = delimiters.has_single_dollars(page)
    asciimath = delimiters.has_asciimath(scripts)

    def put(latex: str, source: str, form: str) -> str:
        return tokens.put(latex.replace("\x00", "\n"), source, form)

    return lambda text: delimiters.replace_math(text, put, dollars=dollars, asciimath=asciimath)


def _mathematics(text: str, page: str, tokens: MathTokens) -> str:
    return _replacer(page, "", tokens)(text)


def _markdown_text(page: str, tokens: MathTokens) -> tuple[str, str]:
    def mathematics(text: str) -> str:
        return delimiters.replace_math(text, tokens.put, dollars=True, asciimath=False)

    kept: list[str] = []

    def keep(code: str) -> str:
        kept.append(code)
        return f"zq{tokens.nonce}k{len(kept) - 1}qz"

    text, title = markdown_text(page, keep, mathematics, tokens.put)
    back = re.compile(rf"zq{tokens.nonce}k(\d+)qz")
    return tuple(back.sub(lambda found: kept[int(found[1])], part) for part in (text, title))
