"""Single tests against those of the base: none lost, none skipped, none newly red (layer R)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.added import judge_rewritten
from autopilot.gates.evidence.kept import is_called, that_ran
from autopilot.gates.evidence.moved import follow_moves
from autopilot.gates.evidence.sabotage import Trial, speaks_of_behaviour
from autopilot.gates.evidence.test_id import is_to_be_removed, name, partners
from autopilot.gates.evidence.test_run import Excuses, judge_tests, only_legacy_red
from autopilot.gates.evidence.weakened import judge_demands, judge_weakened
from autopilot.gates.red import IN_A_TEST
from autopilot.inspection.control.changes import control_kind
from autopilot.inspection.control.meaning.python_units import find_tests_that_use, removed_definitions
from autopilot.inspection.control.meaning.regrouping import unchanged_tests
from autopilot.inspection.control.resting import data_of_tests
from autopilot.inspection.control.rust_tests import lost_inline_tests
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.policy import CHECKS
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import opened_before
from autopilot.steps.evidence.brought.without_added import (
    observe_again,
    observe_with_helpers_back,
    observe_without_added,
)
from autopilot.steps.evidence.proving import Proving, reverted_files
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at

READ = (ControlKind.TEST, ControlKind.FIXTURE, ControlKind.SUPPORT, ControlKind.RUNNER)


class Pinned(Struct, frozen=True):
    """What the tests say that a declared change replaced, at the work's own commit."""

    proving: Proving = Proving()
    still_pass: frozenset[str] = frozenset()


def mark_legacy(
    ctx: StepContext, before: Mapping[str, Observation], after: Sequence[Observation]
) -> tuple[Observation, ...]:
    """A check that is red for nothing but what was red before the work began says so."""

    def marked(seen: Observation) -> Observation:
        if seen.subject not in CHECKS or seen.seen is not Seen.FAILED or seen.tests is None:
            return seen
        new, old = report_of(ctx, seen), report_of(ctx, before.get(seen.subject))
        if new is None or old is None or not only_legacy_red(old, new):
            return seen
        return replace(seen, legacy=len(new.of(Ended.FAILED)) + len(new.loading))

    return tuple(marked(seen) for seen in after)


def compare(
    ctx: StepContext,
    work: Work,
    before: Mapping[str, Observation],
    after: Sequence[Observation],
    *,
    as_pinned: bool = True,
) -> Proving:
    """Every run of tests with the same run at the base.

    ``as_pinned``: declared test files are put to the new code as they were, too. Of a test that failed now and then
    that says nothing.
    """
    if not ctx.policy.evidence.tests:
        return Proving()
    pinned = _observe_pinned(ctx, work, before, after) if as_pinned else Pinned()
    if any(probe.seen is Seen.NOTHING for probe in pinned.proving.probes):
        return pinned.proving  # which tests still pass as pinned is not known, so none can be called lost
    added, gone = _since(ctx, work, "A"), _gone(ctx, work)
    kept = that_ran(work.kept, [report for seen in after if (report := report_of(ctx, seen))]) if work.kept else ()
    dropped = _tests_of_removed(ctx, work)
    excuses = Excuses(
        files=_declared_tests(work),
        text=work.text,
        still_pass=pinned.still_pass,
        added=added,
        deleted=gone,
        kept=kept,
        dropped=dropped,
    )
    objections = list(_changed_inside(ctx, work, before, after))
    for seen in after:
        report = report_of(ctx, seen)
        if report is not None and seen.seen in (Seen.PASSED, Seen.FAILED):
            old = follow_moves(report_of(ctx, before.get(seen.subject)), work.moves)
            if old is None and not work.changes:
                old = report  # a phase that was found done and is only looked at: this is its base
            is_check = seen.subject in CHECKS
            silent = is_check and old is not None and bool(old.problem)
            objections += judge_tests(seen.subject, old, report, excuses, must_run=not is_check, silent_base=silent)
    objections += judge_rewritten(work.subject, _rewritten(ctx, work, before, after))
    proving = pinned.proving + Proving(objections=tuple(objections))
    if not as_pinned:
        return proving
    return proving + observe_without_added(ctx, work, after) + observe_with_helpers_back(ctx, work, after)


def _rewritten(
    ctx: StepContext, work: Work, before: Mapping[str, Observation], after: Sequence[Observation]
) -> list[str]:
    """Snapshots are left out: their tools add to them what a new test shows for the first time."""
    allowed = {path for seen in before.values() for path in seen.rewritten}
    read, paths = text_at(ctx, work.old), ctx.ports.vault.list(work.old)
    found = sorted({path for seen in after for path in seen.rewritten} - allowed)
    found = [path for path in found if read(path) is not None]
    data = [*data_of_tests(found, paths, read, opened_before(ctx))] if found else []
    return [path for path in found if path in data or control_kind(path) in READ]


