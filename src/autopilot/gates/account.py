"""What of a phase's accounts waits for a person, and what no check and no reviewer has accounted for."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.evidence.account import Account, Accounted
from autopilot.model.planning.promise import Source


def left_to_people(accounts: Sequence[Account]) -> tuple[Account, ...]:
    return tuple(account for account in accounts if account.status is Accounted.PERSON)


def wait_for(accounts: Sequence[Account]) -> str:
    """Why the phase has to wait for a person, or ""."""
    left = left_to_people(accounts)
    if not left:
        return ""
    first = f"{left[0].name} ({left[0].text}): {left[0].because}"
    return first if len(left) == 1 else f"{first}; and {len(left) - 1} more"


def left_open(accounts: Sequence[Account]) -> str:
    """What failed or was not looked at, or "": no phase passes with it, whatever else speaks for the phase."""
    statuses = (Accounted.FAILED, Accounted.UNCHECKED)
    found = [a for a in accounts if a.status in statuses and a.source is not Source.REQUIREMENT]
    return "; ".join(f"{a.name} ({a.text}) {_came_to(a)}" for a in found)


def _came_to(account: Account) -> str:
    word = "failed" if account.status is Accounted.FAILED else "was not checked"
    return f"{word}: {account.because}" if account.because else word
