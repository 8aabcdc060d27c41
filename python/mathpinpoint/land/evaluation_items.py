"""The loader of landed.evaluation_items: the evaluation sets that no training query may leak."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa

from mathpinpoint.land.query_forms import forms
from mathpinpoint.land.records import records_batch

TEXT_FIELDS = ("problem", "question", "query", "text")
ID_FIELDS = ("id", "idx", "unique_id")
BATCH_ROWS = 1_000


def items(sets: dict[str, Path], *, shingle_tokens: int) -> Iterator[pa.RecordBatch]:
    """Reads one JSONL file a set, in order. Lands the keys and shingles of each item.

    The text stands in the first of TEXT_FIELDS that a line has, its id in the first of
    ID_FIELDS, else the id is the line's number. Raises ValueError naming the file and the line.
    """
    for eval_set, path in sets.items():
        found = _items(eval_set, Path(path), shingle_tokens)
        while records := list(islice(found, BATCH_ROWS)):
            yield records_batch("evaluation_items", records)


def _items(eval_set: str, path: Path, shingle_tokens: int) -> Iterator[dict]:
    if not path.is_file():
        raise ValueError(
            f"Evaluation set {eval_set}: there is no file {path}. Name a JSONL file, one item a"
            " line, as --evaluation NAME=FILE."
        )
    first_lines: dict[str, int] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            where = f"{path}, line {number}"
            record = _record(line, where)
            item_id = next((str(record[name]) for name in ID_FIELDS if name in record), str(number))
            first = first_lines.setdefault(item_id, number)
            if first != number:
                raise ValueError(f"{where}: the id {item_id!r} is that of line {first}, too.")
            text = _text(record, where)
            yield {"eval_set": eval_set, "item_id": item_id, "text": text} | forms(
                text, shingle_tokens
            )


def _record(line: bytes, where: str) -> dict:
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{where}: not a JSON object in UTF-8 ({error}).") from error
    if not isinstance(record, dict):
        raise ValueError(f"{where}: a JSON object is wanted, this is {type(record).__name__}.")
    return record


def _text(record: dict, where: str) -> str:
    for name in TEXT_FIELDS:
        if isinstance(record.get(name), str) and record[name].strip():
            return record[name].encode("utf-8", "replace").decode("utf-8")
    raise ValueError(
        f"{where}: no text under any of {', '.join(TEXT_FIELDS)}; it has"
        f" {', '.join(map(repr, record)) or 'no fields'}."
    )
