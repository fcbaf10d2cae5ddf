"""Other expectations: the tests that turned green, each expecting something else, must turn red (layer R)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.expectations import judge_expectations, judge_golden, judge_script
from autopilot.gates.evidence.sabotage import Trial
from autopilot.gates.evidence.test_id import without_parameters
from autopilot.inspection.control.behind import files_run, runs_tests
from autopilot.inspection.control.kinds import control_kind
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.planning.criterion import Expectation
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.at_stake import narrow_to_stake
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.expectations.expectation import ChangedTests, change_expectations, change_script
from autopilot.testtools.expectations.golden import change_golden
from autopilot.text.shell import split_parts

MOST_FILES = 60
ROUNDS = 3  # of what a criterion runs; a check of the whole gets one


def run_other_expectations(
    ctx: StepContext, work: Work, checks: Sequence[Check], after: Sequence[Observation]
) -> Proving:
    """Once for each command; criteria often share theirs."""
    proving = Proving()
    if not ctx.policy.evidence.expectations:
        return proving
    asked = {check.subject: check for check in checks}
    done: set[str] = set()
    for green in sorted(after, key=lambda seen: seen.subject in CHECKS):
        check = asked.get(green.subject) if green.seen is Seen.PASSED else None
        if check is None or check.command in done:
            continue
        done.add(check.command)
        report = report_of(ctx, green)
        if report is not None and check.subject in CHECKS:
            proving += _try(ctx, work, *narrow_to_stake(ctx, work, check, report, after))
        elif report is not None:
            proving += _try(ctx, work, check, report)
        else:
            proving += _try_scripts(ctx, work, check) or _try_unread(ctx, work, check)
    return proving


def _try_unread(ctx: StepContext, work: Work, check: Check) -> Proving:
    """A command that leads to a test tool in a way that no report can be asked for: every test of the project expects
    something else, and its exit status must tell."""
    read = text_at(ctx, work.evidence)
    named = [run.path for run in files_run(check.command) if control_kind(run.path) is ControlKind.TEST]
    if check.subject in CHECKS or not (named or runs_tests(check.command, read)):
        return Proving()
    if check.expectation != Expectation() or not _is_plain(check.command):
        return Proving()  # it asks for something else than that the tests pass
    tests = named or [path for path in ctx.ports.vault.list(work.evidence) if control_kind(path) is ControlKind.TEST]
    texts = {path: ctx.ports.vault.read(work.evidence, path) or b"" for path in tests[:MOST_FILES]}
    changed = {path: new for path, text in texts.items() if (new := change_expectations(path, text, 0, work.new))}
    if not changed:
        return Proving()
    seen = _observe(ctx, work, check, {path: new.text for path, new in changed.items()})
    trial = Trial("other expectations in its tests", seen.seen)
    return Proving((seen,), judge_script(check.subject, trial, tuple(changed)))


def _try_scripts(ctx: StepContext, work: Work, check: Check) -> Proving:
    """Scripts that judge by their exit status, where that is the status of the whole command."""
    if not _is_plain(check.command):
        return Proving()
    judging = [run.path for run in files_run(check.command) if control_kind(run.path) is not None]
    texts = {path: text for path in judging if (text := ctx.ports.vault.read(work.evidence, path))}
    proving = Proving()
    for number in range(1 if check.subject in CHECKS else ROUNDS):
        changed = {path: new for path, text in texts.items() if (new := change_script(path, text, number, work.new))}
        if not changed:
            break
        seen = _observe(ctx, work, check, {path: new.text for path, new in changed.items()})
        trial = Trial("another expectation in its script", seen.seen)
        proving += Proving((seen,), judge_script(check.subject, trial, tuple(changed)))
        if proving.objections:
            break
    return proving


def _is_plain(command: str) -> bool:
    """Whether its exit status is that of all it runs."""
    return all(part.before in ("", "&&") for part in split_parts(command))


def _observe(ctx: StepContext, work: Work, check: Check, edits: Mapping[str, bytes]) -> Observation:
    probe = replace(check, subject=probe_subject(ProbeKind.EXPECTATION, check.subject))
    (seen,) = observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, [probe])
    return seen


def _try(ctx: StepContext, work: Work, check: Check, green: TestReport) -> Proving:
    proving = Proving()
    for number in range(1 if check.subject in CHECKS else ROUNDS):
        changed = _changed(ctx, work, green, number)
        if not changed:
            break
        seen = _observe(ctx, work, check, {path: tests.text for path, tests in changed.items()})
        trial = Trial("other expectations in its tests", seen.seen, report_of(ctx, seen))
        names = {path: tests.tests for path, tests in changed.items()}
        known = _known(ctx)
        objections = judge_expectations(check.subject, green, trial, names, known=known)
        if any(objection.weight is Weight.REFUSE for objection in objections):
            old = _on_old_code(ctx, work, check, changed)
            before = Trial(trial.change, old.seen, report_of(ctx, old)) if old else None
            objections = judge_expectations(check.subject, green, trial, names, before, known)
        proving += Proving((seen,), objections)
        if objections:
            return proving
    return proving if check.subject in CHECKS else proving + _try_golden(ctx, work, check, green)


def _known(ctx: StepContext) -> frozenset[str]:
    reports = [report for seen in base_of(ctx).values() if (report := report_of(ctx, seen))]
    return frozenset(without_parameters(result.id) for report in reports for result in report.results)


def _on_old_code(ctx: StepContext, work: Work, check: Check, changed: Mapping[str, ChangedTests]) -> Observation | None:
    """The same expectations in the test files that the work left alone, on the code before it."""
    touched = {change.path for change in work.changes}
    edits = {path: tests.text for path, tests in changed.items() if path not in touched}
    if not edits:
        return None
    probe = replace(check, subject=probe_subject(ProbeKind.EXPECTATION, check.subject))
    (seen,) = observe_made(ctx, commit_with(ctx, work.old, edits), work.old, [probe])
    return seen


def _try_golden(ctx: StepContext, work: Work, check: Check, green: TestReport) -> Proving:
    """What the tests compare with may stand in files: these hold something else, and some test must notice."""
    vault = ctx.ports.vault
    tests = [
        content.decode("utf-8", "replace") for path in _files(green) if (content := vault.read(work.evidence, path))
    ]
    changed = change_golden(vault.list(work.evidence), tests, lambda path: vault.read(work.evidence, path), work.new)
    if not changed:
        return Proving()
    seen = _observe(ctx, work, check, changed)
    trial = Trial("other contents of the files that its tests compare with", seen.seen, report_of(ctx, seen))
    return Proving((seen,), judge_golden(check.subject, trial, tuple(changed)))


def _changed(ctx: StepContext, work: Work, green: TestReport, number: int) -> Mapping[str, ChangedTests]:
    """Of every file with a test that passed. The commit is the seed: it is not known before the work is done."""
    texts = ((path, ctx.ports.vault.read(work.evidence, path)) for path in _files(green))
    changed = {path: change_expectations(path, text, number, work.new) for path, text in texts if text}
    return {path: tests for path, tests in changed.items() if tests}


def _files(green: TestReport) -> list[str]:
    passed = [result.file for result in green.results if result.ended is Ended.PASSED and result.file]
    return list(dict.fromkeys(passed))[:MOST_FILES]
