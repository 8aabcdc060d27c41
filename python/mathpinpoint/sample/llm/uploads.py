"""Reads an uploaded file from a multipart/form-data body."""

import re
from dataclasses import dataclass

from .completions import RequestError


@dataclass(frozen=True)
class Upload:
    """A file and what it is for."""

    filename: str
    purpose: str
    content: bytes


def read_upload(content_type: str, body: bytes) -> Upload:
    """Read the fields `file` and `purpose`. Raises RequestError where one is missing."""
    boundary = re.search(r'boundary="?([^";]+)', content_type)
    if boundary is None:
        raise RequestError(400, "invalid_request", "A file is sent as multipart/form-data.")
    fields: dict[str, tuple[str, bytes]] = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.group(1).encode())[1:]:
        head, _, content = part.partition(b"\r\n\r\n")
        text = head.decode("utf-8", "replace")
        name = re.search(r'[; ]name="([^"]*)"', text)
        filename = re.search(r'filename="([^"]*)"', text)
        if name:
            fields[name.group(1)] = (filename.group(1) if filename else "", content)
    if "file" not in fields or "purpose" not in fields:
        raise RequestError(400, "invalid_request", "An upload has a file and a purpose.")
    filename_, content = fields["file"]
    return Upload(filename_, fields["purpose"][1].decode(), content)
