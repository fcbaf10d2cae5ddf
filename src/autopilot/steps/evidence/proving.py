"""Proving: does green mean anything? Runs on trees made for it, where it must not be green (layers E and M)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.kept import known_ids, only_moved_as_planned
from autopilot.gates.evidence.moved import follow_moves
from autopilot.gates.evidence.sabotage import (
    Trial,
    is_killed,
    judge_doubted,
    judge_near,
    judge_sabotage,
    judge_untouched,
)
from autopilot.gates.red import needs_replay
from autopilot.inspection.control.behind import files_run
from autopilot.inspection.control.changes import control_kind
from autopilot.inspection.implementation import split
from autopilot.model.evidence.control import ControlKind, Meaning
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended, Grade, TestReport
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.second_looking import flag_suspicious_code
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import list_criterion_checks, observe_made
from autopilot.steps.observing.test_reports import ask_tools, report_of
from autopilot.steps.observing.texts import files_opened
from autopilot.testtools.mutants.mutant import Contents, Mutant, can_mutate, mutants
from autopilot.testtools.near.near import near_mutant

LEAST_PATIENCE_S = 30.0


class Proving(Struct, frozen=True):
    probes: tuple[Observation, ...] = ()
    objections: tuple[Objection, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything was tried or said."""
        return bool(self.probes or self.objections)

    @property
    def is_refused(self) -> bool:
        """Flags are for people, and decide nothing."""
        return any(objection.weight is not Weight.FLAG for objection in self.objections)

    def __add__(self, other: Proving) -> Proving:
        return Proving(self.probes + other.probes, self.objections + other.objections)


def replay(
    ctx: StepContext,
    work: Work,
    criteria: Sequence[Criterion],
    before: Sequence[Observation],
    after: Sequence[Observation],
) -> Proving:
    """What the work's own tests say of the code as it was before, and of constants in its place: they must be red.

    A test that was there before the work began, and was red by an assertion, has said so already; in doubt it is put
    to the constants as well.
    """
    if not ctx.policy.evidence.sabotage:
        return Proving()
    seen, red = (
        {observation.subject: observation for observation in after},
        {observation.subject: observation for observation in before},
    )
    new = [c for c in criteria if _is_new(c, seen.get(c.id))]
    own = [c for c in new if _is_own(ctx, work, red.get(c.id), seen[c.id])]
    if all(red[c.id].seen is Seen.PASSED for c in new if c.id in red):
        own += [c for c in new if c not in own and _runs_changed_tests(ctx, work, seen[c.id])]
    doubted = [c for c in new if c not in own] if is_doubtful(ctx, work) else []
    if not own and not doubted:
        return _put_new_tests_to_constants(ctx, work, criteria, red, seen)
    reverted = reverted_files(ctx, work, [c.command for c in (*own, *doubted)])
    if not reverted:
        return Proving(objections=tuple(_nothing_to_revert(work, own)))
    green = {c.id: report_of(ctx, seen[c.id]) for c in (*own, *doubted)}
    probes = _observe_probe(ctx, work, reverted, own, ProbeKind.REPLAY)
    trials = {
        c.id: _trial(ctx, "the implementation reverted", observation)
        for c, observation in zip(own, probes, strict=True)
    }
    alive = [c for c in own if trials[c.id].seen is not Seen.PASSED]
    changed = changed_contents(ctx, work, reverted)
    tried = Tried()
    if ctx.policy.evidence.mutants:
        tried = try_mutants(ctx, work, [*alive, *doubted], green, spoiled(changed))
    objections = [
        *(objection for c in own for objection in _judged(c.id, green[c.id], trials[c.id], tried, list(changed))),
        *(objection for c in doubted for objection in judge_doubted(c.id, green[c.id], tried.trials.get(c.id, ()))),
        *(objection for c in own for objection in judge_near(c.id, green[c.id], tried.trials.get(c.id, ()), own=True)),
        *(
            objection
            for c in doubted
            for objection in judge_near(c.id, green[c.id], tried.trials.get(c.id, ()), own=False)
        ),
    ]
    return Proving((*probes, *tried.probes), tuple(objections))


def changed_contents(ctx: StepContext, work: Work, reverted: Mapping[str, bytes | None]) -> dict[str, Contents]:
    return {path: (old, ctx.ports.vault.read(work.new, path) or b"") for path, old in reverted.items()}


