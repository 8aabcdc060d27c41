"""The extractors that are compared: bytes of an HTML page to text."""

from collections.abc import Callable

from measure import OURS

Extractor = Callable[[bytes], str]


def mathpinpoint() -> Extractor:
    """This project: text and mathematics of the stored form."""
    from mathpinpoint.compute.extract import extract

    return lambda raw: extract(raw, format="html", charset=None).text or ""


def trafilatura() -> Extractor:
    """trafilatura with comments and tables, as it comes."""
    from trafilatura import extract

    return lambda raw: extract(raw, include_comments=True, include_tables=True) or ""


def resiliparse() -> Extractor:
    """resiliparse, main content."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(raw: bytes) -> str:
        return extract_plain_text(HTMLTree.parse_from_bytes(raw, detect_encoding(raw)), main_content=True)

    return extract


def readability() -> Extractor:
    """readability-lxml, the text of the summary that it gives as HTML."""
    from lxml import html
    from readability import Document
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def extract(raw: bytes) -> str:
        document = Document(bytes_to_str(raw, detect_encoding(raw)))
        return f"{document.short_title()}\n\n{html.fromstring(document.summary()).text_content()}"

    return extract


def justext() -> Extractor:
    """jusText with its English stop words."""
    from justext import get_stoplist
    from justext import justext as paragraphs

    words = get_stoplist("English")
    return lambda raw: "\n\n".join(part.text for part in paragraphs(raw, words) if not part.is_boilerplate)


def pandoc() -> Extractor:
    """pandoc to Markdown, formulas between dollars; it keeps the whole page."""
    import pypandoc

    options = {"format": "html+tex_math_dollars+tex_math_single_backslash", "extra_args": ["--wrap=none", "--quiet"]}
    return lambda raw: pypandoc.convert_text(raw.decode("utf-8", "replace"), "markdown+tex_math_dollars", **options)


SYSTEMS: dict[str, Callable[[], Extractor]] = {
    OURS: mathpinpoint, "trafilatura": trafilatura, "resiliparse": resiliparse, "readability-lxml": readability,
    "jusText": justext, "pandoc": pandoc,
}
