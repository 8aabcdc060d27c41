"""The text forms keep the mathematics apart and bring its spellings together."""

import hashlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.normalize import (
    FORM_VERSIONS,
    NORM_VERSION,
    canonical_text,
    match_spans,
    match_tokens,
    math_spans,
    query_key,
    sha256_text,
    stored_text,
)
from mathpinpoint.compute.tokens import RAW, RAW_ASCII

APART = [
    ("x²", "x2"), ("x₂", "x2"), ("x²", "x₂"), ("n ∉ A", "n ∈ A"), ("a ≠ 0", "a = 0"),
    ("$a≮b$", "$a<b$"),
    ("$f(x)<3$", "$f(x)>3$"), ("$3x+5=20$", "$7x-2=16$"), ("$N$", "$n$"), ("$1-x$", "$1+x$"),
    ("10⁻³", "10-3"), ("½", "1 2"), ("$5!$", "$5$"), ("Is 7 prime?", "Is 8 prime?"),
    (r"$\Gamma$", r"$\gamma$"), ("$x^{2}$", "$x_{2}$"), (r"$\{1\}$", "$(1)$"), ("3.5", "35"),
    (r"$\frac{1}{23}$", r"$\frac{12}{3}$"), ("∬", "∫"), ("$𝔸∉B$", "$𝔸∈B$"),
]
# What NFKC, stripped accents or dropped marks would make equal; each pair stays apart as stored, canonical and tokens.
APART += [
    ("a ≮ b", "a < b"), ("f(x)<3", "f(x)>3"), ("3x+5=20", "7x−2=16"), ("½", "12"), ("10⁻³", "10−3"), ("10⁹", "109"),
    ("$aₙ₊₁$", "$an+1$"), ("①", "1"), ("㎡", "m2"), ("$ℓ$", "$l$"), ("$∬ f$", "$∫∫ f$"), ("x ∤ y", "x ∣ y"),
    ("a ⊄ b", "a ⊂ b"), ("5 - 3", "5 + 3"), ("$x'$", "$x$"), ("2^{10}", "210"), ("$-1$", "$1$"), ("0.5", "05"),
]
TOGETHER = [
    (r"\(x\)", "$x$"), (r"\[x\]", "$$x$$"), ("$$x$$", "$x$"), (r"$\dfrac{1}{2}$", r"$\frac{1}{2}$"),
    (r"$\frac12$", r"$\tfrac{1}{2}$"), ("$x ≤ 3$", r"$x\leq 3$"), ("$a\\,+ b$", "$a+b$"),
    (r"$\left( x \right)$", "$(x)$"), (r"$\displaystyle\sum x$", r"$\sum x$"), ("x²", "$x^2$"),
    ("$2 \\cdot 3$", "$2·3$"), ("$a − b$", "$a-b$"), ("Find It", "find it"), ("ﬁnd", "find"),
    ("x\u200by", "xy"), ("ｘ＋１", "x+1"), ("$α$", r"$\alpha$"), ("$ℝ$", r"$\mathbb{R}$"),
    ("costs $5 and $7", r"costs \$5 and \$7"), ("𝑥+1", "$x+1$"), ("é", "e\u0301"),
    ("\\begin{align}a&=b\\end{align}", "$$\\begin{align} a = b \\end{align}$$"),
]


@pytest.mark.parametrize(("a", "b"), APART)
def test_different_mathematics_has_different_tokens(a, b):
    assert match_tokens(a) != match_tokens(b)
    assert canonical_text(a) != canonical_text(b)


@pytest.mark.parametrize(("a", "b"), APART)
def test_different_mathematics_is_stored_apart(a, b):
    assert stored_text(a) != stored_text(b)


# Spellings that are one text already as stored, though not what tells a query's key.
STORED_TOGETHER = [
    (r"\(x\)", "$x$"), (r"\[x\]", "$$x$$"), ("a\xa0b", "a b"), ("a \u2009 b", "a b"), ("x\u200by", "xy"),
    ("a\r\n b", "a\nb"),
    ("x²", "x^{2}"), ("é", "e\u0301"), ("ｘ＋１", "x+1"), ("ﬁnd", "find"),
    ("so\xadlution", "solution"), ("\u202ea\u202c", "a"),
]


@pytest.mark.parametrize(("a", "b"), STORED_TOGETHER)
def test_one_text_is_stored_in_one_way(a, b):
    assert stored_text(a) == stored_text(b)
    assert canonical_text(a) == canonical_text(b)


def test_case_of_prose_is_stored_and_no_part_of_the_document_s_identity():
    assert stored_text("Find $N$") != stored_text("find $N$")
    assert canonical_text("Find $N$") == canonical_text("find $N$") != canonical_text("find $n$")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("f(x)<3", "f(x)>3"), ("3x+5=20", "7x−2=16"), ("x ∉ A", "x ∈ A"), ("a ≮ b", "a < b"),
        ("Is 7 prime?", "Is 8 prime?"), ("x₁+1", "x₂+1"), (r"$\frac{1}{2}$", "$12$"),
        ("½", "12"), ("aₙ₊₁=2", "aₙ₋₁=2"), ("$5!$", "$5$"), ("①", "②"),
    ],
)
def test_query_keys_of_different_questions_differ(a, b):
    assert query_key(a) != query_key(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Find  x", "find x"), ("a\xa0b", "a b"), ("x²", "x2"), ("ﬁnd", "find"), ("Ｆｉｎｄ", "find"),
        ("a\n\tb ", "a b"),
        ("é", "e\u0301"),
    ],
)
def test_query_key_folds_what_nfkc_white_space_and_case_fold(a, b):
    assert query_key(a) == query_key(b)


