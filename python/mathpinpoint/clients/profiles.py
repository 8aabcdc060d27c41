"""Profiles: which models a run uses, where they come from, how they are called.

A profile is a TOML file, one section a model. Its numbers belong to a model (batch size, prompt,
steps); numbers of the policy are in `seeds/policy`.

A `loader` says where a model lies: `package:NAME` (a folder of weights inside an installed
package), `path:FOLDER` (relative to the TOML file), `hub:NAME` (a Hugging Face name),
`static:NAME` (word vectors distilled from the package's encoder, kept in the home folder).
"""

import json
import tomllib
from dataclasses import MISSING, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

FOLDER = Path(__file__).parent.parent / "profiles"
LOADERS = ("package", "path", "hub", "static")
ALLOWED: dict[str, tuple[str, ...]] = {
    "pooling": ("mean", "lasttoken"),
    "dtype": ("float32", "bfloat16", "float16"),
    "reranker.kind": ("maxsim", "cross_encoder"),
    "relevance.kind": ("tiny", "checkpoint"),
    "head": ("expected_label",),
    "transport": ("online", "batch"),
}


@dataclass(frozen=True)
class EncoderProfile:
    """The encoder of documents and queries; `sha256` pins its safetensors ('' pins nothing)."""

    model: str
    loader: str
    sha256: str
    pooling: str
    dimensions: int
    max_tokens: int
    batch_size: int
    query_prompt: str
    document_prompt: str
    dtype: str


@dataclass(frozen=True)
class RerankerProfile:
    """The zero-shot reranker; `instruction` '' leaves the checkpoint's own."""

    model: str
    kind: str
    loader: str
    sha256: str
    max_tokens: int
    batch_size: int
    instruction: str
    dtype: str


@dataclass(frozen=True)
class TokenizerProfile:
    """The tokenizer whose tokens say how long a document is: the reranker's."""

    model: str
    loader: str


@dataclass(frozen=True)
class RelevanceProfile:
    """The relevance model that this project trains, and how; `lora_rank` 0 trains all weights.

    `kind` tiny builds the base model in code around the tokenizer at `loader`.
    """

    base_model: str
    kind: str
    loader: str
    head: str
    max_tokens: int
    steps: int
    batch_size: int
    learning_rate: float
    warmup_share: float
    lora_rank: int
    seed: int
    dtype: str


@dataclass(frozen=True)
class RetrieverProfile:
    """The retriever that this project trains, and how; `layers` 0 keeps all of the base's layers.

    `sizes` at or above the model's native size are left out; that size itself is always trained.
    """

    base_model: str
    loader: str
    layers: int
    pooling: str
    sizes: tuple[int, ...]
    max_tokens: int
    query_prompt: str
    steps: int
    batch_size: int
    mini_batch_size: int
    learning_rate: float
    warmup_share: float
    scale: float
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class LLMProfile:
    """An LLM behind an OpenAI-compatible server; `base_url` '' leaves it to the command.

    `transport` batch hands its requests in to the server's Batch API, as the section `batches` says.
    """

    model: str
    base_url: str
    api_key_env: str
    concurrency: int
    deadline_seconds: float
    transport: str = "online"


@dataclass(frozen=True)
class BatchProfile:
    """How large a batch may be, how many are open at once, how often and how long to look for their end."""

    requests: int
    bytes: int
    at_once: int
    poll_seconds: float
    deadline_seconds: float


@dataclass(frozen=True)
class Profile:
    """Everything that a run asks a model for."""

    name: str
    path: Path
    encoder: EncoderProfile
    reranker: RerankerProfile
    tokenizer: TokenizerProfile
    relevance: RelevanceProfile
    retriever: RetrieverProfile
    judge: LLMProfile
    query_writer: LLMProfile
    query_checker: LLMProfile
    duplicate_reviewer: LLMProfile
    second_query_checker: LLMProfile
    same_problem_judge: LLMProfile
    batches: BatchProfile


SECTIONS = {field.name: field.type for field in fields(Profile)[2:]}  # all but name and path


def names() -> list[str]:
    """Names of the profiles that come with the package, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def load(name_or_path: str | Path) -> Profile:
    """Read a profile by name (`sample`) or by the path of a TOML file.

    Raises ValueError that names the file, the key and what is allowed.
    """
    path = find(name_or_path)
    values = sections(path)
    _same_keys(path, "sections", values, SECTIONS)
    models = {name: _section(path, name, kind, values[name]) for name, kind in SECTIONS.items()}
    return Profile(name=path.stem, path=path.resolve(), **models)


def find(name_or_path: str | Path) -> Path:
    """The TOML file of a profile. Raises ValueError if there is none."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{name_or_path}.toml"
    if not path.is_file():
        raise ValueError(
            f"no profile {str(name_or_path)!r}: name one of {', '.join(names())}, or the path of a .toml file"
        )
    return path


def sections(name_or_path: str | Path) -> dict[str, dict[str, Any]]:
    """The sections of a profile as they stand in its file, unchecked."""
    path = find(name_or_path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not TOML ({error})") from error


def to_toml(values: dict[str, dict[str, Any]]) -> str:
    """The text of a profile with the sections `values`."""
    blocks = [
        f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in section.items())
        for name, section in values.items()
    ]
    return "\n".join(blocks)


def _section(path: Path, name: str, kind: type, values: Any) -> Any:
    if not isinstance(values, dict):
        raise ValueError(f"{path}: [{name}] must be a section, it is {values!r}")
    expected = {field.name: field.type for field in fields(kind)}
    values = {field.name: field.default for field in fields(kind) if field.default is not MISSING} | values
    _same_keys(path, f"keys of [{name}]", values, expected)
    return kind(**{key: _value(path, name, key, expected[key], values[key]) for key in expected})


def _same_keys(path: Path, what: str, given: dict, expected: dict) -> None:
    missing = sorted(expected.keys() - given.keys())
    unknown = sorted(given.keys() - expected.keys())
    if missing or unknown:
        raise ValueError(
            f"{path}: {what}: missing {missing or 'none'}, unknown {unknown or 'none'}; "
            f"allowed are {', '.join(expected)}"
        )


def _value(path: Path, section: str, key: str, kind: Any, value: Any) -> Any:
    where = f"{path}: [{section}] {key}"
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        if not isinstance(value, list) or not value or any(type(one) is not item for one in value):
            raise ValueError(f"{where} must be a list of {item.__name__}, it is {value!r}")
        return tuple(value)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"{where} must be {kind.__name__}, it is {value!r}")
    allowed = ALLOWED.get(f"{section}.{key}", ALLOWED.get(key))
    if allowed and value not in allowed:
        raise ValueError(f"{where} must be one of {', '.join(allowed)}, it is {value!r}")
    return _loader(path, where, value) if key == "loader" else value


def _loader(path: Path, where: str, value: str) -> str:
    scheme, _, rest = value.partition(":")
    if scheme not in LOADERS or not rest:
        allowed = ", ".join(f"{one}:…" for one in LOADERS)
        raise ValueError(f"{where} must be one of {allowed}; it is {value!r}")
    return f"path:{(path.parent / rest).resolve()}" if scheme == "path" else value
