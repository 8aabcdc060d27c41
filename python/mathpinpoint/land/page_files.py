"""Readers of one file each: a page, a WARC file, a table of texts; each yields captures."""

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import zstandard
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

_TEXT_COLUMNS = ("content", "text", "html")
_SINGLE = {".html": "html", ".htm": "html", ".xhtml": "html", ".md": "md", ".txt": "txt"}
_TYPES = {"text/html": "html", "application/xhtml+xml": "html", "text/plain": "txt",
          "text/markdown": "md"}
_STARTS_AS_HTML = re.compile(r"\s*(?:<!doctype|<html|<\?xml|<head|<body)\b", re.IGNORECASE)
_CLOSING_TAG = re.compile(
    r"</(?:p|div|span|a|li|ul|h[1-6]|td|table|b|i|em|strong|math)>|<br ?/?>", re.IGNORECASE
)
_MIN_TAGS = 3
_PAGES_A_FIELD = 16  # a longer CSV field is an open quotation: nothing after it can be trusted


@dataclass(frozen=True)
class Skipped:
    """A file, record or row that was not taken: `reason` is one of the policy's, `detail` what was found."""

    source: str
    reason: str
    detail: str


@dataclass(frozen=True)
class Capture:
    """A page as found: its raw bytes and what is known about them."""

    source: str
    raw: bytes
    format: str
    url: str | None = None
    charset: str | None = None


@dataclass(frozen=True)
class Reading:
    """What every reader needs to know."""

    text_column: str | None
    max_page_bytes: int
    max_ratio: float
    skipped: list[Skipped]


class TooLarge(Exception):
    """A file holds more than a page may."""


class UnpacksTooMuch(Exception):
    """A packed file gives more than its size allows."""


def _over(reading: Reading) -> str:
    return f"more than {reading.max_page_bytes} bytes"


def _over_ratio(reading: Reading) -> str:
    return f"unpacks to more than {reading.max_ratio:g} times its size"


def reader_of(path: Path) -> Callable[[Path, str, Reading], Iterator[Capture]] | None:
    """The reader of a file by its name, or None for a kind that is not read."""
    name = path.name.lower()
    if name.endswith((".warc", ".warc.gz")):
        return _read_warc
    if name.endswith((".jsonl", ".jsonl.gz", ".jsonl.zst")):
        return _read_jsonl
    by_suffix = {".parquet": _read_parquet, ".csv": _read_csv}
    suffix = path.suffix.lower()
    return _read_single if suffix in _SINGLE else by_suffix.get(suffix)


def _read_single(path: Path, source: str, reading: Reading) -> Iterator[Capture]:
    if path.stat().st_size > reading.max_page_bytes:
        raise TooLarge(_over(reading))
    yield Capture(source, path.read_bytes(), _SINGLE[path.suffix.lower()])


def _read_warc(path: Path, source: str, reading: Reading) -> Iterator[Capture]:
    """Captures of a WARC file's responses of status 2xx that are text; encodings undone."""
    allowed, number = max(reading.max_page_bytes, reading.max_ratio * path.stat().st_size), -1
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, parse_http=True, auto_decode="all"):
            allowed -= record.content_length
            if allowed < 0:
                raise UnpacksTooMuch(_over_ratio(reading))
            if record.record_type != WarcRecordType.response:
                continue
            number += 1
            yield from _response(record, f"{source}#{number}", reading)


def _response(record: WarcRecord, place: str, reading: Reading) -> Iterator[Capture]:
    """The capture of one response, or one line in `skipped`."""
    content_type = (record.http_content_type or "").lower()
    status = record.http_headers.status_code if record.http_headers else None
    if content_type not in _TYPES or status is None or not 200 <= status < 300:
        found = f"status {status}, content type {content_type or None}"
        reading.skipped.append(Skipped(place, "other_content", found))
        return
    try:
        raw = record.reader.read(reading.max_page_bytes + 1)
    except (OSError, ValueError) as error:
        reading.skipped.append(Skipped(place, "unreadable", str(error)))
        return
    if len(raw) > reading.max_page_bytes:
        reading.skipped.append(Skipped(place, "too_large", _over(reading)))
        return
    url = record.headers.get("WARC-Target-URI")
    yield Capture(place, raw, _TYPES[content_type], url, record.http_charset)


