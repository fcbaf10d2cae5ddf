"""Proving: does green mean anything? Runs on trees made for it, where it must not be green (layers E and M)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.red import needs_replay
from autopilot.gates.replay import REPLAY
from autopilot.gates.sabotage import Trial, is_killed, judge_sabotage, judge_untouched, needs_mutants
from autopilot.model.criterion import Criterion, Form, Kind
from autopilot.model.evidence import Observation, Seen
from autopilot.model.objection import Objection
from autopilot.model.testing import Ended, TestReport
from autopilot.planning.control_files import control_kind
from autopilot.planning.implementation import split
from autopilot.planning.mutants.mutant import Mutant, can_mutate, mutants
from autopilot.steps.context import StepContext
from autopilot.steps.looking import look_at_criteria, observe_made
from autopilot.steps.test_reports import ask_tools, report_of
from autopilot.steps.work import Work, commit_with

MUTANT = "mutant:"


class Proving(Struct, frozen=True):
    probes: tuple[Observation, ...] = ()
    objections: tuple[Objection, ...] = ()

    def __add__(self, other: Proving) -> Proving:
        return Proving(self.probes + other.probes, self.objections + other.objections)


def replay(
    ctx: StepContext,
    work: Work,
    criteria: Sequence[Criterion],
    before: Sequence[Observation],
    after: Sequence[Observation],
) -> Proving:
    """What the work's own tests say of the code as it was before: they must be red there.

    A test that was there before the work began, and was red by an assertion, has said so already.
    """
    seen, red = {o.subject: o for o in after}, {o.subject: o for o in before}
    todo = [c for c in criteria if _is_open(ctx, work, c, red.get(c.id), seen.get(c.id))]
    if not todo or not ctx.policy.evidence.sabotage:
        return Proving()
    reverted = reverted_files(ctx, work, [c.command for c in todo])
    if not reverted:
        return Proving(objections=tuple(_nothing_to_revert(work, todo)))
    probes = _look(ctx, work, reverted, todo, REPLAY)
    green = {c.id: report_of(ctx, seen[c.id]) for c in todo}
    trials = {c.id: _trial(ctx, "the implementation taken back", o) for c, o in zip(todo, probes, strict=True)}
    open_still = [c for c in todo if needs_mutants(green[c.id], trials[c.id])]
    changed = {path: (old, ctx.ports.vault.read(work.new, path) or b"") for path, old in reverted.items()}
    tried = _mutate(ctx, work, open_still, green, mutants(changed)) if ctx.policy.evidence.mutants else Tried()
    objections = [
        objection
        for c in todo
        for objection in judge_sabotage(
            c.id,
            green[c.id],
            trials[c.id],
            tried.trials.get(c.id, ()),
            mutable=any(can_mutate(path) for path in changed),
        ).objections
    ]
    return Proving((*probes, *tried.probes), tuple(objections))


def _is_open(
    ctx: StepContext, work: Work, criterion: Criterion, red: Observation | None, green: Observation | None
) -> bool:
    if criterion.form is not Form.COMMAND or criterion.kind is not Kind.NEW or green is None or green.tests is None:
        return False
    if green.seen is not Seen.PASSED:
        return False
    return needs_replay(red) or (bool(work.tests) and _runs_new_tests(ctx, red, green))


def _runs_new_tests(ctx: StepContext, red: Observation | None, green: Observation) -> bool:
    """A check of the whole that was green before says nothing of the work, but for the tests that came with it."""
    old, new = report_of(ctx, red), report_of(ctx, green)
    known = old.of(*Ended) if old else frozenset()
    return new is not None and bool(new.of(Ended.PASSED) - known)


def reverted_files(ctx: StepContext, work: Work, judged_by: Sequence[str]) -> dict[str, bytes | None]:
    """The work's implementation as it was before. What these commands name as tests is not among it."""
    asked = [ask_tools(ctx, work.new, command) for command in judged_by]
    named = {word for each in asked if each for call in each.calls for word in call.words}
    paths = split(work.changes, work.is_evidence, named).implementation
    return {path: ctx.ports.vault.read(work.old, path) for path in paths}


def _nothing_to_revert(work: Work, todo: Sequence[Criterion]) -> Iterator[Objection]:
    """Whoever is asked for more than tests and brings tests alone has brought nothing they could be red without."""
    done = {change.path for change in work.changes}
    wanted = [p for p in work.declared if PurePosixPath(p).suffix and control_kind(p) is None and p not in done]
    for criterion in todo:
        if objection := judge_untouched(criterion.id, (), wanted):
            yield objection


def _look(
    ctx: StepContext, work: Work, edits: Mapping[str, bytes | None], criteria: Sequence[Criterion], prefix: str
) -> tuple[Observation, ...]:
    looks = [replace(look, subject=f"{prefix}{look.subject}") for look in look_at_criteria(ctx, criteria)]
    return observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, looks)


class Tried(Struct):
    """What came of the constants, by criterion."""

    trials: dict[str, list[Trial]] = {}
    probes: list[Observation] = []


def _mutate(
    ctx: StepContext,
    work: Work,
    criteria: Sequence[Criterion],
    green: Mapping[str, TestReport | None],
    candidates: Sequence[Mutant],
) -> Tried:
    """One constant after another in place of what was built, until each criterion has noticed one."""
    tried, left = Tried(), list(criteria)
    for mutant in candidates:
        if not left:
            break
        probes = _look(ctx, work, mutant.edits, left, MUTANT)
        tried.probes += probes
        for criterion, probe in zip(left, probes, strict=True):
            tried.trials.setdefault(criterion.id, []).append(_trial(ctx, mutant.description, probe))
        left = [c for c in left if not is_killed(green[c.id], tried.trials[c.id][-1])]
    return tried


def _trial(ctx: StepContext, what: str, probe: Observation) -> Trial:
    return Trial(what, probe.seen, report_of(ctx, probe))
