"""`watch` at a real terminal: the view is drawn, keys are taken, and the terminal is always given back."""

from __future__ import annotations

import signal
import termios

import pytest

from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.terminal import CTRL_C, Emulator
from tests.scenario.kit.world import World

# covers: CMD-WATCH


def watching(world: World, *, columns: int = 80) -> Emulator:
    return Emulator(world.command("watch"), world.project, world.environment, columns=columns)


def is_given_back(screen: Emulator) -> bool:
    modes = termios.tcgetattr(screen.terminal)[3]
    return bool(modes & termios.ECHO and modes & termios.ICANON) and b"\x1b[?25h\x1b[?1049l" in screen.raw


def test_without_a_run_it_says_so_helps_and_leaves(world: World) -> None:
    with watching(world) as screen:
        screen.wait_for("No run has been started")
        screen.press("?")
        screen.wait_for("cancel the run, after a question")
        screen.resize(160, 40)
        screen.press("\x1b")
        screen.wait_for("No run has been started")
        screen.press("q")
        assert screen.end() == 0
        assert is_given_back(screen) and screen.shows_cursor


def test_a_finished_run_can_be_looked_through(world: World) -> None:
    assert world.run().status == 0
    with watching(world) as screen:
        screen.wait_for("completed · 1/1 done")
        screen.press("\r")
        screen.wait_for("steps")
        screen.press("a")
        screen.wait_for("nothing waits for an answer")
        screen.press("q")
        assert screen.end() == 0
        assert "the run ended with exit status 0" in screen.text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_however_it_ends_the_terminal_is_given_back(world: World, number: signal.Signals) -> None:
    with watching(world) as screen:
        screen.wait_for("No run has been started")
        if number is signal.SIGINT:
            screen.press(CTRL_C)
        else:
            screen.process.send_signal(number)
        screen.process.wait(PATIENCE_S)
        assert screen.text is not None
        assert is_given_back(screen)
