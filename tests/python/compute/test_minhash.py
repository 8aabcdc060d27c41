"""Shingles and MinHash bands."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.minhash import bands, minima, scheme
from mathpinpoint.compute.shingles import shingles

SHAPE = {"permutations": 128, "bands": 16, "rows": 8, "second_bands": 8, "second_rows": 5, "seed": 1}
WORDS = st.lists(st.sampled_from("find the least prime p with x ^ 2 + 1 = 0".split()), max_size=40)


@settings(deadline=None)  # the first call compiles
@given(WORDS, st.integers(1, 6))
def test_shingles_are_the_distinct_n_grams(tokens, size):
    found = shingles(tokens, size=size)
    n_grams = {tuple(tokens[at : at + size]) for at in range(max(1, len(tokens) - size + 1))}
    assert len(found) == (len(n_grams) if tokens else 0)
    assert found.dtype == np.int64
    assert (found[1:] > found[:-1]).all()


def test_short_text_is_one_shingle_of_its_own():
    assert len(shingles(["a", "b"], size=5)) == 1
    assert shingles(["a", "b"], size=5) != shingles(["b", "a"], size=5)
    assert shingles(["a"], size=5) != shingles(["a", "a"], size=5)


def test_order_of_the_tokens_counts():
    assert not np.isin(shingles(list("abcde"), size=5), shingles(list("edcba"), size=5)).any()


def test_hashes_do_not_depend_on_the_process():
    code = (
        "from mathpinpoint.compute.shingles import shingles;"
        "from mathpinpoint.compute.minhash import bands;"
        "found = shingles('solve x ^ 2 = 4 for x'.split(), size=5);"
        "shape = dict(permutations=8, bands=4, rows=2, second_bands=2, second_rows=3, seed=1);"
        "print(found.tolist(), bands(found, **shape).tolist())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_equal_sets_share_every_band_and_other_sets_none():
    a, b = shingles(list("abcdefgh"), size=5), shingles(list("stuvwxyz"), size=5)
    assert (bands(a, **SHAPE) == bands(a[::-1].copy(), **SHAPE)).all()
    assert not np.isin(bands(a, **SHAPE), bands(b, **SHAPE)).any()


def test_bands_of_equal_minima_differ_by_their_number():
    one = shingles(["a"], size=5)
    assert len(set(bands(one, **SHAPE).tolist())) == SHAPE["bands"] + SHAPE["second_bands"]


def test_chunks_do_not_change_the_minima():
    many = np.arange(10_000, dtype=np.int64) * 2_654_435_761
    whole = minima(many, permutations=16, seed=3)
    halves = [minima(many[part::2].copy(), permutations=16, seed=3) for part in (0, 1)]
    assert (whole == np.minimum(*halves)).all()


def test_scheme_names_what_made_the_signature():
    name = scheme(shingle_tokens=5, **SHAPE)
    for part in ("affine32", "xxh3_64", "shingle-5", "permutations-128", "16x8+8x5", "seed-1"):
        assert part in name
    assert name != scheme(shingle_tokens=5, **{**SHAPE, "seed": 2})
    assert "/bands-16x8/" in scheme(shingle_tokens=5, **{**SHAPE, "second_bands": 0})


def test_a_second_banding_adds_bands_and_changes_none():
    one = shingles("a text of seven words or so".split(), size=5)
    first = bands(one, **{**SHAPE, "second_bands": 0})
    assert (bands(one, **SHAPE)[: SHAPE["bands"]] == first).all()
    assert len(first) == SHAPE["bands"]


def test_more_rows_than_permutations_are_refused():
    one = shingles(["a"], size=5)
    for wrong in ({"permutations": 100}, {"second_bands": 26}, {"bands": 0}):
        with pytest.raises(ValueError, match="dedup_rules"):
            bands(one, **{**SHAPE, **wrong})


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1), max_size=30))
def test_any_tokens_have_bands(tokens):
    found = bands(shingles(tokens, size=5), **SHAPE)
    assert found.dtype == np.int64
    assert len(found) == (SHAPE["bands"] + SHAPE["second_bands"] if tokens else 0)
