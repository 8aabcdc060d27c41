"""Six kinds of sites: a forum, questions and answers, a blog, a course, a wiki, Markdown files."""

from html import escape
from random import Random

from mathpinpoint.sample.writers import chrome
from mathpinpoint.sample.writers.encodings import Style, to_html, to_plain

Blocks = list[tuple[str, list[str]]]  # role (answer, comment, text) and paragraphs

SITES = {  # the encodings of each, in no order
    "forum": ("mathjax_tex", "tex_image", "unicode", "sup_sub"),
    "qa": ("mathjax_script", "mathjax_tex", "katex"),
    "blog": ("mathjax_tex", "tex_image", "katex", "unicode"),
    "course": ("mathml", "mathjax_script", "katex", "sup_sub"),
    "wiki": ("mathml", "tex_image", "mathjax_script"),
    "markdown": ("markdown", "unicode"),
}


def _paragraphs(texts: list[str], style: Style) -> str:
    return "\n".join(f"<p>{to_html(text, style)}</p>" for text in texts)


def _post(content: str, number: int, rng: Random) -> str:
    user, when = chrome.name(rng), chrome.date(rng)
    signature = ""
    if rng.random() < 0.3:
        signature = '<aside class="message-signature">Numbers rule the universe.</aside>'
    return (
        f'<article class="message message--post js-post" data-author="{user}" id="post-{number}">'
        '<div class="message-cell message-cell--user"><h4 class="message-name"><a '
        f'class="username">{user}</a></h4>'
        f'<h5 class="userTitle">{rng.choice(("Member", "Senior Member", "New Member"))}</h5>'
        f'<dl class="pairs"><dt>Messages</dt><dd>{rng.randint(1, 4000)}</dd></dl></div>'
        '<div class="message-cell message-cell--main"><header class="message-attribution">'
        f'<time class="u-dt" datetime="{when.isoformat()}">{when:%b %d, %Y}</time>'
        f'<a class="message-attribution-opposite" href="#post-{number}">#{number}</a></header>'
        f'<div class="message-body"><div class="bbWrapper">{content}</div></div>{signature}'
        '<footer class="message-footer"><a class="actionBar-action">Like</a> '
        '<a class="actionBar-action">Reply</a></footer></div></article>'
    )


def _forum(title: str, question: str | None, blocks: Blocks, style: Style, rng: Random) -> str:
    texts = ([[question]] if question else []) + [paragraphs for _, paragraphs in blocks]
    posts = "\n".join(
        _post(_paragraphs(text, style), number, rng) for number, text in enumerate(texts, 1)
    )
    return (
        f'{chrome.menu(rng)}<div class="p-body"><ul class="p-breadcrumbs"><li><a href="/">'
        "Forums</a></li>"
        '<li><a href="/f/12">Homework</a></li></ul><h1 class="p-title-value">'
        f"{escape(title)}</h1>\n"
        f'<div class="block-body js-replyNewMessageContainer">\n{posts}\n</div></div>'
        f"{chrome.related('Similar threads', rng)}{chrome.footer('The Math Forum', rng)}"
    )


def _voted(kind: str, verb: str, content: str, rng: Random) -> str:
    """A question or an answer with its votes, its date and its author."""
    votes = rng.randint(-2, 60)
    return (
        f'<div class="{kind}" id="{kind}-{rng.randint(10**5, 10**7)}"><div class="votecell">'
        f'<div class="js-vote-count" data-value="{votes}">{votes}</div></div>'
        f'<div class="{kind}cell"><div class="s-prose js-post-body">{content}</div>'
        f'<div class="user-info">{verb} <span class="relativetime">'
        f"{chrome.date(rng):%b %d, %Y}</span> <a>{chrome.name(rng)}</a></div></div></div>"
    )


def _remark(content: str, rng: Random) -> str:
    return (
        '<ul class="comments-list"><li class="comment"><div class="comment-copy">'
        f'{content}</div><a class="comment-user">{chrome.name(rng)}</a></li></ul>'
    )


def _qa(title: str, question: str | None, blocks: Blocks, style: Style, rng: Random) -> str:
    asked = ""
    if question:
        asked = _voted("question", "asked", _paragraphs([question], style), rng) + "\n"
    parts = []
    for role, paragraphs in blocks:
        inner = _paragraphs(paragraphs, style)
        is_remark = role == "comment"
        parts.append(_remark(inner, rng) if is_remark else _voted("answer", "answered", inner, rng))
    answers = "\n".join(parts)
    heading = f'<h1><a class="question-hyperlink">{escape(title)}</a></h1>'
    bars = chrome.related("Related", rng) + chrome.related("Hot Network Questions", rng)
    return (
        f'<header class="s-topbar">{chrome.menu(rng)}</header><div id="content">'
        f'<div id="question-header">{heading}</div>\n'
        f'<div id="mainbar">{asked}<div id="answers">\n{answers}\n</div></div>'
        f'<div id="sidebar">{bars}</div></div>{chrome.footer("Questions and Answers", rng)}'
    )


