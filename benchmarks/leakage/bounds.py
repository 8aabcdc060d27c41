"""From which cosine on must a judge be asked? Copies and unrelated problems by encoder and bound."""

import random

import changes
import fixture
import numpy as np
from measure import OURS, Bench

from mathpinpoint.clients import profiles
from mathpinpoint.clients.encoder import load_encoder

PROFILES = ("static", "sample")
BOUNDS = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
KINDS = ("sentence", "synonyms", "name")  # the changes that leave neither the words nor the tokens
COPIES, OTHERS = 400, 600


def measure(bench: Bench) -> None:
    """For each encoder and bound: the least share, over the kinds of change, of copies whose own item is the nearest
    one and at or above the bound; and the share of unrelated problems that a judge would be asked about.
    """
    known = {name: fixture.items(path) for name, path in fixture.SETS.items()}
    places = [(name, item_id) for name, texts in known.items() for item_id in texts]
    labelled = fixture.labelled(known, 1)
    drawn = {
        kind: _drawn([one for one in labelled.values() if one.kind == kind], OTHERS if kind == "unrelated" else COPIES)
        for kind in (*KINDS, "unrelated")
    }
    for name in PROFILES:
        encoder = load_encoder(profiles.load(name).encoder)
        items = np.asarray(encoder.encode([known[eval_set][item_id] for eval_set, item_id in places], "query"))
        near = {
            kind: np.asarray(encoder.encode([one.text for one in some], "query")) @ items.T
            for kind, some in drawn.items()
        }
        model = profiles.load(name).encoder.model
        for bound in BOUNDS:
            right = [
                np.mean([places[row.argmax()] == one.item and row.max() >= bound
                         for row, one in zip(near[kind], drawn[kind], strict=True)])
                for kind in KINDS
            ]
            bench.add(f"{model} from {bound}: least share of copies", OURS, None, float(min(right)))
            asked = float(np.mean(near["unrelated"].max(axis=1) >= bound))
            bench.add(f"{model} from {bound}: unrelated asked about", OURS, None, asked)


def _drawn(some: list[fixture.Labelled], count: int) -> list[fixture.Labelled]:
    return random.Random(len(changes.COPIES)).sample(some, min(count, len(some)))
