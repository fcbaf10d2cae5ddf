"""One issue brought whole through its gates by a real agent: its model speaks by script, its own tools do the work.

The model mends its work only when it is shown which test failed, so a second iteration passes by its findings alone.

covers: AL-1, AL-3, AL-4, AL-6
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import AgentReplied
from autopilot.simulation.model_server.script import ModelScript, Reply, Rule, Run, Turn, Write
from autopilot.simulation.model_server.server import ModelServer
from tests.agents.cast import RealWorld
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.issue_world import (
    BRANCH,
    COMMAND,
    FOLDER,
    NO_MARK,
    PLAN,
    RIGHT,
    STEPS,
    STORIES,
    TEST_SHOUT,
    TESTS,
    IssueWorld,
    make_issue_world,
)
from tests.scenario.kit.looking import processes_of

STORIES_FILE = f"{FOLDER}/user-stories.md"
SAVED = Run(command="git add -A && git commit -q -m 'by its own tools'")  # with whatever running them left behind
TRIED = Run(command=f"{COMMAND} 2>&1 | tail -n 1")
DECIDED = {"file": STORIES_FILE, "line": 9, "text": "exactly one mark"}
DONE = {"done": True, "summary": "all of it", "concerns": []}
FAILED = "test_at_002_mark"
TOKENS = 110  # that the model says each of its answers took


class RealIssue(RealWorld, IssueWorld):
    """The world of the issue, its roles done by a real agent."""


def script(first: str) -> ModelScript:
    """The honest model, but for its ``first`` implementation: without a finding it has no reason to write another."""
    tests = Write(path="tests/test_shout.py", text=TEST_SHOUT)
    coded = _overwrite("words.py", first)
    again = f"(?s)You carry out issue 24, .*Fix these first.*{FAILED}"
    return ModelScript(
        (
            _rule("You turn the approved requirements of issue 24", {STORIES_FILE: STORIES}, decided=[DECIDED]),
            _rule("You plan issue 24", {f"{FOLDER}/plan.md": PLAN, f"{FOLDER}/acceptance-tests.md": TESTS}),
            Rule(again, (_overwrite("words.py", RIGHT), TRIED, SAVED, Reply(value=DONE))),
            Rule("(?m)^You carry out issue 24, ", (tests, TRIED, coded, TRIED, SAVED, Reply(value=DONE))),
        )
    )


def _rule(beginning: str, files: Mapping[str, str], decided: list[Any] | None = None) -> Rule:
    written: list[Turn] = [Write(path=path, text=text) for path, text in files.items()]
    value = {"decisions": decided or [], "concerns": []}
    return Rule(f"(?m)^{beginning}", (*written, SAVED, Reply(value=value)))


def _overwrite(path: str, text: str) -> Run:
    """Tools for writing want a file that is there to be read first; a shell does not."""
    return Run(command=f"cat >{path} <<'END'\n{text}END")


def real_issue(folder: Path, name: str, server: ModelServer) -> RealIssue:
    world = RealIssue(make_issue_world(folder, ()).folder)
    world.script.unlink()
    world.server = server
    world.engage(name, server)
    return world


@pytest.mark.parametrize(
    ("name", "first", "verdicts"),
    [pytest.param("claude", RIGHT, "PASS", id="claude"), pytest.param("codex", NO_MARK, "FAIL PASS", id="codex")],
)
def test_an_issue_is_converged_by_a_real_agent(name: str, first: str, verdicts: str, tmp_path: Path) -> None:
    with ModelServer(script(first)) as server:
        world = real_issue(tmp_path / "world", name, server)
        ran = world.autopilot("issue", "24")
        assert ran.status == 3, ran.out + ran.err
        assert f"`{STORIES_FILE}:9` exactly one mark" in world.read(".autopilot/issues/024/presentation-1.md")
        assert world.autopilot("approve", "design-24-1").status == 0
        ran = world.autopilot("issue", "24")
        assert ran.status == 0, ran.out + ran.err
    assert "CONVERGED" in ran.out
    is_done(world, verdicts.split())
    asked_and_counted(world, name, len(verdicts.split()))
    assert processes_of(world.folder) == []


def is_done(world: RealIssue, verdicts: list[str]) -> None:
    """The work stands on its branch with a row for each iteration, and nowhere else."""
    assert [(row["step"], row["verdict"]) for row in world.rows()] == [
        (STEPS["stories"], "PASS"),
        (STEPS["plan"], "PASS"),
        *((STEPS["impl"], verdict) for verdict in verdicts),
    ]
    assert world.on_branch("words.py") == RIGHT.strip()
    assert world.on_branch("tests/test_shout.py") == TEST_SHOUT.strip()
    assert world.on_branch(STORIES_FILE) == STORIES.strip()
    assert world.subjects == ["the beginning"] and world.git("status", "--porcelain") == ""
    assert sorted(world.branches) == [BRANCH, "main"]
    assert ".pyc" not in world.git("log", "--format=", "--name-only", BRANCH)


def asked_and_counted(world: RealIssue, name: str, iterations: int) -> None:
    """Whom it cost what; and that a test seen to fail is all that a second iteration is told of the first."""
    replies = happened(world, AgentReplied)
    roles = ["designer", "designer", *["implementer"] * iterations]
    assert [(reply.role.value, reply.agent, reply.ending.value) for reply in replies] == [
        (role, name, "completed") for role in roles
    ]
    answered = [request for request in world.server.requests if request.status == 200 and request.rule is not None]
    assert sum(reply.usage.tokens for reply in replies) == TOKENS * len(answered)
    mending = {request.prompt for request in answered if "Fix these first" in request.prompt}
    assert [FAILED in prompt for prompt in mending] == [True] * (iterations - 1)
    seen = [request.outputs[-1] for request in answered if request.outputs]
    assert any("FAILED" in output for output in seen), "its own tools saw the tests fail before there was any code"
