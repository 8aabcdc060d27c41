"""Fills a JSON schema from facts, so that an answer has every field that a request requires."""

import re
from typing import Any

_JSON_TYPES = {
    "string": str, "boolean": bool, "null": type(None), "array": list, "object": dict,
    "number": (int, float), "integer": int,
}  # fmt: skip
_EMPTY = {"string": "", "boolean": False, "null": None, "array": [], "number": 0, "integer": 0}


def _types(schema: dict[str, Any]) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _fits(schema: dict[str, Any], value: Any) -> bool:
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = _types(schema)
    return not kinds or any(isinstance(value, _JSON_TYPES[kind]) for kind in kinds)


def _named(name: str, instructions: str) -> str | None:
    """Give the value that the instructions name for a field, as in `task_id: x`."""
    match = re.search(rf"\b{re.escape(name)}\W{{1,6}}([\w.\-]+)", instructions)
    return match.group(1) if match else None


def _invented(schema: dict[str, Any], name: str, instructions: str) -> Any:
    """Give a sensible value of a field that the facts do not know."""
    if "const" in schema:
        return schema["const"]
    values = schema.get("enum", [])
    for value in ("unclear", None):
        if value in values:
            return value
    if values:
        return values[0]
    kinds = _types(schema)
    if "string" in kinds:
        return _named(name, instructions) or ""
    if "null" in kinds:
        return None
    return fill(schema, {}, instructions) if "object" in kinds else _EMPTY[(kinds or ["string"])[0]]


def _adapted(schema: dict[str, Any], value: Any) -> Any:
    """Give a fact in the type that the schema asks for: a list as a string, the other way round."""
    kinds = _types(schema)
    if isinstance(value, list) and "array" not in kinds and "string" in kinds:
        return ",".join(value)
    if isinstance(value, str) and "string" not in kinds and "array" in kinds:
        return [value]
    return "" if value is None and kinds == ["string"] else value


def fill(schema: dict[str, Any], facts: dict[str, Any], instructions: str) -> dict[str, Any]:
    """Give an object of the schema's properties, in its order; facts first, the rest invented."""
    filled: dict[str, Any] = {}
    for name, part in schema.get("properties", {}).items():
        if name in facts and _fits(part, _adapted(part, facts[name])):
            filled[name] = _adapted(part, facts[name])
        else:
            filled[name] = _invented(part, name, instructions)
    return filled
