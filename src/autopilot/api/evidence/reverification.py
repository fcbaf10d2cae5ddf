"""Runs the evidence of a run again: the recorded commands at the recorded commits, compared with the record."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.api.assembly import Repository
from autopilot.api.evidence.phase_evidence import find_phase, find_run, read_reports, read_runs, reports_in
from autopilot.api.evidence.scratch_world import scratch_world
from autopilot.events.criteria import expectation_of
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import Unavailable, UsageError
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.policy import CHECKS
from autopilot.model.run import Step
from autopilot.ports.bundle import Ports
from autopilot.reports.evidence.comparison import Compared, compare
from autopilot.settings.reading import Settings
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import Check, observe

BEFORE, AFTER = "before", "after"


class Repeatable(Struct, frozen=True):
    when: str
    seen: Observation


def reverify(repository: Repository, settings: Settings, run: str, phase: str = "") -> Iterator[str | Compared]:
    """Yields a progress line and then the comparison, for each observation. Nothing is recorded."""
    state = find_run(read_runs(repository), run)
    phases = [find_phase(state, phase)] if phase else [*state.phases.values(), *state.parts.values()]
    items = [
        (owner, recorded)
        for owner in phases
        for recorded in (*red_observations(state, owner), *recorded_observations(owner))
    ]
    if not items:
        hint = f"`autopilot evidence PHASE --run {run}` shows what is recorded of a phase"
        raise UsageError(f"{run} has no evidence that can be run again", hint)
    recorded_report = read_reports(repository)
    with scratch_world(repository, settings) as ports:
        probe = ports.sandbox.probe()
        if not probe.usable:  # the reason and the remedy once, instead of with every command
            raise Unavailable(f"no command can be run here: {probe.detail}", probe.remedy)
        new_report = reports_in(ports.blobs)
        failed_setups: dict[str, str] = {}  # by commit: a failed setup is not repeated for every command
        for number, (owner, recorded) in enumerate(items, 1):
            observation = recorded.seen
            place = f"phase {owner.id}, {observation.subject} at {observation.commit[:12]}"
            yield f"[{number}/{len(items)}] {place}: {observation.command}"
            repeated = _repeat(_context(state, owner, ports), recorded, failed_setups.get(observation.commit, ""))
            if repeated.trouble is Trouble.SETUP:
                failed_setups[observation.commit] = repeated.reason
            yield compare(owner.id, recorded.when, observation, repeated, recorded_report, new_report)


def recorded_observations(phase: PhaseState) -> tuple[Repeatable, ...]:
    """Each command once per commit, in the order of the record: at the base, after each task, after the phase.

    Inspections without a command and temporary trees are left out.
    """
    before = (*(phase.intake.triage or ()), *(phase.plan.red or ()), *(phase.plan.baseline or ()))
    after = (
        *(observation for task in phase.tasks.values() for observation in task.observations),
        *(phase.observed.observations or ()),
    )
    pieces = [
        *(Repeatable(BEFORE, observation) for observation in before),
        *(Repeatable(AFTER, observation) for observation in after),
    ]
    runnable = [piece for piece in pieces if not piece.seen.about.is_inspection and piece.seen.command]
    return tuple({(p.seen.subject, p.seen.command, p.seen.commit): p for p in reversed(runnable)}.values())[::-1]


def red_observations(state: RunState, phase: PhaseState) -> tuple[Repeatable, ...]:
    """The tests of an issue where they had to fail."""
    red = state.issue.repeatable_red(phase.id) if state.issue else None
    return (Repeatable(BEFORE, red),) if red is not None and red.command and phase.observed.observations else ()


def _context(state: RunState, phase: PhaseState, ports: Ports) -> StepContext:
    """The context of the verify step, with the policy of the run instead of today's settings."""
    return StepContext(state, phase, Step.VERIFY, 1, "", ports)


def _repeat(ctx: StepContext, recorded: Repeatable, failed_setup: str) -> Observation:
    observation = recorded.seen
    reason = (
        failed_setup
        if failed_setup
        else ""
        if ctx.ports.vault.has(observation.commit)
        else "its commit is no longer in the vault"
    )
    if reason:
        return Observation(
            observation.subject,
            observation.command,
            observation.commit,
            Seen.NOTHING,
            observation.strength,
            reason=reason,
        )
    check = _make_check(ctx, observation)
    (repeated,) = observe(ctx, observation.commit, [check], at_base=recorded.when == BEFORE)
    return repeated


def _make_check(ctx: StepContext, observation: Observation) -> Check:
    timeouts = ctx.policy.timeouts
    is_script = observation.about.is_plain(SubjectKind.SCRIPT)
    name = (
        observation.subject
        if observation.subject in CHECKS
        else "test"
        if is_script or ctx.state.issue
        else "criterion"
    )
    expectation = expectation_of(ctx.phase, observation.subject)
    return Check(
        observation.subject,
        observation.command,
        expectation,
        observation.strength,
        getattr(timeouts, name),
        is_script=is_script,
    )
