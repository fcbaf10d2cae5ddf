"""New test files taken away: tests that were there before must not be green by them alone (layer R)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.added import judge_new_files
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import make_repeat_check, observe_made
from autopilot.steps.observing.test_reports import report_of


def run_without_new_tests(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """A tool that loads all files in one process lets a new one repair what the product should do.

    Once for each command that runs new files beside unchanged ones; only what stands in the latter is compared.
    """
    if not ctx.policy.evidence.expectations:
        return Proving()
    new = {c.path for c in work.control if c.status == "A" and c.kind is ControlKind.TEST and not c.inline}
    changed = {change.path for change in work.changes}
    commands: dict[str, tuple[Observation, TestReport]] = {}
    for green in after:
        report = report_of(ctx, green) if green.seen is Seen.PASSED else None
        if report and _files(report) & new and _files(report) - changed:
            commands.setdefault(green.command, (green, report))
    if not commands:
        return Proving()
    present = {path for _, report in commands.values() for path in _files(report) & new}
    commit = commit_with(ctx, work.evidence, dict.fromkeys(present))
    checks = [make_repeat_check(ctx, green, ProbeKind.PINNED) for green, _ in commands.values()]
    probes = observe_made(ctx, commit, work.evidence, checks)
    objections: list[Objection] = []
    for (green, report), probe in zip(commands.values(), probes, strict=True):
        without = Trial("the new test files taken away", probe.seen, report_of(ctx, probe))
        objections += judge_new_files(green.subject, _of_unchanged(report, changed), without)
    return Proving(probes, tuple(objections))


def _files(report: TestReport) -> frozenset[str]:
    return frozenset(result.file for result in report.results if result.file)


def _of_unchanged(report: TestReport, changed: set[str]) -> frozenset[str]:
    """Tests that passed, in files as they were before the work."""
    passed = report.of(Ended.PASSED) - report.of(Ended.FAILED)
    return frozenset(r.id for r in report.results if r.file and r.file not in changed and r.id in passed)
