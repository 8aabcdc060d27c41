"""Index files: arrays and lists of texts in a folder that is there whole or not at all, read back by memory map."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np

MANIFEST = "manifest.json"
CHUNK = 1 << 24  # bytes hashed at a time


def save(folder: Path, arrays: dict[str, np.ndarray], texts: dict[str, list[str]]) -> None:
    """Write the files beside, fsync them with the manifest of their hashes, rename the folder; one there stays.

    Raises ValueError where a text holds a line break.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    for name, array in arrays.items():
        np.save(beside / f"{name}.npy", array, allow_pickle=False)
    for name, lines in texts.items():
        if any("\n" in line for line in lines):
            raise ValueError(f"A text of {name} holds a line break.")
        (beside / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    hashes = {path.name: sha256(path) for path in sorted(beside.iterdir())}
    (beside / MANIFEST).write_text(json.dumps(hashes, indent=1), encoding="utf-8")
    for path in [*beside.iterdir(), beside]:
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
    try:
        beside.rename(folder)
    except OSError:  # another process was first
        shutil.rmtree(beside)


def load(folder: Path) -> tuple[dict[str, np.ndarray], dict[str, list[str]]] | None:
    """The arrays, memory-mapped, and the texts; null where there are none, or their bytes are not those written."""
    try:
        hashes = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if any(sha256(folder / name) != expected for name, expected in hashes.items()):
            shutil.rmtree(folder)
            return None
    except (OSError, ValueError):
        shutil.rmtree(folder, ignore_errors=True)
        return None
    arrays = {  # copy on write: compiled code takes them as the arrays they are
        Path(name).stem: np.asarray(np.load(folder / name, mmap_mode="c")) for name in hashes if name.endswith(".npy")
    }
    texts = {
        Path(name).stem: (folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        for name in hashes if name.endswith(".txt")
    }
    return arrays, texts


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
