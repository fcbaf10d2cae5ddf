"""May an agent's commit be accepted? Facts about the commit only, never what the agent says of it (layer C)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autopilot.gates.evidence.declared import covers, covers_compiled
from autopilot.model.git import Change
from autopilot.text.file_kind import is_compiled

GITLINK = "160000"
SYMLINK = "120000"


# Only Autopilot writes there. Each ends with a slash: a folder may come as a file or a symbolic link.
CONTROL = (".planning/", ".autopilot/")
# A link is read through: tests that are linked are whatever they lead to, now or later.
_TESTS = re.compile(
    r"(?P<folder>tests?|__tests__|__snapshots__|__mocks__|specs?|testdata|fixtures)|conftest\.py|test_.+\.\w+|"
    r".+[._-](?:tests?|spec)\.\w+|.+Tests?\.(?:java|kt|php|cs)|(?:spec|rails|test)_helper\.rb",
    re.IGNORECASE,
)

NOTHING_COMMITTED = "the agent committed nothing"


def refuse_commit(
    changes: Sequence[Change],
    *,
    descends: bool,
    control: tuple[str, ...] = CONTROL,
    links: Mapping[str, str] = {},
) -> str:
    """Why this commit cannot become a task's commit, or "" when it can. ``links``: where its symbolic links lead."""
    if not descends:
        return "the commit of the agent does not descend from the commit it started from"
    if not changes:
        return NOTHING_COMMITTED
    for change in changes:
        if reason := _refuse_change(change, control):
            return reason
    for path, target in links.items():
        if leads_outside(path, target):
            return f"{path} is a symbolic link to {target[:200]}, which is not certain to stay inside the repository"
    return ""


def leads_outside(path: str, target: str) -> bool:
    """Whether a link at ``path`` may lead out of the repository, or into its git folder.

    ``..`` is taken at the beginning only: behind a name that is itself a link it goes up from where that link leads.
    When every link keeps that rule, each one stays inside whatever the others are.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    ups = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
    is_spelled_outside = target.startswith("/") or ups > path.count("/") or ".." in parts[ups:]
    return not parts or is_spelled_outside or any(is_git_folder(part) for part in parts)


def is_git_folder(name: str) -> bool:
    return name.casefold() in (".git", "git~1")


def _refuse_change(change: Change, control: tuple[str, ...]) -> str:
    path = change.path
    if not change.is_exact and change.status != "D":
        return f"{path} has a name that is not UTF-8, so it cannot be checked"
    # With a slash: the folder itself could come as a symbolic link, and we would write through it.
    if f"{path}/".startswith(control):
        return f"{path} may not be changed by agents"
    if change.new_mode == GITLINK:
        return f"{path} is a nested repository (gitlink)"
    if any(is_git_folder(part) for part in path.split("/")):
        return f"{path} would create a git folder"
    if change.new_mode == SYMLINK and (matched := _TESTS.fullmatch(path.rsplit("/", 1)[-1])):
        return f"{path} turns a test{' folder' if matched['folder'] else ''} into a symbolic link"
    return ""


def refuse_compiled(changes: Sequence[Change], declared: Sequence[str] = ()) -> str:
    """Why this commit cannot be accepted for the compiled code in it, or "".

    A repository that tracks compiled code may have it changed by a task that declares it; to remove it is always right.
    """
    for change in changes:
        if not is_compiled(change.path) or change.status == "D":
            continue
        is_tracked = change.status == "M"
        if is_tracked and any(covers_compiled(name, change.path) for name in declared):
            continue
        description = f"{change.path} is compiled code: it may be loaded in place of its source, and cannot be reviewed"
        if is_tracked:
            return f"{description}; restore it, or list it in the task of the plan"
        return f"{description}; remove it from the commit with `git rm --cached` and add it to .gitignore"
    return ""


def outside(changes: Sequence[Change], files: Sequence[str]) -> tuple[str, ...]:
    """Changed paths the task's list does not name: a finding, they are not dropped."""
    if not files:
        return ()
    return tuple(c.path for c in changes if not any(covers(name, c.path) for name in files))
