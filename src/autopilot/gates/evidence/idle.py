"""Tests that came with the work and ask nothing of it: they pass without it, and with constants in its place."""

from __future__ import annotations

from msgspec import Struct

from autopilot.gates.evidence.sabotage import Trial, is_killed, is_usable
from autopilot.gates.evidence.test_id import some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport


class NewTests(Struct, frozen=True):
    """The new tests of one file."""

    path: str
    ids: tuple[str, ...]
    green: TestReport  # of all tests in the file, the old ones too: one that notices speaks for its neighbours
    is_new: bool  # the file itself came with the work
    declared: bool = False  # the plan says that they are about what was there: a `[keep]` names them


def judge_idle(subject: str, new: NewTests, found: tuple[Objection, ...], blank: Trial | None) -> tuple[Objection, ...]:
    """``found``: what sabotage of the work says against them; ``blank``: all of the product as constants."""
    if not found or found[0].weight is not Weight.REFUSE:
        return found
    if blank is not None and blank.seen is Seen.NOTHING:
        return (Objection(Layer.SABOTAGE, subject, f"with {blank.change} it could not be run", weight=Weight.OURS),)
    named = some(sorted(new.ids))
    if blank is not None and not _notice(new, blank):
        observed = f"new tests that ask nothing of the product: still green with {blank.change}: {named}"
        return (_object(subject, new, observed, Weight.REFUSE),)
    observed = f"new tests that ask nothing of this work, only of what was there: {named} ({found[0].description})"
    return (_object(subject, new, observed, Weight.REFUSE if new.is_new and not new.declared else Weight.FLAG),)


def _notice(new: NewTests, blank: Trial) -> bool:
    """The new ones themselves: here no neighbour speaks for them."""
    if blank.report is None or not is_usable(blank.report):
        return is_killed(new.green, blank)
    passed = blank.report.of(Ended.PASSED) - blank.report.of(Ended.FAILED)
    return not passed.issuperset(new.ids)


def _object(subject: str, new: NewTests, observed: str, weight: Weight) -> Objection:
    satisfy = (
        "let them compare what the work adds with what is expected, or leave them out; tests of what was there "
        "need a criterion marked [keep] that names their file"
    )
    return Objection(Layer.SABOTAGE, subject, observed, new.path, satisfy, weight)
