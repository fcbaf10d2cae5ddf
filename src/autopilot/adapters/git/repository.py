"""Finding the user's repository: where its files are, where git keeps its own. Redirections elsewhere are refused."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from autopilot.model.errors import UsageError

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LIMIT = 100_000  # bytes; a .git file longer than this is none
_PACKED_LIMIT = 64 << 20
_MOST_POINTERS = 5
_WORK_TREE = re.compile(r'^[ \t]*worktree[ \t]*=[ \t]*"?([^"\n]*)', re.IGNORECASE | re.MULTILINE)
# Where git writes for us: a link among these would let a repository choose another place on this machine.
_WRITTEN = ("objects", "refs/heads", "refs/autopilot", "logs/refs/heads", "logs/refs/autopilot")
# What git opens: a pipe in its place would hold it up.
_OPENED = ("packed-refs", "shallow", "info/attributes", "info/exclude", "objects/info/alternates")
_MAKE_ONE = (
    "Change into your project's folder, or make this one a repository: "
    '`git init && git commit --allow-empty -m "First commit"`, then add your files.'
)
_NAME_ONE = "name a place in the git repository of your project"
_DAMAGED_HINT = "Restore it from a backup, or clone the repository again."


def locate(path: Path, *, to_read: bool = False) -> tuple[Path, Path]:
    """The checkout around ``path`` and its common git directory, both real paths. UsageError when no run can start.

    ``to_read``: for a command that only looks at runs, whose user is not told to make a repository or a commit.
    """
    start = Path(os.path.realpath(path))
    is_named = str(start) != os.path.realpath(os.curdir)
    if is_named and not start.exists():
        raise UsageError(f"{path} does not exist", _NAME_ONE)
    for folder in (start, *start.parents):
        if os.path.lexists(folder / ".git"):
            break
        if _is_git_dir(folder):
            raise _refusal(folder)
    else:
        hint = "change into your project's folder; `autopilot gates` lists what waits in all your repositories"
        look = _NAME_ONE if is_named else hint
        raise UsageError(f"{path} is not in a git repository", look if to_read else _MAKE_ONE)
    own, common = git_dirs(folder)
    if not to_read and not read_head(own, common):
        raise _without_commit(folder, own)
    return folder, common


def _without_commit(checkout: Path, own: Path) -> UsageError:
    if not (head := _read(own / "HEAD")).startswith("ref: ") and not _ID.fullmatch(head):
        wrong = f"{own / 'HEAD'} names neither a branch nor a commit"
        return UsageError(f"the git repository in {checkout} is damaged: {wrong}", _DAMAGED_HINT)
    hint = 'Commit your files; if you have none yet: `git commit --allow-empty -m "First commit"`.'
    return UsageError("the current branch has no commits yet, and a run starts at a commit", hint)


def git_dirs(checkout: Path) -> tuple[Path, Path]:
    """The git directory of this checkout and the one it shares with its other worktrees; mostly the same.

    A folder from elsewhere may name any directory of this machine as its own. We write there, so it must be its own in
    truth: inside it, or a directory that names the folder in turn.
    """
    pointer = Path(os.path.realpath(checkout)) / ".git"
    if pointer.is_symlink():
        raise _redirected(f"{pointer} is a symbolic link", "Replace it by the folder itself.")
    own = _linked_dir(pointer) if pointer.is_file() else pointer
    common = _common_dir(own, pointer)
    if missing := _missing_part(common):
        raise UsageError(f"the git repository in {checkout} is damaged: {common / missing} is missing", _DAMAGED_HINT)
    if (common / "reftable").exists():
        raise UsageError("repositories that keep refs in a reftable are not supported yet", "git refs migrate")
    for path in (own / "HEAD", own / "index", *(common / name for name in _OPENED)):
        if path.exists() and not path.is_file():
            raise UsageError(f"the git repository in {checkout} is damaged: {path} is not a file", _DAMAGED_HINT)
    for link in _links(own, common):
        raise _redirected(f"{link} is a symbolic link", "Replace it by what it leads to.")
    return own, common


def branch_of(git_dir: Path) -> str:
    """The full name of the branch HEAD is on; "" when it is detached."""
    head = _read(git_dir / "HEAD")
    return head.removeprefix("ref: ") if head.startswith("ref: ") else ""


def read_head(own: Path, common: Path) -> str:
    """The commit HEAD names; "" when there is none."""
    text = _read(own / "HEAD")
    for _ in range(_MOST_POINTERS):
        if not text.startswith("ref: "):
            break
        name = text.removeprefix("ref: ").strip()
        text = _read(common / name) or _read_packed(common, name)
    return text if _ID.fullmatch(text) else ""


def read_plain(path: Path, limit: int = _LIMIT) -> bytes:
    """The content of a plain file; nothing when there is none. A pipe in its place does not hold us up."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        return file.read(limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""


