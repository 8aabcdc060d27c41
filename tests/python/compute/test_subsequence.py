"""Longest common subsequences of texts in tokens, against a count by the textbook."""

from hypothesis import given
from hypothesis import strategies as st

from mathpinpoint.compute.subsequence import lcs_length, letters

TOKENS = st.lists(st.sampled_from(["a", "b", "x", r"\frac", "12", "é", "積"]), max_size=12)


def by_the_textbook(one, other):
    """The table of the lengths of the common subsequences of all prefixes; its last cell."""
    above = [0] * (len(other) + 1)
    for token in one:
        row = [0]
        for at, seen in enumerate(other):
            row.append(above[at] + 1 if token == seen else max(row[at], above[at + 1]))
        above = row
    return above[-1]


@given(TOKENS, TOKENS)
def test_length_is_what_the_textbook_finds(one, other):
    texts = " ".join(one), " ".join(other)
    spelt = letters(texts)
    assert [len(spelt[text]) for text in texts] == [len(one), len(other)]
    assert lcs_length(spelt[texts[0]], spelt[texts[1]]) == by_the_textbook(one, other)


def test_distinct_tokens_stay_distinct_beyond_the_surrogates():
    many = " ".join(str(number) for number in range(70_000))
    spelt = letters([many, "69999 1", None, ""])
    assert len(set(spelt[many])) == 70_000
    assert lcs_length(spelt[many], spelt["69999 1"]) == 1
    assert spelt[None] == spelt[""] == ""
