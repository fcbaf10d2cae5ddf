"""Files of the user's checkout, read and written without ever leaving it through a symbolic link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from autopilot.adapters.files import translated
from autopilot.model.errors import UsageError
from autopilot.model.git import REPLACED

# Of one document: a file of gigabytes, which may be empty but for its size, would fill the memory.
MOST_BYTES = 64_000_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def read_document(root: Path, path: str) -> bytes | None:
    """A file below ``root``; links that stay inside are followed."""
    _parts(path)
    real = Path(os.path.realpath(root / path))
    if not real.is_relative_to(root):
        raise UsageError(f"{path} leads out of the repository", "Replace the symbolic link by the file itself.")
    with translated(root / path):
        try:
            # Not blocking: a pipe in place of the file must not hold us up.
            descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            facts = os.fstat(descriptor)
            if not stat.S_ISREG(facts.st_mode):
                return None
            if facts.st_size > MOST_BYTES:
                most = f"{MOST_BYTES // 1_000_000} MB"
                raise UsageError(f"{path} is larger than {most}, and not read", "Shorten it, or move it elsewhere.")
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read()
        finally:
            os.close(descriptor)


def list_documents(root: Path, folder: str) -> tuple[str, ...]:
    """The files below a folder, sorted; folders that are links are not entered, git's own folder is left out."""
    start = root.joinpath(*_parts(folder)) if folder else root
    if not Path(os.path.realpath(start)).is_relative_to(root):
        raise UsageError(f"{folder} leads out of the repository", "Replace the symbolic link by the folder itself.")
    # By plain text and by what the folder itself tells of a name: a hostile folder may hold 200,000 of them.
    found, pending = list[str](), [os.path.relpath(start, root)]
    while pending:
        here = pending.pop()
        prefix = "" if here == "." else f"{here}/"
        try:
            entries = os.scandir(root / here)
        except OSError:
            continue  # it is not there, or not ours to enter
        with entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending += [f"{prefix}{entry.name}"] if entry.name != ".git" else []
                elif entry.is_file(follow_symlinks=False) or _leads_to_document(root, entry):
                    found.append(f"{prefix}{entry.name}")
    return tuple(sorted(found))


def _leads_to_document(root: Path, entry: os.DirEntry[str]) -> bool:
    """Whether it is a link to a file inside. No folder on the way is a link that was followed."""
    return entry.is_symlink() and Path(entry).is_file() and Path(os.path.realpath(entry.path)).is_relative_to(root)


def write_document(root: Path, path: str, content: bytes) -> None:
    """Write a file below ``root`` by rename. Any link on the way is refused, even one that stays inside."""
    *folders, name = _parts(path)
    with translated(root / path), _opened(root, folders) as folder:
        draft = f".{name}.{os.urandom(6).hex()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            with suppress(OSError):
                os.unlink(draft, dir_fd=folder)
            raise
        os.fsync(folder)


def remove_document(root: Path, path: str) -> None:
    """Remove a file below ``root``, if it is there. A link in place of a folder is refused: the file is another's."""
    *folders, name = _parts(path)
    with translated(root / path), _opened(root, folders) as folder, suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
        os.fsync(folder)


def back_up_document(root: Path, path: str, content: bytes) -> None:
    """Keep what ``path`` holds as ``path``.backup, before it is written anew.

    It is a second name of the same file: its content is on the disk already, and the write that follows syncs the
    folder. Only a file system without second names gets a copy.
    """
    *folders, name = _parts(path)
    try:
        with _opened(root, folders) as folder:
            _link(folder, name, f"{name}.backup")
    except OSError:
        write_document(root, f"{path}.backup", content)


def keep_document(root: Path, path: str, other: str) -> None:
    """Give the file or the link at ``path`` a second name below ``root``; one that is there already stays.

    No content is read, whatever its size, and no link is followed. A file system without second names gets a copy.
    """
    (*folders, name), (*others, kept) = _parts(path), _parts(other)
    with translated(root / other), _opened(root, folders) as source, _opened(root, others) as target:
        try:
            os.link(name, kept, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
            os.fsync(target)
            return
        except FileExistsError:
            return
        except OSError:
            content = read_document(root, path)
    write_document(root, other, content or b"")


def keep_replaced(root: Path, path: str, content: bytes) -> bool:
    """Keep what stands where ``content`` is to be written, the user's or another program's; False where it cannot be.

    Each content under a name of its own: kept once, however often a landing is repeated.
    """
    try:
        before = read_document(root, path)
        if before is not None and before != content:
            name = PurePosixPath(path)
            kept = name.with_name(f"{name.stem}.{sha256(before).hexdigest()[:8]}{name.suffix}")
            keep_document(root, path, f"{REPLACED}/{kept}")
    except UsageError:
        return False
    return True


def _link(folder: int, name: str, other: str) -> None:
    draft = f".{other}.{os.urandom(6).hex()}"
    os.link(name, draft, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    try:
        os.rename(draft, other, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):  # still there when both were names of this file already
            os.unlink(draft, dir_fd=folder)


@contextmanager
def _opened(root: Path, folders: list[str]) -> Iterator[int]:
    """The folder below ``root``, made where missing, opened name by name so that no link can be followed."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in folders:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=folder)
                os.fsync(folder)
            try:
                inner = os.open(name, _FOLDER, dir_fd=folder)
            except NotADirectoryError:
                where = "/".join(folders)
                hint = "Replace it by a folder of its own."
                raise UsageError(f"{name} in {where} is a link or a file, not a folder", hint) from None
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _parts(path: str) -> list[str]:
    parts = path.rstrip("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        hint = "Write the path from the root of the repository, such as docs/issues/024-title."
        raise UsageError(f"the path {path!r} contains '.', '..' or an empty part", hint)
    if parts[0].lower() == ".git":
        raise UsageError(f"{path!r} is in git's own folder", "Name a path elsewhere in the repository.")
    return parts
