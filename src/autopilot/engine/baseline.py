"""The baseline of a run: setup and every check on the commit it begins with, before any agent is started.

What is red there and neither accepted nor the aim of a phase stops the run before anything is recorded or spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.gates.baseline import Goal, Red, find_red, is_accepted, is_aimed_at
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, Step
from autopilot.ports.bundle import Ports
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import list_configured_checks, observe, observe_setup
from autopilot.steps.observing.test_reports import report_of
from autopilot.text.telling import telling_lines

Progress = Callable[[str], None]  # receives a line for each command that is started


def ignore_progress(_: str) -> None: ...


class Baseline(Struct, frozen=True):
    """What was seen at one commit, and what of it is red."""

    seen: tuple[Observation, ...] = ()
    setup: Observation | None = None
    red: tuple[Red, ...] = ()
    printed: tuple[tuple[str, tuple[str, ...]], ...] = ()  # of each check that is not green, the lines that tell why

    @property
    def setup_failed(self) -> bool:
        return self.setup is not None and self.setup.seen is not Seen.PASSED

    def lines_of(self, check: str) -> tuple[str, ...]:
        return dict(self.printed).get(check, ())

    def command_of(self, check: str) -> str:
        return next((observation.command for observation in self.seen if observation.subject == check), "")


class Sorted(Struct, frozen=True):
    """What is red, by what follows from it."""

    stops: tuple[Red, ...]
    accepted: tuple[Red, ...]
    aimed_at: tuple[Red, ...]


def observe_baseline(
    label: str, commit: str, policy: Policy, written: frozenset[str], ports: Ports, progress: Progress = ignore_progress
) -> Baseline:
    """``label``: what the commands belong to; ``written``: the checks that the config names."""
    ctx = _make_context(label, policy, ports)
    setup = None
    if policy.commands.setup:
        progress(f"baseline: setup: {policy.commands.setup}")
        setup = observe_setup(ctx, commit)
        if setup.seen is not Seen.PASSED:
            return Baseline((), setup, printed=((setup.subject, _lines(ports, setup)),))
    seen: list[Observation] = []
    for check in list_configured_checks(ctx):
        progress(f"baseline: {check.subject}: {check.command}")
        seen += observe(ctx, commit, [check], at_base=True)
    reports = {
        observation.subject: report for observation in seen if (report := report_of(ctx, observation)) is not None
    }
    unclear = [observation for observation in seen if observation.seen is not Seen.PASSED]
    printed = tuple((observation.subject, _lines(ports, observation)) for observation in unclear)
    return Baseline(tuple(seen), setup, find_red(seen, reports, written), printed)


def sort_red(baseline: Baseline, goals: Sequence[Goal], accepted: Sequence[str]) -> Sorted:
    taken = [red for red in baseline.red if is_accepted(red, accepted)]
    rest = [red for red in baseline.red if red not in taken]
    aimed_at = [red for red in rest if is_aimed_at(red, goals, baseline.command_of(red.check))]
    return Sorted(tuple(red for red in rest if red not in aimed_at), tuple(taken), tuple(aimed_at))


def goal_of(brief: PhaseBrief, tasks: Sequence[Task] = ()) -> Goal:
    """A check of the whole that stands beside others keeps watch; one that stands alone is what the phase is for."""
    criteria = [criterion for criteria in (brief.criteria, *(t.criteria for t in tasks)) for criterion in criteria]
    runnable = [criterion for criterion in criteria if criterion.is_runnable]
    turns_green = [criterion.command for criterion in runnable if criterion.is_new] or [c.command for c in runnable]
    texts = [brief.name, brief.goal, *(criterion.text for criterion in criteria)]
    texts += [text for task in tasks for text in (task.title, task.action, task.done)]
    return Goal("\n".join(texts), tuple(c.command for c in runnable), tuple(turns_green))


def _make_context(label: str, policy: Policy, ports: Ports) -> StepContext:
    """As a step has it: the run has not begun, so there is nothing in its state yet."""
    brief = PhaseBrief(PhaseId("baseline"), "", "", (), (), "")
    return StepContext(RunState(run=label, policy=policy), PhaseState(brief), Step.PREFLIGHT, 1, "", ports)


def _lines(ports: Ports, seen: Observation) -> tuple[str, ...]:
    if not seen.output:
        return (seen.reason,) if seen.reason else ()
    return telling_lines(ports.blobs.get(seen.output).decode("utf-8", "replace"))
