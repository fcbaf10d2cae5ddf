"""Tests were added to a file that no task lists: what was there must hold without them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.sabotage import Trial, is_usable
from autopilot.gates.evidence.test_id import file, partners, some
from autopilot.model.evidence.objection import Layer, Objection, Weight, unfinished
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport

SATISFY = "make the code pass these tests with nothing added to their files"


def judge_added(
    subject: str, now: TestReport, without: Trial, open_: frozenset[str] = frozenset()
) -> tuple[Objection, ...]:
    """``now``: the run with what was added. ``without``: the same with these files as the plan knew them, and no test
    that came. ``open_`` are files that came, or that a task lists: what is in these may fail there.

    An addition that repairs the product, in its own body or by what it imports, is seen here whatever it does.
    """
    if without.seen is Seen.NOTHING:
        description = f"with {without.change} it could not be run"
        return (Objection(Layer.RUN, subject, description, without.change, weight=Weight.OURS),)
    if without.seen is Seen.TIMED_OUT:
        return (unfinished(Layer.RUN, subject, f"the run with {without.change}"),)
    if without.seen is Seen.PASSED:
        return ()
    if without.report is None or not is_usable(without.report):
        description = f"with {without.change} the command fails"
        return (Objection(Layer.RUN, subject, description, satisfy=SATISFY),)
    held = [r for r in without.report.results if (r.file or file(r.id)).removeprefix("./") not in open_]
    fell = sorted({r.id for r in held if r.ended is Ended.FAILED})
    red = set(fell) - {*partners(fell, sorted(now.of(Ended.FAILED)))}
    red |= {line for line in without.report.loading if line not in now.loading and line.partition(":")[0] not in open_}
    if not red:
        return ()
    description = f"red without the tests that were added to their files: {some(red)}"
    return (Objection(Layer.RUN, subject, description, min(red), SATISFY),)


def judge_new_files(
    subject: str, passed: frozenset[str], without: Trial, repeated: Trial | None = None
) -> tuple[Objection, ...]:
    """``passed``: tests of unchanged files, green with the new test files. ``without``: the same run without these.

    ``repeated``: that run once more. A test that is red in one of them alone is flaky, and leans on no file.
    """
    if repeated is not None:
        passed = passed & _red(passed, without)
        without = repeated
    satisfy = "let the product do what these tests ask for; a new test file must not change it for others"
    description = "red without the new test files, which change what other tests see"
    return _judge_fallen(subject, passed, without, Objection(Layer.RUN, subject, description, satisfy=satisfy))


def judge_helpers(subject: str, passed: frozenset[str], without: Trial, paths: Sequence[str]) -> tuple[Objection, ...]:
    """``passed``: tests that were there, and are green. ``without``: the same run with these modules as pinned."""
    satisfy = "restore it and let the product itself pass these tests; if it is the product, list it in the plan's task"
    description = f"only tests load {some(paths)}, no task lists it, and without its change tests are red"
    return _judge_fallen(subject, passed, without, Objection(Layer.CHANGE, subject, description, paths[0], satisfy))


def _judge_fallen(subject: str, passed: frozenset[str], without: Trial, objection: Objection) -> tuple[Objection, ...]:
    """Only a test that ran and failed says something: a command may name what is not there, and then runs nothing."""
    if without.seen is Seen.NOTHING:
        description = f"with {without.change} it could not be run"
        return (Objection(Layer.RUN, subject, description, without.change, weight=Weight.OURS),)
    if without.seen is Seen.TIMED_OUT:
        return (unfinished(Layer.RUN, subject, f"the run with {without.change}"),)
    if without.seen is Seen.PASSED or without.report is None or not is_usable(without.report):
        return ()
    red = _red(passed, without)
    if not red:
        return ()
    where = objection.where or min(red)
    return (replace(objection, description=f"{objection.description}: {some(red)}", where=where),)


def _red(passed: frozenset[str], without: Trial) -> set[str]:
    failed = without.report.of(Ended.FAILED) if without.report else frozenset()
    return {*partners(sorted(passed), sorted(failed))}


def judge_rewritten(subject: str, paths: Sequence[str]) -> tuple[Objection, ...]:
    """``paths``: tests, and what they read, that a run of them wrote to now and did not before the work."""
    if not paths:
        return ()
    description = f"while they ran, tests or what they read were changed, and not so at the base: {some(paths)}"
    satisfy = "let product and tests leave these files as they are; a test writes to a folder of its own"
    return (Objection(Layer.RUN, subject, description, paths[0], satisfy),)
