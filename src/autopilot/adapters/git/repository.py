"""Finding the user's repository: where its files are, where git keeps its own."""

from __future__ import annotations

import os
import re
from pathlib import Path

from autopilot.adapters.git.command import Git
from autopilot.model.errors import UsageError

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LIMIT = 100_000  # bytes; a .git file longer than this is none


def locate(path: Path) -> tuple[Path, Path]:
    """The checkout around ``path`` and its common git directory, both real paths. UsageError when no run can start."""
    start = Path(os.path.realpath(path))
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            break
        if _is_git_dir(folder):
            raise _refusal(folder)
    else:
        hint = "Change into your project, or make it one with `git init`, `git add` and `git commit`."
        raise UsageError(f"{path} is not in a git repository", hint)
    own, common = git_dirs(folder)
    if not read_head(own, common, folder):
        raise UsageError("the repository has no commits yet", "Commit what is there first: a run starts at a commit.")
    return folder, common


def git_dirs(checkout: Path) -> tuple[Path, Path]:
    """The git directory of this checkout and the one it shares with its other worktrees; mostly the same."""
    own = checkout / ".git"
    if own.is_file():
        text = _read(own)
        if not text.startswith("gitdir: "):
            raise UsageError(f"{own} is not a git file", "Repair the repository, then try again.")
        own = Path(os.path.realpath(checkout / text.removeprefix("gitdir: ")))
    own = Path(os.path.realpath(own))
    shared = own / "commondir"
    common = Path(os.path.realpath(own / _read(shared))) if shared.exists() else own
    if not _is_git_dir(common):
        raise UsageError(f"{checkout} is not a git repository", "Repair the repository, then try again.")
    return own, common


def branch_of(git_dir: Path) -> str:
    """The full name of the branch HEAD is on; "" when it is detached."""
    head = _read(git_dir / "HEAD")
    return head.removeprefix("ref: ") if head.startswith("ref: ") else ""


def read_head(own: Path, common: Path, checkout: Path) -> str:
    """The commit HEAD names; "" when there is none.

    Read from the file where git keeps it plainly; a branch kept otherwise (packed, in a reftable) is asked of git.
    """
    branch = branch_of(own)
    file = common / branch if branch else own / "HEAD"
    if file.is_file() and _ID.fullmatch(found := _read(file)):
        return found
    return Git(own, checkout).ask("rev-parse", "--verify", "-q", "HEAD^{commit}").output.decode().strip()


def checkouts_on(branch: str, own: Path, common: Path) -> tuple[Path, ...]:
    """The git directories of other worktrees that have this branch checked out."""
    worktrees = [common] if (common / "index").exists() else []  # a bare one has a HEAD, but no files
    worktrees += sorted((common / "worktrees").glob("*"))
    return tuple(one for one in worktrees if one != own and (one / "HEAD").is_file() and branch_of(one) == branch)


def _refusal(folder: Path) -> UsageError:
    if folder.name == ".git":
        return UsageError("this is git's own folder", "Change into the project itself.")
    return UsageError(f"{folder} is a bare repository: it has no files", "Clone it and start in the clone.")


def _is_git_dir(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return os.fsdecode(file.read(_LIMIT)).removesuffix("\n")
