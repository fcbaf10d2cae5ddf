"""A run is followed from another terminal, and what agents are doing is seen while they do it."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.kit.calls import Call, usage
from tests.scenario.kit.looking import PATIENCE_S, processes_of, wait_until
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, make_world

# covers: CMD-WATCH

AT_WORK: Call = {"role": "executor", "phase": "1", "task": "01-01"}
LONG = "echo the quick brown fox jumps over the lazy dog, 日本語 and all; sleep 600"


@dataclass(frozen=True)
class Watched:
    """One run with an agent that is at work for ever, looked at from everywhere, then cancelled."""

    status: str
    status_json: dict[str, Any]
    line: str
    plain: Ran
    whole: Ran
    as_json: list[dict[str, Any]]
    terminal: str
    left: Ran  # a watcher that was interrupted
    run: Ran


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("watched")
    world = make_world(folder, Plot(planned=True))
    world.play({**AT_WORK, "do": [{"run": LONG}], "usage": usage(12_340)})
    with ExitStack() as all_ended:
        run = all_ended.enter_context(Command(world, "run", "--script", str(world.script)))
        wait_until(lambda: "run " in str(world.status["now"]) if run.err else False, "the agent is at work")
        terminal = all_ended.enter_context(Terminal(world, "watch", "--lines"))
        wait_until(lambda: "scripted executor 01-01" in terminal.said, "the footer is drawn")
        words = ((), ("--all",), ("--json", "--all"), ())
        *watchers, leaving = (all_ended.enter_context(Command(world, "watch", *more)) for more in words)
        wait_until(lambda: all(watcher.out for watcher in (*watchers, leaving)), "everybody watches")
        leaving.process.send_signal(signal.SIGINT)
        left = leaving.finish()
        status, status_json, line = world.autopilot("status").out, world.status, world.autopilot("status", "--line").out
        assert world.autopilot("cancel").status == 0
        plain, whole, as_json = (watcher.finish() for watcher in watchers)
        terminal.finish()
        objects = [json.loads(each) for each in as_json.out.splitlines()]
        yield Watched(status, status_json, line, plain, whole, objects, terminal.said, left, run.finish())
    wait_until(lambda: processes_of(folder) == [], "no process is left")


class Command:
    """A command at work, whose words can be read at any time."""

    def __init__(self, world: World, *words: str) -> None:
        self._files = [world.folder / f"{os.urandom(4).hex()}.{name}" for name in ("out", "err")]
        with self._files[0].open("wb") as out, self._files[1].open("wb") as err:
            self.process = subprocess.Popen(
                world.command(*words),
                cwd=world.project,
                env=world.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE_S)

    @property
    def out(self) -> str:
        return self._files[0].read_text()

    @property
    def err(self) -> str:
        return self._files[1].read_text()

    def finish(self) -> Ran:
        return Ran(self.process.wait(PATIENCE_S), self.out, self.err)


class Terminal:
    """A command at a terminal of 80 columns."""

    def __init__(self, world: World, *words: str) -> None:
        self._ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            world.command(*words), cwd=world.project, env=world.environment, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._said = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ours)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(PATIENCE_S)

    @property
    def said(self) -> str:
        with suppress(OSError):  # nothing more for now, or it has ended
            while heard := os.read(self._ours, 65_536):
                self._said += heard
        return self._said.decode()

    def finish(self) -> None:
        wait_until(lambda: self.said and self._process.poll() is not None, "it ends by itself")


def test_it_shows_recent_progress_and_ends_with_the_run(watched: Watched) -> None:
    assert watched.plain.status == 0
    lines = watched.plain.out.splitlines()
    assert "[Phase 1] Task 01-01 (1/1): Part 01-01 speaks" in lines[:10]
    assert not any(line.startswith("Autopilot: Phase") for line in lines)
    assert lines[-1] == "the run ended with exit status 1"
    assert watched.plain.err == ""


def test_from_the_beginning_it_says_the_same_as_the_run_itself(watched: Watched) -> None:
    progress = watched.run.err.splitlines()
    ending = watched.run.out.splitlines()[0]
    told = watched.whole.out.splitlines()
    assert told[0].startswith("Autopilot: Phase 1 | ")
    assert told[: told.index(ending)] == progress
    assert watched.run.status == 1


def test_as_json_every_line_is_an_object_and_the_last_is_the_end(watched: Watched) -> None:
    assert {each["type"] for each in watched.as_json} == {"event", "activity", "end"}
    events = [each["event"] for each in watched.as_json if each["type"] == "event"]
    assert events[0] == "run_started"
    [activity] = [each for each in watched.as_json if each["type"] == "activity"]
    assert (activity["agent"], activity["role"], activity["task"]) == ("scripted", "executor", "01-01")
    assert (activity["activity"], activity["tokens"]) == (f"run {LONG}", 12_340)
    last = watched.as_json[-1]
    assert (last["type"], last["status"], last["exit_status"]) == ("end", "paused", 1)


def test_status_tells_what_each_agent_is_doing_now(watched: Watched) -> None:
    [now] = [line for line in watched.status.splitlines() if line.startswith("  now: ")]
    assert re.fullmatch(r"  now: scripted executor 01-01 · run echo the quick .*… · 12,340 tokens · \d+s", now)
    assert len(now) <= 80
    assert [(doing["role"], doing["tokens"]) for doing in watched.status_json["now"]] == [("executor", 12_340)]
    assert watched.line.endswith("running 0/1 phase 1 execute\n")


def test_at_a_terminal_no_line_is_wider_than_it(watched: Watched) -> None:
    drawn = re.split(r"\r|\n|\x1b\[J", watched.terminal.split("the run ended")[0])
    shown = [re.sub(r"\x1b\[[0-9]*[A-Za-z]", "", line) for line in drawn]
    footer = [line for line in shown if "scripted executor 01-01" in line]
    assert footer and all(re.search(r" · 12,340 tokens · \d+s$", line) for line in footer)
    assert any(
        re.fullmatch(r"phase 1 · .*execute 01-01 6/9 \d+s · .* 12k/5M tokens · 0\.00/20 USD", line) for line in shown
    )
    until_end = shown[: next(i for i, line in enumerate(shown) if line.startswith("run-"))]
    assert max(len(line) + sum(letter in "日本語" for letter in line) for line in until_end) <= 80


def test_leaving_it_changes_nothing(watched: Watched) -> None:
    """The run went on until it was cancelled, after that watcher was gone."""
    assert (watched.left.status, watched.left.err) == (130, "")
    assert "cancel" in watched.run.out


def test_without_a_run_it_says_so_and_asked_to_wait_it_follows_the_next(world: World) -> None:
    before = world.autopilot("watch")
    with Command(world, "watch", "--wait", "--all") as watcher:
        assert world.run().status == 0
        told = watcher.finish()
    assert told.status == 0
    assert told.out.startswith("Autopilot: Phase 1 | ")
    assert told.out.endswith("the run ended with exit status 0\n")
    for ran in (before, world.autopilot("watch")):
        assert (ran.status, ran.out) == (2, "")
        assert (ran.status, ran.out, ran.err.count("hint: ")) == (2, "", 1)
    assert "no run has been started in this repository" in before.err
    assert "no run is in progress" in ran.err and "--wait" in ran.err
    again = world.autopilot("watch", "--all")
    assert (again.status, again.out) == (0, told.out), "from the beginning, and although it has ended"
    with Path("/dev/full").open("w") as full:
        lost = subprocess.run(world.command("watch", "--all"), cwd=world.project, env=world.environment, stdout=full)
    assert lost.returncode == 4, "lines that are missing are no success"


def test_a_killed_run_is_told_as_interrupted_and_nothing_is_shown_as_under_way(world: World) -> None:
    world.play({**AT_WORK, "do": [{"hang": True}]})
    with Command(world, "run", "--script", str(world.script)) as run:
        wait_until(lambda: "hang" in str(world.status["now"]) if run.err else False, "the agent is at work")
        with Command(world, "watch") as watcher:
            wait_until(lambda: watcher.out, "it watches")
            run.process.kill()
            told = watcher.finish()
    assert told.status == 0
    assert told.out.splitlines()[-2].endswith("interrupted: its process has ended")
    assert world.status["now"] == []
    assert world.autopilot("watch").status == 2
    world.play()
    assert world.resume().status == 0
    assert list(world.repository.home.live.iterdir()) == []