def _read_parquet(path: Path, source: str, reading: Reading) -> Iterator[Capture]:
    with pq.ParquetFile(path) as table:
        names = table.schema_arrow.names
        text = _text_column(path, names, reading.text_column)
        columns = [text, *({"url"} & set(names) - {text})]
        number = 0
        for batch in table.iter_batches(batch_size=64, columns=columns):
            for row in batch.to_pylist():
                yield from _row(row.get(text), row.get("url"), f"{source}#{number}", reading)
                number += 1


def _read_csv(path: Path, source: str, reading: Reading) -> Iterator[Capture]:
    csv.field_size_limit(_PAGES_A_FIELD * reading.max_page_bytes)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
        table = csv.DictReader(lines)
        if table.fieldnames is None:
            return
        text = _text_column(path, list(table.fieldnames or []), reading.text_column)
        for number, row in enumerate(table):
            yield from _row(row.get(text), row.get("url"), f"{source}#{number}", reading)


def _read_jsonl(path: Path, source: str, reading: Reading) -> Iterator[Capture]:
    text = None
    for number, line in enumerate(_lines(path, reading)):
        place = f"{source}#{number}"
        if line is None:
            reading.skipped.append(Skipped(place, "too_large", _over(reading)))
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reading.skipped.append(Skipped(place, "bad_row", f"not JSON: {error}"))
            continue
        if not isinstance(row, dict):
            reading.skipped.append(Skipped(place, "bad_row", "not a JSON object"))
            continue
        text = text or _text_column(path, list(row), reading.text_column)
        yield from _row(row.get(text), row.get("url"), place, reading)


def _lines(path: Path, reading: Reading) -> Iterator[bytes | None]:
    """Lines of a file that may be packed, None for one over its cap; raises UnpacksTooMuch at the ratio."""
    cap = reading.max_page_bytes
    with path.open("rb") as packed:
        stream = packed
        if path.suffix.lower() == ".gz":
            stream = gzip.GzipFile(fileobj=packed)
        elif path.suffix.lower() == ".zst":
            stream = io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(packed))
        allowed = max(cap, reading.max_ratio * path.stat().st_size)
        is_inside = False  # of a line whose beginning was over the cap
        while piece := stream.readline(cap + 1):
            allowed -= len(piece)
            if allowed < 0 and stream is not packed:
                raise UnpacksTooMuch(_over_ratio(reading))
            is_long = len(piece) > cap
            if not is_inside and (is_long or piece.strip()):
                yield None if is_long else piece
            is_inside = not piece.endswith(b"\n")


def _text_column(path: Path, names: list[str], wanted: str | None) -> str:
    """The column that holds the text: the one named, else the first of the usual names."""
    for name in (wanted,) if wanted else _TEXT_COLUMNS:
        if name in names:
            return name
    raise ValueError(
        f"{path} has no column {wanted or ', '.join(_TEXT_COLUMNS)}; its columns are"
        f" {', '.join(names) or 'none'}. Name the column of the text with --text-column."
    )


def _row(text: object, url: object, place: str, reading: Reading) -> Iterator[Capture]:
    """The capture of one row of a table, or one line in `skipped`."""
    if not isinstance(text, str | bytes) or not text:
        reading.skipped.append(Skipped(place, "bad_row", "no text"))
        return
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    if len(raw) > reading.max_page_bytes:
        reading.skipped.append(Skipped(place, "too_large", _over(reading)))
        return
    head = raw[:20_000].decode("utf-8", "replace")
    is_html = _STARTS_AS_HTML.match(head) or len(_CLOSING_TAG.findall(head)) >= _MIN_TAGS
    charset = None if isinstance(text, bytes) else "utf-8"
    url = str(url).encode("utf-8", "replace").decode() if url else None
    yield Capture(place, raw, "html" if is_html else "md", url, charset)
