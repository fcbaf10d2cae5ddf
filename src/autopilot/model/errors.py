"""Why Autopilot could not do what it was asked.

* AutopilotError
  + BreakerOpen              exit 1   retries were pointless and still are
  + UsageError               exit 2   the request itself is wrong
    - NothingOpen            exit 0   everything asked for is done already: news, not an error
  + CapReached               exit 4   a budget, a disk, a clock
    - Overdue                exit 4   pure code computed longer than it may; in a step, an error of that step
  + Unavailable              exit 5   git, sandbox or agent is unavailable; not the same as a check that failed
    - AgentMissing           exit 5   one agent is not installed: a fallback agent may be
  + RecordBroken             exit 6   the record does not verify; never repaired by guessing
  + Interrupted              exit 130 or 143   a signal, or a cancel request read while a child process ran

Anything else that escapes is a bug in Autopilot and exits 70.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class AutopilotError(Exception):
    """Says what happened; ``hint`` says what to do about it."""

    exit_status = 70
    spent: Any = None  # the event that tells what was used up to then

    def __init__(self, message: str, hint: str = "", lines: Sequence[str] = (), more_hints: Sequence[str] = ()) -> None:
        """``lines``: what is too long for one sentence, such as a list; printed before it."""
        super().__init__(message)
        self.hint = hint
        self.lines = tuple(lines)
        self.more_hints = tuple(more_hints)  # other things to do, each on a line of its own


class BreakerOpen(AutopilotError):
    exit_status = 1


class UsageError(AutopilotError):
    exit_status = 2


class NothingOpen(UsageError):
    exit_status = 0


class CapReached(AutopilotError):
    exit_status = 4


class Overdue(CapReached):
    pass


class Unavailable(AutopilotError):
    exit_status = 5


class AgentMissing(Unavailable):
    pass


class RecordBroken(AutopilotError):
    exit_status = 6


class Interrupted(AutopilotError):
    """The run was asked to stop while a step was in progress; the step stays open and is retried."""

    exit_status = 130

    def __init__(self, message: str, reason: str, spent: Any = None) -> None:
        super().__init__(f"{message} ({reason})", "start the same command again")
        self.exit_status = 143 if reason == "SIGTERM" else 130
        self.spent = spent
