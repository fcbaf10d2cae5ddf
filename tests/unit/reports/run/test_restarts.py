"""A run that stopped says which command takes it up again, and what may be changed in it. covers: INV-8, CMD-WEB"""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.pieces import BreakerState, Outage
from autopilot.model.agent import Usage
from autopilot.model.policy import Budget
from autopilot.model.run import BreakerStatus, Cap, RunStatus, StopKind
from autopilot.reports.run.restarts import find_restart
from tests.unit import issue_runs
from tests.unit.making import make_phase, make_policy, make_state

CAP = {"status": RunStatus.PAUSED, "stop_kind": StopKind.CAP}


def test_a_cap_that_was_reached_is_raised_in_the_command() -> None:
    policy = make_policy(budget=Budget(tokens=1_000), caps_of_config=())
    restart = find_restart(make_state(make_phase(), policy=policy, usage=Usage(1_000), **CAP))
    assert (restart.kind, restart.caps) == ("cap reached", (("--budget-tokens", "2000"),))
    assert restart.command == "autopilot resume --budget-tokens 2000"


def test_no_command_alone_raises_a_cap_of_the_repositorys_config() -> None:
    policy = make_policy(budget=Budget(tokens=1_000), caps_of_config=(Cap.TOKENS,))
    assert find_restart(make_state(make_phase(), policy=policy, usage=Usage(1_000), **CAP)).command == ""


def test_an_open_breaker_and_a_providers_limit_are_passed_over_only_at_once() -> None:
    open_ = make_state(breaker=BreakerState(BreakerStatus.OPEN), status=RunStatus.PAUSED)
    limited = make_state(status=RunStatus.PAUSED, stop_kind=StopKind.LIMIT)
    assert (find_restart(open_).kind, find_restart(open_).command) == ("open breaker", "autopilot resume --now")
    assert find_restart(limited).options == ("--now",)


def test_a_missing_login_is_told_from_a_missing_agent() -> None:
    stopped = {"status": RunStatus.PAUSED, "stop_kind": StopKind.PROBLEM}
    signed_out = make_state(out={"claude": Outage("not signed in", "claude")}, **stopped)
    missing = make_state(out={"claude": Outage("not installed")}, **stopped)
    assert [find_restart(state).kind for state in (signed_out, missing)] == ["missing login", "missing agent"]


def test_a_halted_issue_takes_a_finding_of_the_users() -> None:
    restart = find_restart(issue_runs.state_of(*issue_runs.HALTED))
    assert (restart.kind, restart.takes_finding) == ("halted issue", True)
    assert restart.command.startswith("autopilot issue 24")


def test_anything_else_is_simply_resumed() -> None:
    state = make_state(status=RunStatus.FAILED)
    assert find_restart(replace(state)).command == "autopilot resume"
