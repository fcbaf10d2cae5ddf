"""What an agent's clone holds, read as plain files: no git program ever enters a repository an agent controls."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

_ID = re.compile(rb"[0-9a-f]{40}\s*\Z")
_POINTER = re.compile(rb"ref: (refs/[^\0-\x20~^:?*\[\\\x7f]+)\s*\Z")
_MOST_LINKS = 5
_MOST_REFS = 100
_SMALL = 4096
_PACKED = 16 << 20
_MOST_FILES = 1_000_000


def read_head(clone: Path) -> str | None:
    """The commit HEAD names, or None when it names none or anything in the way is not a plain file or folder."""
    try:
        with _folder(os.fspath(clone)) as outer, _folder(".git", outer) as inner:
            name = b"HEAD"
            for _ in range(_MOST_LINKS):
                text = _read_ref(inner, name)
                if text is None:
                    return None
                if _ID.match(text):
                    return text.strip().decode()
                pointer = _POINTER.match(text)
                if pointer is None:
                    return None
                name = pointer[1]
    except OSError:
        return None
    return None


def find_branches(clone: Path, without: str) -> tuple[str, ...]:
    """The names of the branches that stand at another commit than this one; those of packed refs are not the agent's.

    A hostile clone may have any number of them: only the first are read.
    """
    top, found = clone / ".git" / "refs" / "heads", []
    pending = [top] if top.resolve() == clone.resolve() / ".git" / "refs" / "heads" else []
    for _ in range(_MOST_REFS):
        if not pending:
            break
        with suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in islice(entries, _MOST_REFS):
                if entry.is_dir(follow_symlinks=False):
                    pending.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    found.append(os.fsencode(Path(entry.path).relative_to(top)))
    branches = {name.decode("utf-8", "replace"): _commit_of(clone, name) for name in sorted(found)[:_MOST_REFS]}
    return tuple(name for name, commit in branches.items() if commit not in ("", without))


def _commit_of(clone: Path, branch: bytes) -> str:
    try:
        with _folder(os.fspath(clone)) as outer, _folder(".git", outer) as inner:
            text = _read_ref(inner, b"refs/heads/" + branch) or b""
    except OSError:
        return ""
    return text.strip().decode() if _ID.match(text) else ""


def object_folder(clone: Path) -> Path | None:
    """The clone's objects, or None when they are not all its own.

    An alternate or a symbolic link would let an agent read the objects of other repositories through our eyes;
    a pipe or a device would hold us up.
    """
    root = clone / ".git" / "objects"
    try:
        if not stat.S_ISDIR(root.lstat().st_mode) or (root / "info" / "alternates").is_symlink():
            return None
        seen = 0
        pending = [root]
        while pending:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(Path(entry.path))
                    elif not entry.is_file(follow_symlinks=False) or entry.name == "alternates":
                        return None
            if seen > _MOST_FILES:
                return None
    except OSError:
        return None
    return root


def _read_ref(git_dir: int, name: bytes) -> bytes | None:
    names = name.split(b"/")
    if any(part in (b"", b".", b"..") for part in names):
        return None
    try:
        return _read_below(git_dir, names)
    except FileNotFoundError:
        return _read_packed(git_dir, name)


def _read_below(folder: int, names: list[bytes]) -> bytes | None:
    if len(names) == 1:
        return _read_file(folder, names[0], _SMALL)
    with _folder(names[0], folder) as inner:
        return _read_below(inner, names[1:])


def _read_packed(git_dir: int, name: bytes) -> bytes | None:
    content = _read_file(git_dir, b"packed-refs", _PACKED)
    for line in (content or b"").splitlines():
        commit, _, packed = line.partition(b" ")
        if packed == name:
            return commit
    return None


def _read_file(folder: int, name: bytes, limit: int) -> bytes | None:
    # Not blocking: a pipe in place of the file must not hold us up.
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > limit:
            return None
        return os.read(descriptor, limit)
    finally:
        os.close(descriptor)


@contextmanager
def _folder(name: str | bytes, below: int | None = None) -> Iterator[int]:
    descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=below)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
