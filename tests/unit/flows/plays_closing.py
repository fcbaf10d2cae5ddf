"""Plays of the completion: an auditor that finds what it is told to, and a bump without files."""

from __future__ import annotations

from autopilot.events import closing as c
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.gates.audit import unshown
from autopilot.model.agent import Role
from autopilot.model.audit import (
    INTEGRATION,
    Audit,
    Gap,
    IntegrationReport,
    RequirementAudit,
    VersionAdvice,
)
from autopilot.model.evidence.observation import Seen
from autopilot.model.run import StepStatus
from autopilot.planning.spec.audited import Wanted, wanted
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.playing import Choose, ask
from tests.unit.making import make_observation

FOUND = ("gap", "red gap", "not shown", "silence")


def play_audit(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.AUDITOR)
    if choose(f"the auditor of the {command.task}", True, False) is False:
        return Result("error", detail="the auditor's reply does not fit")
    match Audit(command.task):
        case Audit.INTEGRATION:
            gap = _gap(state, Wanted(INTEGRATION, "", "it fits"), choose("wiring", "pass", *FOUND[:3]))
            event = c.IntegrationChecked(phase.id, IntegrationReport(gap is None), (gap,) if gap else ())
            return Result("gaps" if gap else "pass", (event,))
        case Audit.REQUIREMENTS:
            return Result("pass", (_look(state, phase, choose),))
        case Audit.VERSION:
            advice = VersionAdvice("patch", "patch only after phase 3")
            return Result("advised", (c.VersionAdvised(phase.id, advice),))


def _look(state: RunState, phase: PhaseState, choose: Choose) -> c.Audited:
    asked = wanted(state, "")
    said = {one.id: choose("a requirement", "pass", *FOUND) for one in asked}
    gaps = tuple(gap for one in asked if (gap := _gap(state, one, said[one.id])) is not None)
    results = tuple(RequirementAudit(one.id, one.phase, one.text, "", "a.py:1", _status(said[one.id])) for one in asked)
    closed = tuple(one.id for one in asked if one.gap and one.id not in {gap.requirement for gap in gaps})
    return c.Audited(phase.id, state.completion.audit.passes, results, gaps, closed)


def _status(word: str) -> str:
    return {"pass": "pass", "silence": "not audited"}.get(word, "gap")


def _gap(state: RunState, one: Wanted, word: str) -> Gap | None:
    match word:
        case "gap":
            return Gap(one.id, one.phase, "it is missing")
        case "red gap":
            seen = make_observation(f"gap {one.id}", Seen.FAILED, commit=state.line.tip)
            return Gap(one.id, one.phase, "it is missing", check="check it", check_is_red=True, seen=seen)
        case "not shown":
            return unshown(one.id, one.phase)
        case "silence":
            return one.gap
        case _:
            return None


def play_bump(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    if state.completion.audit.advised is None and choose("rules about versions", False, True):
        return Result(StepStatus.ASKS, detail="the project has rules of its own")
    match choose("the version", "given", "kept", "sandbox"):
        case "sandbox":
            return Result("unproven", detail="test could not be run: no sandbox")
        case "kept":
            return Result("kept", (c.VersionKept(phase.id, "checks fail with the new version"),))
    commit = f"version-{state.seq}"
    seen = (make_observation("test", commit=commit),)
    return Result("completed", (c.VersionBumped(phase.id, commit, "1.2.0", "1.3.0", ("VERSION",), "minor", seen),))
