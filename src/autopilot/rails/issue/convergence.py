"""Whether an issue still converges: the fingerprint of an iteration, and the rail that ends the loop (AL-5)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from hashlib import sha256

import msgspec

from autopilot.model.issue.issue import AuditRow, HaltReason, HaltRow, OracleState, RowVerdict

WINDOW = 3
# As the C locale has it: other blanks are part of what is said, and shell workflows hash them too.
BLANKS = re.compile(r"[ \t\n\v\f\r]+")

Rows = Sequence[AuditRow | HaltRow]


def first_halt(
    rows: Rows, step: str, iteration: int, limit: int, found: Collection[HaltReason] = ()
) -> HaltReason | None:
    """Which rail ends the loop, asked when an iteration that failed has its row. None: go on.

    ``found`` is what else stands against another iteration; the history itself shows the rest.

    An anchor that moved and a log that does not hold go before everything, since whatever is read after them rests on
    them. Work that is green and covered, and never was red, no further iteration can mend.
    """
    tripped = {
        **{reason: reason in found for reason in (HaltReason.DRIFT, HaltReason.INTEGRITY, HaltReason.UNVERIFIABLE)},
        HaltReason.MAX_ITERATIONS: is_over(iteration, limit),
        HaltReason.SAMENESS: is_same(rows, step),
        HaltReason.STUCK: is_stuck(rows, WINDOW, step),
    }
    return next((reason for reason, trips in tripped.items() if trips), None)


def is_same(rows: Rows, step: str = "") -> bool:
    """The last two failures are one failure. That something passed in between does not make them two."""
    last = _failures(rows, step)[-2:]
    return len(last) == 2 and len(set(last)) == 1


def is_stuck(rows: Rows, window: int = WINDOW, step: str = "") -> bool:
    """Something in the last ``window`` failures was there before: standing still, or going in circles (A, B, A).

    With fewer failures than the window has places nothing is said yet.
    """
    assert window > 0, "a window without places can see nothing"
    last = _failures(rows, step)[-window:]
    return len(last) == window and len(set(last)) < len(last)


def is_over(current: int, limit: int) -> bool:
    return current >= limit


def fingerprint(text: str) -> str:
    """The same for texts that differ only in how their words are set apart. Bytes that are no text may be escaped."""
    return sha256(BLANKS.sub(" ", text).strip(" ").encode("utf-8", "surrogateescape")).hexdigest()


def state_fingerprint(state: OracleState) -> str:
    """Of what was seen, whatever the order in which it was reported."""
    seen: dict[str, object] = {
        "redObserved": state.red_observed,
        "atGreen": state.at_green,
        "coverageOk": state.coverage_ok,
        "uncovered": sorted(state.uncovered),
    }
    if state.failing:
        seen["failing"] = sorted(state.failing)
    return fingerprint(msgspec.json.encode(seen).decode())


def _failures(rows: Rows, step: str) -> list[str]:
    """Their fingerprints, of one step or of all. Halt rows are no iterations, and a PASS repeats no failure.

    Any other word is a failure: a misspelt one must not take the rails their memory.
    """
    audited = (row for row in rows if isinstance(row, AuditRow) and row.verdict != RowVerdict.PASS)
    return [row.fingerprint for row in audited if step in ("", row.step)]