def test_norm_version_names_the_three_forms():
    assert NORM_VERSION.split("+") == [f"{form}-{version}" for form, version in FORM_VERSIONS.items()]
    assert list(FORM_VERSIONS) == ["text", "match_tokens", "query_key"]


@pytest.mark.parametrize(("a", "b"), TOGETHER)
def test_spellings_of_the_same_have_the_same_tokens(a, b):
    assert match_tokens(a) == match_tokens(b)
    assert match_tokens(stored_text(a)) == match_tokens(stored_text(b))


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        (r"If \( x \) then \[ y \] holds", "If $x$ then $$y$$ holds"),
        ("x²⁺ⁿ and aₙ₊₁", "x^{2+n} and a_{n+1}"),
        ("5½ or $½$ or ½", r"5 1/2 or $\frac{1}{2}$ or 1/2"),
        ("a − b, $a − b$", "a − b, $a - b$"),
        ("a\r\n\r\n\r\nb \t c\xa0d", "a\n\nb c d"),
        ("no-\xadbreak\ufeff \u2062x", "no-break x"),
        ("pay $5 or $7", r"pay \$5 or \$7"),
        ("pay $5", r"pay \$5"),
        (r"pay \$5 for $x$", r"pay \$5 for $x$"),
        ("$x$ costs $3 only", r"$x$ costs \$3 only"),
        ("$$\n\nx\n\n$$", "$$x$$"),
        (r"$x\ $.", r"$x\ $."),
        (r"\[ \text{for $x$} \]", r"$$\text{for x}$$"),
        (r"\begin{equation} a \end{equation}", "$$a$$"),
        (r"$a \\[2pt] b$", r"$a \\[2pt] b$"),
        (r"a stray \( here", "a stray ( here"),
        ("∉ ℝ ℓ ① é", "∉ ℝ ℓ ① é"),
        (r"\(5 apples and so\)", "${5 apples and so}$"),
    ],
)
def test_stored_form(text, stored):
    assert stored_text(text) == stored


def test_math_spans_hold_their_delimiters():
    text = r"If $a$ costs \$5, then $$b$$."
    assert [text[start:end] for start, end in math_spans(text)] == ["$a$", "$$b$$"]


def test_canonical_text_lowers_prose_only():
    assert canonical_text("Let  $N$\nBe Odd") == "let $N$ be odd"


def test_match_spans_point_into_the_text():
    text = r"Find $\dfrac{N}{2}$ ≤ X"
    found = match_spans(text)
    assert [token for token, _, _ in found] == ["find", "\\frac", "N", "2", "\\le", "X"]
    assert [text[start:end] for _, start, end in found] == [
        "Find", "\\dfrac", "N", "2", "≤", "X",
    ]


def test_query_key_is_nfkc_folded_and_lower():
    assert query_key("  Find\n X²  ") == "find x2"


def test_sha256_is_of_utf8():
    assert sha256_text("é") == hashlib.sha256("é".encode()).hexdigest()


@pytest.mark.parametrize(
    "text",
    [
        r"\( a " * 20_000, r"$ a " * 20_001, r"$$ a " * 20_001, "$\n" * 20_000, "\\" * 50_001,
        r"\( a" + " " * 100_000 + r"b\)", "$$ a" + "\n   " * 20_000 + "b$$",
        r"\begin{align} a " * 2_000 + r"\end{gather}", "$5 and " * 20_000,
    ],
)
def test_time_grows_with_the_length_only(text):
    started = time.process_time()
    assert stored_text(stored_text(text)) == stored_text(text)
    assert len(match_spans(text)) <= len(text)
    assert time.process_time() - started < 5


PIECES = [
    "$", "$$", r"\(", r"\)", r"\[", r"\]", "5", "3 ab ", "a", "\n", "\n\n", " ", "½", "\\", "²",
    "₂", "\u0338", "=", "<", "－", "−", "\u200b", r"\begin{align}", r"\end{align}", r"\frac", "{",
    "}", "＄", "ﬁ", "\r", r"\$", "&", "!", "é", "e", "\u0301", "İ", "𝑥", "\ud800",
]
ODD = st.text() | st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


@settings(max_examples=2000, deadline=None)
@given(ODD)
def test_stored_form_is_its_own_stored_form(text):
    stored = stored_text(text)
    assert stored_text(stored) == stored
    stored.encode()


@settings(max_examples=500, deadline=None)
@given(ODD)
def test_every_form_of_any_text(text):
    stored = stored_text(text)
    assert [token for token, _, _ in match_spans(stored)] == match_tokens(stored)
    assert match_tokens(text) is not None
    assert all(0 <= start < end <= len(text) for _, start, end in match_spans(text))
    assert canonical_text(text) == canonical_text(stored)
    assert "  " not in query_key(text)
    assert len(sha256_text(text)) == 64


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet=st.characters(max_codepoint=127)) | st.lists(
    st.sampled_from([r"\frac", r"\dfrac", "1", "23", ".", "...", "a", " ", "\\", "{"])).map("".join)
)
def test_both_expressions_read_ascii_alike(text):
    assert RAW.findall(text) == RAW_ASCII.findall(text)
