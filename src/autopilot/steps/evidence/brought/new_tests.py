"""New test files taken away: tests that were there before must not be green by them alone (layer R)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.gates.evidence.added import judge_new_files
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.at_stake import files_at_stake
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import make_repeat_check, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.commands.narrowing import narrow_to


def run_without_new_tests(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """A tool that loads all files in one process lets a new one repair what the product should do.

    Once for each command that runs new files beside unchanged ones; only what stands in the latter is compared.
    """
    new = {c.path for c in work.control if c.status == "A" and c.kind is ControlKind.TEST and not c.inline}
    if not new or not ctx.policy.evidence.expectations:
        return Proving()
    before = base_of(ctx)
    commands: dict[str, tuple[Observation, frozenset[str]]] = {}
    taken: set[str] = set()
    for green in after:
        report = report_of(ctx, green) if green.seen is Seen.PASSED else None
        if report is None or not (loaded := _loaded(report, new)):
            continue
        if pinned := _pinned(ctx, work, report, before.get(green.subject)):
            commands.setdefault(green.command, _of_some(ctx, work, after, green, report, pinned))
            taken |= loaded
    commands = {command: some for command, some in commands.items() if some[1]}
    if not commands:
        return Proving()
    commit = commit_with(ctx, work.evidence, dict.fromkeys(taken))
    checks = [make_repeat_check(ctx, green, ProbeKind.PINNED) for green, _ in commands.values()]
    probes = observe_made(ctx, commit, work.evidence, checks)
    objections: list[Objection] = []
    final: list[Observation] = []
    for (green, pinned), check, probe in zip(commands.values(), checks, probes, strict=True):
        found = judge_new_files(green.subject, pinned, _trial(ctx, probe))
        if found and probe.seen is Seen.FAILED:  # red in one of two runs is flaky
            (repeated,) = observe_made(ctx, commit, work.evidence, [check])
            found = judge_new_files(green.subject, pinned, _trial(ctx, probe), _trial(ctx, repeated))
            probe = repeated
        objections += found
        final.append(probe)
    return Proving(tuple(final), tuple(objections))


def _trial(ctx: StepContext, probe: Observation) -> Trial:
    return Trial("the new test files taken away", probe.seen, report_of(ctx, probe))


def _of_some(
    ctx: StepContext,
    work: Work,
    after: Sequence[Observation],
    green: Observation,
    report: TestReport,
    pinned: frozenset[str],
) -> tuple[Observation, frozenset[str]]:
    """Of the whole suite the files at stake alone, where the tool can be told."""
    held = {result.id: result.file for result in report.results if result.id in pinned and result.file}
    if green.subject not in CHECKS or len(held) < len(pinned):
        return green, pinned
    files = files_at_stake(ctx, work, after, list(dict.fromkeys(held.values())))
    alone = narrow_to(green.command, text_at(ctx, work.evidence), files, str(ctx.project)) if files else None
    if files and alone is None:
        return green, pinned
    return replace(green, command=alone or green.command), frozenset(id for id, path in held.items() if path in files)


def _files(report: TestReport) -> frozenset[str]:
    return frozenset(result.file for result in report.results if result.file)


def _loaded(report: TestReport, new: Set[str]) -> Set[str]:
    """Those of the new files that the run loaded: files of its tests, and what Go builds with these although it holds
    no test. All of them where the tool tells no file (Rust)."""
    files = _files(report)
    folders = {PurePosixPath(path).parent for path in files}
    beside = {path for path in new if path.endswith(".go") and PurePosixPath(path).parent in folders}
    return files & new | beside if files else new


def _pinned(ctx: StepContext, work: Work, report: TestReport, before: Observation | None) -> frozenset[str]:
    """Tests that passed and were there: in files as they were, or by their names at the base if no test was changed."""
    passed = report.of(Ended.PASSED) - report.of(Ended.FAILED)
    if _files(report):
        changed = {change.path for change in work.changes}
        return frozenset(r.id for r in report.results if r.file and r.file not in changed and r.id in passed)
    if any(c.status != "A" and c.kind is ControlKind.TEST for c in work.control):
        return frozenset()
    known = report_of(ctx, before) if before else None
    return frozenset(passed & {result.id for result in known.results}) if known else frozenset()
