"""The agents of the run that a call is about to resume: a resume asks the same ones, unless it names others."""

from __future__ import annotations

import sys

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.api.assembly import Repository
from autopilot.engine.debugging.taking_up import session_taken_up
from autopilot.engine.history import History, load_history
from autopilot.engine.opening import starts_another
from autopilot.events.state import RunState
from autopilot.model.run import RunRequest

NO_SNAPSHOT = sys.maxsize  # without the lock nothing is written


def recall_agents(repository: Repository, request: RunRequest) -> str:
    """The options that chose them, ready for a shell; "" where settings did, or where nothing is resumed."""
    if request.fresh or not repository.home.journal.exists():
        return ""
    journal = SqliteJournal(repository.home.journal, read_key(repository.home.key), SystemClock(), readonly=True)
    found = _resumed(load_history(journal, NO_SNAPSHOT), request, repository)
    return found.policy.agent_options if found is not None else ""


def _resumed(history: History, request: RunRequest, repository: Repository) -> RunState | None:
    """As ``open_run`` chooses it."""
    if request.issue is not None:
        number = request.issue.word.lstrip("#")
        about = (run for run in history.all_unfinished if run.issue and str(run.issue.brief.number) == number)
        return next(about, None)
    if request.debug is not None:
        return session_taken_up(request.debug, history)
    if request.draft is not None:
        return next((run for run in history.all_unfinished if run.drafting), None)
    if request.resume_only:
        return history.all_unfinished[-1] if history.all_unfinished else None
    unfinished = history.unfinished
    checkout = GitCheckout(repository.path, GitVault(repository.home.vault, repository.path))
    return None if unfinished is None or starts_another(request, unfinished, checkout) else unfinished
