"""A folder that appears whole or not at all."""

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mathpinpoint.release.layout import CARD, SUMS, ReleaseError, files_in, read_sums, sha256_file

AT_FDCWD, RENAME_EXCHANGE = -100, 2


@contextmanager
def staged(folder: Path, *, replace: bool) -> Iterator[Path]:
    """Give a staging folder beside `folder`; at the end checksum it, make it durable, rename it.

    A `folder` of the same content stays as it is. One of other content raises ReleaseError, or is
    swapped for the new one in one step with `replace`. What dead runs left beside is removed.
    """
    folder = folder.absolute()
    staging = folder.parent / f".{folder.name}.staging-{os.getpid()}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clean(folder)
        staging.mkdir()
    except OSError as error:
        raise ReleaseError(
            f"Nothing can be written in {folder.parent} ({error.strerror}). Name another folder."
        ) from error
    try:
        yield staging
        _seal(staging)
        _publish(staging, folder, replace)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _clean(folder: Path) -> None:
    prefix = f".{folder.name}.staging-"
    for left in list(folder.parent.iterdir()):
        pid = left.name.removeprefix(prefix) if left.name.startswith(prefix) else ""
        if pid.isdigit() and (int(pid) == os.getpid() or not _is_alive(int(pid))):
            shutil.rmtree(left)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _seal(staging: Path) -> None:
    """Make every file durable, then list them in SHA256SUMS, written last."""
    names = files_in(staging)
    for name in names:
        _sync(staging / name)
    lines = "".join(f"{sha256_file(staging / name)}  {name}\n" for name in names)
    (staging / SUMS).write_text(lines, "utf-8")
    _sync(staging / SUMS)
    for inner in sorted(path for path in staging.rglob("*") if path.is_dir()):
        _sync(inner)
    _sync(staging)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _publish(staging: Path, folder: Path, replace: bool) -> None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        os.rename(staging, folder)
    elif _is_same(staging, folder):
        return
    elif not all((folder / name).is_file() for name in (SUMS, CARD)):
        raise ReleaseError(
            f"{folder} exists and is no release: it is neither written to nor replaced. Name another folder."
        )
    elif replace:
        _exchange(staging, folder)
    else:
        old, new = _content(folder), _content(staging)
        differs = f"its files are no longer those of its {SUMS}" if old == new else f"{old}; new: {new}"
        raise ReleaseError(
            f"{folder} exists with other content ({differs}). Move it away, write to another folder, or replace it."
        )
    _sync(folder.parent)


def _is_same(staging: Path, folder: Path) -> bool:
    """Whether the folder's files really are the new ones, not only its list of checksums."""
    if _content(staging) != _content(folder):
        return False
    new = read_sums(staging)
    return files_in(folder) == sorted(new) and all(
        sha256_file(folder / name) == digest for name, digest in new.items()
    )


def _content(folder: Path) -> str:
    sums = folder / SUMS
    return f"content {sha256_file(sums)[:12]}" if sums.is_file() else "no finished release"


def _exchange(staging: Path, folder: Path) -> None:
    """Swap two folders in one step (Linux renameat2); the old one is then the staging folder."""
    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(staging), os.fsencode(folder)
    if library.renameat2(AT_FDCWD, names[0], AT_FDCWD, names[1], RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise ReleaseError(
            f"{folder} cannot be swapped in one step ({os.strerror(code)}). Move it away first."
        )