def _sections(blocks: Blocks, style: Style, tag: str) -> str:
    return "\n".join(
        f'<{tag} class="{role}">{_paragraphs(paragraphs, style)}</{tag}>'
        for role, paragraphs in blocks
    )


def _blog(title: str, question: str | None, blocks: Blocks, style: Style, rng: Random) -> str:
    when = chrome.date(rng)
    text = f"<blockquote>{_paragraphs([question], style)}</blockquote>\n" if question else ""
    main = [block for block in blocks if block[0] != "comment"]
    said = [block for block in blocks if block[0] == "comment"]
    notes = f'<section id="comments">{_sections(said, style, "div")}</section>' if said else ""
    return (
        f'<header class="site-header"><a href="/">Pencil and Paper</a>{chrome.menu(rng)}</header>'
        f'<main id="main"><article class="post hentry"><h1 class="entry-title">{escape(title)}</h1>'
        f'<div class="entry-meta">Posted on <time datetime="{when.isoformat()}">'
        f"{when:%B %d, %Y}</time> by "
        f'<span class="author">{chrome.name(rng)}</span></div>\n<div class="entry-content">{text}'
        f"{_sections(main, style, 'div')}</div></article>{notes}</main>"
        f"{chrome.related('Recent posts', rng)}{chrome.footer('Pencil and Paper', rng)}"
    )


def _course(title: str, question: str | None, blocks: Blocks, style: Style, rng: Random) -> str:
    asked = f'<div class="exercise">{_paragraphs([question], style)}</div>\n' if question else ""
    unit = rng.randint(1, 14)
    return (
        f'{chrome.menu(rng)}<div class="layout"><div class="toc"><ul><li>Unit {unit}</li><li>'
        "Lecture notes</li>"
        f'<li>Problem sets</li></ul></div><main class="content"><h1>{escape(title)}</h1>\n{asked}'
        f'<div class="solution">{_sections(blocks, style, "section")}</div></main></div>'
        '<div class="pager"><a rel="prev">Previous</a> <a rel="next">Next</a></div>'
        f"{chrome.footer('Open Courses', rng)}"
    )


def _wiki(title: str, question: str | None, blocks: Blocks, style: Style, rng: Random) -> str:
    asked = (
        f'<h2><span class="mw-headline">Problem</span></h2>{_paragraphs([question], style)}'
        if question
        else ""
    )
    edit = '<span class="mw-editsection">[edit]</span>'
    head = f'<h2><span class="mw-headline">Solution</span>{edit}</h2>'
    return (
        f'<div id="mw-navigation">{chrome.menu(rng)}</div><div id="content" class="mw-body">'
        f'<h1 id="firstHeading" class="firstHeading">{escape(title)}</h1><div id="mw-content-text">'
        '<div class="mw-parser-output">'
        f"{asked}\n{head if question else ''}{_sections(blocks, style, 'div')}</div></div>"
        '<div id="catlinks">Category: <a>Exercises</a></div></div><div id="footer"><p>This '
        "page was last edited on "
        f"{chrome.date(rng):%d %B %Y}.</p></div>{chrome.footer('Exercise Wiki', rng)}"
    )


_HTML = {"forum": _forum, "qa": _qa, "blog": _blog, "course": _course, "wiki": _wiki}
_NAMES = {
    "forum": "The Math Forum", "qa": "Questions and Answers", "blog": "Pencil and Paper",
    "course": "Open Courses", "wiki": "Exercise Wiki",
}  # fmt: skip


def _file(title: str, question: str | None, blocks: Blocks, style: Style) -> str:
    heading = f"# {title}" if style.encoding == "markdown" else title
    parts = [heading] + ([to_plain(question, style)] if question else [])
    if question and style.encoding == "markdown":
        parts.append("## Solution")
    parts += [to_plain(text, style) for _, paragraphs in blocks for text in paragraphs]
    return "\n\n".join(parts) + "\n"


def write_site(
    site: str, style: Style, title: str, question: str | None, blocks: Blocks, rng: Random
) -> bytes:
    """A page of a site as the bytes of its file."""
    if site == "markdown":
        return _file(title, question, blocks, style).encode()
    body = _HTML[site](title, question, blocks, style, rng)
    return chrome.page(escape(title), style.head, body, _NAMES[site]).encode()
