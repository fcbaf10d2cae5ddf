"""Real agents that speak ACP, at work in the real sandbox with a scripted model behind them (agents.md §5)."""

from __future__ import annotations

import secrets
import threading

import pytest
from msgspec.structs import replace

from autopilot.model.agent import Caps, Ending
from autopilot.simulation.model_server.conversation import Conversation
from autopilot.simulation.model_server.script import Fault, Reply, Rule, Run, Write, Wrong
from tests.agents.kit import ANSWER, COMMIT, KEY, Case, Stage
from tests.chaos.level import LEVEL
from tests.contract.agents.harness import alive_with

# covers: T5, T6

QUICK = ("codex-acp",)
# Their start alone takes up to ten seconds.
SLOW = ("claude-acp", "opencode")
AGENTS = (*QUICK, *SLOW) if LEVEL.every_story else QUICK
# Two of them on a busy machine take their time.
CAPS = Caps(wall_s=300, stall_s=150)
WORK = (Write(path="src/new.py", text="x = 1\n"), Run(command=f"env >told; {COMMIT}"), Reply(value=ANSWER))

FAULTS = (
    Case("429 for ever", Ending.RATE_LIMITED, (Fault(kind=Wrong.RATE_LIMIT, retry_after_s=0.1),)),
    Case("401", Ending.AUTH, (Fault(kind=Wrong.AUTH),)),
    Case("a plan used up", Ending.RATE_LIMITED, (Fault(kind=Wrong.USAGE_LIMIT, retry_after_s=60),)),
    Case("529 for ever", Ending.OVERLOADED, (Fault(kind=Wrong.OVERLOADED),)),
    Case("dropped for ever", Ending.OVERLOADED, (Fault(kind=Wrong.DROP),)),
    Case("too long a prompt", Ending.CONTEXT_EXHAUSTED, (Fault(kind=Wrong.CONTEXT),)),
    Case("dropped twice", Ending.COMPLETED, (Fault(kind=Wrong.DROP, first=2), Reply(value=ANSWER)), ANSWER),
)
PLAYED = FAULTS if LEVEL.every_story else FAULTS[:2]


@pytest.mark.parametrize("name", AGENTS)
def test_it_writes_and_commits_with_its_own_tools_and_answers_in_the_form(stage: Stage, name: str) -> None:
    agent = stage.hire(name, stage.serve(*WORK))
    reply = agent.call(stage.call(caps=CAPS))
    assert (reply.ending, reply.value, reply.detail) == (Ending.COMPLETED, ANSWER, "")
    world = stage.world
    assert world.git("show", "HEAD:src/new.py") == "x = 1\n"
    assert world.git("log", "-1", "--format=%an").strip() == name
    assert not (world.project / "src").exists()
    assert reply.usage.usd > 0
    assert reply.session
    assert KEY.encode() not in stage.blobs.get(reply.transcript)
    assert any(figure.isdigit() for figure in agent.version())


@pytest.mark.parametrize("name", AGENTS)
def test_a_session_goes_on_and_counts_only_what_is_new(stage: Stage, name: str) -> None:
    prompts: list[int] = []

    def answer(talk: Conversation) -> Reply:
        prompts.append(talk.prompts)
        return Reply(value=ANSWER)

    server = stage.serve_rules(Rule("", answer=answer))
    agent, call = stage.hire(name, server), stage.call("First question.", home=stage.home(), caps=CAPS)
    first = agent.call(call)
    again = replace(call, prompt="Second question.", session=first.session, session_total=first.session_total)
    second = agent.call(again)
    assert (first.ending, second.ending, second.detail) == (Ending.COMPLETED, Ending.COMPLETED, "")
    assert second.session == first.session
    assert second.usage.tokens == first.usage.tokens > 0
    assert second.usage.usd == pytest.approx(first.usage.usd)
    assert (prompts[0], prompts[-1]) == (1, 2), "what was asked before is asked along"


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.name)
def test_a_failing_model_is_told_by_the_ending(stage: Stage, case: Case) -> None:
    stage.act_out("codex-acp", case)


@pytest.mark.parametrize("name", AGENTS)
def test_killed_in_a_tool_it_leaves_nothing_behind(stage: Stage, name: str) -> None:
    marker = f"left-behind-{secrets.token_hex(8)}"
    server = stage.serve(Run(command=f"touch started; python3 -c 'import time; time.sleep(300)  # {marker}'"))

    def stop_when_started() -> None:
        for _ in range(2000):
            if (stage.world.clone / "started").exists():
                break
            threading.Event().wait(0.1)
        stage.sandbox.started[-1].stop()

    stopping = threading.Thread(target=stop_when_started)
    stopping.start()
    reply = stage.hire(name, server).call(stage.call(caps=CAPS))
    stopping.join()
    assert (stage.world.clone / "started").exists()
    assert reply.ending is Ending.CANCELLED
    assert alive_with(marker) == []
