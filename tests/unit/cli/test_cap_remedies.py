"""Every cap, whoever set it: the command or key that is printed when it stops a run lets the run continue.

covers: CB, INV-8, R-BUDGET
"""

from __future__ import annotations

import re
import shlex
from datetime import timedelta

import pytest
from msgspec.structs import replace

from autopilot.cli.parser import build_parser
from autopilot.cli.run_options import named_caps, with_caps
from autopilot.events.state import RunState
from autopilot.model.agent import Usage
from autopilot.model.policy import Budget, Policy
from autopilot.model.run import Cap, RunStatus, StopKind
from autopilot.planning.config.config import narrow, parse_config
from autopilot.rails.budget import first_tripped, phase_tripped
from autopilot.reports.run.ways_on import CommandOptions, lines_to_continue, with_higher_cap
from tests.unit.making import START, make_phase, make_policy, make_state

# A cap of each kind, and what a run has used when it reaches it; the caps of a phase are reached long before the run's.
REACHED: dict[Cap, tuple[float, Usage, float]] = {
    Cap.TOKENS: (9_000, Usage(9_000), 1),
    Cap.TOKENS_PER_PHASE: (7_000, Usage(60_000, tokens_cached=58_000, tokens_discounted=52_200), 1),
    Cap.USD: (2.0, Usage(1_000, usd=2.25), 1),
    Cap.MINUTES: (30.0, Usage(1_000), 31),
    Cap.MINUTES_PER_PHASE: (20.0, Usage(1_000), 21),
}
DEFAULT_PHASE = Usage(600_000)  # above what a phase gets where nobody names its cap
KEYS = {
    Cap.TOKENS: "cost_cap_tokens_total",
    Cap.TOKENS_PER_PHASE: "cost_cap_tokens_per_phase",
    Cap.MINUTES: "wall_clock_timeout_minutes_total",
    Cap.MINUTES_PER_PHASE: "wall_clock_timeout_minutes_per_phase",
}


def stopped(policy: Policy, used: Usage, minutes: float) -> RunState:
    phase = make_phase(attempt_usage=used, estimate=3_000, started_at=START)
    state = make_state(phase, policy=policy, usage=used, active_since=START, now=START + timedelta(minutes=minutes))
    tripped = first_tripped(state, policy, state.now) or phase_tripped(state, policy, state.now)
    assert tripped, "it is at its cap"
    session = replace(state.session, stop_kind=StopKind.CAP, cap=tripped.cap, exit_status=4)
    return replace(state, status=RunStatus.PAUSED, session=session)


def continues(state: RunState, today: Policy) -> bool:
    """Whether the run goes on after a resume with this policy, as it does at this moment."""
    policy = replace(state.policy, budget=state.policy.keep_caps(today))
    resumed = replace(state, session=replace(state.session, since=state.now))
    return not (first_tripped(resumed, policy, state.now) or phase_tripped(resumed, policy, state.now))


def called(command: str, settings: Budget) -> Policy:
    options = build_parser().parse_args(shlex.split(command)[1:])
    return Policy(budget=with_caps(settings, options), caps_named=named_caps(options))


def commands_in(line: str) -> list[str]:
    return re.findall("`([^`]+)`", line)


def printed(state: RunState) -> str:
    [line] = lines_to_continue(state, with_higher_cap(state, CommandOptions(caps="/s.toml")))
    return line


@pytest.mark.parametrize("cap", Cap)
def test_a_cap_of_the_settings_is_raised_by_the_key_that_is_named_or_by_the_option(cap: Cap) -> None:
    value, used, minutes = REACHED[cap]
    settings = Budget(**{cap.value: value})
    state = stopped(make_policy(budget=settings, caps_of_config=()), used, minutes)
    line = printed(state)
    resume, option = commands_in(line)
    assert f"raise budget.{cap} in /s.toml, then `{resume}`" in line
    assert continues(state, called(resume, Budget(**{cap.value: 3 * value}))), "by the key"
    assert f"--budget-{cap.replace('_', '-')} " in option
    assert continues(state, called(option, settings)), option
    if cap not in (Cap.MINUTES, Cap.MINUTES_PER_PHASE):  # minutes are counted from the resume
        assert not continues(state, called(resume, settings)), "as before, it stops again"


@pytest.mark.parametrize("cap", Cap)
def test_a_cap_of_a_call_is_raised_by_the_option_that_is_printed(cap: Cap) -> None:
    value, used, minutes = REACHED[cap]
    policy = make_policy(budget=Budget(**{cap.value: value}), caps_named=(cap.value,), caps_of_config=())
    state = stopped(policy, used, minutes)
    line = printed(state)
    [command] = commands_in(line)
    assert line.startswith("  to continue with a higher cap: ")
    assert continues(state, called(command, Budget())), command


@pytest.mark.parametrize("cap", list(KEYS))
def test_a_cap_of_the_repository_is_raised_by_the_key_that_is_named_and_a_fresh_run(cap: Cap) -> None:
    value, used, minutes = REACHED[cap]

    def narrowed(by: float) -> Policy:
        return narrow(make_policy(), parse_config(f'{{"circuit_breaker_config": {{"{KEYS[cap]}": {by}}}}}', "C"))[0]

    state = stopped(narrowed(value), used, minutes)
    line = printed(state)
    assert f"raise circuit_breaker_config.{KEYS[cap]} in .planning/config.json, then `autopilot run --fresh 1`" in line
    assert getattr(narrowed(2 * value).budget, cap.value) == 2 * value, "and that key is the one that is read"


def test_the_cap_that_a_phase_has_by_default_is_raised_by_the_option() -> None:
    state = stopped(make_policy(caps_of_config=()), DEFAULT_PHASE, 1)
    _, option = commands_in(printed(state))
    assert option == "autopilot resume --budget-tokens-per-phase 1200000"
    assert continues(state, called(option, Budget()))
    assert not continues(state, called("autopilot resume --budget-tokens 9000000", Budget())), (
        "that of the run is not it"
    )


def test_two_caps_that_are_reached_at_once_are_raised_together() -> None:
    state = stopped(make_policy(budget=Budget(tokens=500, usd=1.0), caps_of_config=()), Usage(900, usd=3.0), 1)
    _, option = commands_in(printed(state))
    assert continues(state, called(option, Budget(tokens=500, usd=1.0))), option


@pytest.mark.parametrize("named", [(), (Cap.TOKENS,)], ids=["by settings", "by a call"])
def test_a_raised_cap_of_the_run_does_not_lead_straight_into_that_of_the_phase(named: tuple[str, ...]) -> None:
    settings = Budget(tokens=600_000)
    state = stopped(make_policy(budget=settings, caps_named=named, caps_of_config=()), Usage(600_000), 1)
    line = printed(state)
    assert state.session.cap is Cap.TOKENS
    assert not continues(state, called("autopilot resume --budget-tokens 1200000", settings)), "the control"
    option = commands_in(line)[-1]
    assert continues(state, called(option, settings)), option
    assert ("raise budget.tokens and budget.tokens_per_phase in /s.toml" in line) is (named == ())
