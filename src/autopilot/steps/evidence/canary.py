"""The canary: a test that must fail, put beside the work's own, so that a green of the same tool means something."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.canary import judge_canary
from autopilot.gates.red import IN_A_TEST
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.steps.observing.test_reports import ask_tools, report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.instrument import put_canary
from autopilot.testtools.pack import Canary

MOST_FILES = 5


def run_canary(
    ctx: StepContext, work: Work, after: Sequence[Observation], probes: Sequence[Observation] = ()
) -> Proving:
    """Once for each tool whose green counts here, beside what a criterion runs before what a check does.

    ``probes``: what was run already. Tests at stake that expected something else there, and were reported as failed,
    have shown what a canary would show.
    """
    proving = Proving()
    if not ctx.policy.evidence.canary:
        return proving
    done: set[str] = set()
    for green in sorted(after, key=lambda seen: seen.subject in CHECKS):
        asked = ask_tools(ctx, work.evidence, green.command) if green.tests and green.seen is Seen.PASSED else None
        for number, call in enumerate(asked.calls if asked else ()):
            if call.pack.name in done:
                continue
            done.add(call.pack.name)
            if asked is None or len(asked.calls) > 1 or not _have_failed(ctx, work, green, probes):
                proving += _one(ctx, work, green, number, call.pack.name)
    return proving


def _have_failed(ctx: StepContext, work: Work, green: Observation, probes: Sequence[Observation]) -> bool:
    """Whether a test in each file at stake was reported as failed, and the command told so."""
    files = set(_at_stake(ctx, work, green))
    for probe in probes:
        is_same = probe.about.probe is ProbeKind.EXPECTATION and probe.command == green.command
        report = report_of(ctx, probe) if is_same and probe.seen is Seen.FAILED and probe.exit_code else None
        failed = [r for r in report.results if r.ended is Ended.FAILED and r.by in IN_A_TEST] if report else []
        if files and files <= {result.file for result in failed}:
            return True
    return False


def _one(ctx: StepContext, work: Work, green: Observation, number: int, tool: str) -> Proving:
    """With the tests that are at stake in the same run: what would end it early ends it here as well."""
    paths, beside = ctx.ports.vault.list(work.evidence), _at_stake(ctx, work, green)
    read, project = text_at(ctx, work.evidence), str(ctx.project)
    put = put_canary(green.command, read, paths, beside=beside, project=project, call=number, seed=work.new)
    if put is None:
        return Proving()
    canary, command = put
    commit = commit_with(ctx, work.evidence, {canary.path: canary.text.encode()})
    check = Check(
        probe_subject(ProbeKind.CANARY, tool), command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test
    )
    (seen,) = observe_made(ctx, commit, work.evidence, [check])
    return Proving((seen,), _judged(ctx, work, canary, seen))


def _judged(ctx: StepContext, work: Work, canary: Canary, seen: Observation) -> tuple[Objection, ...]:
    return judge_canary(work.subject, canary.name, seen.seen, seen.exit_code, report_of(ctx, seen))


def _at_stake(ctx: StepContext, work: Work, green: Observation) -> list[str]:
    """Test files of the work; where it brought none, those that speak for it."""
    own = [change.path for change in work.tests if change.kind is ControlKind.TEST and change.status != "D"]
    report = report_of(ctx, green)
    reported = [result.file for result in report.results if result.file] if report else []
    return (own or list(dict.fromkeys(reported)))[:MOST_FILES]
