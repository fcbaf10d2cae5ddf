"""Tests at stake: of a whole suite, the files that the work could have a hand in, and some of the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.inspection.at_stake import names_of_modules
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended, TestReport, TestResult
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import is_doubtful
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.observing import Check
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.commands.narrowing import narrow_to
from autopilot.testtools.expectations.site import Draw

ONE_OF = 4  # of the files that seem to have nothing to do with the work


def files_at_stake(ctx: StepContext, work: Work, seen: Sequence[Observation], files: Sequence[str]) -> list[str]:
    """All that criteria run, that the work changed, that stand beside what it changed or speak of it; of the rest one
    in four, drawn by the commit, which no agent knows before the work is done. All where the work is suspicious."""
    if is_doubtful(ctx, work):
        return list(files)
    reports = [report_of(ctx, observation) for observation in seen if observation.subject not in CHECKS]
    named = {r.file for report in reports if report for r in report.results if r.ended is Ended.PASSED}
    changed = {change.path for change in work.changes}
    folders = {PurePosixPath(path).parent for path in changed if work.is_product(path)}
    modules, read = names_of_modules([path for path in changed if work.is_product(path)]), text_at(ctx, work.evidence)

    def is_at_stake(path: str) -> bool:
        if path in named or path in changed or PurePosixPath(path).parent in folders:
            return True
        return modules.are_in(read(path) or "") or Draw(f"{work.new} {path}").below(ONE_OF) == 0

    return [path for path in files if is_at_stake(path)]


def narrow_to_stake(
    ctx: StepContext, work: Work, check: Check, report: TestReport, after: Sequence[Observation]
) -> tuple[Check, TestReport]:
    """Of a whole suite the files at stake, without those that a criterion runs: these have had their rounds."""
    all_files = [path for path in dict.fromkeys(result.file for result in report.results) if path]
    run = {r.file for seen in after if seen.subject not in CHECKS for r in _results(ctx, seen)}
    files = [path for path in files_at_stake(ctx, work, after, all_files) if path not in run]
    if not all_files or len(files) == len(all_files):
        return check, report
    results = tuple(result for result in report.results if result.file in files)
    alone = narrow_to(check.command, text_at(ctx, work.evidence), files, str(ctx.project)) if files else None
    return replace(check, command=alone or check.command), replace(report, results=results)


def _results(ctx: StepContext, seen: Observation) -> Sequence[TestResult]:
    report = report_of(ctx, seen) if seen.seen is Seen.PASSED else None
    return report.results if report else ()