def checkouts_on(branch: str, own: Path, common: Path) -> tuple[Path, ...]:
    """The git directories of other worktrees that have this branch checked out."""
    worktrees = [common] if (common / "index").exists() else []  # a bare one has a HEAD, but no files
    worktrees += sorted((common / "worktrees").glob("*"))
    return tuple(
        worktree
        for worktree in worktrees
        if worktree != own and (worktree / "HEAD").is_file() and branch_of(worktree) == branch
    )


def _linked_dir(pointer: Path) -> Path:
    text = _read(pointer)
    if not text.startswith("gitdir: "):
        wrong = f"{pointer} is a file that names no git directory"
        raise UsageError(f"the git repository in {pointer.parent} is damaged: {wrong}", _DAMAGED_HINT)
    return Path(os.path.realpath(pointer.parent / text.removeprefix("gitdir: ")))


def _common_dir(own: Path, pointer: Path) -> Path:
    """Git makes three kinds: the folder itself, a worktree's, and one kept apart (as for a submodule)."""
    shared = own / "commondir"
    if own == pointer:
        if os.path.lexists(shared):
            raise _redirected(f"{shared} names another repository", "Remove that file, unless you know who made it.")
        return own
    if os.path.lexists(shared):
        common = Path(os.path.realpath(own / _read(shared)))
        named = _read(own / "gitdir")
        if own.parent != common / "worktrees" or os.path.realpath(own / named) != str(pointer):
            raise _redirected(f"{own} is not the worktree of this folder", "git worktree repair")
        return common
    named = (_WORK_TREE.findall(os.fsdecode(read_plain(own / "config"))) or [""])[-1].rstrip()
    if not named or os.path.realpath(own / named) != str(pointer.parent):
        hint = f"If it is yours: git --git-dir={quote(str(own))} config core.worktree {quote(str(pointer.parent))}"
        raise _redirected(f"{pointer} names {own}, which does not name this folder in turn", hint)
    return own


def _redirected(reason: str, hint: str) -> UsageError:
    return UsageError(f"the repository leads elsewhere, where a run would write: {reason}", hint)


def _links(own: Path, common: Path) -> Iterator[Path]:
    yield from (path for path in (own / "logs", own / "logs" / "HEAD") if path.is_symlink())
    for name in _WRITTEN:
        folder = common
        for part in name.split("/"):
            folder /= part
            if folder.is_symlink():
                yield folder
        yield from _links_below(folder, deep=name != "objects")


def _links_below(folder: Path, *, deep: bool) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in found:
        if entry.is_symlink():
            yield Path(entry.path)
        elif deep and entry.is_dir(follow_symlinks=False):
            yield from _links_below(Path(entry.path), deep=True)


def _refusal(folder: Path) -> UsageError:
    if folder.name == ".git":
        return UsageError("this is git's own folder", "Change into the project itself.")
    return UsageError(f"{folder} is a bare repository: it has no files", "Clone it and start in the clone.")


def _is_git_dir(folder: Path) -> bool:
    return not _missing_part(folder)


def _missing_part(folder: Path) -> str:
    """What every git directory has and this folder lacks; "" when it has all."""
    parts = {"HEAD": Path.is_file, "objects": Path.is_dir, "refs": Path.is_dir}
    return next((name for name, is_there in parts.items() if not is_there(folder / name)), "")


def _read(path: Path) -> str:
    return os.fsdecode(read_plain(path)).removesuffix("\n")


def _read_packed(common: Path, name: str) -> str:
    for line in read_plain(common / "packed-refs", _PACKED_LIMIT).splitlines():
        commit, _, packed = line.partition(b" ")
        if packed == os.fsencode(name):
            return commit.decode("ascii", "replace")
    return ""
