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
    subject: str,
    green: TestReport,
    trial: Trial,
    changed: Mapping[str, Collection[str]],
    before: Trial | None = None,
    known: Collection[str] = (),
) -> tuple[Objection, ...]:
    """``changed``: by test file, the tests that expect something else in the trial; ``known``: the ids, without
    parameters, of tests that ran before the work.

    ``before``: the same trial on the code before the work, with the test files that the work left alone. What did not
    notice there either was a weak test before, and no fault of the work: it is shown.
    """
    if trial.seen is Seen.NOTHING:
        return (Objection(Layer.RUN, subject, f"with {trial.change} it could not be run", weight=Weight.OURS),)
    if not is_usable(trial.report):
        return ()
    blind = sorted(still_green(green, trial, changed, known))
    if before is not None and before.report is not None and is_usable(before.report):
        weak = set(still_green(green, before, changed, known)) & {result.id for result in before.report.results}
        if blind and weak.issuperset(blind):
            description = f"passes whatever it expects, before the work too: {some(blind)}"
            return (Objection(Layer.RUN, subject, description, blind[0], weight=Weight.FLAG),)
        blind = [id for id in blind if id not in weak]
    if not blind:
        return ()
    description = f"still green with {trial.change}: {some(blind)}"
    satisfy = "let these tests pass by what the product does, and by nothing that changes how tests are judged"
    return (Objection(Layer.RUN, subject, description, blind[0], satisfy),)


def judge_doubtful(
    subject: str, test: str, trial: Trial, settled: Trial, *, is_equality: bool, is_all: bool, is_catching_meant: bool
) -> tuple[Objection, ...]:
    """``test`` stayed green with another expectation in a place that the product has a hand in.

    ``settled``: the same run with that place ending the process, or comparing by content. Red says that the place is
    reached, or that the values differ; else nothing follows. ``is_all``: the test expects nothing elsewhere.
    ``is_catching_meant``: the user speaks of errors in what was asked for.
    """
    if settled.seen is Seen.NOTHING:
        return (Objection(Layer.RUN, subject, f"with {settled.change} it could not be run", weight=Weight.OURS),)
    if settled.seen is not Seen.FAILED or (is_equality and not _fails(settled, test)):
        return ()
    if is_equality:
        description = f"still green with {trial.change}, and by content the values differ: {test}"
        satisfy = "let equality compare all that the test writes out, and let the product return what it expects"
        return (Objection(Layer.RUN, subject, description, test, satisfy),)
    description = f"still green with {trial.change}, in a function that the product calls: {test}"
    satisfy = "let the product pass on what that function raises, or assert behind the call"
    weight = Weight.REFUSE if is_all or not is_catching_meant else Weight.FLAG
    return (Objection(Layer.RUN, subject, description, test, satisfy, weight),)


def _fails(trial: Trial, test: str) -> bool:
    results = trial.report.results if trial.report and is_usable(trial.report) else ()
    return any(result.id == test and result.ended is Ended.FAILED for result in results)


def changed_test(result: TestResult, changed: Mapping[str, Collection[str]]) -> tuple[str, str] | None:
    """The file and the name under which this result's test was changed."""
    name = _name_among(result, changed, ())
    paths = [result.file] if result.file in changed else [path for path, names in changed.items() if name in names]
    return (paths[0], name) if name and paths else None


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


def still_green(
    green: TestReport, trial: Trial, changed: Mapping[str, Collection[str]], known: Collection[str] = ()
) -> Iterator[str]:
    """A command that passes as a whole has noticed nothing, whichever tests it still names.

    Groups of one file may each have a test of the same name, of which perhaps only one expects something else: that one
    of them noticed is enough.
    """
    results = trial.report.results if trial.report else ()
    failed = {result.id for result in results if result.ended is not Ended.PASSED}
    passed = {result.id for result in results} - failed
    tests = [(result, _name_among(result, changed, known)) for result in green.results if result.ended is Ended.PASSED]
    noticed = {(r.file, name, without_parameters(r.id)) for r, name in tests if name and r.id in failed}
    for result, name in tests:
        is_green = result.id in passed or (trial.seen is Seen.PASSED and result.id not in failed)
        own = (result.file, name, without_parameters(result.id))
        if name and is_green and not any(other[:2] == own[:2] for other in noticed - {own}):
            yield result.id


def _name_among(result: TestResult, changed: Mapping[str, Collection[str]], known: Collection[str]) -> str:
    """The changed test that this is a result of; "" for none. Reports show a test behind its file, its class or its
    group; its own name comes last.

    Code that a test was given in place of its own has another file: such a test is known by its name alone. One that
    ran under this very id before the work stands in its own file, and another file's test may well have its name.
    """
    id = without_parameters(result.id)
    everywhere = [name for names in changed.values() for name in names] if id not in known else ()
    names = changed.get(result.file, everywhere)
    return next((name for name in names if _ends_with(id, name)), "")


def _ends_with(id: str, name: str) -> bool:
    *around, own = name.split(".") if " " not in name else [name]
    rest = id.removesuffix(own)
    is_whole = rest != id and rest[-1:] in ("", ":", ".", " ", "/", "#")
    # As whole words: ``TestCart`` is not the class of ``TestCartTotals::test_sum``.
    return is_whole and all(re.search(rf"(?<!\w){re.escape(group)}(?!\w)", rest) for group in around)
