"""The baseline of a run: setup and every check on the commit it begins with, before any agent is started.

What is red there and neither accepted nor the aim of a phase stops the run before anything is recorded or spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.state import PhaseState, RunState
from autopilot.gates.baseline import TEST, Goal, Red, find_red, is_accepted, is_aimed_at, is_green_again
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, Step
from autopilot.ports.bundle import Ports
from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import Outcome, run
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import (
    list_configured_checks,
    make_repeat_check,
    observe,
    observe_setup,
    spell_check,
)
from autopilot.steps.observing.setups import find_dependencies
from autopilot.steps.observing.test_reports import report_of
from autopilot.text.last_lines import telling_lines

MOST_REPEATS = 2  # of the tests, where they are red before the work
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
    flaky: tuple[Red, ...] = ()  # red in one run of this commit and green in another


def observe_baseline(
    label: str, commit: str, policy: Policy, written: frozenset[str], ports: Ports, progress: Progress = ignore_progress
) -> Baseline:
    """``label``: what the commands belong to; ``written``: the checks that the config names."""
    ctx = make_context(label, policy, ports)
    setup = None
    if policy.commands.setup:
        progress(f"baseline: setup: {policy.commands.setup}")
        setup = observe_setup(ctx, commit)
        if setup.seen is not Seen.PASSED:
            return Baseline((), setup, printed=((setup.subject, _lines(ports, setup)),))
        ctx = make_context(label, with_environment(label, commit, policy, ports), ports)
    seen: list[Observation] = []
    for check in list_configured_checks(ctx):
        progress(f"baseline: {check.subject}: {check.command}")
        seen += observe(ctx, commit, [check], at_base=True)
        if seen[-1].lacks_service:
            break  # no other check would find it
    reports = {
        observation.subject: report for observation in seen if (report := report_of(ctx, observation)) is not None
    }
    unclear = [observation for observation in seen if observation.seen is not Seen.PASSED]
    printed = tuple((observation.subject, _lines(ports, observation)) for observation in unclear)
    return Baseline(tuple(seen), setup, find_red(seen, reports, written), printed)


def with_environment(label: str, commit: str, policy: Policy, ports: Ports) -> Policy:
    """A policy that knows the programs which setup installs in the project at the commit that a run begins with."""
    layer = find_dependencies(make_context(label, policy, ports), PurePosixPath(ports.workspaces.export(commit)))
    return replace(policy, environment=layer.environment) if isinstance(layer, Layer) else policy


def start_services(label: str, commit: str, policy: Policy, ports: Ports) -> Outcome:
    """The services of the checks with nothing beside them, over what setup installed."""
    ctx = make_context(label, policy, ports)
    backing = PurePosixPath(ports.workspaces.export(commit))
    layer = find_dependencies(ctx, backing)
    return layer if isinstance(layer, Outcome) else run(ports.sandbox, spell_check(ctx, backing, layer, "true"))


def sort_red(baseline: Baseline, goals: Sequence[Goal], accepted: Sequence[str]) -> Sorted:
    taken = [red for red in baseline.red if is_accepted(red, accepted)]
    rest = [red for red in baseline.red if red not in taken]
    aimed_at = [red for red in rest if is_aimed_at(red, goals, baseline.command_of(red.check))]
    return Sorted(tuple(red for red in rest if red not in aimed_at), tuple(taken), tuple(aimed_at))


def separate_flaky(
    ctx: StepContext, commit: str, baseline: Baseline, found: Sorted, progress: Progress = ignore_progress
) -> Sorted:
    """Run the tests once more where they would stop the run, and again while that shows what was red by chance.

    A flaky test is no reason to stop: that it was red stays recorded, so it may be red later, and no green of it counts
    as the work's.
    """
    first = next((seen for seen in baseline.seen if seen.subject == TEST and seen.seen is Seen.FAILED), None)
    for _ in range(MOST_REPEATS if first is not None and ctx.policy.evidence.repeats else 0):
        left = [red for red in found.stops if red.check == TEST and not red.is_not_run]
        if first is None or not left:
            break
        progress(f"baseline: {TEST} once more, for what is red may be flaky: {first.command}")
        [repeated] = observe(ctx, commit, [make_repeat_check(ctx, first, ProbeKind.AGAIN)], at_base=True)
        by_chance = [red for red in left if is_green_again(red, repeated, report_of(ctx, repeated))]
        if not by_chance:
            break
        stops = tuple(red for red in found.stops if red not in by_chance)
        found = replace(found, stops=stops, flaky=(*found.flaky, *by_chance))
    return found


def make_context(label: str, policy: Policy, ports: Ports) -> StepContext:
    """As a step has it: the run has not begun, so there is nothing in its state yet."""
    brief = PhaseBrief(PhaseId("baseline"), "", "", (), (), "")
    return StepContext(RunState(run=label, policy=policy), PhaseState(brief), Step.PREFLIGHT, 1, "", ports)


def _lines(ports: Ports, seen: Observation) -> tuple[str, ...]:
    if not seen.output:
        return (seen.reason,) if seen.reason else ()
    return telling_lines(ports.blobs.get(seen.output).decode("utf-8", "replace"))
