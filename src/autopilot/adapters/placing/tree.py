"""Files below a folder of the user, entered name by name: no link is followed, nothing is replaced unseen.

What stands in the way is refused with its path. A file is written beside its place and moved there, to be whole.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.model.errors import UsageError

MOST_BYTES = 4 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
REMEDY = "move it away, or choose the other of --project and --user"


def read_placed(root: Path, name: str) -> bytes | None:
    """None where nothing stands. UsageError where something else does, or a link leads on the way."""
    *folders, last = name.split("/")
    with translated(root / name), _entered(root, folders) as folder:
        if folder is None:
            return None
        try:
            descriptor = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refused(error, root / name) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError(f"{root / name} is no plain file", REMEDY)
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UsageError(f"{root / name} is larger than {MOST_BYTES >> 20} MB", REMEDY)
    return content


def count_missing_folders(root: Path, name: str) -> int:
    """How many of the folders on the way are still to be made."""
    folders = name.split("/")[:-1]
    for count in range(len(folders), 0, -1):
        with translated(root / name), _entered(root, folders[:count]) as folder:
            if folder is not None:
                return len(folders) - count
    return len(folders)


def write_placed(root: Path, name: str, content: bytes, before: bytes | None) -> None:
    """``before`` is what was read there: None makes a new file and never replaces one; the mode of one is kept."""
    *folders, last = name.split("/")
    with translated(root / name), _made(root, folders) as folder:
        draft = f".{last}.{os.urandom(6).hex()}"
        mode = 0o644 if before is None else stat.S_IMODE(os.stat(last, dir_fd=folder, follow_symlinks=False).st_mode)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                if before is not None:
                    os.fchmod(descriptor, mode)
            if before is None:
                os.link(draft, last, src_dir_fd=folder, dst_dir_fd=folder)
                os.unlink(draft, dir_fd=folder)
            else:
                os.rename(draft, last, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError as error:
            with suppress(OSError):
                os.unlink(draft, dir_fd=folder)
            if isinstance(error, FileExistsError):
                raise UsageError(f"{root / name} appeared meanwhile", REMEDY) from error
            raise


def remove_placed(root: Path, name: str) -> None:
    *folders, last = name.split("/")
    with translated(root / name), _entered(root, folders) as folder:
        if folder is not None:
            os.unlink(last, dir_fd=folder)


def remove_empty_folder(root: Path, name: str) -> bool:
    """Whether it is gone; a folder in which anything stands stays."""
    *folders, last = name.split("/")
    with translated(root / name), _entered(root, folders) as folder:
        if folder is None:
            return False
        try:
            os.rmdir(last, dir_fd=folder)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.ENOTDIR):
                return False
            raise
    return True


@contextmanager
def _entered(root: Path, folders: list[str]) -> Iterator[int | None]:
    """The folder, or None where it or one above it is missing."""
    folder: int | None = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for depth, name in enumerate(folders, 1):
            assert folder is not None
            try:
                inner: int | None = os.open(name, _FOLDER, dir_fd=folder)
            except FileNotFoundError:
                inner = None
            except OSError as error:
                raise _refused(error, root.joinpath(*folders[:depth])) from error
            os.close(folder)
            folder = inner
            if folder is None:
                break
        yield folder
    finally:
        if folder is not None:
            os.close(folder)


@contextmanager
def _made(root: Path, folders: list[str]) -> Iterator[int]:
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for depth, name in enumerate(folders, 1):
            with suppress(FileExistsError):
                os.mkdir(name, 0o755, dir_fd=folder)
            try:
                inner = os.open(name, _FOLDER, dir_fd=folder)
            except OSError as error:
                raise _refused(error, root.joinpath(*folders[:depth])) from error
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _refused(error: OSError, path: Path) -> Exception:
    if error.errno == errno.ELOOP or (error.errno == errno.ENOTDIR and path.is_symlink()):
        return UsageError(f"{path} is a link; links are not followed", REMEDY)
    if error.errno == errno.ENOTDIR:
        return UsageError(f"{path} is a file, not a folder", REMEDY)
    return error
