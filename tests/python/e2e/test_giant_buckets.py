"""Hundreds of pages that begin alike: their pairs stay bounded, and each is still compared with the best of them."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3]
N_ALIKE, BEGINNING = 500, " ".join(f"word{number} and formula $ x + {number} $ ." for number in range(40))


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    """500 texts with one beginning and an end of their own, through the signatures to the pairs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(FOLDER / "benchmarks"), *sys.path])
        from dedup import ours

        home = tmp_path_factory.mktemp("giant")
        patch.setenv("MATHPINPOINT_PROFILE", "sample")
        patch.setenv("MATHPINPOINT_HOME", str(home))
        made = ours.prepared(home, [f"{BEGINNING} member{number}" for number in range(N_ALIKE)])
        ours.build(made, ours.BEFORE_SIGNATURES)
        ours.land(made, "signatures", None)
        ours.build(made, ours.BEFORE_VERDICTS)
        yield made


def rules(warehouse, column: str) -> int:
    return warehouse.execute(f"select max({column}) from policy.dedup_rules")[0][0]


def test_pairs_grow_with_the_documents_and_not_with_their_square(warehouse):
    (n_pairs,) = warehouse.execute("select count(*) from corpus.duplicate_pairs")[0]
    assert n_pairs <= rules(warehouse, "n_anchors") * rules(warehouse, "bands") * N_ALIKE
    assert n_pairs <= N_ALIKE * (N_ALIKE - 1) / 2 / 10


def test_every_document_is_paired_with_the_best_of_its_bucket(warehouse):
    (best,) = warehouse.execute("select doc_id from corpus.keeper_order where place = 1")[0]
    (n_paired,) = warehouse.execute(f"select count(*) from corpus.duplicate_pairs where '{best}' in (doc_a, doc_b)")[0]
    assert n_paired == N_ALIKE - 1


def test_giant_buckets_are_reported(warehouse):
    sizes = [size for size, in warehouse.execute("select bucket_size from corpus.giant_buckets")]
    assert max(sizes) == N_ALIKE
    assert min(sizes) > rules(warehouse, "max_bucket")