def _put_new_tests_to_constants(
    ctx: StepContext,
    work: Work,
    criteria: Sequence[Criterion],
    red: Mapping[str, Observation],
    seen: Mapping[str, Observation],
) -> Proving:
    """Where nothing but "all tests pass" is promised, the tests that came with the work speak for it: with constants in
    place of what was built one of them must fail. They may be green on the code before, as those of a refactoring."""
    if any(c.is_new for c in criteria) or not work.tests or not ctx.policy.evidence.mutants:
        return Proving()
    for criterion in (c for c in criteria if c.is_runnable and c.id in seen and seen[c.id].seen is Seen.PASSED):
        came = _new_results(ctx, work, red.get(criterion.id), seen[criterion.id])
        reverted = reverted_files(ctx, work, [criterion.command]) if came else {}
        changed = changed_contents(ctx, work, reverted)
        if came is None or not changed:
            continue
        tried = try_mutants(ctx, work, [criterion], {criterion.id: came}, spoiled(changed))
        trials = tried.trials.get(criterion.id, ())
        objections = judge_doubted(criterion.id, came, trials) + judge_near(criterion.id, came, trials, own=False)
        return Proving(tuple(tried.probes), objections)
    return Proving()


def _new_results(ctx: StepContext, work: Work, red: Observation | None, green: Observation) -> TestReport | None:
    """The report of the tests alone that were not there before; None where there are none."""
    old, now = follow_moves(report_of(ctx, red), work.moves), report_of(ctx, green)
    known = old.of(*Ended) if old else frozenset()
    came = tuple(r for r in now.results if r.ended is Ended.PASSED and r.id not in known) if now and old else ()
    return replace(now, results=came) if now and came else None


def sabotage_scripts(
    ctx: StepContext,
    work: Work,
    criteria: Sequence[Criterion],
    after: Sequence[Observation],
    beside: Sequence[Criterion] = (),
) -> Proving:
    """Criteria that are scripts of the work itself, known by their exit status alone: with constants in place of what
    else it built they must fail. ``beside``: others of the phase; what those run is asked by them."""
    green = {observation.subject for observation in after if observation.seen is Seen.PASSED and not observation.tests}
    came = {change.path for change in work.changes if change.status == "A"}
    scripts = {c.id: {run.path for run in files_run(c.command)} & came for c in criteria if c.is_new and c.id in green}
    own = [c for c in criteria if scripts.get(c.id)]
    if not own or not ctx.policy.evidence.mutants:
        return Proving()
    judging = {path for paths in scripts.values() for path in paths}
    judging |= {run.path for criterion in beside for run in files_run(criterion.command)}
    built = {path: old for path, old in reverted_files(ctx, work, ()).items() if path not in judging}
    changed = changed_contents(ctx, work, built)
    candidates = spoiled(changed)
    tried = try_mutants(ctx, work, own, dict.fromkeys((c.id for c in own), None), candidates)
    trials = {c.id: tried.trials.get(c.id, ()) for c in own}
    objections = [objection for c in own for objection in judge_doubted(c.id, None, trials[c.id])]
    objections += [objection for c in own for objection in judge_near(c.id, None, trials[c.id], own=True)]
    edited = {path for mutant in candidates for path in mutant.edits}
    about_data = {seen.subject for seen in after if _looks_at_data(ctx, seen, changed, edited)}
    weighed = (_as_flag(objection) if objection.subject in about_data else objection for objection in objections)
    return Proving(tuple(tried.probes), tuple(weighed))


def _as_flag(objection: Objection) -> Objection:
    return replace(objection, weight=Weight.FLAG) if objection.weight is Weight.REFUSE else objection


def _looks_at_data(ctx: StepContext, seen: Observation, built: Collection[str], edited: Collection[str]) -> bool:
    """Whether a script opens what the work built and nothing that could have constants: a generated table, say."""
    opened = frozenset(files_opened(ctx, seen))
    return not opened.isdisjoint(built) and opened.isdisjoint(edited)


def _judged(
    subject: str, green: TestReport | None, reverted: Trial, tried: Tried, changed: Sequence[str]
) -> tuple[Objection, ...]:
    mutable, mutated = any(can_mutate(path) for path in changed), tried.trials.get(subject, ())
    return judge_sabotage(subject, green, reverted, mutated, mutable=mutable, noticed=tried.killed)


def _is_new(criterion: Criterion, green: Observation | None) -> bool:
    if not criterion.is_runnable or not criterion.is_new or green is None:
        return False
    return green.tests is not None and green.seen is Seen.PASSED


def _is_own(ctx: StepContext, work: Work, red: Observation | None, green: Observation) -> bool:
    """Whether the work is judged by tests that came with it, and not only by old ones that the plan moves."""
    report = report_of(ctx, green)
    if report is not None and only_moved_as_planned(report, work.kept, _moved_whole(work), work.text):
        return False
    return needs_replay(red) or (bool(work.tests) and _runs_new_tests(ctx, work, red, green))


