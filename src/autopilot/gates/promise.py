"""Does a plan answer for everything that the owner asks for? Asked of a plan of ours before any work is done.

A user's plan is never refused for it: what it leaves out goes to the reviewers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from msgspec import Struct

from autopilot.gates.deferral import is_vague
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.promise import Answer, Promise, Source, checks_of, left_to_person

MANY = 3  # promises that rest on one check alone
LONGEST_QUOTE = 100  # characters of a promise


class Mapped(Struct, frozen=True):
    """What is asked for, and what the plan says about it."""

    promises: tuple[Promise, ...]
    answers: tuple[Answer, ...]
    criteria: tuple[Criterion, ...]  # of the plan's tasks

    def checks(self, promise: Promise) -> tuple[str, ...]:
        return checks_of(promise, self.answers, self.criteria)

    def person(self, promise: Promise) -> str:
        """Why only a person can tell, or ""."""
        return left_to_person(promise, self.answers, self.criteria)

    def rows(self, promise: Promise) -> list[Answer]:
        return [answer for answer in self.answers if answer.name == promise.name]


def left_out(mapped: Mapped) -> Iterator[Promise]:
    """What no row, no command and no criterion in the same words answers for."""
    for promise in _asked(mapped):
        rows = mapped.rows(promise)
        is_open = not mapped.checks(promise) and not promise.is_traced
        if is_open and not mapped.person(promise) and not any(row.reviewer or row.person for row in rows):
            yield promise


def refuse_answers(mapped: Mapped) -> Iterator[str]:
    """Rows that answer for nothing."""
    for promise in _asked(mapped):
        for row in mapped.rows(promise):
            if row.unknown and not row.by:
                yield f"{_named(promise)} is mapped to {', '.join(row.unknown[:3])}, which the plan does not have"
            if (why := row.reviewer or row.person) and is_vague(why):
                who = "a reviewer" if row.reviewer else "a person"
                yield f"{_named(promise)} is left to {who}, and {why!r} does not say why no command can check it"
    missing = [_named(promise) for promise in left_out(mapped)]
    if missing:
        yield (
            "the traceability table leaves out " + "; ".join(missing) + ". Give each a row `| SC-n | ids of tasks or "
            "criteria that prove it |`, or `reviewer: why no command can check it`, or `person: why`"
        )


def refuse_green(mapped: Mapped, red: Collection[str], kept: Collection[str]) -> Iterator[tuple[str, str]]:
    """By name: what is mapped only to checks that held before the work: they would hold had nothing been done.

    ``red`` is what failed before the work; ``kept`` names promises that are about what was there.
    """
    known = {criterion.id: criterion for criterion in mapped.criteria}
    for promise in _asked(mapped):
        checks = [known[id] for id in mapped.checks(promise) if id in known]
        if promise.is_runnable or promise.name in kept or not checks or mapped.person(promise):
            continue
        if not any(criterion.is_new and criterion.id in red for criterion in checks):
            named = ", ".join(criterion.id for criterion in checks[:3])
            because = f"is mapped to {named}, which held before any work: map it to a check that did not"
            yield promise.name, f"{_named(promise)} {because}"


def crowded(mapped: Mapped) -> Iterator[str]:
    """One check that alone is to prove many things may well prove none of them; its reader decides."""
    alone = [mapped.checks(promise) for promise in _asked(mapped) if len(mapped.checks(promise)) == 1]
    for (check,), count in Counter(alone).items():
        if count >= MANY:
            yield f"{check} alone is to prove {count} success criteria of the roadmap: is it about all of them?"


def _asked(mapped: Mapped) -> Iterator[Promise]:
    return (promise for promise in mapped.promises if promise.source is Source.ROADMAP)


def _named(promise: Promise) -> str:
    text = " ".join(promise.text.split())
    return f"{promise.name} ({text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + '…'})"
