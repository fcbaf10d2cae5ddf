"""The live view at a terminal: typed keys stay out of it, long lines go on, and the terminal is always given back."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autopilot.reports.live.columns import wrap
from tests.scenario.kit.looking import PATIENCE_S, wait_until
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.terminal import talk
from tests.scenario.kit.world import base_config, make_world
from tests.signals import AS_AT_A_TERMINAL

# covers: PROG
PROGRAM = """
import signal, sys, time
from autopilot.cli.screen import Screen
{before}
with Screen(sys.stdout, below=lambda columns: ["at work"]) as screen:
    {within}
"""
# In short sleeps: a signal between Python's last look for signals and a sleep is answered only after that sleep.
AT_WORK = "\n    ".join(("for _ in range(6000):", "    time.sleep(0.1)"))


@contextmanager
def at_work(within: str = AT_WORK, before: str = "") -> Iterator[tuple[subprocess.Popen[bytes], int, int]]:
    """A program that draws live lines, its terminal, and our end of that."""
    ours, theirs = pty.openpty()
    words = (*AS_AT_A_TERMINAL, sys.executable, "-c", PROGRAM.format(within=within, before=before))
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, process_group=0)
    try:
        yield process, theirs, ours
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        os.close(theirs)
        os.close(ours)


def echoes(terminal: int) -> bool:
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def test_no_key_is_echoed_while_live_lines_are_drawn_and_afterwards_all_are() -> None:
    with at_work("sys.stdin.readline()") as (process, terminal, ours):
        wait_until(lambda: not echoes(terminal), "keys are not shown")
        os.write(ours, b"typed\n")
        assert process.wait(PATIENCE_S) == 0
        shown = os.read(ours, 65_536)
        assert b"typed" not in shown
        assert echoes(terminal)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP])
def test_a_signal_that_ends_it_gives_the_terminal_back(number: signal.Signals) -> None:
    with at_work() as (process, terminal, _):
        wait_until(lambda: not echoes(terminal), "keys are not shown")
        process.send_signal(number)
        status = process.wait(PATIENCE_S)
        assert echoes(terminal)
        assert status == -number


def test_a_signal_at_the_very_moment_the_echo_goes_off_gives_the_terminal_back() -> None:
    """The process hangs up on itself inside the call that switches the echo off."""
    before = "\n".join(
        (
            "import os, termios",
            "switch = termios.tcsetattr",
            "def switch_then_hang_up(*given):",
            "    switch(*given)",
            "    termios.tcsetattr = switch",
            "    os.kill(os.getpid(), signal.SIGHUP)",
            "termios.tcsetattr = switch_then_hang_up",
        )
    )
    with at_work(before=before) as (process, terminal, _):
        assert process.wait(PATIENCE_S) == -signal.SIGHUP
        assert echoes(terminal)


def test_an_error_gives_the_terminal_back() -> None:
    with at_work("time.sleep(0.1); raise ValueError") as (process, terminal, _):
        assert process.wait(PATIENCE_S) == 1
        assert echoes(terminal)


def test_a_second_signal_may_end_it_at_once() -> None:
    """As a run answers signals: the first asks it to wind up, the second is the kernel's."""
    before = "def wind_up(number, _): signal.signal(number, signal.SIG_DFL)\nsignal.signal(signal.SIGINT, wind_up)"
    with at_work(before=before) as (process, terminal, _):
        wait_until(lambda: not echoes(terminal), "keys are not shown")
        process.send_signal(signal.SIGINT)
        wait_until(lambda: echoes(terminal), "the first gives it back")
        wait_until(lambda: _is_default(process.pid), "the first is answered")
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == -signal.SIGINT
        assert echoes(terminal)


def _is_default(pid: int) -> bool:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    [caught] = (line.split()[1] for line in lines if line.startswith("SigCgt:"))
    return not int(caught, 16) >> (signal.SIGINT - 1) & 1


def test_suspended_it_lends_the_terminal_and_takes_it_back_when_it_goes_on() -> None:
    with at_work() as (process, terminal, _):
        wait_until(lambda: not echoes(terminal), "keys are not shown")
        process.send_signal(signal.SIGTSTP)
        stopped = os.waitpid(process.pid, os.WUNTRACED)[1]
        assert os.WIFSTOPPED(stopped)
        assert echoes(terminal)
        process.send_signal(signal.SIGCONT)
        wait_until(lambda: not echoes(terminal), "it has it again")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == -signal.SIGTERM
        assert echoes(terminal)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("the reason is at the end", ["the reason", "    is at", "    the end"]),
        ("averylongwordindeed", ["averylongwo", "    rdindee", "    d"]),
        ("日本語日本語", ["日本語日本", "    語"]),
    ],
)
def test_a_long_line_goes_on_and_loses_nothing(text: str, lines: list[str]) -> None:
    assert wrap(text, 11) == lines


def test_a_terminal_shows_which_command_runs_and_for_how_long(tmp_path: Path) -> None:
    slow = {"setup": "sleep 2.5; mkdir made", "test": "sleep 2.5; sh check.sh"}
    world = make_world(tmp_path, Plot(planned=True), config={**base_config(), "project": {"commands": slow}})
    ran = talk(world, ["run", "--script", str(world.script)])
    assert ran.status == 0, ran.out
    for command in ("setup: sleep 2.5; mkdir made", "sleep 2.5; sh check.sh"):
        assert re.search(rf"  {re.escape(command)} · [12]s", ran.out), ran.out
