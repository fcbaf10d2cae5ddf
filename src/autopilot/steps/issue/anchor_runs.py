"""The test an issue is about, run by us: alone where its tool can select its file, as often as it takes."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.gates.evidence.test_id import file
from autopilot.gates.issue.anchor_test import how_ended
from autopilot.gates.issue.oracle import Ran
from autopilot.inspection.control.changes import control_kind
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Layer, Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended
from autopilot.model.issue.issue import DESIGN, PINS, Cause
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.work import Work
from autopilot.steps.issue.issue_context import AT, issue_of, test_command
from autopilot.steps.issue.oracle_atdd import full_report
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.commands.narrowing import narrow

AT_AGAIN = probe_subject(ProbeKind.AGAIN, AT)


def begun_at(ctx: StepContext) -> str:
    """The issue before anybody worked on it: its first pin, however often the phase was entered since.

    What an earlier cycle left on the line is part of the work, and is looked at again with it.
    """
    pin = issue_of(ctx).pinned.pins.get(PINS[DESIGN])
    return pin.commit if pin is not None else ctx.phase.line.base


def commands_for(ctx: StepContext, commit: str, cause: Cause) -> tuple[str, ...]:
    """The test's file alone, then the whole: where the user names a command, that and nothing else."""
    whole = test_command(ctx)
    path = _file_of(cause)
    if not whole or issue_of(ctx).options.at_command or not path:
        return (whole,) if whole else ()
    alone = narrow(whole, text_at(ctx, commit), path, str(ctx.project))
    return (alone, whole) if alone and alone != whole else (whole,)


def run_often(
    ctx: StepContext, commit: str, command: str, times: int, *, subject: str = AT_AGAIN, at_base: bool = False
) -> Iterator[Ran]:
    """Each on a clean checkout of its own; the caller stops the iteration when it has enough."""
    check = Check(subject, command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)
    for _ in range(times):
        (seen,) = observe(ctx, commit, [check], at_base=at_base)
        yield Ran(seen, full_report(ctx, seen))


def run_until_red(ctx: StepContext, commit: str, command: str, test: str, times: int) -> list[Ran]:
    """Consecutive greens: the first run that is none ends the row."""
    runs: list[Ran] = []
    for ran in run_often(ctx, commit, command, times):
        runs.append(ran)
        if how_ended(test, ran) is not Ended.PASSED:
            break
    return runs


def undone(*seen: Observation) -> str:
    """What our own sandbox could not run, and why."""
    return next(
        (
            f"{observation.subject} could not be run: {observation.reason}"
            for observation in seen
            if observation.seen is Seen.NOTHING
        ),
        "",
    )


def find_bytecode(work: Work) -> tuple[Objection, ...]:
    """These runs are of the commit as it is, and Python could load such a file in place of its source."""
    made = (c.path for c in work.control if c.kind is ControlKind.BYTECODE and c.status != "D")
    reason, do = "the work contains bytecode", "take it out"
    return tuple(Objection(Layer.CHANGE, work.subject, reason, path, do) for path in made)


def _file_of(cause: Cause) -> str:
    """As its id says; else the one test file that is named. Of two, it is not known which."""
    named = file(cause.test.strip()).removeprefix("./")
    if named:
        return named
    tests = [path.removeprefix("./") for path in cause.files if control_kind(path) is ControlKind.TEST]
    return tests[0] if len(tests) == 1 else ""
