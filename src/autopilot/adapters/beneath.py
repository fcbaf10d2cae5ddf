"""Files below a folder that an agent could write to: no link it left there leads us anywhere else."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from autopilot.adapters.files import translated

DEEPEST = 64  # folders; whoever nests deeper hides nothing that an installer would find
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


def is_beneath(name: str) -> bool:
    """Whether a relative name, as it is spelled, stays below the folder it is relative to."""
    normal = os.path.normpath(name)
    return bool(name) and "\0" not in name and not normal.startswith(("/", "../")) and normal not in ("..", ".")


def walk_beneath(root: Path, skipped: Container[str] = ()) -> Iterator[str]:
    """Every file and link below, as a name relative to ``root``; folders in ``skipped`` and very deep ones are left."""
    pending: list[list[str]] = [[]]
    while pending:
        folders = pending.pop()
        with _opened(root, folders, make=False) as folder, os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    yield "/".join((*folders, entry.name))
                elif entry.name not in skipped and len(folders) < DEEPEST:
                    pending.append([*folders, entry.name])


def find_made(upper: Path, lower: Path) -> Iterator[str]:
    """What an upper layer has and the folder below it has not: a whole folder by its own name, files one by one.

    What the upper layer removes stands there as a device, and is nothing that was made.
    """
    pending: list[list[str]] = [[]]
    while pending:
        folders = pending.pop()
        with _opened(upper, folders, make=False) as folder, os.scandir(folder) as entries:
            for entry in entries:
                is_folder, place = entry.is_dir(follow_symlinks=False), lower.joinpath(*folders, entry.name)
                if not os.path.lexists(place):
                    if is_folder or entry.is_file(follow_symlinks=False) or entry.is_symlink():
                        yield "/".join((*folders, entry.name))
                elif is_folder and place.is_dir() and not place.is_symlink() and len(folders) < DEEPEST:
                    pending.append([*folders, entry.name])


def copy_missing_beneath(source: Path, target: Path) -> None:
    """Copy what ``target`` has no entry for: files, folders and links as they are, nothing else.

    Both trees are entered by descriptors. A link in the target where the source has a folder is an entry like any
    other: it stays, and nothing is written to where it leads.
    """
    with (
        translated(target),
        _opened(source, [], make=False) as from_folder,
        _opened(target, [], make=False) as to_folder,
    ):
        _copy_missing(from_folder, to_folder)


def _copy_missing(source: int, target: int) -> None:
    with os.scandir(source) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            _copy_folder(entry.name, source, target)
        elif not _has_entry(entry.name, target):
            _copy_entry(entry, source, target)


def _copy_folder(name: str, source: int, target: int) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=target)
    try:
        to_folder = os.open(name, _FOLDER, dir_fd=target)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            return  # the target's own file or link
        raise
    from_folder = os.open(name, _FOLDER, dir_fd=source)
    try:
        _copy_missing(from_folder, to_folder)
    finally:
        os.close(from_folder)
        os.close(to_folder)


def _copy_entry(entry: os.DirEntry[str], source: int, target: int) -> None:
    if entry.is_symlink():
        os.symlink(os.readlink(entry.name, dir_fd=source), entry.name, dir_fd=target)
    elif entry.is_file(follow_symlinks=False):
        reading = os.open(entry.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=source)
        with os.fdopen(reading, "rb") as content:
            mode = stat.S_IMODE(os.fstat(reading).st_mode)
            writing = os.open(entry.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=target)
            with os.fdopen(writing, "wb") as copy:
                shutil.copyfileobj(content, copy)


def _has_entry(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def has_folder_beneath(root: Path, name: str) -> bool:
    """Make the folder where nothing stands; False when something else does, be it a link to a folder."""
    with translated(root / name), _opened(root, [], make=False) as top:
        folder = os.dup(top)
        try:
            for part in name.split("/"):
                with suppress(FileExistsError):
                    os.mkdir(part, 0o755, dir_fd=folder)
                inner = os.open(part, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                return False
            raise
        finally:
            os.close(folder)
    return True


def write_beneath(root: Path, name: str, content: bytes, mode: int = 0o600) -> None:
    """By rename, so that a reader sees it whole; a link on the way is replaced by a folder, a folder put aside."""
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
    """The folder below ``root``, entered name by name; none where one leads upwards, as a made-up index may have it."""
    if ".." in folders:
        raise NotADirectoryError(errno.ENOTDIR, "leads out of the folder", str(root.joinpath(*folders)))
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
