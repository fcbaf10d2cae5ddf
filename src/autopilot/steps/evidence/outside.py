"""Outside: the functions of tests called by us, without and with the signs of a test tool (layer H)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from autopilot.gates.evidence.outside import judge_outside, judge_replaced, judge_unrun
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, observe_work
from autopilot.steps.observing.observing import Check
from autopilot.steps.observing.test_reports import report_of
from autopilot.testtools.outside.outside import Outside, read_outside, spell_outside, spell_script_outside

MOST_FILES = 30


class Language(Struct, frozen=True):
    endings: tuple[str, ...]
    spell: Callable[..., str]
    suffix: str = ""  # tells its observations from those of another language


LANGUAGES = (
    Language((".py",), spell_outside),
    Language((".js", ".mjs", ".cjs"), spell_script_outside, " in JavaScript"),
)


def run_outside(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    proving = Proving()
    for language in LANGUAGES if ctx.policy.evidence.held_out else ():
        files = _files(ctx, seen, language.endings)
        if files:
            proving += _compare(ctx, work, files, language)
    return proving


def _compare(ctx: StepContext, work: Work, files: Sequence[str], language: Language) -> Proving:
    """Further runs are needed only where a test failed in the first."""
    plain, results = _call(ctx, work, files, language, signs=False)
    if plain.seen is Seen.NOTHING:
        return Proving((plain,), (judge_unrun(work.subject, plain.reason),))
    objections = judge_replaced(work.subject, results.replaced)
    if not any(results.tests.values()):
        return Proving((plain,), objections)
    tested, others = _call(ctx, work, files, language, signs=True)
    if tested.seen is Seen.NOTHING:
        return Proving((plain, tested), (*objections, judge_unrun(work.subject, tested.reason)))
    if not judge_outside(work.subject, results.tests, others.tests):
        return Proving((plain, tested), objections)
    # Once more before anything is held against the work: a test may fail by chance.
    second, repeated = _call(ctx, work, files, language, signs=False)
    failed = {test: why for test, why in results.tests.items() if why and repeated.tests.get(test)}
    return Proving((plain, tested, second), objections + judge_outside(work.subject, failed, others.tests))


def _files(ctx: StepContext, seen: Sequence[Observation], endings: tuple[str, ...]) -> list[str]:
    reports = [report for run in seen if run.seen is Seen.PASSED and (report := report_of(ctx, run))]
    passed = [result.file for report in reports for result in report.results if result.ended is Ended.PASSED]
    return [path for path in dict.fromkeys(passed) if path.endswith(endings)][:MOST_FILES]


def _call(
    ctx: StepContext, work: Work, files: Sequence[str], language: Language, *, signs: bool
) -> tuple[Observation, Outside]:
    command = language.spell(files, signs=signs)
    subject = probe_subject(ProbeKind.OUTSIDE, ("with signs" if signs else "without signs") + language.suffix)
    check = Check(subject, command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)
    (seen,) = observe_work(ctx, work, [check])
    output = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    return seen, read_outside(output)
