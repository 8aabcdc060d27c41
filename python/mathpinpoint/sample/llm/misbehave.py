"""The faults of a bad provider, drawn by seeded rates: what is sent in place of a good answer."""

import json
from collections import Counter
from typing import Any

from .draws import draw

# At most one of these happens to a request; the first one drawn.
TRANSPORT = ("rate_limit", "server_error", "drop", "truncated_body")
CONTENT = (
    "refusal", "length", "other_model", "invalid_json", "bad_escape", "wrong_schema",
)  # fmt: skip
BATCH = ("batch_failed", "batch_expired", "batch_missing", "batch_duplicate", "batch_foreign")
# Settings that are no rates. per_body: 1 makes the same body fail at each try.
SETTINGS = {"slow_seconds": 2.0, "retry_after_seconds": 1.0, "per_body": 0.0, "batch_seconds": 0.0}
NAMES = (*TRANSPORT, *CONTENT, *BATCH, "slow")

_LATEX = "\\frac{1}{2}\\le\\sqrt{2}"


def check_rates(rates: dict[str, Any]) -> dict[str, float]:
    """Give the rates and settings as floats. Raises ValueError naming what is unknown."""
    for name, value in rates.items():
        if name not in NAMES and name not in SETTINGS:
            known = ", ".join((*NAMES, *SETTINGS))
            raise ValueError(f"no misbehaviour {name!r}; known are {known}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise ValueError(f"misbehaviour {name!r} wants a number from 0, not {value!r}")
    return {name: float(value) for name, value in rates.items()}


class Misbehaviour:
    """Draws faults; the n-th arrival of a body always meets the same one."""

    def __init__(self, rates: dict[str, Any] | None, seed: int) -> None:
        """Start with `rates` (name → probability, or a setting). Raises ValueError."""
        self._seed = seed
        self._arrivals: Counter[str] = Counter()
        self.set(rates or {})

    def set(self, rates: dict[str, Any]) -> None:
        """Replace all rates and settings; what is not named is off. Raises ValueError."""
        self._rates = check_rates(rates)

    def setting(self, name: str) -> float:
        """Give a setting, its standing value where none was set."""
        return self._rates.get(name, SETTINGS[name])

    def arrive(self, body_key: str) -> str:
        """Note a request; give the key of its draws."""
        if self.setting("per_body"):
            return body_key
        self._arrivals[body_key] += 1
        return f"{body_key}#{self._arrivals[body_key]}"

    def happens(self, name: str, key: str) -> bool:
        """Tell whether the fault `name` happens to what `key` names."""
        return draw(self._seed, name, key) < self._rates.get(name, 0.0)

    def fault(self, names: tuple[str, ...], key: str) -> str | None:
        """Give the first of `names` that happens."""
        return next((name for name in names if self.happens(name, key)), None)


def spoil(reply: dict[str, Any], fault: str | None, key: str) -> dict[str, Any]:
    """Give a chat completion with a content fault in it; `key` chooses among variants."""
    choice = reply["choices"][0]
    message = choice["message"]
    content = message["content"]
    if fault == "refusal":
        message.update(content=None, refusal="I cannot help with that.")
    elif fault == "length":
        choice["finish_reason"] = "length"
        message["content"] = content[: len(content) // 2]
    elif fault == "other_model":
        reply["model"] = reply["model"] + "-mini"
    elif fault == "invalid_json":
        message["content"] = "Here is my answer. The page " + content.replace('"', "", 3)
    elif fault == "bad_escape":
        message["content"] = _unescaped(content)
    elif fault == "wrong_schema":
        message["content"] = _another_shape(content, draw("shape", key))
    return reply


def _unescaped(content: str) -> str:
    """Write LaTeX into a string of the object, its backslashes not doubled."""
    answer = json.loads(content)
    name = next((n for n in ("rationale", "query") if isinstance(answer.get(n), str)), None)
    if name is not None:
        answer[name] += f" ${_LATEX}$"
    return json.dumps(answer, ensure_ascii=False).replace("\\\\", "\\")


def _another_shape(content: str, which: float) -> str:
    """Give the answer in a shape that its schema does not allow: one of several by `which`."""
    answer = json.loads(content)
    last = list(answer)[-1]
    shapes = [
        "```json\n" + content + "\n```",
        content + "\n" + content,
        json.dumps({name: value for name, value in answer.items() if name != last}),
    ]
    if "score" in answer:
        shapes += [json.dumps(answer | {"score": value}) for value in ("2", 3, 2.5)]
    return shapes[int(which * len(shapes))]
