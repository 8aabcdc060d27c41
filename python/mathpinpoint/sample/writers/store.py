"""Where pages go: files, one WARC file, one Parquet file without URLs. No clock is written."""

import gzip
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq

_BATCH = 256
_DATE = "2024-01-01T00:00:00Z"
WARC, PARQUET = "pages.warc.gz", "pages.parquet"


class Store:
    """Writes pages under a folder; every `put_…` gives the page's `source`. Use it as a context."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._warc = (folder / WARC).open("wb")
        schema = pa.schema([("content", pa.string())])
        self._parquet = pq.ParquetWriter(folder / PARQUET, schema, compression="zstd")
        self._waiting: list[str] = []
        self._n_warc = self._n_parquet = 0
        self._made: set[Path] = set()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self._flush()
        self._parquet.close()
        self._warc.close()

    def put_file(self, name: str, page: bytes) -> str:
        """Write a file of its own, `name` being its path under the folder."""
        path = self._folder / name
        if path.parent not in self._made:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(path.parent)
        path.write_bytes(page)
        return name

    def put_warc(self, url: str, page: bytes) -> str:
        """Append a response record. The file holds nothing but response records."""
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        block = http + b"Content-Length: %d\r\n\r\n" % len(page) + page
        number = UUID(bytes=sha256(url.encode() + page).digest()[:16])
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\n"
            f"WARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: {_DATE}\r\nWARC-Target-URI: "
            f"{url}\r\n"
            "Content-Type: application/http; msgtype=response\r\nContent-Length: "
            f"{len(block)}\r\n\r\n"
        )
        self._warc.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0))
        self._n_warc += 1
        return f"{WARC}#{self._n_warc - 1}"

    def put_parquet(self, page: bytes) -> str:
        """Append a row."""
        self._waiting.append(page.decode())
        if len(self._waiting) == _BATCH:
            self._flush()
        self._n_parquet += 1
        return f"{PARQUET}#{self._n_parquet - 1}"

    def _flush(self) -> None:
        if self._waiting:
            self._parquet.write_table(pa.table({"content": pa.array(self._waiting, pa.string())}))
            self._waiting = []
