"""A web of sample pages with their truth: problems by construction, pages of every kind, an
evaluation set.

`page` in the truth is the path under `pages/`, or `pages.warc.gz#n` (the n-th response record) or
`pages.parquet#n` (the n-th row), from 0. A twin either solves the problem of its own numbers, or is
a copy in which one number slipped: then it is wrong for its own problem, and has a minor error for
the one that it was copied from.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from mathpinpoint.sample.families import contest
from mathpinpoint.sample.families.cases import Drawer
from mathpinpoint.sample.families.clusters import make_cluster
from mathpinpoint.sample.families.drafts import Draft
from mathpinpoint.sample.truth import Page, Problem, write_truth
from mathpinpoint.sample.writers.encodings import draw_style, fits
from mathpinpoint.sample.writers.sites import SITES, write_site
from mathpinpoint.sample.writers.store import Store

_LEAKS = ("case", "latex", "reworded") * 2
_CONTEST_SIZE = 40
_SITE_WEIGHTS = {"forum": 24, "qa": 26, "blog": 18, "course": 14, "wiki": 10, "markdown": 8}


def write_web(folder: Path, pages: int, seed: int) -> dict[str, int]:
    """Write pages, truth and evaluation set under `folder`; give the number of pages of each kind.

    The bytes are a function of `pages` and `seed`. Raises ValueError below 50 pages.
    """
    if pages < 50:
        raise ValueError(f"A web of {pages} pages cannot hold every part. Ask for 50 or more.")
    folder.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    queries: list[str] = []
    with Store(folder / "pages") as store:
        records = _records(store, pages, seed, counts, queries)
        write_truth(folder / "truth.jsonl", records)
    _write_contest(folder, queries, seed)
    return dict(sorted(counts.items()))


def _records(
    store: Store, pages: int, seed: int, counts: Counter[str], queries: list[str]
) -> Iterator[Problem | Page]:
    """Problems and pages, cluster by cluster. Fills `counts`, and `queries` for the leaks."""
    drawer, index, written = Drawer(seed), 0, 0
    while written < pages:
        cluster = make_cluster(seed, index, drawer)
        yield from cluster.problems
        if index % 2 and len(queries) < 60 and cluster.drafts[0].query:
            queries.append(cluster.drafts[0].query)
        sites: list[str] = []
        places: list[str] = []
        for draft in cluster.drafts[: pages - written]:
            page = _place(store, draft, seed, written, sites, places)
            counts[page.kind] += 1
            written += 1
            yield page
        index += 1


def _place(
    store: Store, draft: Draft, seed: int, number: int, sites: list[str], places: list[str]
) -> Page:
    """Write one page. `sites` and `places` are those of the cluster's earlier pages, and grow."""
    rng = Random(f"{seed}|page|{number}")
    site = _site(draft, sites, rng)
    texts = [draft.title, draft.question or "", draft.body]
    encoding = _encoding(site, texts, rng)
    blocks = [(block.role, block.paragraphs) for block in draft.blocks]
    style = draw_style(encoding, rng)
    data = write_site(site, style, draft.title, draft.question, blocks, rng)
    source = _store(store, site, encoding, draft.title, number, data, rng)
    sites.append(site)
    places.append(source)
    return Page(
        page=source, kind=draft.kind, problem=draft.problem, question=draft.question,
        query=draft.query, body=draft.body, solves=draft.solves,
        mirror_of=None if draft.copy_of is None else places[draft.copy_of],
        twin_of=None if draft.twin_of is None else places[draft.twin_of],
        site=site, encoding=encoding,
    )  # fmt: skip


def _site(draft: Draft, sites: list[str], rng: Random) -> str:
    """A site that, for a solution or a mirror, the cluster does not use yet where possible."""
    left = dict(_SITE_WEIGHTS)
    if draft.kind == "mirror":
        left.pop(sites[draft.copy_of or 0])
    elif draft.kind == "solution":
        left = {site: weight for site, weight in left.items() if site not in sites}
    return rng.choices(list(left), list(left.values()))[0]


def _encoding(site: str, texts: list[str], rng: Random) -> str:
    """An encoding of the site that fits all formulas; now and then the plain ones come first."""
    names = rng.sample(SITES[site], len(SITES[site]))
    if rng.random() < 0.3:
        names.sort(key=lambda name: name not in ("unicode", "sup_sub"))
    return next(name for name in names if fits(name, texts))


def _store(
    store: Store, site: str, encoding: str, title: str, number: int, page: bytes, rng: Random
) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    name = f"{site}/{number // 500:03d}/{slug}-{number}"
    if site == "markdown":
        return store.put_file(name + (".txt" if encoding == "unicode" else ".md"), page)
    where = rng.random()
    if where < 0.055:
        return store.put_warc(f"https://{site}.example.org/{slug}/{number}", page)
    if where < 0.11:
        return store.put_parquet(page)
    return store.put_file(name + ".html", page)


def _write_contest(folder: Path, queries: list[str], seed: int) -> None:
    """Write the evaluation set, and beside it which of its items leak and how."""
    rng = Random(f"{seed}|contest")
    items, left = [], rng.sample(queries, len(queries))
    for how in _LEAKS:
        for query in left:
            text = contest.leak(query, how, rng)
            if text is not None:
                items.append((text, how))
                left.remove(query)
                break
    items += [(text, None) for text in contest.fresh(_CONTEST_SIZE - len(items), rng)]
    rng.shuffle(items)
    (folder / "evaluation").mkdir(exist_ok=True)
    with (
        (folder / "evaluation" / "contest.jsonl").open("w", encoding="utf-8") as lines,
        (folder / "leaks.jsonl").open("w", encoding="utf-8") as leaks,
    ):
        for number, (text, how) in enumerate(items, 1):
            name = f"contest-{number:03d}"
            lines.write(json.dumps({"problem": text, "id": name}, ensure_ascii=False) + "\n")
            if how:
                leaks.write(json.dumps({"id": name, "how": how}) + "\n")
