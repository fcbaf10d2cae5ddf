"""The live lines on a real screen: at every width, through changes of it, whatever agents say."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.scenario.kit.terminal import Emulator

# covers: PROG, INV-2
PROGRAM = """
import sys, time
from autopilot.cli.screen import Screen
live = ["phase 1 · execute 01-01 · " + "x" * 60, "  agent \\x1b[2J\\x1b]0;title\\x07 日本語 \\u202e says"]
with Screen(sys.stderr, below=lambda columns: live) as screen:
    screen.line("first finished")
    sys.stdin.readline()
    screen.line("second finished \\x1b[31mred\\x1b[0m \\x1b[10A up")
    sys.stdin.readline()
"""


def at_terminal(folder: Path, *, columns: int = 80, redirected: bool = False, **environment: str) -> Emulator:
    variables = {**os.environ, **environment}
    return Emulator((sys.executable, "-c", PROGRAM), folder, variables, columns=columns, redirected=redirected)


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("redirected", [False, True])
def test_finished_lines_stand_above_and_the_live_lines_once_below(
    tmp_path: Path, columns: int, redirected: bool
) -> None:
    with at_terminal(tmp_path, columns=columns, redirected=redirected) as screen:
        screen.wait_for("日")
        screen.press("\n")
        screen.wait_for("second finished")
        shown = [line for line in screen.lines if line]
        assert shown[:2] == ["first finished", "second finished red  up"]
        assert [line.startswith(("phase 1", "  agent")) for line in shown[2:]] == [True, True]
        assert all(len(line) <= columns for line in shown)
        screen.press("\n")
        assert screen.end() == 0
        assert [line for line in screen.lines if line] == shown[:2], "at the end the live lines are gone"
        assert screen.shows_cursor


def test_a_terminal_that_becomes_wider_or_narrower_keeps_one_set_of_live_lines(tmp_path: Path) -> None:
    with at_terminal(tmp_path, columns=60) as screen:
        screen.wait_for("日")
        for columns in (100, 60, 120):
            screen.resize(columns, 24)
            # Redrawn, the first line ends where this terminal does, or is whole.
            end = "x" * 60 if columns >= 100 else "…"
            screen.wait_for(end)
            shown = [line for line in screen.lines if line.startswith(("phase 1", "  agent"))]
            assert len(shown) == 2, screen.text


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("NO_COLOR", "1")])
def test_a_terminal_that_cannot_or_should_not_be_painted_gets_no_colour(tmp_path: Path, name: str, value: str) -> None:
    with at_terminal(tmp_path, **{name: value}) as screen:
        screen.press("\n\n")
        screen.wait_for("second finished")
        assert screen.end() == 0
        assert b"\x1b[1m" not in screen.raw and b"\x1b[32m" not in screen.raw
        assert (b"\x1b" in screen.raw) == (name != "TERM"), "a dumb terminal gets plain lines"


def test_what_has_not_changed_is_not_drawn_again(tmp_path: Path) -> None:
    with at_terminal(tmp_path) as screen:
        screen.wait_for("日")
        drawn = len(screen.raw)
        screen.resize(81, 24)
        screen.press("\n")
        screen.wait_for("second finished")
        assert screen.raw[drawn:].count(b"phase 1") <= 2, "for the new width, and below the new line"
