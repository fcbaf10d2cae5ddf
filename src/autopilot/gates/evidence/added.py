"""Tests were added to a file that no task lists: what was there must hold without them."""

from __future__ import annotations

from autopilot.gates.evidence.sabotage import Trial, is_usable
from autopilot.gates.evidence.test_id import file, partners, some
from autopilot.model.evidence.objection import Layer, Objection, Weight
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


def judge_new_files(subject: str, passed: frozenset[str], without: Trial) -> tuple[Objection, ...]:
    """``passed``: tests of unchanged files, green with the new test files. ``without``: the same run without these.

    Only a test that ran and failed says something: a command may name the new files, and then nothing is run at all.
    """
    if without.seen is Seen.NOTHING:
        description = f"with {without.change} it could not be run"
        return (Objection(Layer.RUN, subject, description, without.change, weight=Weight.OURS),)
    if without.seen is Seen.PASSED or without.report is None or not is_usable(without.report):
        return ()
    red = {*partners(sorted(passed), sorted(without.report.of(Ended.FAILED)))}
    if not red:
        return ()
    description = f"red without the new test files, which change what other tests see: {some(red)}"
    satisfy = "let the product do what these tests ask for; a new test file must not change it for others"
    return (Objection(Layer.RUN, subject, description, min(red), satisfy),)
