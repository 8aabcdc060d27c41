"""Blocks of a page of a known site: where its question, its answers and its comments are in the stored text."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathpinpoint.compute.extract import extract
from mathpinpoint.compute.normalize import stored_text


def blocks_of(page: str) -> list[tuple[str, str]]:
    """Role and text of each block."""
    found = extract(page.encode(), format="html", charset=None)
    return [(role, found.text[start:end]) for start, end, role in json.loads(found.blocks)]


def test_a_question_page_has_a_question_answers_and_comments():
    page = """<h1>Roots</h1><div id="question" class="question"><div class="s-prose js-post-body"><p>Find
    <script type="math/tex">x²</script>.</p></div><ul><li class="comment"><div class="comment-copy">Which
    field?</div></li></ul></div><div id="answers"><div class="answer" id="answer-3"><div class="answercell">
    <div class="js-post-body"><p>It is \\(4\\).</p></div></div></div></div>"""
    assert blocks_of(page) == [
        ("other", "Roots"), ("question", "Find $x^{2}$."), ("comment", "Which field?"), ("answer", "It is $4$."),
    ]


@pytest.mark.parametrize(
    ("site", "post"),
    [
        ("XenForo", '<article><div class="message-body"><div class="bbWrapper">{}</div></div></article>'),
        ("Discourse", '<div class="topic-post"><div class="contents"><div class="cooked">{}</div></div></div>'),
        ("Discourse for readers without scripts",
         '<div itemtype="http://schema.org/DiscussionForumPosting"><div class="post" itemprop="text">{}</div></div>'),
        ("AoPS", '<div class="cmty-post"><div class="cmty-post-body"><div class="cmty-post-html">{}</div></div></div>'),
        ("phpBB", '<div class="postbody"><div class="content">{}</div></div>'),
    ],
)
def test_the_first_post_of_a_thread_asks_and_the_others_answer(site, post):
    page = "<h1>Sums</h1>" + "".join(map(post.format, ("How much is 1+1?", "It is 2.", "Thank you.")))
    assert blocks_of(page) == [
        ("other", "Sums"), ("question", "How much is 1+1?"), ("answer", "It is 2."), ("answer", "Thank you."),
    ]


def test_roles_of_schema_org_are_read():
    page = """<h1>Sums</h1><div itemscope itemtype="https://schema.org/QAPage"><div itemscope itemprop="mainEntity"
    itemtype="https://schema.org/Question"><div itemprop="text">How much?</div>
    <div itemscope itemtype="https://schema.org/Comment"><span itemprop="text">Of what?</span></div>
    <div itemscope itemtype="https://schema.org/Answer"><div itemprop="text">Two.</div></div></div></div>"""
    assert blocks_of(page) == [
        ("other", "Sums"), ("question", "How much?"), ("comment", "Of what?"), ("answer", "Two."),
    ]


def test_sections_of_a_wiki_article_have_roles_by_their_headings():
    page = """<h1>A contest</h1><div class="mw-parser-output"><p>Of 1999.</p>
    <h2><span class="mw-headline">Problem 3</span><span class="mw-editsection">[edit]</span></h2><p>Find \\(x\\).</p>
    <h2><span class="mw-headline">Solution 1 (by hand)</span></h2><p>It is 2.</p><h3>Remark</h3><p>Easy.</p>
    <h2>See also</h2><p>More of it.</p></div>"""
    assert blocks_of(page) == [
        ("other", "A contest"), ("other", "Of 1999."), ("other", "Problem 3"), ("question", "Find $x$."),
        ("other", "Solution 1 (by hand)"), ("answer", "It is 2.\n\nRemark\n\nEasy."), ("other", "See also"),
        ("other", "More of it."),
    ]


def test_a_page_of_no_known_site_has_no_blocks():
    assert blocks_of("<h1>Notes</h1><p>Find x.</p><p>It is 2.</p>") == []
    assert extract(b"# Notes\n\nFind x.", format="md", charset=None).blocks == "[]"


def test_a_formula_over_the_edge_of_a_block_leaves_the_page_without_blocks():
    post = '<div class="js-post-body">{}</div>'
    begin, end = r"a \begin{align} x", r"y \end{align} b"
    page = f"<pre>{post.format(f'<pre>{begin}</pre>')}</pre><pre>{post.format(f'<pre>{end}</pre>')}</pre>"
    found = extract(page.encode(), format="html", charset=None)
    assert found.text == stored_text(found.text) and found.blocks == "[]"


PIECES = st.sampled_from(
    ["Find", "x²", r"\(x^2\)", "½", "$", "$5", "a\u200bb", "&amp;", "<sup>3</sup>", "\ufb01", "−", "<br>", "<p>", "it",
     r"\[y\]", "n\u0303", r"\begin{align}", r"\end{align}", "1", "<i>−</i>", "`", "“q”", "\\", "$$", "&nbsp;"]
)
POSTS = st.lists(st.lists(PIECES, min_size=1, max_size=8).map(" ".join), min_size=2, max_size=5)
SITES = st.sampled_from(
    ['<div class="bbWrapper">{}</div>', '<div class="answer"><div class="js-post-body">{}</div></div>',
     '<div class="comment-copy">{}</div>', '<div class="cooked">{}</div>']
)


@settings(max_examples=300, deadline=None)
@given(POSTS, SITES)
def test_blocks_are_in_order_and_hold_what_their_posts_hold(posts, site):
    asked = '<div class="question"><div class="js-post-body">Who knows this?</div></div>'
    page = f"<h1>A title</h1>{asked}{''.join(map(site.format, posts))}"
    found = extract(page.encode(), format="html", charset=None)
    blocks = json.loads(found.blocks)
    assert found.text == stored_text(found.text)
    if not blocks:
        assert r"\begin{align}" in page
        return
    position = 0
    for start, end, role in blocks:
        assert position <= start < end <= len(found.text)
        assert found.text[position:start].strip() == "" and found.text[start:end] == found.text[start:end].strip()
        assert role in ("question", "answer", "comment", "other")
        position = end
    assert position == len(found.text)
    assert [found.text[start:end] for start, end, role in blocks if role == "question"][0] == "Who knows this?"
