"""The live view as rows: readable at 80x24 and at 160 columns, beside every kind of run, whatever stands in it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.people import HumanAsked, PauseRequested
from autopilot.events.state import RunState
from autopilot.model.human import GateKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import RunStatus
from autopilot.model.step import Step
from autopilot.reports.live.columns import width_of
from autopilot.reports.live.footer import AtWork
from autopilot.reports.live.moving import Order, press
from autopilot.reports.live.view import HELP, Known, Place, render_view
from tests.unit.making import ONE, TWO, at, make_brief, make_rating, make_started, make_task, store

# covers: CMD-WATCH
BEGUN = (
    make_started(make_brief(ONE), make_brief(TWO)),
    h.PhaseStarted(ONE, 1, "base"),
    h.Planned(ONE, "plan", (make_task(),), ()),
    h.StepStarted(ONE, Step.EXECUTE, 1, 1, "01-01"),
)
RATED = (*BEGUN, h.PhaseRated(ONE, "c1", make_rating(), 9.6, "excellence"), h.PhaseCompleted(ONE, 9.6, "c1"))
WAITING = (*RATED, HumanAsked("checkpoint-1", GateKind.CHECKPOINT, "One phase is done. Continue?"))
STOPPED = h.RunStopped(RunStatus.WAITING, "it waits for you", 3)
DOING = {"agent": "claude", "role": "executor", "phase": "1", "task": "01-01", "activity": "run make", "usd": 0.25}
WORK = AtWork(({**DOING, "tokens": 900, "tokens_counted": 900, "elapsed_s": 7},), (("make test", 3),))
HOSTILE = "\x1b[2J\x1b]0;x\x07日本語\u202e\ttab " * 20


def known_after(*history: Any, **more: Any) -> Known:
    state = fold_all(store(*history)) if history else RunState()
    return Known(state, at(len(history)) + timedelta(seconds=72), **more)


def text_of(known: Known, place: Place | None = None, columns: int = 80, rows: int = 24) -> list[str]:
    return [row.text.rstrip() for row in render_view(known, place or Place(), columns, rows)]


def test_a_run_at_work_shows_phases_agents_and_last_lines_on_one_screen() -> None:
    known = known_after(*BEGUN, is_driven=True, work=WORK, speaker="claude executor", spoken=("one", "two"))
    assert [line for line in text_of(known) if line] == [
        "run-1 · running · 0/2 done · run 1m 15s · 900/5M tokens · 0.25/20 USD",
        "> ▸ 1     Part 1                        execute 01-01 6/9 1m 12s",
        "  · 2     Part 2                        not started",
        "  claude executor 01-01 · run make · 900 tokens · 7s",
        "  make test · 3s",
        "claude executor says:",
        "  one",
        "  two",
        "↑↓ choose · Enter open · a answer · c cancel · ? help · q quit",
    ]


def test_a_waiting_run_says_what_waits_and_how_it_is_answered() -> None:
    lines = text_of(known_after(*WAITING, STOPPED))
    assert lines[0].startswith("run-1 · waiting · 1/2 done")
    assert "! waits for you: One phase is done. Continue?" in lines
    assert "    press a, or from anywhere `autopilot approve checkpoint-1`" in lines


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        (known_after(), "No run has been started in this repository."),
        (known_after(*BEGUN), "! its process has ended; `autopilot resume` goes on with it"),
        (known_after(*BEGUN, h.CancelRequested("you"), is_driven=True), "run-1 · stopping"),
        (known_after(*BEGUN, PauseRequested("you"), is_driven=True), "run-1 · pausing"),
        (known_after(*RATED, h.RunStopped(RunStatus.COMPLETED, "every phase passed", 0)), "every phase passed"),
        (known_after(*RATED, progress=("✓ phase 1",)), "  ✓ phase 1"),
    ],
)
def test_no_kind_of_run_is_without_an_explanation(known: Known, shown: str) -> None:
    assert any(line.startswith(shown) for line in text_of(known))


@pytest.mark.parametrize("place", [Place(), Place(is_open=True), Place(helps=True), Place(asks_cancel=True)])
@pytest.mark.parametrize(("columns", "rows"), [(40, 10), (80, 24), (160, 50), (20, 3)])
def test_every_screen_has_its_rows_and_none_is_wider_or_steers_it(place: Place, columns: int, rows: int) -> None:
    hostile = AtWork(({**WORK.agents[0], "activity": HOSTILE},), ((HOSTILE, 1),))
    more: dict[str, Any] = {"is_driven": True, "work": hostile, "speaker": HOSTILE, "spoken": (HOSTILE,) * 99}
    for known in (known_after(*BEGUN, news=HOSTILE, **more), known_after(*WAITING, STOPPED), known_after()):
        shown = render_view(known, place, columns, rows)
        assert len(shown) == rows
        assert all(width_of(row.text) <= columns for row in shown)
        assert not any(set(row.text) & set("\x1b\x07\t\n\u202e") for row in shown)


def test_of_many_phases_those_around_the_chosen_one_are_shown() -> None:
    briefs = [make_brief(PhaseId(str(number))) for number in range(1, 201)]
    known = known_after(make_started(*briefs))
    lines = text_of(known, Place(chosen=120))
    assert any(line.startswith("> · 121 ") for line in lines)
    assert any(line.endswith(" of 200 phases") for line in lines)


def test_an_opened_phase_shows_steps_tasks_and_what_was_asked_for() -> None:
    lines = text_of(known_after(*RATED), Place(is_open=True))
    assert "steps" in lines and "tasks" in lines
    assert any(line.startswith("  · 01-01  pending  do 01-01") for line in lines)


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (("down",), Place(chosen=1)),
        (("down", "down", "up", "up", "up"), Place()),
        (("end", "enter"), Place(chosen=1, is_open=True)),
        (("enter", "right", "right", "left"), Place(is_open=True)),
        (("enter", "escape"), Place()),
        (("?", "down", "escape"), Place()),
        (("enter", "?", "escape"), Place(is_open=True)),
        (("c", "n"), Place()),
        (("x", "€"), Place()),
    ],
)
def test_keys_move_and_never_leave_what_is_there(keys: tuple[str, ...], place: Place) -> None:
    known, now = known_after(*BEGUN, is_driven=True), Place()
    for key in keys:
        now, order = press(key, now, known, 80, 24)
        assert order is Order.NONE
    assert now == place


def test_a_run_is_cancelled_only_after_a_yes_and_only_while_it_is_driven() -> None:
    known = known_after(*BEGUN, is_driven=True)
    place, _ = press("c", Place(), known, 80, 24)
    assert text_of(known, place)[-1].startswith("Cancel run-1?")
    assert [press(key, place, known, 80, 24)[1] for key in ("y", "n", "q", "enter")] == [
        Order.CANCEL,
        *[Order.NONE] * 3,
    ]
    assert press("c", Place(), replace(known, is_driven=False), 80, 24)[0] == Place()


def test_help_fits_a_small_screen() -> None:
    assert all(width_of(line) <= 100 for line in HELP) and len(HELP) <= 20
