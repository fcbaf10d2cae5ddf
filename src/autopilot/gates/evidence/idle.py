"""Tests that came with the work and ask nothing of it: they pass without it, and with constants in its place."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.gates.evidence.sabotage import Trial, is_killed, is_usable, speaks_of_behaviour
from autopilot.gates.evidence.test_id import is_named, name, partners, some, without_parameters
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport, TestResult


class NewTests(Struct, frozen=True):
    """The new tests of one file."""

    path: str
    ids: tuple[str, ...]
    green: TestReport  # of all tests in the file, the old ones too: one that notices speaks for its neighbours
    is_new: bool  # the file itself came with the work
    declared: bool = False  # the plan says that they are about what was there: a `[keep]` names them


class GivenUp(Struct, frozen=True):
    """A new test that is expected to fail, and does, and what the phase asks for that no other check speaks of."""

    test: str
    path: str
    clause: str


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


def silent_tests(new: NewTests, mutated: Sequence[Trial], reverted: Sequence[Trial] = ()) -> tuple[str, ...]:
    """Those that ran with constants or other values in place of the work, and noticed none of them.

    ``reverted``: with the work taken back, where only what a test says of behaviour counts: that a name is missing
    every test says. One case of a test with parameters speaks for all of its cases.
    """
    results: dict[str, list[TestResult]] = {}
    noticing: set[str] = set()
    for trials, any_failure in ((mutated, True), (reverted, False)):
        for trial in trials:
            for id, result in _of_new(new, trial):
                if any_failure:
                    results.setdefault(_test(id), []).append(result)
                if result.ended is Ended.FAILED and (any_failure or speaks_of_behaviour(result)):
                    noticing.add(_test(id))
    return tuple(test for test in dict.fromkeys(map(_test, new.ids)) if test in results and test not in noticing)


def judge_silent(subject: str, new: NewTests, silent: Sequence[str]) -> tuple[Objection, ...]:
    """Never a refusal: that something is accepted, or does not fail, is worth a test too. Where all of a file are
    silent, it was looked at as a whole; where a `[keep]` names the file, its tests are about what was there."""
    if not silent or new.declared or len(silent) == len(dict.fromkeys(map(_test, new.ids))):
        return ()
    observed = f"{len(silent)} new tests notice no change of the work: {some(silent)}"
    if len(silent) == 1:
        observed = f"a new test notices no change of the work: {silent[0]}"
    satisfy = "let each compare what the work returns or changes with what is expected"
    return (Objection(Layer.SABOTAGE, subject, observed, new.path, satisfy, Weight.FLAG),)


def judge_given_up(subject: str, given_up: Sequence[GivenUp], text: str) -> tuple[Objection, ...]:
    """A known limit beside what is asked for is no lie; one in place of it says that the work is not done. ``text``:
    what the plan says; a test that it names may be expected to fail."""
    left = [limit for limit in given_up if not is_named(name(limit.test), text)]
    if not left:
        return ()
    clauses, tests = dict.fromkeys(limit.clause for limit in left), some(limit.test for limit in left)
    observed = f"of `{next(iter(clauses))}` only tests speak that are expected to fail, and do: {tests}"
    satisfy = "make it hold, and the test pass; or name the test in the plan as one that is expected to fail"
    return (Objection(Layer.RUN, subject, observed, left[0].path, satisfy),)


def judge_unspelled(subject: str, missing: Sequence[tuple[str, Sequence[str]]]) -> tuple[Objection, ...]:
    """By clause of the roadmap that no check speaks of: what it is exact about and nothing spells, not even the code.
    Words have synonyms, so of them nothing follows. An exception may come from the language without being named."""
    if not missing:
        return ()
    clause, found = missing[0]
    more = f", and so of {len(missing) - 1} more" if len(missing) > 1 else ""
    observed = f"of `{clause}` no code and no test has `{'`, `'.join(found[:3])}`{more}"
    satisfy = "let the work do it, and a test ask for it by this number or name"
    is_error = all(spelled.endswith(("Error", "Exception")) for _, names in missing for spelled in names)
    weight = Weight.FLAG if is_error else Weight.REFUSE
    return (Objection(Layer.HELD_OUT, subject, observed, satisfy=satisfy, weight=weight),)


def _of_new(new: NewTests, trial: Trial) -> list[tuple[str, TestResult]]:
    if trial.report is None or not is_usable(trial.report):
        return []
    by_id = {result.id: result for result in trial.report.results if result.ended in (Ended.PASSED, Ended.FAILED)}
    same = partners(new.ids, by_id)
    return [(id, by_id[same[id]]) for id in new.ids if id in same]


def _test(id: str) -> str:
    return without_parameters(id) if id.endswith("]") else id
