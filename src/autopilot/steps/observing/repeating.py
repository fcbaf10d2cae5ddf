"""Repeating a command, where a single green or red may be chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.declared import speaks_of_chance
from autopilot.gates.evidence.flaky import Runs, count, judge_repeats, judge_tries, judge_undone
from autopilot.inspection.suspicion import asks_chance, why_flaky
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with, observe_work
from autopilot.steps.observing.observing import make_repeat_check, observe, observe_made
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.tries import with_one_try


def repeat_green(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """A criterion that must turn green is repeated where its test or the code under it uses random numbers, waits or
    races. Whose test it is makes no difference: a user's own test passes by chance as well as an agent's."""
    times = ctx.policy.evidence.repeats
    new = {id for task in work.tasks for id in task.promises_new}
    greens = [
        observation
        for observation in after
        if observation.tests and observation.seen is Seen.PASSED and observation.subject in new
    ]
    once = _with_one_try(ctx, work) if greens and times else {}
    if not times or not greens or not (once or _hints(ctx, work)):
        return Proving()
    objections: list[Objection] = []
    probes: list[Observation] = []
    for green in greens:
        checks = [make_repeat_check(ctx, green, ProbeKind.AGAIN)] * times
        if once:
            tried = observe_made(ctx, commit_with(ctx, work.evidence, once), work.evidence, checks)
            probes += tried
            meant, chance = speaks_of_chance(work.text), _asks_chance(ctx, work)
            objections += judge_tries(green.subject, _runs(tried), by_chance=chance, is_chance_meant=meant)
            continue
        repeats = observe_work(ctx, work, checks)
        probes += repeats
        fickle = judge_repeats(green.subject, _runs([green, *repeats]), None)
        objections += fickle or judge_undone(green.subject, (observation.seen for observation in repeats))
    return Proving(tuple(probes), tuple(objections))


def _hints(ctx: StepContext, work: Work) -> tuple[str, ...]:
    return why_flaky(_texts(ctx, work))


def _texts(ctx: StepContext, work: Work) -> dict[str, str]:
    read = text_at(ctx, work.new)
    return {change.path: text for change in work.changes if (text := read(change.path)) is not None}


def _asks_chance(ctx: StepContext, work: Work) -> bool:
    return asks_chance({path: text for path, text in _texts(ctx, work).items() if not work.is_evidence(path)})


def _with_one_try(ctx: StepContext, work: Work) -> dict[str, bytes]:
    """The test files of this work that try until something fits. Green with one try, they are green with more."""
    came = {path: text for path, text in _texts(ctx, work).items() if work.is_evidence(path)}
    found = {path: with_one_try(path, text) for path, text in came.items()}
    return {path: text.encode() for path, text in found.items() if text is not None}


def _runs(seen: Sequence[Observation]) -> Runs:
    return count(observation.seen for observation in seen)


def repeat_red(
    ctx: StepContext, work: Work, before: Mapping[str, Observation], after: Sequence[Observation]
) -> tuple[tuple[Observation, ...], Proving]:
    """A command that was green at the base and is red now is repeated once, and more often where the repeat is green.

    If the base gives mixed results as well, the change is not to blame, and the green observation is used. Work that
    changes nothing is its own base.
    """
    settled: list[Observation] = []
    proving = Proving()
    for seen in after:
        old = before.get(seen.subject)
        newly_red = seen.tests and seen.seen is Seen.FAILED and old is not None and old.seen is Seen.PASSED
        if not newly_red or not ctx.policy.evidence.repeats:
            settled.append(seen)
            continue
        chosen, found = _settle(ctx, work, seen)
        settled.append(chosen)
        proving += found
    return tuple(settled), proving


def _settle(ctx: StepContext, work: Work, red: Observation) -> tuple[Observation, Proving]:
    check = make_repeat_check(ctx, red, ProbeKind.AGAIN)
    once = observe_work(ctx, work, [check])
    if once[0].seen is not Seen.PASSED:
        return _unless_undone(red, once), Proving(once)
    more = observe_work(ctx, work, [check] * (ctx.policy.evidence.repeats - 1))
    repeated = [check] * (ctx.policy.evidence.repeats + 1 if work.changes else 0)
    base = observe(ctx, work.old, repeated, at_base=True)
    probes = (*once, *more, *base)
    if any(observation.seen is Seen.NOTHING for observation in probes):
        return _unless_undone(red, probes), Proving(probes)
    now = _runs([red, *once, *more])
    objections = judge_repeats(red.subject, now, _runs(base) if work.changes else now)
    blameless = all(objection.weight is Weight.FLAG for objection in objections)
    chosen = replace(once[0], subject=red.subject) if blameless else red
    return chosen, Proving(probes, objections)


def _unless_undone(red: Observation, probes: Sequence[Observation]) -> Observation:
    """A red does not count against the work where the sandbox could not run the repeat that would settle it."""
    return next(
        (replace(observation, subject=red.subject) for observation in probes if observation.seen is Seen.NOTHING), red
    )
