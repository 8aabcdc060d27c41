"""Build the two packed files of the shipped sample web from the sources beside it.

`web/packed/warc` becomes `web/pages/pages.warc.gz` (one gzip member a record, as crawlers write),
`web/packed/parquet` becomes `web/pages/pages.parquet` (columns title and content, no addresses).
The same sources give the same bytes. Run: `python -m mathpinpoint.sample.pack`.
"""

import gzip
import io
import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.warc import WarcRecord, WarcRecordType

WEB = Path(__file__).parent / "web"


def _manifest(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _member(record_type: WarcRecordType, name: str, headers: dict, content: bytes) -> bytes:
    """One WARC record as one gzip member; its id is a function of `name`."""
    record = WarcRecord()
    record.init_headers(record_type, f"uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}".encode())
    for key, value in headers.items():
        record.headers[key] = value
    record.set_bytes_content(content)
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), mtime=0)


def _http_response(content_type: str, body: bytes) -> bytes:
    head = (
        "HTTP/1.1 200 OK\r\n"
        "Server: sample\r\n"
        f"Content-Type: {content_type}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


def _warc_members(sources: Path) -> Iterator[bytes]:
    """A warcinfo record, then one response a line of `responses.jsonl`, in its order."""
    responses = _manifest(sources / "responses.jsonl")
    yield _member(
        WarcRecordType.warcinfo,
        "warcinfo",
        {"WARC-Date": responses[0]["date"], "Content-Type": "application/warc-fields"},
        b"software: mathpinpoint sample web\r\nformat: WARC File Format 1.1\r\n",
    )
    for row in responses:
        headers = {
            "WARC-Target-URI": row["url"],
            "WARC-Date": row["date"],
            "Content-Type": "application/http; msgtype=response",
        }
        content = _http_response(row["content_type"], (sources / row["file"]).read_bytes())
        yield _member(WarcRecordType.response, row["url"], headers, content)


def pack_warc(sources: Path, target: Path) -> None:
    """Write `target`, a .warc.gz of the pages that `sources/responses.jsonl` names."""
    target.write_bytes(b"".join(_warc_members(sources)))


def pack_parquet(sources: Path, target: Path) -> None:
    """Write `target`, a Parquet file of the pages that `sources/rows.jsonl` names, in its order."""
    rows = _manifest(sources / "rows.jsonl")
    table = pa.table(
        {
            "title": [row["title"] for row in rows],
            "content": [(sources / row["file"]).read_text(encoding="utf-8") for row in rows],
        }
    )
    pq.write_table(table, target, compression="zstd")


def pack(web: Path) -> list[Path]:
    """Build both packed files of the sample web at `web`; return their paths."""
    targets = [web / "pages" / "pages.warc.gz", web / "pages" / "pages.parquet"]
    pack_warc(web / "packed" / "warc", targets[0])
    pack_parquet(web / "packed" / "parquet", targets[1])
    return targets


if __name__ == "__main__":
    for path in pack(WEB):
        print(path)
