"""Finds everything that waits for the user in all repositories; reads without a lock."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from autopilot.adapters.beneath import read_beneath
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.repository import locate
from autopilot.adapters.home import Home, known_homes
from autopilot.adapters.journal.prepared import has_runs_beside, is_plainly_broken, read_prepared
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.lock import FileLock
from autopilot.api.issue.merges import find_merges
from autopilot.api.missing_record import find_lost_record, open_record
from autopilot.engine.history import History, read_history
from autopilot.events.people import HumanAnswered
from autopilot.events.recovery import VerdictGiven
from autopilot.model.errors import AutopilotError, Unavailable
from autopilot.reports.status.gates import landing_words
from autopilot.reports.status.state_json import state_document
from autopilot.reports.status.status import status_document
from autopilot.settings.reading import Settings

MOST_BYTES = 1_000_000  # of a configuration
WORKTREE = re.compile(r"^[ \t]*worktree[ \t]*=[ \t]*(\S.*)$", re.MULTILINE)


class OpenRequest(Struct, frozen=True):
    repository: str
    run: str
    kind: str
    name: str
    title: str
    since: str | None
    command: str  # works in the current folder


class UnreadRepository(Struct, frozen=True):
    """A repository whose records could not be read, or that no longer exists."""

    repository: str
    problem: str
    waiting: int = 0  # requests of one that no longer exists: its records could be read


def find_open_requests(settings: Settings, here: Path) -> Iterator[OpenRequest | UnreadRepository]:
    check_readable(settings.state)
    current = _current_git_directory(here)
    for home, git_directory in known_homes(settings.state):
        path = checkout_of(git_directory)
        checkout = str(path)
        try:
            requests = list(_find_unanswered(home, path))
        except AutopilotError as error:
            yield UnreadRepository(checkout, f"{error}; {error.hint}" if error.hint else str(error))
            continue
        if requests and not git_directory.exists():
            moved = f"`autopilot doctor --attach {home.root.name}` in its new folder"
            problem = f"{len(requests)} waiting, but the repository no longer exists; if it was moved, run {moved}"
            yield UnreadRepository(checkout, problem, len(requests))
            continue
        prefix = "" if git_directory == current else f"cd {shlex.quote(checkout)} && "
        for run, request in requests:
            command = f"{prefix}{request['command']}"
            yield OpenRequest(
                checkout, run, request["kind"], request["name"], request["title"], request["since"], command
            )


def check_readable(state: Path) -> None:
    """Unavailable when no record could be found even if there were some; a folder that does not exist yet is fine."""
    folder = state / "autopilot"
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    problem = ""
    if not existing.is_dir():
        problem = "is a file, not a folder"
    elif not os.access(existing, os.R_OK | os.X_OK if existing == folder else os.X_OK):
        problem = "cannot be read"
    if problem:
        hint = "Correct that, or set AUTOPILOT_STATE_HOME to the folder with your records."
        raise Unavailable(f"Autopilot cannot read its records in {state}: {existing} {problem}", hint)


def _find_unanswered(home: Home, checkout: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """By run, without requests whose answer is already in the inbox."""
    documents, history = _documents(home, checkout) if home.journal.exists() else ([], History({}))
    if not documents and not history.runs and (lost := find_lost_record(home, checkout)):
        raise lost
    for document in documents:
        run, waiting = document["_meta"]["run_id"], document["for_you"]
        answered = _answered_in_inbox(home, run) if waiting else set()
        yield from (
            (run, request) for request in waiting if (request["kind"] == "verdict", request["name"]) not in answered
        )
    yield from find_merges(history, checkout)


def _documents(home: Home, checkout: Path) -> tuple[list[dict[str, Any]], History]:
    """The prepared status if it is current and no issue or debug session may be waiting beside it.

    Else read from the journal, with the history that was read for it.
    """
    prepared = read_prepared(str(home.journal), "status")
    is_good = prepared is not None and (prepared[1] or FileLock(home.lock).holder() is not None)
    # What is left of a record, or was put into it, is not what waits.
    is_sound = not is_plainly_broken(str(home.journal), str(home.key))
    if prepared is not None and is_good and is_sound and not has_runs_beside(str(home.journal)):
        document: dict[str, Any] = json.loads(prepared[0])
        if "for_you" in document:
            return [document], History({})
    with closing(open_record(home, checkout)) as journal:
        history = read_history(journal.read())
    runs = history.all_unfinished
    return [status_document(run, state_document(run, ()), landing_words(run)) for run in runs], history


def _answered_in_inbox(home: Home, run: str) -> set[tuple[bool, str]]:
    """(is a verdict, name of the phase or gate) of every message in the inbox."""
    with closing(_journal(home)) as journal:
        messages = [message.event for message in journal.inbox() if message.run == run]
    verdicts = {(True, str(event.phase)) for event in messages if isinstance(event, VerdictGiven)}
    return verdicts | {(False, event.gate) for event in messages if isinstance(event, HumanAnswered)}


def _journal(home: Home) -> SqliteJournal:
    return SqliteJournal(home.journal, read_key(home.key), SystemClock(), readonly=True)


def _current_git_directory(here: Path) -> Path | None:
    try:
        return locate(here)[1]
    except AutopilotError:
        return None


def checkout_of(git_directory: Path) -> Path:
    """The checkout of a git directory: its parent, or the worktree in its config."""
    if git_directory.name == ".git":
        return git_directory.parent
    # No pipe in its place holds us up, and no size fills the memory.
    config = read_beneath(git_directory, "config", MOST_BYTES) or b""
    match = WORKTREE.search(config.decode("utf-8", "replace"))
    return (git_directory / match[1].rstrip()).resolve() if match else git_directory
