"""Finds issues that were handed off and wait for the merge, the gate that is the user's alone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autopilot.adapters.git.checkout.documents import read_document
from autopilot.adapters.git.command import Git
from autopilot.adapters.git.isolation import isolated_git
from autopilot.engine.history import History
from autopilot.events.state import RunState
from autopilot.model.issue.issue import AUDIT_LOG
from autopilot.model.run import RunStatus
from autopilot.reports.issue.wording import merge_of, name_of
from autopilot.reports.markdown import one_line, shorten, stamp

MERGE = "merge"
TITLE = 160


def find_merges(history: History, checkout: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """By run. A branch that is gone is settled as well as one that is merged: the record knows neither."""
    ready = [run for run in _last_of_issues(history) if _is_handed_off(run)]
    if not ready or not checkout.is_dir():
        return
    with tempfile.TemporaryDirectory(prefix="autopilot-gates-") as scratch:
        git = isolated_git(checkout, Path(scratch))
        listed = git.ask("for-each-ref", "--no-merged=HEAD", "--format=%(refname:short)", "refs/heads/").output
        unmerged = set(listed.decode("utf-8", "replace").splitlines())
        for run in ready:
            if _branch(run) in unmerged and not _is_squashed(run, git, checkout):
                yield run.run, _request(run)


def _last_of_issues(history: History) -> tuple[RunState, ...]:
    last = {run.issue.brief.number: run for run in history.runs.values() if run.issue}
    return tuple(last.values())


def _is_handed_off(run: RunState) -> bool:
    return run.status is RunStatus.COMPLETED and not run.archived and bool(_branch(run))


def _branch(run: RunState) -> str:
    done = run.issue.ending.handed_off if run.issue else None
    return done.branch if done else ""


def _is_squashed(run: RunState, git: Git, checkout: Path) -> bool:
    """Whether its audit log came in without its commits."""
    assert run.issue is not None
    path = run.issue.brief.path(AUDIT_LOG)
    on_branch = git.ask("show", f"{_branch(run)}:{path}")
    return on_branch.code == 0 and read_document(checkout, path) == on_branch.output


def _request(run: RunState) -> dict[str, Any]:
    assert run.issue is not None
    title = f"ready to merge: {run.issue.brief.title}"
    return {
        "kind": MERGE,
        "name": name_of(run.issue),
        "title": shorten(one_line(title), TITLE),
        "since": stamp(run.now) or None,
        "command": merge_of(run.issue),
    }
