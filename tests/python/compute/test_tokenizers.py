r"""The fate of mathematics under each tokenizer of the lexical routes."""

import pytest

from mathpinpoint.compute.tokenizers import TOKENIZERS, VERSIONS, tokenizer

FATES = [
    (r"$\frac{a}{b}$", r"\frac a b", "frac a b"),
    (r"$x^2$", "x ^ 2", "x 2"),
    (r"$x_1$", "x _ 1", "x 1"),
    ("$2x$", "2 x", "2x"),
    ("$x ≤ 3.5$", r"x \le 3.5", "x 3 5"),
    ("$a-b$", "a - b", "a b"),
    (r"$\alpha ∉ A$", r"\alpha \notin A", "alpha a"),
    ("The Größe of $N$ and $n$", "the größe of N and n", "the gr e of n and n"),
]


@pytest.mark.parametrize(("text", "math", "words"), FATES)
def test_each_piece_of_mathematics_has_its_fate(text, math, words):
    assert tokenizer("math")(text) == math.split()
    assert tokenizer("ascii_words")(text) == words.split()


def test_the_math_tokenizer_tells_apart_what_the_words_confuse():
    for one, other in (("$a-b$", "$a+b$"), ("$x<3$", "$x>3$"), (r"$x \in A$", "$x in A$")):
        assert tokenizer("math")(one) != tokenizer("math")(other)
        assert tokenizer("ascii_words")(one) == tokenizer("ascii_words")(other)


def test_every_tokenizer_has_a_version_and_an_unknown_one_is_named():
    assert VERSIONS.keys() == TOKENIZERS.keys() and all(VERSIONS.values())
    with pytest.raises(ValueError, match="no tokenizer 'porter'.*math, ascii_words"):
        tokenizer("porter")
