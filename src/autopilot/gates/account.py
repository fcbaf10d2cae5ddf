"""What of a phase's accounts waits for a person."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.evidence.account import Account, Accounted


def left_to_people(accounts: Sequence[Account]) -> tuple[Account, ...]:
    return tuple(account for account in accounts if account.status is Accounted.PERSON)


def wait_for(accounts: Sequence[Account]) -> str:
    """Why the phase has to wait for a person, or ""."""
    left = left_to_people(accounts)
    if not left:
        return ""
    first = f"{left[0].name} ({left[0].text}): {left[0].because}"
    return first if len(left) == 1 else f"{first}; and {len(left) - 1} more"