def _observe_pinned(
    ctx: StepContext, work: Work, before: Mapping[str, Observation], after: Sequence[Observation]
) -> Pinned:
    """The old version of every test file that a task declares and changed, on the new code."""
    paths = [c.path for c in work.tests if c.status in "MD" and not c.inline and work.is_declared(c.path)]
    touched = [
        observation
        for observation in after
        if observation.seen is Seen.PASSED and _runs(report_of(ctx, before.get(observation.subject)), paths)
    ]
    if not touched:
        return Pinned()
    vault = ctx.ports.vault
    edits = {path: vault.read(work.old, path) for path in paths}
    probes = observe_again(ctx, work, edits, touched, ProbeKind.PINNED)
    reports = [report_of(ctx, probe) for probe in probes]
    still_pass = frozenset(name for report in reports if report for name in report.of(Ended.PASSED))
    failing = [observation for observation, probe in zip(touched, probes, strict=True) if probe.seen is Seen.FAILED]
    reverted = observe_again(
        ctx,
        work,
        reverted_files(ctx, work, [observation.command for observation in touched]),
        failing,
        ProbeKind.REPLAY,
    )
    without = {probe.about.without_probe: probe for probe in reverted}
    objections: list[Objection] = []
    for seen, probe in zip(touched, probes, strict=True):
        trial = Trial("the tests as pinned", probe.seen, report_of(ctx, probe))
        back = without.get(seen.subject)
        other = Trial("the implementation reverted", back.seen, report_of(ctx, back)) if back else None
        objections += judge_weakened(
            seen.subject, trial, other, _kept(ctx, work, paths, before.get(seen.subject), seen)
        )
        asked = _asked_for(report_of(ctx, before.get(seen.subject)), paths)
        objections += judge_demands(seen.subject, _unmet(asked, trial.report), work.text)
    return Pinned(Proving((*probes, *reverted), tuple(objections)), still_pass)


def _kept(
    ctx: StepContext, work: Work, paths: Sequence[str], old: Observation | None, new: Observation
) -> frozenset[str]:
    """Tests of those files that passed before and pass now, and differ: what they ask for may be another thing."""
    before, after = report_of(ctx, old), report_of(ctx, new)
    if before is None or after is None:
        return frozenset()
    reads_same = all(c.kind is ControlKind.TEST for c in work.control if c.status in "MD")
    same = [(path, name) for path in paths if reads_same for name in _unchanged(ctx, work, path)]
    passed_before = {
        result.id
        for result in before.results
        if result.file in paths
        and result.ended is Ended.PASSED
        and not any(is_called(result.id, result.file, path, name) for path, name in same)
    }
    return frozenset(passed_before) & after.of(Ended.PASSED)


def _unchanged(ctx: StepContext, work: Work, path: str) -> frozenset[str]:
    old, new = text_at(ctx, work.old)(path), text_at(ctx, work.new)(path)
    is_read = path.endswith(".py") and old is not None and new is not None
    return unchanged_tests(old or "", new or "", path) if is_read else frozenset()


def _tests_of_removed(ctx: StepContext, work: Work) -> frozenset[tuple[str, str]]:
    """Tests that use what the work took out of the product, where the plan says that it is to go."""
    old, new = text_at(ctx, work.old), text_at(ctx, work.new)
    product = [c.path for c in work.changes if c.path.endswith(".py") and not work.is_control(c.path)]
    was, now = ({path: read(path) or "" for path in product} for read in (old, new))
    gone = frozenset(name for name in removed_definitions(was, now) if is_to_be_removed(name, work.text))
    paths = [path for path in _declared_tests(work) if path.endswith(".py")] if gone else []
    return frozenset((path, test) for path in paths for test in find_tests_that_use(old(path) or "", gone))


def _asked_for(base: TestReport | None, paths: Sequence[str]) -> frozenset[str]:
    """Tests of these files that were red at the base for what they ask."""
    results = base.results if base else ()
    return frozenset(result.id for result in results if result.file in paths and result.by in IN_A_TEST)


def _unmet(asked: frozenset[str], pinned: TestReport | None) -> frozenset[str]:
    red = [r.id for r in pinned.results if r.by and speaks_of_behaviour(r)] if pinned else []
    return frozenset(partners(sorted(asked), sorted(red)))


def _changed_inside(
    ctx: StepContext, work: Work, before: Mapping[str, Observation], after: Sequence[Observation]
) -> Iterator[Objection]:
    """Tests inside a file of the product go with it, and cannot be run as pinned: those that were red must stay."""
    old, new = text_at(ctx, work.old), text_at(ctx, work.new)
    for path in (c.path for c in work.tests if c.inline):
        lost = lost_inline_tests(old(path) or "", new(path) or "")
        for seen in (observation for observation in after if observation.seen is Seen.PASSED):
            asked = _asked_for(report_of(ctx, before.get(seen.subject)), [path])
            yield from judge_demands(seen.subject, frozenset(id for id in asked if name(id) in lost), work.text)


def _runs(report: TestReport | None, paths: Sequence[str]) -> bool:
    return report is not None and any(result.file in paths for result in report.results)


def _declared_tests(work: Work) -> tuple[str, ...]:
    return tuple(c.path for c in work.tests if c.kind is ControlKind.TEST and work.is_declared(c.path))


def _gone(ctx: StepContext, work: Work) -> frozenset[str]:
    return _since(ctx, work, "D") - {old for old, _ in work.moves}


def _since(ctx: StepContext, work: Work, status: str) -> frozenset[str]:
    """Since the plan was made: the base of a later task is that of the whole phase."""
    base = ctx.phase.plan.commit or ctx.phase.line.base or work.old
    return frozenset(change.path for change in ctx.ports.vault.changes(base, work.new) if change.status == status)
