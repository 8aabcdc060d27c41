"""Bytes of a page to characters: HTTP header, byte order mark, meta element, detection."""

import codecs
import re

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"),
          (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
          (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_HEAD_BYTES = 8192


def decode(raw: bytes, charset: str | None) -> str:
    """Decode a page; never raises. A charset that does not fit the bytes is passed over.

    The order: byte order mark, UTF-8 if all of it is, `charset` of the HTTP header, XML
    declaration or meta element, detection. NUL characters are dropped; a byte that cannot be
    decoded becomes U+FFFD.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(name, "replace").replace("\x00", "")
    is_plain = raw.isascii() or b"\x00" in raw
    if not is_plain and (text := _strictly(raw, "utf-8")) is not None:
        return text
    head = raw[:_HEAD_BYTES]
    found = _XML.search(head) or _META.search(head)
    named = found[1].decode("ascii", "replace") if found else None
    for name in (charset, named):
        text = _strictly(raw, name)
        if text is not None:
            return text.replace("\x00", "")
    name = _known(charset) or _known(named) or _known(detect_encoding(raw)) or "utf-8"
    return raw.decode(name, "replace").replace("\x00", "")


def _known(name: str | None) -> str | None:
    """The codec that browsers use for a label, if there is one."""
    try:
        mapped = map_encoding_to_html5(name.strip(), False) if name else None
        return codecs.lookup(mapped).name if mapped else None
    except (LookupError, ValueError):
        return None


def _strictly(raw: bytes, name: str | None) -> str | None:
    """The text if every byte fits the charset, else None. UTF-16 in a meta element is UTF-8."""
    codec = _known(name)
    if codec is None:
        return None
    if codec.startswith("utf-16") and b"\x00" not in raw[:200]:
        codec = "utf-8"
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return None
