"""Doubtful expectations: in callbacks that the product calls, and where its own equality decides (layer R)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.declared import speaks_of_errors
from autopilot.gates.evidence.expectations import changed_test, judge_doubtful, still_green
from autopilot.gates.evidence.sabotage import Trial, is_usable
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.otherwise.other_input import added_lines
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.testtools.expectations.doubtful import Asking, DoubtfulTests, asking_of, change_doubtful

MOST_FILES = 30
ROUNDS = 3
MOST_SETTLED = 3  # survivors of one command that are looked at closely


def run_doubtful(ctx: StepContext, work: Work, checks: Sequence[Check], after: Sequence[Observation]) -> Proving:
    """No run where the new code neither catches nor compares, or no test asks in such a place."""
    asking = asking_of([line for lines in added_lines(ctx, work).values() for line in lines])
    proving, done = Proving(), set[str]()
    asked = {check.subject: check for check in checks if check.subject not in CHECKS}
    for green in after if asking and ctx.policy.evidence.expectations else ():
        check, report = asked.get(green.subject), report_of(ctx, green)
        if green.seen is Seen.PASSED and check and report and check.command not in done:
            done.add(check.command)
            proving += _try(ctx, work, check, report, asking)
    return proving


def _try(ctx: StepContext, work: Work, check: Check, green: TestReport, asking: Asking) -> Proving:
    proving = Proving()
    texts = {path: ctx.ports.vault.read(work.evidence, path) or b"" for path in _files(green)}
    for number in range(ROUNDS):
        found = {path: change_doubtful(path, text, number, work.new, asking) for path, text in texts.items()}
        changed = {path: tests for path, tests in found.items() if tests}
        if not changed or proving.objections:
            break
        seen = _observe(ctx, work, check, {path: tests.text for path, tests in changed.items()})
        trial = Trial("other expectations", seen.seen, report_of(ctx, seen))
        proving += Proving((seen,))
        if is_usable(trial.report):
            proving += _settle(ctx, work, check, green, trial, changed)
    return proving


def _settle(
    ctx: StepContext,
    work: Work,
    check: Check,
    green: TestReport,
    trial: Trial,
    changed: Mapping[str, DoubtfulTests],
) -> Proving:
    names = {path: tuple(tests.doubts) for path, tests in changed.items()}
    blind = set(still_green(green, trial, names))
    proving = Proving()
    for result in [result for result in green.results if result.id in blind][:MOST_SETTLED]:
        place = changed_test(result, names)
        if place is None:
            continue
        path, name = place
        doubt = changed[path].doubts[name]
        seen = _observe(ctx, work, check, {path: changed[path].settling(name)})
        settled = Trial("what would settle it", seen.seen, report_of(ctx, seen))
        equality, alone = doubt.is_equality, doubt.is_all
        objections = judge_doubtful(
            check.subject,
            result.id,
            trial,
            settled,
            is_equality=equality,
            is_all=alone,
            is_catching_meant=speaks_of_errors(work.text),
        )
        proving += Proving((seen,), objections)
    return proving


def _observe(ctx: StepContext, work: Work, check: Check, edits: Mapping[str, bytes]) -> Observation:
    probe = replace(check, subject=probe_subject(ProbeKind.EXPECTATION, check.subject))
    (seen,) = observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, [probe])
    return seen


def _files(green: TestReport) -> list[str]:
    passed = [result.file for result in green.results if result.ended is Ended.PASSED and result.file]
    return list(dict.fromkeys(passed))[:MOST_FILES]
