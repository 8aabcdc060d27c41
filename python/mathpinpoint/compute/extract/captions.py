"""Lines that are no part of a page's content: captions, credits, notices, bars of links.

Only whole lines go, and only short ones without a formula, an operator or an equality sign. A
line is known by the words that sites use around their content everywhere, never by a site's name
other than the one that the page's own `title` element gives.
"""

import re

_MAX_CHARS = 220
_MATHEMATICS = re.compile(r"[=<>≤≥≠≈∑∫√∈+×÷±^∞\\]|\d\s*[-−*]\s*\d|\$")
_MARKS = re.compile(r"^[ \t>]*(?:#+ )?[*_]*|[*_ \t#]+$")
_SEPARATOR = re.compile(r"\s+[|·•»›‹«→←]+\s+|\t+")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = (
    rf"(?:(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?)"
    r"\s+(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d"
    r"|\d+\s+(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\s+ago)"
    r"(?:,?\s+(?:at\s+)?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?)?"
)
_DID = r"(?:asked|answered|replied|commented|posted|wrote|edited|written|published|submitted)"
_PEOPLE = r"(?:people|persons?|users?|visitors?|members?|students?|readers?)"

_CAPTION = re.compile(
    r"""(?:
        (?:sponsored|advertisement|ad|promoted)(?:\s+(?:links?|content|by\b.*))?s?
      | (?:related|similar|hot|recent|popular|latest|new|top|trending|unanswered)
        (?:\s+(?:network|blog|forum))?\s+(?:posts|questions|articles|threads|topics|entries|pages)
        (?:\s+in\s+.{1,40}|\s+about\s+.{1,40})?
      | more\s+(?:from|by)\s+(?:this|the|our|your)\s+\w+(?:\s\w+)? | more\s+like\s+this
      | (?:you|readers)\s+(?:might|may|will)\s+(?:also\s+)?(?:like|enjoy|be\s+interested\s+in)
      | share(?:\s+(?:this|on|via)(?:\s+(?:post|page|article|question|answer|on|via)\b.{0,30})?)?
      | tweet | follow\s+us\b.{0,30}
      | (?:leave|post|add|write)\s+a\s+(?:reply|comment)(?:\s+.{0,20})?
      | (?:cancel|post)\s+(?:reply|a\s+reply) | skip\s+to\s+(?:main\s+)?(?:content|navigation)
      | back\s+to\s+(?:the\s+)?(?:top|home|index|blog|forum)
      | (?:log|sign)\s?(?:in|up|out)(?:\s*(?:/|or)\s*(?:log|sign)\s?(?:in|up))? | register
      | subscribe(?:\s+.{0,40})? | (?:our\s+|the\s+)?newsletter | blogroll | breadcrumbs?
      | (?:tags|categories|filed\s+(?:under|in)|posted\s+in|tagged)\s*:.{0,80}
      | (?:previous|next|older|newer)\s+(?:post|posts|article|entry|entries|thread|page|topic)
    )\s*[:.…!»›]*""",
    re.VERBOSE,
)
_NOTICE = re.compile(
    rf"""\b(?:(?:we|sites?|blog|page)\s+(?:use|uses|sets?)\s+(?:\w+\s+)?cookies
      | cookie\s+(?:policy|settings|notice|preferences) | (?:accept|reject)\s+(?:all\s+)?cookies
      | all\s+rights\s+reserved | privacy\s+policy | terms\s+of\s+(?:use|service)
      | dmca | sitemap | e?-?mail\s+address\s+will\s+not\s+be\s+published
      | required\s+fields\s+are\s+marked
      | (?:log|sign)\s+in\s+to\s+(?:post|comment|reply|answer|vote)
      | you\s+(?:must|need\s+to)\s+(?:be\s+logged|log)\s+in | contact\s+us\s+for
      | you\s+are\s+visitor | last\s+(?:updated|modified|edited)(?:\s+on)?\s+{_DATE}
      | page\s+was\s+last\s+(?:edited|modified) | content\s+is\s+available\s+under
      )\b | ^\s*(?:©|\(c\)\s+(?:19|20)\d\d|copyright\b|(?:proudly\s+)?powered\s+by\b)""",
    re.VERBOSE,
)
_CREDIT = re.compile(
    rf"""(?:
        (?:\S+\s+){{0,3}}{_DID}\s+(?:on\s+|at\s+)?{_DATE}(?:\s+by\s+.{{1,40}})?
      | {_DID}\s+by\s+.{{1,40}} | by\s+\S.{{0,30}}?\s*(?:»|,|on|-)?\s*{_DATE}
      | (?:posts|messages|reputation|reaction\s+score)\s*:?\s*[\d.,]+k?
      | (?:joined|member\s+since)\s*:?\s*(?:{_DATE}|{_MONTH}\s+\d{{4}})
      | \d+\s+{_PEOPLE}\s+(?:found|like|liked)\s+this(?:\s+\w+)?(?:\s+helpful)?
      | (?:viewed|seen|read)\s+[\d.,k]+\s+times? | active\s+{_DATE}
      | \+?\d+\s+(?:upvotes?|views?|likes?|replies|comments?)
      | \#\d{{1,5}} | (?:new|junior|senior|full|veteran)\s+member | thread\s+starter\b.{{0,30}}
      | start\s+date
    )\W*""",
    re.VERBOSE,
)
_PART = re.compile(  # of a line of several parts, one of them names what the line is
    rf"""(?:(?:{_DID}\s+)?{_DATE} | (?:helped|thanked\s+by|liked\s+by)\s+\d+\s+{_PEOPLE}
      | \d+\s+(?:upvotes?|views?|likes?|comments?|replies)
      | home | index | about(?:\s+us)? | contact(?:\s+us)? | previous | next | prev | archives?
      | help | faq | privacy | terms | imprint | log\s?in | register | search | permalink
      | share | report | edit | print | rss | links | forums?)\W*""",
    re.VERBOSE,
)
_PART_WORDS = 6
_SIGNATURE = re.compile(r"\n-- \r?\n(?:[^\n]+\n?){1,4}\s*\Z")
_NAME_PARTS = re.compile(r"\s+(?:[|·•»—–]|-)\s+")


