"""A cap of a call that stopped a run is suggested again, high enough, and no other. covers: INV-8"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.state import RunState
from autopilot.model.agent import Usage
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus, StopKind
from autopilot.reports.run.caps import raised_caps
from autopilot.reports.run.ways_on import lines_to_continue
from tests.unit.making import START, make_phase, make_policy, make_state

CALL = ("tokens", "usd", "minutes")
OF_SETTINGS = (
    "  to continue: raise budget.tokens in your settings.toml, then `autopilot resume`; "
    "for this run alone: `autopilot resume --budget-tokens 79000`"
)


def stopped(used: Usage, taken: float = 0, named: tuple[str, ...] = CALL, **budget: Any) -> RunState:
    """A run that expected 78,000 tokens, stopped by a cap after these minutes."""
    return make_state(
        make_phase(estimate=78_000),
        policy=make_policy(budget=Budget(**budget), caps_named=named),
        usage=used,
        now=START + timedelta(minutes=taken),
        status=RunStatus.PAUSED,
        stop_kind=StopKind.CAP,
    )


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (stopped(Usage(1_000), tokens=1_000), ("--budget-tokens", "79000")),
        (stopped(Usage(90_000), tokens=1_000), ("--budget-tokens", "180000")),
        (stopped(Usage(1_000, usd=3.5), usd=3.0, tokens=500_000), ("--budget-usd", "7")),
        (stopped(Usage(1_000), taken=4, minutes=0.01), ("--budget-minutes", "8")),
        (stopped(Usage(1_000), named=(), tokens=1_000), ("--budget-tokens", "79000")),
    ],
)
def test_only_the_cap_that_was_reached_rises_above_what_was_used_and_is_expected(
    state: RunState, expected: tuple[str, str]
) -> None:
    assert raised_caps(state) == (expected,)


def test_a_reader_without_the_options_of_the_call_is_told_to_raise_the_cap_in_a_call() -> None:
    assert lines_to_continue(stopped(Usage(1_000), tokens=1_000)) == [
        "  to continue with a higher cap: `autopilot resume --budget-tokens 79000`",
        "  if .planning/config.json sets the cap: raise it there, then `autopilot run --fresh 1 --budget-tokens 79000`",
    ]
    [of_settings, of_config] = lines_to_continue(stopped(Usage(1_000), named=(), tokens=1_000))
    assert of_settings == OF_SETTINGS
    assert of_config == "  if .planning/config.json sets the cap: raise it there, then `autopilot run --fresh 1`"


def test_a_reader_without_the_options_of_the_call_is_told_of_the_file_that_set_the_cap() -> None:
    """What the run itself says: who set each cap is recorded. covers: INV-8"""
    by_config = replace_policy(stopped(Usage(2_000), named=(), tokens=2_000), ("tokens",))
    assert lines_to_continue(by_config) == [
        "  to continue: raise circuit_breaker_config.cost_cap_tokens_total in .planning/config.json, "
        "then `autopilot run --fresh 1`"
    ]
    by_settings = replace_policy(stopped(Usage(1_000), named=(), tokens=1_000), ("minutes",))
    assert lines_to_continue(by_settings) == [OF_SETTINGS]
    by_call = replace_policy(stopped(Usage(1_000), tokens=1_000), ())
    assert lines_to_continue(by_call) == ["  to continue with a higher cap: `autopilot resume --budget-tokens 79000`"]
    narrowed_call = replace_policy(stopped(Usage(1_000), tokens=1_000), ("tokens",))
    assert lines_to_continue(narrowed_call) == lines_to_continue(by_config)


def test_a_cap_of_money_is_never_that_of_the_repository() -> None:
    assert lines_to_continue(stopped(Usage(1_000, usd=1.0), usd=1.0)) == [
        "  to continue with a higher cap: `autopilot resume --budget-usd 2`"
    ]


def replace_policy(state: RunState, of_config: tuple[str, ...]) -> RunState:
    return replace(state, policy=replace(state.policy, caps_of_config=of_config))


def test_a_reader_without_the_options_of_the_call_is_given_the_agents_of_the_run() -> None:
    state = make_state(policy=make_policy(agent_options=" --script 's 1'"), status=RunStatus.PAUSED)
    assert lines_to_continue(state)[0].startswith("  to continue: `autopilot resume --script 's 1'`; ")