def _moved_whole(work: Work) -> list[tuple[str, str]]:
    return [(c.path, c.moved_to) for c in work.control if c.moved_to and c.meaning is Meaning.SAME]


def is_doubtful(ctx: StepContext, work: Work) -> bool:
    """Whether something beside the work could turn tests green that were there before it."""
    return work.steered or any(flag_suspicious_code(ctx, work))


def _runs_new_tests(ctx: StepContext, work: Work, red: Observation | None, green: Observation) -> bool:
    """A check of the whole that was green before says nothing of the work, but for the tests that came with it."""
    old, new = follow_moves(report_of(ctx, red), work.moves), report_of(ctx, green)
    known = old.of(*Ended) if old else frozenset()
    return new is not None and bool(new.of(Ended.PASSED) - known - known_ids(new, work.kept))


def _runs_changed_tests(ctx: StepContext, work: Work, green: Observation) -> bool:
    """Where all that is promised held before the work: tests that ask for more under the name they had may be red."""
    changed = {c.path for c in work.tests if c.kind is ControlKind.TEST and c.meaning is not Meaning.SAME}
    report = report_of(ctx, green)
    return report is not None and any(result.file in changed for result in report.results)


def reverted_files(ctx: StepContext, work: Work, judged_by: Sequence[str]) -> dict[str, bytes | None]:
    """The work's implementation as it was before. What these commands name as tests is not among it."""
    asked = [ask_tools(ctx, work.new, command) for command in judged_by]
    named = {word for tools in asked if tools for call in tools.calls for word in call.arguments}
    paths = split(work.changes, work.is_evidence, named).implementation
    return {path: ctx.ports.vault.read(work.old, path) for path in paths}


def _nothing_to_revert(work: Work, todo: Sequence[Criterion]) -> Iterator[Objection]:
    """Work that should hold more than tests and brings tests alone holds nothing that they could fail without."""
    done = {change.path for change in work.changes}
    wanted = [p for p in work.declared if PurePosixPath(p).suffix and control_kind(p) is None and p not in done]
    for criterion in todo:
        if objection := judge_untouched(criterion.id, (), wanted):
            yield objection


def _observe_probe(
    ctx: StepContext,
    work: Work,
    edits: Mapping[str, bytes | None],
    criteria: Sequence[Criterion],
    probe: ProbeKind,
    patience_s: float = math.inf,
) -> tuple[Observation, ...]:
    checks = [
        replace(check, subject=probe_subject(probe, check.subject), timeout_s=min(check.timeout_s, patience_s))
        for check in list_criterion_checks(ctx, criteria)
    ]
    if not checks:
        return ()
    return observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, checks, is_spoiled=True)


class Tried(Struct):
    """What came of the constants, by criterion."""

    trials: dict[str, list[Trial]] = {}
    probes: list[Observation] = []
    killed: bool = False  # whether any criterion noticed one


def try_mutants(
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
        probes = _observe_probe(ctx, work, mutant.edits, left, ProbeKind.MUTANT, _patience_s(left, green))
        tried.probes += probes
        # Where the product is a service beside its tests, a constant may keep it from starting: no test noticed that.
        ran = [(c, probe) for c, probe in zip(left, probes, strict=True) if not _broke_service(probe)]
        for criterion, probe in ran:
            trial = _trial(ctx, mutant.description, probe)
            trial = replace(trial, is_near=mutant.is_near, is_certain=mutant.is_certain)
            tried.trials.setdefault(criterion.id, []).append(trial)
        noticed = {c.id for c, _ in ran if is_killed(green[c.id], tried.trials[c.id][-1])}
        tried.killed = tried.killed or bool(noticed)
        left = [c for c in left if c.id not in noticed]
    return tried


def _patience_s(criteria: Sequence[Criterion], green: Mapping[str, TestReport | None]) -> float:
    """Tests that wait for an answer which constants never give end long before the limit of their check."""
    reports = [green[criterion.id] for criterion in criteria]
    if any(report is None or report.grade is not Grade.REPORT for report in reports):
        return math.inf
    return patience_s(sum(result.seconds for report in reports if report for result in report.results))


def patience_s(took_s: float) -> float:
    """For a run on spoiled code, by what it took on the code as it is."""
    return max(LEAST_PATIENCE_S, 10 * took_s)


def _broke_service(probe: Observation) -> bool:
    return probe.lacks_service and probe.seen is Seen.FAILED


def _trial(ctx: StepContext, description: str, probe: Observation) -> Trial:
    return Trial(description, probe.seen, report_of(ctx, probe))


def spoiled(changed: Mapping[str, Contents]) -> tuple[Mutant, ...]:
    """The near one first: tests that notice it compare values, and need no other."""
    near = near_mutant(changed)
    return (*((near,) if near else ()), *mutants(changed))
