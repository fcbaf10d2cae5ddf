"""Who is to blame when something goes wrong: the work, or what stands around it. CB, T5.status, T7.redaction"""

from __future__ import annotations

from pathlib import Path

from autopilot.events.happened import AgentReplied, RunResumed
from autopilot.model.agent import Role
from tests.scenario.kit.calls import claim, commit_all, usage, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, base_config, make_world

TASK = "01-01"
PART = {"write": "part-01-01.sh", "text": part_text(TASK)}


def replies(world: World, role: Role) -> list[AgentReplied]:
    events = (stored.event for stored in world.assemble().ports.journal.read())
    return [event for event in events if isinstance(event, AgentReplied) and event.role is role]


def test_a_setup_that_the_agent_broke_fails_its_task_and_is_mended_by_the_debugger(tmp_path: Path) -> None:
    # covers: DBG
    commands = {**base_config()["project"]["commands"], "setup": "sh install.sh"}
    world = make_world(tmp_path, Plot(planned=True), config={"project": {"commands": commands}})
    world.write("install.sh", "echo installed > installed.txt\n")
    world.commit("something to install")
    broken = {"write": "install.sh", "text": "echo no such package; exit 1\n"}
    mended = {"write": "install.sh", "text": "echo installed > installed.txt\n"}
    world.play(
        claim(TASK, PART, broken, *commit_all(TASK)),
        claim(TASK, mended, *commit_all("mended"), role="debugger"),
    )
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert "[Phase 1] Task 01-01: FAILED -- " in ran.err
    assert "setup did not succeed: exit 1: no such package" in ran.err
    assert "caught: task 01-01 of phase 1 was claimed as done, and refused: " in ran.out
    assert world.read("install.sh") == mended["text"]
    assert world.git("status", "--porcelain") == ""


def test_a_setup_that_does_not_work_to_begin_with_is_nobodys_failure(tmp_path: Path) -> None:
    commands = {**base_config()["project"]["commands"], "setup": "echo no network; exit 1"}
    world = make_world(tmp_path, Plot(planned=True), config={"project": {"commands": commands}})
    ran = world.run()
    assert ran.status == 5, ran.out
    assert "setup: `echo no network; exit 1` fails before any work: no network" in ran.err
    assert "there is no unfinished run to resume" in world.resume().err, "nothing was begun"


def test_an_agent_cut_off_by_a_cap_pauses_the_run_with_status_4_and_is_accused_of_nothing(world: World) -> None:
    world.set_settings("[budget]\ntokens = 5000\n")
    world.play({**claim(TASK), "usage": usage(6000)})
    ran = world.run()
    assert ran.status == 4, ran.out + ran.err
    assert "the run's token cap is reached: 6,000 of 5,000" in ran.out
    assert "caught" not in ran.out
    assert world.status["caught"] == []
    world.set_settings("[budget]\ntokens = 50000\n")
    world.play()
    again = world.resume()
    assert again.status == 0, again.err
    assert "debug attempt" not in again.err, "being cut off counts against no task"


KEY = "-----BEGIN " + "RSA PRIVATE KEY-----"
CHECK = {
    "passed": True,
    "issues": [
        {
            "plan": "PLAN.md",
            "dimension": "security",
            "severity": "warning",
            "description": f'the part may print "{KEY}"',
            "fix_hint": f"leave {KEY} out",
        }
    ],
    "confidence": 9.0,
}


def test_a_reply_with_the_header_of_a_private_key_is_read_again_after_a_kill(world: World) -> None:
    world.play({"role": "plan_checker", "phase": "1", "reply": CHECK})
    world.drive_until(AgentReplied)
    ran = world.resume()
    assert ran.status == 0, ran.out + ran.err
    assert len(replies(world, Role.PLAN_CHECKER)) == 1, "what was paid for is not asked again"
    assert len([s for s in world.assemble().ports.journal.read() if isinstance(s.event, RunResumed)]) == 1
    found = [path for path in world.state.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert found == []


def test_an_agent_that_gave_up_is_not_said_to_have_claimed_anything(world: World) -> None:
    gave_up = claim(TASK)
    world.play({**gave_up, "reply": {**gave_up["reply"], "tasks_completed": "0/1"}}, work(TASK, role="debugger"))
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "caught: task 01-01 of phase 1 was refused: the agent committed nothing" in ran.out