def drop_signature(text: str) -> str:
    """A plain text without the signature of at most four lines under a line `-- ` (RFC 3676)."""
    return _SIGNATURE.sub("\n", text)


def drop_captions(text: str, formula: re.Pattern[str], page_name: str) -> str:
    """Returns the text without such lines and without the site's name on a line of its own.

    `formula` matches what stands for mathematics, `page_name` is the text of the `title` element.
    """
    site = _NAME_PARTS.split(page_name)[-1].strip().lower() if page_name else ""
    is_name = site != page_name.strip().lower() and site.replace(" ", "").isalpha()
    lines = text.split("\n")
    kept = [
        line
        for at, line in enumerate(lines)
        if not line.strip()
        or formula.search(line)
        or not (is_name and line.strip().lower() == site or _is_caption(lines, at))
    ]
    return "\n".join(kept)


def _is_alone(lines: list[str], at: int) -> bool:
    """Whether no line beside it has several parts: a table's rows stand together."""
    around = [lines[near] for near in (at - 1, at + 1) if 0 <= near < len(lines)]
    return not any(_SEPARATOR.search(line) for line in around)


def _is_caption(lines: list[str], at: int) -> bool:
    line = _MARKS.sub("", lines[at]).lower()  # the patterns are in lower case
    if len(line) > _MAX_CHARS or _MATHEMATICS.search(line):
        return False
    if _CAPTION.fullmatch(line) or _CREDIT.fullmatch(line) or _NOTICE.search(line):
        return True
    parts = [part.strip() for part in _SEPARATOR.split(line) if part.strip()]
    if len(parts) < 2 or not _is_alone(lines, at) or any(len(part.split()) > _PART_WORDS for part in parts):
        return False
    return any(_PART.fullmatch(part) for part in parts)
