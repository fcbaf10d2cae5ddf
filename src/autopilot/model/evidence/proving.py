"""Which checks may prove a promise: those that would not hold had nothing been done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autopilot.model.evidence.deciding import deciding, script_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion, Kind
from autopilot.model.planning.promise import Answer, Promise, Source, checks_of


def proving_checks(
    promise: Promise, answers: Iterable[Answer], criteria: Sequence[Criterion], red: Sequence[Observation] | None
) -> tuple[str, ...]:
    """Checks that a plan merely names, and that held before the work, may not.

    In a plan of ours they are refused; a user's is never refused for it. Where the work may have been there before
    (``red`` is None), what a check was then says nothing; one that is there to keep the old still proves nothing new.
    """
    rows = [row for row in answers if row.name == promise.name]
    checks = checks_of(promise, rows, criteria)
    if promise.source is Source.REQUIREMENT or any(row.kept for row in rows):
        return checks
    if red is None:
        new = {criterion.id for criterion in criteria if criterion.kind is not Kind.KEEP}
    else:
        # Also what is only to be kept, such as the whole suite, where it was red before.
        new = set(red_before(criteria, red))
    named = {id for row in rows for id in row.by}  # the others are its own command, or in the same words
    return checks if new.intersection(checks) else tuple(id for id in checks if id not in named)


def red_before(criteria: Iterable[Criterion], red: Sequence[Observation]) -> frozenset[str]:
    """Those that were seen to fail before the work."""
    return frozenset(c.id for c in criteria if deciding(c, red, script_of(c.task, red)).seen is Seen.FAILED)


def decidable(criteria: Iterable[Criterion], red: Sequence[Observation]) -> frozenset[str]:
    """Those that a program looks at: by their own command, or by a line of their task's test script."""
    return frozenset(
        criterion.id
        for criterion in criteria
        if criterion.is_runnable or deciding(criterion, red, script_of(criterion.task, red)).seen is not None
    )
