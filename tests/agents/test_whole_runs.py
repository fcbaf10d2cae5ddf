"""A whole run when something goes wrong between an agent and its model, or with the agent, or with us."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from autopilot.adapters.live import read_live
from autopilot.events.happened import TaskCommitted
from autopilot.events.provision import AgentCutOff, WaitStarted
from autopilot.simulation.model_server.script import Fault, Reply, Rule, Run, Say, Wrong
from autopilot.simulation.model_server.server import ModelServer
from tests.agents.cast import BEGINNINGS, Answers, cast, real_world
from tests.agents.meeting import AGENTS, PLANNED, TOKENS, Meeting, counted, landed, of_role, replies
from tests.chaos.level import LEVEL
from tests.scenario.kit.aftermath import stored
from tests.scenario.kit.calls import debugger_claim
from tests.scenario.kit.looking import end, processes_of, wait_until
from tests.scenario.kit.world import Ran

ASLEEP = "python3 -c 'import time; time.sleep(321)'"
# Which agent meets which fault: one of them all when its adapter changed, all of them all in `make chaos`.
FAULTED = AGENTS if LEVEL.every_story else ("codex",)
KILLED = AGENTS if LEVEL.every_story else ("claude",)


@pytest.mark.parametrize("name", FAULTED)
def test_a_storm_of_limits_is_waited_out(meet: Meeting, name: str) -> None:
    limit = Fault(kind=Wrong.RATE_LIMIT, retry_after_s=1, first=5)
    world = meet(name, more="[limits]\nfirst_wait_s = 1", plan_check=[limit])
    landed(world, world.autopilot("run", "all"))
    counted(world)
    *limited, last = of_role(world, "plan_checker")
    assert {*limited} == {"rate_limited"} and last == "completed", "some try again by themselves first, some do not"
    assert [each for each in stored(world) if isinstance(each.event, WaitStarted)]


@pytest.mark.parametrize("name", FAULTED)
def test_a_stream_that_hangs_is_ended_by_our_cap_and_asked_once_more(meet: Meeting, name: str) -> None:
    hanging = Rule(f"(?m)^{BEGINNINGS['plan_check']}", (Fault(kind=Wrong.HANG),), times=1)
    world = meet(name, hanging, more="stall_s = 15.0\n[limits]\nfirst_wait_s = 1")
    landed(world, world.autopilot("run", "all"))
    ending, *after = of_role(world, "plan_checker")
    assert ending in ("stalled", "overloaded"), "by our cap, or by its own before that"
    assert after == ["completed"]


@pytest.mark.parametrize("name", FAULTED)
def test_a_stream_that_breaks_off_costs_nothing(meet: Meeting, name: str) -> None:
    world = meet(name, plan_check=[Fault(kind=Wrong.DROP, first=1)])
    landed(world, world.autopilot("run", "all"))
    assert of_role(world, "plan_checker") == ["completed"]


@pytest.mark.parametrize("name", FAULTED)
def test_an_agent_that_is_not_signed_in_stops_the_run_until_it_is(meet: Meeting, name: str) -> None:
    refused = Rule(f"(?m)^{BEGINNINGS['plan_check']}", (Fault(kind=Wrong.AUTH),), times=1)
    world = meet(name, refused)
    ran = world.autopilot("run", "all")
    assert ran.status == 5, ran.err
    assert of_role(world, "plan_checker") == ["auth"]
    assert "autopilot agents" in ran.out
    landed(world, world.autopilot("resume"))


@pytest.mark.parametrize("name", FAULTED)
def test_an_answer_that_never_fits_is_asked_for_by_rule_and_given_up(meet: Meeting, name: str) -> None:
    prose = Rule(
        f"(?m)^({BEGINNINGS['plan_check']}|Your answer could not|Below is the last)", (Say(text="It looks fine."),)
    )
    world = meet(name, prose)
    ran = world.autopilot("run", "all")
    assert ran.status == 1, ran.err
    assert of_role(world, "plan_checker") == ["schema_unmet", "schema_unmet"]
    assert {event.asked for event in replies(world)} == {3}
    counted(world)
    assert processes_of(world.folder) == []


@pytest.mark.parametrize("name", FAULTED)
def test_an_answer_that_does_not_fit_is_mended_in_the_same_session(meet: Meeting, name: str, answers: Answers) -> None:
    prose = Rule(f"(?m)^{BEGINNINGS['plan_check']}", (Say(text="It looks fine."),))
    mended = Rule("(?m)^Your answer could not be used", (Reply(value=answers["plan_check"]),))
    world = meet(name, prose, mended)
    landed(world, world.autopilot("run", "all"))
    assert [event.asked for event in replies(world) if event.role.value == "plan_checker"] == [2]
    counted(world)


@pytest.mark.parametrize("name", FAULTED)
def test_a_budget_ends_the_run_at_most_one_message_late(meet: Meeting, name: str) -> None:
    world = meet(name, more="[budget]\ntokens = 450")
    ran = world.autopilot("run", "all")
    assert ran.status == 4, ran.err
    used = sum(event.usage.tokens for event in replies(world))
    assert 450 <= used <= 450 + 2 * TOKENS
    counted(world)
    assert processes_of(world.folder) == []


def pids_at(folder: Path, words: str) -> list[int]:
    return [int(line.split(":")[0]) for line in processes_of(folder) if words in line]


def agent_at(folder: Path, name: str) -> int:
    """The agent itself, not the wrapper around it or the tool below it."""
    return next(pid for pid in pids_at(folder, "") if name in Path(f"/proc/{pid}/exe").readlink().name)


@pytest.mark.parametrize("name", FAULTED)
def test_an_agent_killed_in_mid_tool_leaves_nothing_and_the_task_is_mended(
    meet: Meeting, name: str, answers: Answers
) -> None:
    asleep = Rule(f"(?m)^{BEGINNINGS['execute']}", (Run(command=ASLEEP),))
    doing = cast(PLANNED, {"execute": debugger_claim()}).rules[0].turns
    world = meet(name, asleep, Rule("(?m)^Phase 1, Part 1: .*does not hold", doing))
    process = world.start("run", "all")
    try:
        wait_until(lambda: pids_at(world.folder, "sleep(321)"), "its tool began")
        os.kill(agent_at(world.folder, name), signal.SIGKILL)
        out, err = process.communicate(timeout=120)
    finally:
        end(process)
    landed(world, Ran(process.returncode, out, err))
    assert of_role(world, "executor")[0] == "crashed"


@pytest.mark.parametrize("name", KILLED)
def test_a_run_killed_while_a_real_agent_works_goes_on_with_its_step_done_once(meet: Meeting, name: str) -> None:
    half = "echo half >part-01-01.sh; git add -A; git commit -qm half; "
    asleep = Rule(f"(?m)^{BEGINNINGS['execute']}", (Run(command=half + ASLEEP),), times=1)
    world = meet(name, asleep)
    process = world.start("run", "all")
    try:
        wait_until(lambda: pids_at(world.folder, "sleep(321)"), "its tool began")
        live = world.repository.home.live
        wait_until(lambda: any(doing["tokens"] for doing in read_live(str(live))), "what it used was told")
    finally:
        end(process)
    ran = world.autopilot("resume")
    landed(world, ran)
    commits = [each.event for each in stored(world) if isinstance(each.event, TaskCommitted)]
    assert [(commit.task, commit.files) for commit in commits] == [("01-01", ("part-01-01.sh",))]
    cut = [each.event for each in stored(world) if isinstance(each.event, AgentCutOff)]
    # How much of an answer came is known when it is whole; until then, what was asked. On a busy machine the agent may
    # have asked a second time by then.
    assert [event.role.value for event in cut] == ["executor"]
    assert cut[0].usage.tokens in (TOKENS - 9, TOKENS, 2 * TOKENS - 9, 2 * TOKENS)
    answered = sum(1 for request in world.server.requests if request.status == 200 and request.rule is not None)
    # Besides the answer that was cut off, one more may have been on its way when it was killed; none is counted twice.
    used = sum(event.usage.tokens for event in replies(world))
    assert TOKENS * (answered - 2) <= used <= TOKENS * (answered - 1)


def test_when_one_agent_is_limited_another_kind_of_its_chain_steps_in_and_it_comes_back(
    tmp_path: Path, answers: Answers
) -> None:
    limit = Fault(kind=Wrong.USAGE_LIMIT, retry_after_s=3600)
    world = real_world(tmp_path / "world", PLANNED)
    with ModelServer(cast(PLANNED, answers, {"judge": [limit]})) as one, ModelServer(cast(PLANNED, answers)) as other:
        world.server = one
        world.engage("codex", one, chain='["codex", "claude"]')
        first = (world.home / ".config/autopilot/settings.toml").read_text()
        world.engage("claude", other)
        second = (world.home / ".config/autopilot/settings.toml").read_text().partition("[agent.claude]")[2]
        world.set_settings(f"{first}\n[agent.claude]{second}")
        ran = world.autopilot("run", "all")
        landed(world, ran)
        used = json.dumps([(event.role.value, event.agent) for event in replies(world)])
    assert used.index('["judge", "codex"]') < used.index('["judge", "claude"]')
    assert '["rater", "claude"]' in used
