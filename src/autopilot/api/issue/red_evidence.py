"""Checks that a test is recorded as failing before its implementation, and that the history agrees."""

from __future__ import annotations

import tempfile
from pathlib import Path

from autopilot.adapters.git.command import Git
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.repository import locate
from autopilot.api.issue.rails import find_red
from autopilot.model.errors import UsageError


def check_red_evidence(test: str, impl: str, red: Path, folder: Path) -> str:
    """Why there is no red evidence, or "". ``folder`` is inside the repository."""
    if find_red(red, test, impl) is None:
        missing = f"has no row about {test} and {impl}" if red.exists() else "does not exist"
        return f"no failure of the test is recorded: {red} {missing}"
    try:
        checkout, _ = locate(folder)
    except UsageError as error:
        return f"the order of the commits cannot be determined: {error}"
    with tempfile.TemporaryDirectory(prefix="autopilot-red-") as scratch:
        return _check_order(isolated_git(checkout, Path(scratch)), test, impl)


def folder_of(red: Path) -> Path:
    """Where the commits are looked up: beside the record, or in the current folder where that lies in no repository."""
    try:
        locate(red.parent, to_read=True)
    except UsageError:
        return Path()
    return red.parent


def _check_order(git: Git, test: str, impl: str) -> str:
    before, after = find_commit(git, test), find_commit(git, impl)
    if not before or not after:
        return f"there is no commit {impl if before else test}"
    # The same commit cannot have failed and passed.
    if before == after or git.ask("merge-base", "--is-ancestor", before, after).code != 0:
        return f"{test} is not an ancestor of {impl}"
    return ""


def find_commit(git: Git, name: str) -> str:
    """The full id of a commit, "" if there is none. Branch names are refused: they may move."""
    fields = git.run("cat-file", "--batch-check", stdin=f"{name}^{{commit}}\n".encode()).decode().split()
    commit = fields[0] if fields[1:2] == ["commit"] else ""
    return commit if commit.startswith(name.lower()) else ""
