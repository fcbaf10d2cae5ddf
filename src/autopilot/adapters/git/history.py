"""What lies between two commits: the commits on the way, and how much they changed."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.adapters.git.command import Git, shown
from autopilot.model.git import LogEntry

MOST_ENTRIES = 500
LONGEST_SUBJECT = 200


def list_commits(git: Git, old: str, new: str, most: int = MOST_ENTRIES) -> Iterator[LogEntry]:
    arguments = (
        "--first-parent",
        "--reverse",
        f"--max-count={most}",
        "--no-commit-header",
        "--format=%H %T %s",
    )
    printed = git.run("rev-list", *arguments, f"{old}..{new}", "--")
    for line in printed.split(b"\n"):
        if line:
            sha, tree, subject = shown(line).split(" ", 2)
            yield LogEntry(sha, subject[:LONGEST_SUBJECT], tree)


def count_changes(git: Git, old: str, new: str, leave_out: str = "") -> str:
    arguments = ("--shortstat", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
    wanted = [f":(exclude,literal){leave_out}"] if leave_out else []
    return shown(git.run("diff-tree", *arguments, old, new, "--", *wanted)).strip()
