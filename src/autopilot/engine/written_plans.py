"""Plans that lie in the folders of phases before a run begins, and what is said about these folders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable

from autopilot.model.intent import Purpose
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.plan import Plan, Task
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief
from autopilot.planning.plan.files import find_carried_out
from autopilot.planning.plan.folders import PHASES, find_folder, folder_doubts
from autopilot.planning.plan.plan import find_plans, parse_plan
from autopilot.ports.git import Checkout


def make_brief(phase: Phase, checkout: Checkout, taken: Collection[str] = (), spec: str = "") -> PhaseBrief:
    """``spec``: the phase's own, where its format has one for each."""
    return PhaseBrief.of(phase, find_folder(checkout.list(PHASES), phase, taken), spec)


def read_plans(brief: PhaseBrief, policy: Policy, checkout: Checkout) -> tuple[Plan, ...]:
    paths = find_plans(checkout.list(brief.folder), brief.folder)
    return tuple(parse_plan(read_text(checkout, path), path, brief.id, policy.commands) for path in paths)


def find_done(tasks: Iterable[Task], brief: PhaseBrief, checkout: Checkout) -> frozenset[str]:
    """The plan files of these tasks that a summary follows."""
    if brief.purpose is not Purpose.BUILD:
        return frozenset()
    return find_carried_out({task.path for task in tasks}, checkout.list(brief.folder))


def plan_doubts(
    roadmap: Roadmap, phases: Container[PhaseId], checkout: Checkout, taken: Callable[[Phase], Collection[str]]
) -> tuple[Complaint, ...]:
    """What lies in the folders of these phases and is not used; ``taken``: folders that a phase must leave alone."""
    paths = checkout.list(PHASES)
    wanted = [phase for phase in roadmap.phases if phase.id in phases]
    return tuple(doubt for phase in wanted for doubt in folder_doubts(paths, phase, taken(phase)))


def read_text(checkout: Checkout, path: str) -> str:
    return (checkout.read(path) or b"").decode("utf-8", "replace")
