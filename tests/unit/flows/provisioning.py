"""Agents that are not always there: a play is played as long as somebody answers, and put off when nobody does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.fold_provision import GONE, LIMITED
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.policy import Assignment, Choice
from autopilot.model.run import Step
from autopilot.rails.assignment import assigned_agent, find_assignment
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.playing import Choose

# Chains of one to three agents, over one or two providers.
SEATINGS: tuple[tuple[Mapping[str, Choice], Mapping[str, str]], ...] = (
    ({"default": "claude"}, {}),
    ({"default": ("claude", "codex")}, {}),
    ({"default": ("claude:opus", "claude-api")}, {"claude": "anthropic", "claude-api": "anthropic"}),
    ({"default": ("claude", "claude-api", "codex")}, {"claude": "anthropic", "claude-api": "anthropic"}),
    ({"default": ("codex", "claude"), "judge": "claude", "executor": ("claude", "codex:small")}, {}),
)
WAITS = ({}, {"retry_after_s": 0.001}, {"retry_after_s": 2.0}, {"retry_after_s": 4_000.0}, {"retry_after_s": 90_000.0})


def provided(running: StepRun, state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    """What was recorded by an earlier try is taken as it is; whoever is asked anew may turn out not to be there."""
    recorded = phase.open.replies if phase.open else ()
    while True:
        try:
            batch = next(running)
        except StopIteration as end:
            result: Result = end.value
            return result
        [reply, *_] = [*(event for event in batch if isinstance(event, h.AgentReplied)), None]
        if reply is None:
            yield batch
            continue
        if reply not in recorded:
            reply = answered(state, reply, choose)
        yield (reply,)
        if reply.ending in (*LIMITED, *GONE):
            running.close()
            return _broken_off(state, phase, command, reply, choose)


def answered(state: RunState, reply: h.AgentReplied, choose: Choose) -> h.AgentReplied:
    assignment = _find_assignment(state, reply.role)
    ending = choose(f"{assignment.agent} answers", Ending.COMPLETED, *LIMITED, *GONE)
    if ending is Ending.COMPLETED:
        return replace(reply, agent=assignment.agent, model=assignment.model)
    told: dict[str, Any] = choose("how long", *WAITS) if ending in LIMITED else {}
    return replace(
        reply, agent=assignment.agent, model=assignment.model, ending=ending, usage=Usage(tokens_in=10), **told
    )


def _find_assignment(state: RunState, role: Role) -> Assignment:
    assignment = find_assignment(state, state.policy, role)
    return (
        assignment
        if isinstance(assignment, Assignment)
        else Assignment.parse(assigned_agent(state, state.policy, role))
    )


def _broken_off(state: RunState, phase: PhaseState, command: RunStep, reply: h.AgentReplied, choose: Choose) -> Result:
    words = f"the {reply.role.value} {reply.ending.in_words}"
    works = command.task and command.step in (Step.EXECUTE, Step.DEBUG)
    if works and choose("half done when it was limited", False, True):
        made, files = f"half-{state.seq}-{phase.id}", (f"{command.task}.py",)
        committed = h.TaskCommitted(phase.id, command.task, made, files, (), parent=state.tip_of(phase))
        return Result("handed_over", (committed, r.HandedOver(phase.id, command.task, words, counted=False)), words)
    return Result("put_off", detail=words)
