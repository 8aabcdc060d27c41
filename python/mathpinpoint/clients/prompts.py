"""Prompt files: read, checked against their pins, rendered into messages.

A prompt file is a template of two parts, system and user, split by the line `=== user ===`. Its
variables are `query`, `page` and `fence`; what a reply must look like is the strict JSON schema
that belongs to it.
"""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

PINS = "SHA256SUMS"
SPLIT = "=== user ===\n"
FENCE_CHARS = 16
_SCHEMA_OF = {"query_gen": "query_extraction", "judge": "judgement"}  # others: the same word
_TEMPLATES = ImmutableSandboxedEnvironment(
    undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False
)


class PinError(ValueError):
    """A file of the prompt folder is not the one that was pinned."""


@dataclass(frozen=True)
class Prompt:
    """A prompt file and the schema of its replies; `sha256` is of the file's bytes."""

    name: str
    source: bytes = field(repr=False)
    schema_name: str
    schema: dict[str, Any] = field(repr=False)

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.source).hexdigest()

    @cached_property
    def response_format(self) -> dict[str, Any]:
        """The `response_format` of a chat completion that enforces the schema."""
        schema = {"name": self.schema_name, "strict": True, "schema": self.schema}
        return {"type": "json_schema", "json_schema": schema}

    @cached_property
    def _parts(self) -> list[jinja2.Template]:
        parts = self.source.decode("utf-8").split("\n" + SPLIT)
        if len(parts) != 2:
            found = len(parts) - 1
            raise ValueError(f"{self.name} needs one line {SPLIT.strip()!r}; it has {found}.")
        return [_TEMPLATES.from_string(part) for part in parts]

    def render(self, *, query: str | None = None, page: str | None = None) -> list[dict[str, str]]:
        """The system and the user message; raises ValueError if it shows what is not given."""
        given = {"query": query, "page": page}
        values = {name: text for name, text in given.items() if text is not None}
        values["fence"] = fence(self.source, query, page)
        try:
            system, user = (part.render(values) for part in self._parts)
        except jinja2.UndefinedError as error:
            raise ValueError(f"{self.name} shows what this row does not have: {error}.") from None
        return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def fence(prompt: bytes, query: str | None, page: str | None) -> str:
    """The code of the fence lines: 16 hex digits of a hash over all of it, found in none of it."""
    texts = [text or "" for text in (query, page)]
    base = b"\0".join([prompt, *(text.encode("utf-8") for text in texts)])
    code, count = hashlib.sha256(base).hexdigest()[:FENCE_CHARS], 0
    while any(code in text for text in texts):
        count += 1
        code = hashlib.sha256(base + b"\0%d" % count).hexdigest()[:FENCE_CHARS]
    return code


def load(folder: Path, name: str) -> Prompt:
    """Read prompt `name` and its schema; raises PinError if either is not as SHA256SUMS pins it."""
    pins = _pins(folder)
    kind = name.split("_prompt")[0]
    schema_name = _SCHEMA_OF.get(kind, kind)
    source = _pinned(folder, name, pins)
    schema = json.loads(_pinned(folder, f"{schema_name}.schema.json", pins))
    return Prompt(name, source, schema_name, schema)


def verify_pins(folder: Path) -> None:
    """Check all files of the folder; raises PinError naming one changed, missing or not pinned."""
    pins = _pins(folder)
    present = {path.name for path in folder.iterdir() if path.is_file()} - {PINS}
    for name in sorted(present | set(pins)):
        _pinned(folder, name, pins)


def _pins(folder: Path) -> dict[str, str]:
    path = folder / PINS
    if not path.is_file():
        raise PinError(f"{path} is missing. {_how_to_pin(folder)}")
    lines = (line.split(maxsplit=1) for line in path.read_text("utf-8").splitlines() if line)
    return {name.lstrip("*"): sha256 for sha256, name in lines}


def _pinned(folder: Path, name: str, pins: dict[str, str]) -> bytes:
    path = folder / name
    if not path.is_file():
        raise PinError(f"{path} is missing. Put it back, or pin anew. {_how_to_pin(folder)}")
    source = path.read_bytes()
    if name not in pins:
        raise PinError(f"{path} is not pinned. {_how_to_pin(folder)}")
    if hashlib.sha256(source).hexdigest() != pins[name]:
        raise PinError(
            f"{path} is not the file that {PINS} pins: its bytes changed. Restore it; or, if the "
            f"change is meant, all that was asked under it is asked anew. {_how_to_pin(folder)}"
        )
    return source


def _how_to_pin(folder: Path) -> str:
    files = "sha256sum *_prompt* *.json | LC_ALL=C sort -k2"
    return f"To pin the files as they are: (cd {folder} && {files} > {PINS})"
