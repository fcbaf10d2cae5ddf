"""Plays of the steps of an issue: what each brings back, with what an agent does and what is seen chosen."""

from __future__ import annotations

from autopilot.events.issue import happened as i
from autopilot.events.issue.state import IssueState
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.model.agent import Role
from autopilot.model.issue.issue import PINS, AuditRow, HaltReason, OracleState
from autopilot.rails.issue.convergence import state_fingerprint
from autopilot.rails.issue.halt import find_halt
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.playing import Choose, ask

BRANCH = "autopilot/issue"
HOLDS = OracleState(red_observed=True, at_green=True, coverage_ok=True)
NOT_GREEN = OracleState(red_observed=True, failing=("a test",))
NEVER_RED = OracleState(at_green=True, coverage_ok=True)


def play_define(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.ANALYST)
    if choose("analyst", "writes", "nothing") == "nothing":
        return Result("error", detail="the agent committed nothing")
    return Result("completed", (i.Defined(phase.id, f"prd-{state.seq}"),))


def play_freeze(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    if choose("anchor", "as approved", "changed") == "changed":
        return Result("fail", (i.ConvergenceHalted(phase.id, "freeze", HaltReason.DRIFT),))
    issue, pin = _issue(state), PINS[phase.id]
    holds = pin in issue.pinned.pins and not issue.pinned.repin
    commit = state.line.tip if holds else f"pin-{state.seq}"
    pinned = i.AnchorPinned(phase.id, pin, (), "f" * 64, commit, issue.audit.lines, verified=holds)
    return Result("completed", (pinned,))


def play_design(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.DESIGNER)
    return _take_work(state, phase, command, choose)


def play_implement(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.IMPLEMENTER)
    return _take_work(state, phase, command, choose)


def _take_work(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> Result:
    before = _issue(state).convergence.rounds.get(command.task)
    iteration = before.iteration + 1 if before else 1
    if choose("work", "taken", "refused") == "refused":
        refused = i.WorkTaken(phase.id, command.task, iteration, refusal="the agent committed nothing")
        return Result("refused", (refused,))
    return Result("completed", (i.WorkTaken(phase.id, command.task, iteration, f"work-{state.seq}", "red"),))


def play_oracle(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ()
    now = _issue(state).convergence.rounds[command.task]
    assert now.work is not None and now.work.commit, "only work that was taken is looked at"
    seen = choose("oracle", HOLDS, NOT_GREEN, NEVER_RED)
    event = i.OracleJudged(phase.id, command.task, now.iteration, now.work.commit, seen)
    return Result("pass" if seen.holds else "fail", (event,))


def play_record(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ()
    issue = _issue(state)
    now = issue.convergence.rounds[command.task]
    if choose("audit log", "readable", "unreadable") == "unreadable":
        return Result("fail", (i.ConvergenceHalted(phase.id, command.task, HaltReason.RECORD),))
    assert now.work is not None, "nothing is recorded of an iteration that did not happen"
    taken = HOLDS if now.work.commit else OracleState(failing=(now.work.refusal,))
    seen = now.judged.state if now.judged else taken
    verdict = "PASS" if seen.holds else "FAIL"
    row = AuditRow(now.iteration, command.task, verdict, state_fingerprint(seen), "")
    recorded = i.IterationRecorded(phase.id, command.task, row, f"row-{state.seq}", issue.audit.lines + 1, "head")
    return Result("completed", (recorded,), f"iteration {now.iteration}: {verdict}")


def play_halt(state: RunState, phase: PhaseState, command: RunStep, _: Choose) -> StepRun:
    yield from ()
    reason = find_halt(_issue(state), command.task)
    assert reason is not None and reason.is_recorded, "only a rail that tripped brings us here"
    halted = i.ConvergenceHalted(phase.id, command.task, reason, commit=f"halt-{state.seq}")
    return Result("completed", (halted,), reason.value)


def play_present(state: RunState, phase: PhaseState, _: RunStep, __: Choose) -> StepRun:
    yield from ()
    shown = i.Presented(phase.id, _issue(state).presentation.count + 1, BRANCH, state.line.tip, "b" * 64)
    return Result("completed", (shown,))


def play_hand_off(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    yield from ()
    if choose("hand-off", "possible", "impossible") == "impossible":
        return Result("error", detail="the branch could not be made")
    return Result("completed", (i.HandedOff(phase.id, BRANCH, f"handed-{state.seq}", "b" * 64),))


def _issue(state: RunState) -> IssueState:
    assert state.issue is not None, "only the run of an issue has such steps"
    return state.issue
