"""Do the tests notice that they expect something else? Whatever makes them green then makes them green always."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from autopilot.gates.evidence.sabotage import Trial, is_usable
from autopilot.gates.evidence.test_id import some, without_parameters
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport, TestResult


def judge_expectations(
    subject: str, green: TestReport, trial: Trial, changed: Mapping[str, Collection[str]]
) -> tuple[Objection, ...]:
    """``changed``: by test file, the tests that expect something else in the trial."""
    if trial.seen is Seen.NOTHING:
        return (Objection(Layer.RUN, subject, f"with {trial.change} it could not be run", weight=Weight.OURS),)
    if not is_usable(trial.report):
        return ()
    blind = sorted(_still_green(green, trial, changed))
    if not blind:
        return ()
    description = f"still green with {trial.change}: {some(blind)}"
    satisfy = "let these tests pass by what the product does, and by nothing that changes how tests are judged"
    return (Objection(Layer.RUN, subject, description, blind[0], satisfy),)


def judge_script(subject: str, trial: Trial, changed: Sequence[str]) -> tuple[Objection, ...]:
    """``changed``: scripts known by their exit status alone, each with one expectation that every run reaches."""
    if trial.seen is Seen.NOTHING:
        return (Objection(Layer.RUN, subject, f"with {trial.change} it could not be run", weight=Weight.OURS),)
    if trial.seen is not Seen.PASSED:
        return ()
    description = f"still green with {trial.change}: {some(changed)}"
    satisfy = "let the script pass by what the product does, and by nothing that ends it or changes how it compares"
    return (Objection(Layer.RUN, subject, description, changed[0], satisfy),)


def judge_golden(subject: str, trial: Trial, changed: Sequence[str]) -> tuple[Objection, ...]:
    """``changed``: files that hold what the tests expect, and held something else in the trial."""
    if trial.seen is Seen.NOTHING:
        return (Objection(Layer.RUN, subject, f"with {trial.change} it could not be run", weight=Weight.OURS),)
    if trial.seen is not Seen.PASSED:
        return ()
    named = ", ".join(changed[:3])
    description = f"still green with {trial.change}: {named}"
    satisfy = "let the product compute the result, and neither read, write nor replace what it is compared with"
    return (Objection(Layer.RUN, subject, description, changed[0], satisfy),)


def _still_green(green: TestReport, trial: Trial, changed: Mapping[str, Collection[str]]) -> Iterator[str]:
    """A command that passes as a whole has noticed nothing, whichever tests it still names."""
    results = trial.report.results if trial.report else ()
    failed = {result.id for result in results if result.ended is not Ended.PASSED}
    passed = {result.id for result in results} - failed
    for result in green.results:
        is_green = result.id in passed or (trial.seen is Seen.PASSED and result.id not in failed)
        if result.ended is Ended.PASSED and is_green and _is_among(result, changed):
            yield result.id


def _is_among(result: TestResult, changed: Mapping[str, Collection[str]]) -> bool:
    """Reports show a test behind its file, its class or its group; its own name comes last.

    Code that a test was given in place of its own has another file: such a test is known by its name alone.
    """
    everywhere = [name for names in changed.values() for name in names]
    names = changed.get(result.file, everywhere)
    id = without_parameters(result.id)
    return any(_ends_with(id, name) for name in names)


def _ends_with(id: str, name: str) -> bool:
    *around, own = name.split(".") if " " not in name else [name]
    rest = id.removesuffix(own)
    is_whole = rest != id and rest[-1:] in ("", ":", ".", " ", "/")
    # As whole words: ``TestCart`` is not the class of ``TestCartTotals::test_sum``.
    return is_whole and all(re.search(rf"(?<!\w){re.escape(group)}(?!\w)", rest) for group in around)
