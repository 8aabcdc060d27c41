"""Extraction of Markdown and plain text, charsets, measures of a text."""

import pytest

from mathpinpoint.compute.extract import extract
from mathpinpoint.compute.extract.charset import decode
from mathpinpoint.compute.extract.flags import problem_count, repetition_share

MARKDOWN = r"""---
title: "Power sums"
tags: [algebra]
---
# Sums of *powers*

Let **x** be a root of $x^2 - 5x_1 + 3_a = 0$, see [this note](http://a.example/b_c "t").

![figure](f.png)

> quoted _text_ with snake_case_name and \(y\)

```python
price = "$5 and $6"
```

- an item: `a_b` and $$a*b*c$$
- costs $5 and $6

```math
\sum_{k=1}^n k
```

[ref]: http://b.example
"""


def test_markdown_loses_its_marks_and_keeps_its_mathematics():
    found = extract(MARKDOWN.encode(), format="md", charset=None)
    assert found.title == "Power sums"
    assert "tags" not in found.text and "ref]" not in found.text and "f.png" not in found.text
    assert "Sums of powers" in found.text
    assert "Let x be a root of $x^2 - 5x_1 + 3_a = 0$, see this note." in found.text
    assert "quoted text with snake_case_name and $y$" in found.text
    assert r'price = "\$5 and \$6"' in found.text
    assert "- an item: a_b and $$a*b*c$$" in found.text
    assert r"costs \$5 and \$6" in found.text
    assert r"$$\sum_{k=1}^n k$$" in found.text
    assert (found.n_formulas, found.math_sources) == (4, "tex:4")


def test_markdown_with_doubled_backslashes():
    raw = rb"""Let \\(x = 1\\) and

\\[
x \\ y
\\]
"""
    found = extract(raw, format="md", charset=None)
    assert found.text == "Let $x = 1$ and\n\n$$x \\\\ y$$"


def test_plain_text_keeps_its_lines():
    raw = b"1. Find \\(x\\).\n\nx costs $5.\n  y < 2 <b>\n"
    found = extract(raw, format="txt", charset=None)
    assert found.text == "1. Find $x$.\n\nx costs \\$5.\ny < 2 <b>"


@pytest.mark.parametrize(
    ("raw", "charset", "text"),
    [
        ("é√".encode(), None, "é√"),
        ("é".encode("latin-1"), "iso-8859-1", "é"),
        (
            "<meta charset='windows-1251'>да".encode("cp1251"),
            None,
            "<meta charset='windows-1251'>да",
        ),
        ("é√ <meta charset=latin-1>".encode(), "iso-8859-1", "é√ <meta charset=latin-1>"),
        ("\ufeffx²".encode("utf-16"), None, "\ufeffx²"),
        (b"a\x00b", None, "ab"),
        (b"a\xff\xfeb", "no-such-charset", None),
    ],
)
def test_charset(raw, charset, text):
    decoded = decode(raw, charset)
    assert decoded.lstrip("\ufeff") == text.lstrip("\ufeff") if text else decoded.startswith("a")


def test_invisible_and_broken_characters_do_no_harm():
    raw = "<p>a\u202eb \u200bc &#xD800; &#0; d</p>".encode()
    text = extract(raw, format="html", charset=None).text
    assert text.startswith("ab c") and text.endswith("d") and "\u202e" not in text
    text.encode("utf-8")


def test_repetition_share():
    assert repetition_share("one two three") == 0.0
    assert repetition_share(" ".join(map(str, range(100)))) == 0.0
    assert repetition_share("the same five words again " * 20) > 0.9


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Problem 1. Find x.\n\nProblem 2. Prove it.\n\nSolution to Problem 2: so.", 2),
        ("1. Find x.\n2. Show that y.\n3. What is z?\n4. Note that w.", 3),
        ("First we expand.\n1. Expand.\n2. Collect.", 0),
        ("Exercise 3: Solve.\nExercise 3 (solution): x=1", 1),
        ("Just a question?", 0),
    ],
)
def test_problem_count(text, number):
    assert problem_count(text) == number
