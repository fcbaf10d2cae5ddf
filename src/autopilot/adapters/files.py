"""Files that are whole or not there: written beside, synced, renamed into place."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autopilot.model.errors import CapReached, Unavailable


def write_atomically(path: Path, content: bytes, mode: int = 0o666, failure: str = "") -> None:
    """Put ``content`` at ``path``: after a crash at any instant the old or the new file stands there, whole.

    ``mode`` is what the umask is taken from. A symbolic link at ``path`` is replaced, not followed.
    """
    with translated(path, failure or f"{path} cannot be written"):
        draft = _write_beside(path, content, mode)
        try:
            draft.replace(path)
        except OSError:
            draft.unlink()
            raise
        sync_folder(path.parent)


def create_atomically(path: Path, content: bytes, mode: int = 0o666) -> bool:
    """The same, unless something is there already; then nothing is changed and the answer is False."""
    with translated(path):
        draft = _write_beside(path, content, mode)
        try:
            os.link(draft, path)
        except FileExistsError:
            return False
        finally:
            draft.unlink()
        sync_folder(path.parent)
        return True


def make_folders(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and those above it where they are missing; each is on the disk when this returns."""
    if folder.is_dir():
        return
    make_folders(folder.parent, mode)
    folder.mkdir(mode, exist_ok=True)
    sync_folder(folder.parent)


def sync_file(path: Path) -> None:
    """Make durable what another program wrote. Nothing but a plain file is synced, and no link is followed."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: syncing a file does not sync that it is there."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def translated(path: Path, failure: str = "") -> Iterator[None]:
    """A full disk is a cap; anything else the system refuses makes the place unavailable.

    ``failure`` says what could not be done, for the user to whom the path alone says little.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise CapReached("the disk is full", f"Free some space where {path} is, then run again.") from error
        reason, hint = _explain(error, path)
        raise Unavailable(f"{failure or f'{path} cannot be used'}: {reason}", hint) from error


def _explain(error: OSError, path: Path) -> tuple[str, str]:
    """The reason and the remedy. "Not a directory" alone does not say which of the names in a path is meant."""
    if error.errno == errno.EISDIR and path.is_dir():
        return "it is a folder, not a file", "Remove or rename the folder."
    if error.errno == errno.ENOTDIR and (file := _find_file_above(path)):
        return f"{file} is not a folder", "Choose a place in a folder of your own."
    if error.errno == errno.ENOENT and not path.parent.is_dir():
        return f"the folder {path.parent} does not exist", "Create the folder, or name another one."
    return error.strerror or str(error), "Check the folder and its permissions."


def _find_file_above(path: Path) -> Path | None:
    return next((parent for parent in path.parents if parent.exists() and not parent.is_dir()), None)


def _write_beside(path: Path, content: bytes, mode: int) -> Path:
    draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
    return draft


def is_input(path: Path) -> bool:
    """Whether a command can have it as its standard input: a file, or a terminal."""
    return path.is_file() or path.is_char_device()
