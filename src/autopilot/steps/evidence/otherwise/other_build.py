"""Other builds: the tests with each tag, feature or mode that the changed code speaks of (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.other_build import judge_other_build
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, observe_work
from autopilot.steps.observing.observing import make_repeat_check
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.builds import Build, other_builds, spell_in_build

MOST_COMMANDS = 2


def run_other_builds(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """No run where the changed code knows one build alone, which is nearly always."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    builds = _builds(ctx, work)
    commands = {seen.command: seen for seen in after if seen.seen is Seen.PASSED and seen.tests} if builds else {}
    proving = Proving()
    for green in list(commands.values())[:MOST_COMMANDS]:
        report = report_of(ctx, green)
        for build in builds if report else ():
            check = make_repeat_check(ctx, green, ProbeKind.INPUT)
            (seen,) = observe_work(ctx, work, [replace(check, command=spell_in_build(check.command, build))])
            trial = Trial(build.described, seen.seen, report_of(ctx, seen))
            assert report is not None
            objections = judge_other_build(green.subject, report, trial, certain=build.is_same_product)
            proving += Proving((seen,), objections)
    return proving


def _builds(ctx: StepContext, work: Work) -> tuple[Build, ...]:
    """Of tests too: what no command builds is run nowhere."""
    old, new = text_at(ctx, work.old), text_at(ctx, work.new)
    texts = {change.path: new(change.path) or "" for change in work.changes}
    known = {path: set((old(path) or "").splitlines()) for path in texts}
    added = {path: [line for line in text.splitlines() if line not in known[path]] for path, text in texts.items()}
    return other_builds(texts, added)
