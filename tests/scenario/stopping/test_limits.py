"""Nobody is blamed for a provider's limit: the run waits, or another steps in, or it stops and says what to do.

agents.md: rate limits by structured signal, fallback along the configured chain, survives a restart while waiting.
"""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from autopilot.events.happened import AgentReplied, StepEnded
from autopilot.events.provision import AgentSwitched, WaitStarted, Woken
from autopilot.events.recovery import HandedOver
from tests.scenario.kit.aftermath import stored
from tests.scenario.kit.looking import end, wait_for_line
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, make_world
from tests.scenario.stories.limits import signed_out, stepped_in, too_long, waited_out


@pytest.fixture(scope="module")
def waited(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Ran]:
    world = waited_out(tmp_path_factory.mktemp("waited"))
    return world, world.run("all")


def test_a_limit_is_waited_out_and_the_run_ends_as_it_would_have(waited: tuple[World, Ran]) -> None:
    world, ran = waited
    assert ran.status == 0, ran.err
    assert world.git("show", "main:part-01-01.sh") == "echo part 01-01"
    assert re.search(r"^Waiting \d+ s, until [\d: -]+ UTC -- ", ran.err, re.MULTILINE)
    assert "Step: VERIFY postponed" in ran.err


def test_every_wait_is_on_record_with_its_end(waited: tuple[World, Ran]) -> None:
    events = [each.event for each in stored(waited[0])]
    waits = [event for event in events if isinstance(event, WaitStarted)]
    assert len(waits) == len([event for event in events if isinstance(event, Woken)]) == 2
    assert all("rate limit" in event.because for event in waits)


def test_who_is_limited_in_mid_work_hands_over_and_no_attempt_is_spent(waited: tuple[World, Ran]) -> None:
    events = [each.event for each in stored(waited[0])]
    over = [event for event in events if isinstance(event, HandedOver)]
    assert [(event.task, event.counted) for event in over] == [("01-01", False)]
    asked = [event for event in events if isinstance(event, AgentReplied) and event.step == "execute"]
    assert [event.ending for event in asked] == ["rate_limited", "completed"]
    assert not [event for event in events if isinstance(event, StepEnded) and event.step == "debug"]


def test_another_of_the_chain_steps_in_and_each_change_is_an_event(tmp_path: Path) -> None:
    world = stepped_in(tmp_path)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    events = [each.event for each in stored(world)]
    switches = [event for event in events if isinstance(event, AgentSwitched)]
    assert [(event.role, event.old, event.new) for event in switches] == [
        ("judge", "scripted", "second"),
        ("rater", "scripted", "second"),
    ]
    assert not [event for event in events if isinstance(event, WaitStarted)]
    judges = [event.agent for event in events if isinstance(event, AgentReplied) and event.role == "judge"]
    assert judges == ["scripted", "second", "second"]
    told = [line for line in ran.err.splitlines() if line.startswith("Agents: ")]
    assert len(told) == 1, "once for both roles"
    assert re.fullmatch(r"Agents: scripted is rate-limited until [\d: -]+ UTC; fallback second takes over", told[0])
    summary = world.git("show", "main:.planning/phases/01-part-1/SUMMARY.md")
    assert re.search(r"^- judge: scripted .*1 time rate limited; second ", summary, re.MULTILINE)
    assert "\n- judge: second instead of scripted (scripted reached its provider's rate limit" in summary


def test_an_agent_that_is_signed_out_stops_the_run_with_what_to_do(tmp_path: Path) -> None:
    world = signed_out(tmp_path)
    ran = world.run("all")
    assert ran.status == 5
    assert "no agent is available for the role researcher: scripted" in ran.out
    assert "  to continue: scripted plays a script and needs no sign-in: correct the script, or" in ran.out
    assert "\n  then: `autopilot resume" in ran.out
    assert world.resume().status == 0


def test_a_limit_longer_than_the_longest_wait_pauses_the_run(tmp_path: Path) -> None:
    world = too_long(tmp_path)
    ran = world.run("all")
    assert ran.status == 4
    assert "the longest wait allowed (360 minutes)" in ran.out
    assert "; Autopilot would ask again at " in world.autopilot("cancel").err, "the time that its hint speaks of"
    assert world.resume().status == 4, "it is limited still"
    assert world.resume("--now").status == 0, "unless the user knows better"


def test_a_run_killed_while_it_waits_goes_on_waiting(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.play({"role": "verifier", "phase": "1", "attempt": 1, "ending": "rate_limited", "retry_after_s": 4})
    process = world.start("run", "--script", str(world.script))
    try:
        wait_for_line(process, "Waiting ")
        process.send_signal(signal.SIGKILL)
    finally:
        end(process)
    ran = world.resume()
    assert ran.status == 0, ran.err
    events = [each.event for each in stored(world)]
    assert len([event for event in events if isinstance(event, WaitStarted)]) == 1
    assert len([event for event in events if isinstance(event, Woken)]) == 1
    asked = [event.ending for event in events if isinstance(event, AgentReplied) and event.role == "verifier"]
    assert asked == ["rate_limited", "completed"]
