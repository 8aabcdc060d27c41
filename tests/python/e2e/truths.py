"""The truth of the sample webs by page id, and what it says of a query and a page."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from homes import seed

from mathpinpoint.land.pages import captures
from mathpinpoint.sample.truth import Page, Problem, read_truth


@dataclass
class Truth:
    """Pages and problems of several webs; a page is known by its web's name and its source."""

    pages: dict[str, list[tuple[str, Page]]] = field(default_factory=dict)  # by page id
    ids: dict[tuple[str, str], str] = field(default_factory=dict)  # (web, source) → page id
    problems: dict[str, Problem] = field(default_factory=dict)
    leaks: dict[str, set[str]] = field(default_factory=dict)  # web → planted items

    def each(self):
        """Every (web, page id, page)."""
        for page_id, found in self.pages.items():
            for web, page in found:
                yield web, page_id, page

    def of_kind(self, kind: str) -> dict[str, Page]:
        return {page_id: page for _, page_id, page in self.each() if page.kind == kind}


def truth_of(webs: dict[str, Path]) -> Truth:
    """Read the truth of webs; ids come from hashing the raw bytes of their pages again."""
    truth = Truth()
    (limits,) = seed("text_limits", policy="v2")
    for name, web in webs.items():
        batches = captures(
            [web / "pages"], text_column=None, landed=set(), skipped=[], batch_rows=256,
            batch_bytes=10**8, max_page_bytes=int(limits["max_page_bytes"]),
            max_ratio=float(limits["max_unpack_ratio"]),
        )
        for batch in batches:
            for source, raw in zip(batch["source"].to_pylist(), batch["raw"].to_pylist(), strict=True):
                truth.ids[name, source] = "p_" + hashlib.sha256(raw).hexdigest()[:24]
        for record in read_truth(web / "truth.jsonl"):
            if isinstance(record, Problem):
                truth.problems[record.problem] = record
            else:
                page_id = truth.ids[name, record.page]
                truth.pages.setdefault(page_id, []).append((name, record))
        planted = web / "leaks.jsonl"
        truth.leaks[name] = (
            {json.loads(line)["id"] for line in planted.read_text().splitlines()}
            if planted.exists() else {"c01", "c02", "c03"}
        )
    return truth
