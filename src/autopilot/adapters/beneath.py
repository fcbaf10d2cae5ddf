"""Files below a folder that an agent could write to: no link it left there leads us anywhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from autopilot.adapters.files import translated

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def read_beneath(root: Path, name: str, limit: int) -> bytes | None:
    """The first ``limit`` bytes and one more, to be seen as too many; None unless a plain file stands there."""
    file = open_beneath(root, name)
    if file is None:
        return None
    with file:
        return file.read(limit + 1)


def open_beneath(root: Path, name: str) -> BinaryIO | None:
    """None unless a plain file stands there."""
    *folders, last = name.split("/")
    try:
        with _opened(root, folders, make=False) as folder:
            # Not blocking: a pipe in place of the file must not hold us up.
            descriptor = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    return None


def list_beneath(root: Path, name: str, limit: int) -> list[str]:
    """At most ``limit`` of the names in a folder; none unless a folder stands there."""
    try:
        with _opened(root, name.split("/"), make=False) as folder, os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, limit)]
    except OSError:
        return []


def write_beneath(root: Path, name: str, content: bytes, mode: int = 0o600) -> None:
    """By rename, so that whoever reads sees it whole; a link on the way is replaced by a folder, a folder put aside."""
    *folders, last = name.split("/")
    with translated(root / name), _opened(root, folders, make=True) as folder:
        draft = f".{last}.{os.urandom(6).hex()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        try:
            os.rename(draft, last, src_dir_fd=folder, dst_dir_fd=folder)
        except IsADirectoryError:
            os.rename(last, f"{draft}.folder", src_dir_fd=folder, dst_dir_fd=folder)
            os.rename(draft, last, src_dir_fd=folder, dst_dir_fd=folder)


def make_beneath(root: Path, name: str) -> None:
    """A folder; whatever else stands there is removed."""
    with translated(root / name), _opened(root, [name], make=True):
        pass


@contextmanager
def _opened(root: Path, folders: list[str], *, make: bool) -> Iterator[int]:
    """The folder below ``root``, entered name by name."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in folders:
            if make:
                _make(name, folder)
            inner = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _make(name: str, folder: int) -> None:
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=folder)
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder)
