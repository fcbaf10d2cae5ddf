"""Who can be asked: the first of the chain that is there and not limited, or why nobody is (CB)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.events.pieces import Limit
from autopilot.events.state import RunState
from autopilot.model.agent import Role
from autopilot.model.policy import Assignment, Policy
from autopilot.model.run import Step
from autopilot.rails.assignment import ASKS, Limited, NoAgent, assigned_agent, find_assignment, why_unavailable
from tests.unit.making import START, make_policy, make_state, policy_of

# covers: CB
PROVIDERS = {"claude": "anthropic", "claude-api": "anthropic", "codex": "openai"}
CHAIN = ("claude:opus", "claude-api", "codex")
POLICY = make_policy(agents={"default": CHAIN}, providers=PROVIDERS)


def limit(minutes: float, since: float = 0.0) -> Limit:
    ago = START - timedelta(minutes=since)
    return Limit(START + timedelta(minutes=minutes), ago, 1, f"for {minutes:g} minutes")


def state(out: Sequence[str] = (), **limits: Limit) -> RunState:
    return make_state(policy=POLICY, out={name: f"{name} is gone" for name in out}, limits=limits)


def find(state: RunState, policy: Policy = POLICY) -> Assignment | Limited | NoAgent:
    return find_assignment(state, policy, Role.EXECUTOR)


@pytest.mark.parametrize(
    ("known", "found"),
    [
        (state(), "claude:opus"),
        (state(["claude"]), "claude-api"),
        (state(["claude", "claude-api"]), "codex"),
        (state(["codex"]), "claude:opus"),
        (state(anthropic=limit(5)), "codex"),  # both agents of that provider
        (state(["claude"], anthropic=limit(5)), "codex"),
        (state(anthropic=limit(0)), "claude:opus"),  # it is over at that very moment
        (state(anthropic=limit(-5)), "claude:opus"),
        (state(openai=limit(5)), "claude:opus"),
        (state(anthropic=limit(-5), openai=limit(5)), "claude:opus"),
        (state(claude=limit(5)), "claude:opus"),  # limits are the provider's, not the agent's
    ],
)
def test_the_first_of_the_chain_that_can_be_asked_is_asked(known: RunState, found: str) -> None:
    assert str(find(known)) == found


def test_when_everyone_is_limited_the_first_to_be_back_is_waited_for() -> None:
    soon, late = limit(5), limit(60)
    assert find(state(anthropic=late, openai=soon)) == Limited(soon.until, soon.because, too_long=False)
    assert find(state(anthropic=soon, openai=late)) == Limited(soon.until, soon.because, too_long=False)


def test_who_is_out_is_not_waited_for() -> None:
    soon, late = limit(5), limit(60)
    assert find(state(["codex"], anthropic=late, openai=soon)) == Limited(late.until, late.because, too_long=False)


@pytest.mark.parametrize(
    ("minutes", "since", "too_long"), [(360, 0, False), (361, 0, True), (5, 355, False), (5, 356, True)]
)
def test_a_wait_is_too_long_counted_from_the_first_limit_in_a_row(minutes: float, since: float, too_long: bool) -> None:
    """Otherwise a provider that is busy for ever would be waited for, a quarter of an hour at a time, for ever."""
    one = limit(minutes, since)
    assert find(state(["codex"], anthropic=one)) == Limited(one.until, one.because, too_long=too_long)


def test_who_may_still_be_waited_for_goes_before_who_was_waited_for_too_long_already() -> None:
    worn_out, fresh = limit(5, since=400), limit(60)
    assert find(state(anthropic=worn_out, openai=fresh)) == Limited(fresh.until, fresh.because, too_long=False)
    both = find(state(anthropic=worn_out, openai=limit(60, since=400)))
    assert both == Limited(worn_out.until, worn_out.because, too_long=True)


def test_when_all_are_out_it_is_said_of_each_why() -> None:
    gone = find(state(["codex", "claude-api", "claude"]))
    assert gone == NoAgent("claude: claude is gone; claude-api: claude-api is gone; codex: codex is gone")


def test_a_role_without_any_agent_has_nobody() -> None:
    assert find(state(), policy_of(agents={"judge": "claude"})) == NoAgent(
        "no agent is configured for the role executor"
    )


def test_the_preferred_one_does_a_role_unless_another_stepped_in() -> None:
    assert assigned_agent(state(), POLICY, Role.EXECUTOR) == "claude:opus"
    stepped_in = make_state(policy=POLICY, serving={"executor": "codex"})
    assert assigned_agent(stepped_in, POLICY, Role.EXECUTOR) == "codex"
    assert assigned_agent(stepped_in, POLICY, Role.JUDGE) == "claude:opus"
    assert assigned_agent(state(), Policy(), Role.EXECUTOR) == ""


def test_it_is_known_why_an_agent_cannot_be_asked() -> None:
    assert why_unavailable(state(["claude"], anthropic=limit(5)), POLICY, "claude:opus") == "claude is gone"
    assert why_unavailable(state(anthropic=limit(5)), POLICY, "claude-api") == "for 5 minutes"
    assert why_unavailable(state(anthropic=limit(-5)), POLICY, "claude-api") == ""
    assert why_unavailable(state(), POLICY, "codex:small") == ""


AGENTS = ("a", "b", "c")


@given(
    st.permutations(AGENTS),
    st.integers(1, 3),
    st.fixed_dictionaries({name: st.sampled_from(["x", "y"]) for name in AGENTS}),
    st.sets(st.sampled_from(AGENTS)),
    st.dictionaries(st.sampled_from(["x", "y"]), st.builds(limit, st.integers(-400, 400), st.integers(0, 400))),
)
def test_whoever_is_found_can_be_asked_and_nobody_before_it_could(
    order: list[str], length: int, providers: dict[str, str], out: set[str], limits: dict[str, Limit]
) -> None:
    chain = tuple(order[:length])
    policy = make_policy(agents={"default": chain}, providers=providers)
    known = make_state(policy=policy, out=dict.fromkeys(out, "gone"), limits=limits)
    free = [name for name in chain if not why_unavailable(known, policy, name)]
    match find_assignment(known, policy, Role.JUDGE):
        case Assignment(agent=agent):
            assert agent == free[0]
        case Limited(until=until, too_long=too_long):
            assert not free and until > known.now
            waiting = [limits[providers[name]] for name in chain if name not in out]
            bearable = [
                one
                for one in waiting
                if one.until - one.since <= timedelta(minutes=policy.assignments.max_wait_minutes)
            ]
            assert too_long is not bool(bearable)
            assert until == min(one.until for one in bearable or waiting)
        case NoAgent():
            assert set(chain) <= out


def test_every_role_is_asked_by_some_step() -> None:
    assert set(ASKS.values()) == set(Role)
    assert {Step.GATE, Step.LAND, Step.ORACLE}.isdisjoint(ASKS)  # judging costs nothing
