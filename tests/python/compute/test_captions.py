"""Lines around the content go; lines of the content stay."""

import re

import pytest

from mathpinpoint.compute.extract import extract
from mathpinpoint.compute.extract.captions import drop_captions, drop_signature

FORMULA = re.compile(r"zqm\d+qz")


def left(text: str, page_name: str = "") -> str:
    return drop_captions(text, FORMULA, page_name).strip()


@pytest.mark.parametrize(
    "line",
    [
        "Sponsored links", "Advertisement", "Related questions", "More from this category",
        "New questions in Mathematics", "Share this:", "Leave a Reply", "Filed under: series",
        "Your email address will not be published. Required fields are marked *",
        "We use cookies to make this blog work.", "© 2020 Somebody", "All rights reserved.",
        "All content is collected from elsewhere. DMCA | Privacy | Sitemap",
        "Index | Previous | Notes under CC0, corrections welcome.", "Home · About · Contact",
        "Bao asked · 14 March 2019", "Ekin · helped 17 people", "asked 3 years ago",
        "Posted on May 12, 2019 by gauss", "by topo » Thu Oct 18, 2012 7:02 pm", "Viewed 204 times",
        "You are visitor 004513. Last updated 11 Feb 2003. Mail me", "Senior Member", "#12",
        "12 comments", "Reputation: 2,301", "14 people found this helpful", "**Related articles**",
    ],
)
def test_lines_around_the_content_go(line):
    assert left(f"Add them.\n\n{line}\n\nDone.") == "Add them.\n\n\nDone."


@pytest.mark.parametrize(
    "line",
    [
        "Solution 1:", "Question:", "Answer", "14 March 2019", "12 people", "17 votes", "42",
        "Share this sum of 40 coins equally among the five children.", "red | blue | green",
        "Anna bakes 12 cookies and uses 3 cookies a day.", "x = 3 | y = 4 | index",
        "A boat powered by one engine crosses the river.", "Alice · 12 points", "a · b · c",
        "This formula was published by Euler in 1748.", "Related rates", "More on this below.",
        "The question asked by Tom on Monday is about trains.", "Privacy", "Tag: 3 or 5",
        "sponsored links zqm3qz", "The site map is drawn to scale 1:500.", "Previous results",
    ],
)
def test_lines_of_the_content_stay(line):
    assert line in left(f"Add them.\n\n{line}\n\nDone.")


def test_rows_of_a_table_stay():
    rows = "Home | Away | Sum\n1 | 2 | 3\nhome | 4 | 9"
    assert left(rows) == rows


def test_the_site_named_by_the_title_goes():
    assert left("Pi Street\n\nRoots\n\nAdd.", "Roots | Pi Street") == "Roots\n\nAdd."
    assert left("Roots\n\nAdd.", "Roots") == "Roots\n\nAdd."
    assert left("Find x\n\n12", "Find x - 12") == "Find x\n\n12"


def test_a_mail_signature_goes_and_an_underlined_heading_stays():
    assert drop_signature("x is 3\n-- \nthe sums list\nwrite to us\n") == "x is 3\n"
    text = "Answer\n--\nx is 3\n"
    assert drop_signature(text) == text


def text_of(body: str) -> str:
    page = f"<html><head><title>Roots | Pi Street</title></head><body>{body}</body></html>"
    return extract(page.encode(), format="html", charset=None).text


def test_short_lists_of_links_go_with_their_heading():
    assert text_of(
        "<div><h1>Roots</h1><p>The sum of the roots is 5, by Vieta.</p></div>"
        "<div><h4>Something else</h4><ul><li><a>Two pipes</a></li><li><a>A wall</a></li></ul></div>"
    ).split() == "Roots The sum of the roots is 5, by Vieta.".split()


def test_links_in_prose_and_linked_headings_stay():
    text = text_of(
        "<div><h2><a>Roots</a></h2><p>See <a>Vieta</a> and <a>Newton</a> for the sum of all the"
        " powers of the roots.</p><p><a>Back</a> <a>On</a> x<sup>2</sup></p></div>"
    )
    assert text.split()[:6] == "Roots See Vieta and Newton for".split() and "x^{2}" in text


def test_a_header_with_the_pages_title_stays():
    header = "<div><header><h1>{}</h1><p>a yard of sums</p></header><p>The sum is 5.</p></div>"
    assert "a yard" not in text_of(header.format("Pi Street") + "<h1>Roots</h1>")
    assert "Roots" in text_of(header.format("Roots"))
