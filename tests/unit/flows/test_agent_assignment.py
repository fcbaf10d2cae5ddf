"""A step that asks and has nobody to ask: another steps in, the run waits, or it rests and says why (CB)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.fold import fold
from autopilot.events.pieces import Limit, OpenStep, Outage
from autopilot.events.provision import AgentSwitched
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep, Sleep
from autopilot.flows.roadmap import decide
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.run import RunStatus, Step, StopKind
from tests.unit.flows.test_parts import A, B, part, split
from tests.unit.making import ONE, START, alter, make_phase, make_policy, make_state

# covers: CB
POLICY = make_policy(agents={"default": ("claude", "codex:small"), "judge": "codex"})
READY: dict[str, Any] = {"preflight_issues": (), "triage": ()}
SOON = START + timedelta(minutes=5)


def limited(until: Any = SOON, minutes_ago: float = 0.0) -> Limit:
    return Limit(
        until, START - timedelta(minutes=minutes_ago), 1, "claude reached its provider's rate limit: come back later"
    )


def researching(**more: Any) -> RunState:
    return make_state(make_phase(**READY), **{"policy": POLICY, **more})


def decided(state: RunState) -> Command:
    [command] = decide(state, state.policy, state.now)
    return command


def recorded(state: RunState, event: h.Event) -> RunState:
    return fold(state, Stored(state.seq + 1, state.now, "run-1", f"run-1/{state.seq + 1}", event))


def test_a_step_whose_preferred_agent_can_be_asked_is_begun() -> None:
    assert decided(researching()) == RunStep(ONE, Step.RESEARCH)
    over = researching(limits={"claude": limited(START)})
    assert decided(over) == RunStep(ONE, Step.RESEARCH)


@pytest.mark.parametrize(
    ("more", "because"),
    [
        ({"limits": {"claude": limited()}}, "claude reached its provider's rate limit: come back later"),
        ({"out": {"claude": Outage("it is not signed in")}}, "it is not signed in"),
    ],
)
def test_another_of_the_chain_steps_in_and_that_is_recorded_once(more: dict[str, Any], because: str) -> None:
    state = researching(**more)
    switch = AgentSwitched(Role.RESEARCHER, "claude", "codex:small", because)
    assert decided(state) == Record("switch/1", (switch,))
    after = recorded(state, switch)
    assert decided(after) == RunStep(ONE, Step.RESEARCH)
    assert (after.availability.serving, after.provision.switches) == ({"researcher": "codex:small"}, 1)


def test_the_preferred_one_comes_back_as_soon_as_it_can_be_asked_and_that_is_recorded_once() -> None:
    state = researching(serving={"researcher": "codex:small"}, switches=1, limits={"claude": limited(START)})
    back = AgentSwitched(Role.RESEARCHER, "codex:small", "claude", "the preferred agent is available again")
    assert decided(state) == Record("switch/2", (back,))
    assert decided(recorded(state, back)) == RunStep(ONE, Step.RESEARCH)


def test_one_that_stepped_in_stays_while_the_preferred_one_cannot_be_asked() -> None:
    state = researching(serving={"researcher": "codex:small"}, switches=1, limits={"claude": limited()})
    assert decided(state) == RunStep(ONE, Step.RESEARCH)


def test_when_everyone_is_limited_the_run_sleeps_until_the_first_is_back() -> None:
    later = limited(START + timedelta(minutes=9))
    state = researching(limits={"claude": limited(), "codex": later})
    assert decided(state) == Sleep(SOON, "claude reached its provider's rate limit: come back later")


@pytest.mark.parametrize(("minutes", "words"), [(361, "at 2025-01-01 18:01 UTC"), (1_000, "at 2025-01-02 04:40 UTC")])
def test_a_limit_over_the_wait_cap_pauses_the_run_and_says_until_when(minutes: int, words: str) -> None:
    far = limited(START + timedelta(minutes=minutes))
    command = decided(researching(limits={"claude": far, "codex": far}))
    assert isinstance(command, Halt)
    assert (command.status, command.exit_status) == (RunStatus.PAUSED, 4)
    assert command.reason.startswith("claude reached its provider's rate limit: come back later; ")
    assert f"Autopilot would ask again {words}" in command.reason
    assert command.reason.endswith("later than the longest wait allowed (360 minutes)")


def test_when_everyone_is_out_the_run_pauses_with_the_way_to_sign_in() -> None:
    state = researching()
    for agent, ending in (("claude", Ending.AUTH), ("codex", Ending.NOT_FOUND)):
        detail = "its key is refused" if ending is Ending.AUTH else "codex is not on your PATH; install it"
        said = h.AgentReplied(ONE, Step.RESEARCH, Role.RESEARCHER, agent, ending, Usage(), 5, detail=detail)
        state = recorded(state, said)
    command = decided(state)
    assert isinstance(command, Halt)
    assert (command.status, command.exit_status) == (RunStatus.PAUSED, 5)
    assert command.reason.startswith("no agent is available for the role researcher: claude: its key is refused; ")
    assert "autopilot agents login claude" in command.reason
    assert command.reason.endswith("codex: codex is not on your PATH; install it")


def test_a_run_without_agents_says_so() -> None:
    command = decided(researching(policy=make_policy(agents={})))
    assert command == Halt(
        RunStatus.PAUSED,
        "no agent is available for the role researcher: no agent is configured for the role researcher",
        5,
        StopKind.PROBLEM,
    )


@pytest.mark.parametrize("out", [{"claude": "gone", "codex": "gone"}, {}])
def test_a_step_that_asks_nobody_needs_nobody(out: dict[str, str]) -> None:
    state = make_state(make_phase(), policy=POLICY, out=out, limits={"claude": limited(), "codex": limited()})
    assert decided(state) == RunStep(ONE, Step.PREFLIGHT)


def test_a_cap_of_ours_is_told_before_a_limit_of_a_provider() -> None:
    spent = POLICY.budget.tokens
    state = researching(limits={"claude": limited(), "codex": limited()}, usage=Usage(tokens_in=spent))
    command = decided(state)
    assert isinstance(command, Halt) and "token cap" in command.reason


def test_a_step_that_was_killed_with_its_answer_recorded_comes_to_its_end_without_anybody() -> None:
    reply = h.AgentReplied(ONE, Step.RESEARCH, Role.RESEARCHER, "claude", Ending.COMPLETED, Usage(), 5)
    opened = make_phase(**READY, open=OpenStep(Step.RESEARCH, 1, 1, "", (reply,)))
    state = make_state(opened, policy=POLICY, out={"claude": "gone", "codex": "gone"})
    assert decided(state) == RunStep(ONE, Step.RESEARCH, 1, 2)


EXECUTES, VERIFIES = "claude", "codex"


def side_by_side(**more: Any) -> RunState:
    """One part is to be executed, the other to be verified: other roles, other agents."""
    policy = make_policy(agents={"executor": EXECUTES, "verifier": VERIFIES})
    done = {name: replace(task, status="verified") for name, task in part(B).tasks.items()}
    return alter(split(part(A), part(B, tasks=done)), policy=policy, **more)


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({}, {(A, Step.EXECUTE), (B, Step.VERIFY)}),
        ({"limits": {EXECUTES: limited()}}, {Sleep, (B, Step.VERIFY)}),
        ({"out": {EXECUTES: "gone"}}, {(B, Step.VERIFY)}),  # the stop waits until the other cannot go on either
        ({"limits": {VERIFIES: limited()}, "out": {EXECUTES: "gone"}}, {Sleep}),
        ({"limits": {VERIFIES: limited(), EXECUTES: limited()}}, {Sleep}),
        ({"out": {EXECUTES: "gone", VERIFIES: "gone"}}, {Halt}),
    ],
)
def test_a_part_that_can_go_on_goes_on_whatever_another_waits_for(more: dict[str, Any], found: set[Any]) -> None:
    state = side_by_side(**more)
    commands = decide(state, state.policy, state.now)
    assert {(c.phase, c.step) if isinstance(c, RunStep) else type(c) for c in commands} == found
    assert len([c for c in commands if isinstance(c, Halt)]) <= 1
