"""Who did the work of a phase, as its documents tell it: by what was recorded, never by what was claimed."""

from __future__ import annotations

from typing import Any

from autopilot.events import happened as h
from autopilot.events import provision as p
from autopilot.events.fold import fold_all
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.run import Step
from autopilot.reports.documents.summary import render_summary
from autopilot.reports.run.agents import agent_lines
from tests.unit.making import ONE, at, make_started, store

# covers: EXEC-06
BEGUN = (make_started(), h.PhaseStarted(ONE, 1, "base"))
LIMIT = "codex reached its provider's rate limit: You've hit your limit. Upgrade: https://example.org"


def reply(role: Role, agent: str, ending: Ending = Ending.COMPLETED, tokens: int = 0, **more: Any) -> h.AgentReplied:
    usage = Usage(tokens_in=tokens, usd=0.01, usd_is_estimate=True)
    return h.AgentReplied(ONE, Step.JUDGE, role, agent, ending, usage, 5, detail="words of its own", **more)


HISTORY = (
    *BEGUN,
    reply(Role.PLANNER, "claude", tokens=1_000, version="2.1", model="opus"),
    reply(Role.PLANNER, "claude", Ending.STALLED, tokens=500, version="2.1", model="opus"),
    p.AgentSwitched(Role.JUDGE, "codex", "claude", LIMIT),
    p.WaitStarted(at(600), LIMIT),
    p.Woken(605.0),
    reply(Role.JUDGE, "claude", tokens=70, version="2.1"),
    p.AgentCutOff(ONE, Step.RATE, Role.RATER, "claude", Usage(tokens_in=9)),
)


def test_each_role_each_change_and_each_wait_is_told() -> None:
    state = fold_all(store(*HISTORY))
    lines = [
        "planner: claude 2.1 with opus, 1,500 tokens, asked 2 times, 1 time stalled",
        "judge: claude 2.1, 70 tokens, asked 1 time",
        "rater: claude, 9 tokens, asked 1 time, 1 time cut off",
        "judge: claude instead of codex (codex reached its provider's rate limit: You've hit your limit)",
        "waited 10 min: codex reached its provider's rate limit: You've hit your limit",
    ]
    assert agent_lines(state, state.phases[ONE]) == lines
    summary = render_summary(state, state.phases[ONE])
    assert all(f"\n- {line}\n" in summary for line in lines)
    assert "1,579 tokens used, ~0.03 USD (estimate).\n" in summary
    assert "words of its own" not in summary


def test_a_second_attempt_has_agents_of_its_own() -> None:
    state = fold_all(store(*HISTORY, h.PhaseStarted(ONE, 2, "base")))
    assert agent_lines(state, state.phases[ONE]) == []
    assert "\nNo agent was asked.\n" in render_summary(state, state.phases[ONE])
