"""The live lines: where the run is, what it has used of its caps, who is at work; at every width."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.step import Step
from autopilot.reports.live.columns import width_of
from autopilot.reports.live.footer import AtWork, footer_lines, short_number
from tests.unit.making import ONE, TWO, at, make_brief, make_started, make_task, store

# covers: PROG
PLANNED = (
    make_started(make_brief(ONE), make_brief(TWO)),
    h.PhaseStarted(ONE, 1, "base"),
    h.Planned(ONE, "plan", (make_task(),), ()),
)
AT_TASK = (*PLANNED, h.StepStarted(ONE, Step.EXECUTE, 1, 1, "01-01"))
SIDE_BY_SIDE = (*AT_TASK, h.PhaseStarted(TWO, 1, "base"), h.StepStarted(TWO, Step.PLAN, 1, 1))
NOW = at(4) + timedelta(seconds=72)


def doing(**more: Any) -> dict[str, Any]:
    known = {"agent": "claude", "role": "executor", "phase": "1", "task": "01-01", "activity": "run make test"}
    return {**known, "tokens": 41_200, "tokens_counted": 40_000, "usd": 0.25, "elapsed_s": 71, **more}


def state_after(*history: h.Event) -> RunState:
    return fold_all(store(*history))


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (
            117,
            [
                "phase 1 · Part 1 · execute 01-01 6/9 1m 12s · 0/2 done · run 1m 15s · 40k/5M tokens · 0.25/20 USD",
                "  claude executor 01-01 · run make test · 41,200 tokens · 1m 11s",
                "  make test · 8s",
            ],
        ),
        (
            77,
            [
                "phase 1 · execute 01-01 6/9 1m 12s · run 1m 15s · 40k/5M tokens · 0.25/20 USD",
                "  claude executor 01-01 · run make test · 41,200 tokens · 1m 11s",
                "  make test · 8s",
            ],
        ),
        (
            37,
            [
                "phase 1 · execute 01-01 6/9 1m 12s",
                "  claude executor 01-01 · run make te… · 41,200 tokens · 1m 11s",
                "  make test · 8s",
            ],
        ),
    ],
)
def test_one_phase_with_its_agent_and_command(columns: int, lines: list[str]) -> None:
    work = AtWork((doing(),), (("make  test", 8),))
    assert footer_lines(state_after(*AT_TASK), work, NOW, columns) == lines


def test_phases_side_by_side_are_named_and_those_without_a_shown_agent_tell_their_step() -> None:
    lines = footer_lines(state_after(*SIDE_BY_SIDE), AtWork((doing(),)), at(6), 100)
    assert lines[0].startswith("phases 1, 2 · 0/2 done · ")
    assert lines[1:] == ["  phase 2 · plan 4/9 0s", "  claude executor 01-01 · run make test · 41,200 tokens · 1m 11s"]


def test_between_two_steps_the_figures_stay() -> None:
    [line] = footer_lines(state_after(*PLANNED), AtWork(), at(3), 100)
    assert line == "between two steps · 0/2 done · run 2s · 0/5M tokens · 0.00/20 USD"


@pytest.mark.parametrize("columns", range(37, 158, 8))
def test_the_first_line_fits_every_terminal(columns: int) -> None:
    for history in (PLANNED, AT_TASK, SIDE_BY_SIDE):
        assert width_of(footer_lines(state_after(*history), AtWork(), NOW, columns)[0]) <= columns


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0"), (999, "999"), (1_000, "1k"), (41_999, "41k"), (5_000_000, "5M"), (1_250_000, "1.2M")]
)
def test_a_number_is_never_rounded_up(count: int, shown: str) -> None:
    assert short_number(count) == shown
