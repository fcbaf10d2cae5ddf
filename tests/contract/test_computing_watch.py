"""Pure code that computes without end is interrupted and named; waiting, short calls and other code are left alone.

covers: T1
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from autopilot.adapters.computing_watch import LIMIT_S, ROOMS, ComputingWatch
from autopilot.model.errors import Overdue
from tests.tidy.house import PURE_ROOMS

LIMIT = 0.3
EXPONENTIAL = re.compile(r"(?:a|a)+b")
CODE = """
def compute_until(is_over):
    while not is_over():
        sum(range(1_000))

def match(pattern, text):
    return pattern.match(text)

def wait(seconds, sleep):
    sleep(seconds)
"""


def code_of(room: str) -> dict[str, Any]:
    """Functions that say of themselves that they stand in a room of Autopilot."""
    names: dict[str, Any] = {"__name__": f"autopilot.{room}.example"}
    exec(CODE, names)
    return names


@pytest.fixture(autouse=True)
def watched() -> Iterator[None]:
    with ComputingWatch(LIMIT, look_every_s=0.02):
        yield


def after(seconds: float) -> Callable[[], bool]:
    end = time.thread_time() + seconds
    return lambda: time.thread_time() > end


@pytest.mark.parametrize("room", ROOMS)
def test_a_call_into_a_pure_room_that_computes_without_end_is_interrupted_and_named(room: str) -> None:
    with pytest.raises(Overdue, match=rf"^{room}\.example\.compute_until computed for over 0\.3 seconds"):
        code_of(room)["compute_until"](lambda: False)


def test_a_regular_expression_that_tries_every_way_is_interrupted() -> None:
    with pytest.raises(Overdue, match=r"gates\.example\.match"):
        code_of("gates")["match"](EXPONENTIAL, "a" * 60)


def test_a_thread_that_computes_without_end_is_interrupted_while_the_main_one_waits() -> None:
    raised = list[BaseException]()

    def work() -> None:
        try:
            code_of("planning")["compute_until"](lambda: False)
        except Overdue as overdue:
            raised.append(overdue)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():  # as the loop waits for its workers: a signal may come to any thread, and is handled here
        thread.join(0.05)
    assert [str(one) for one in raised] == [
        "planning.example.compute_until computed for over 0.3 seconds and was interrupted"
    ]


@pytest.mark.parametrize("room", ["steps", "adapters", "events", "reports"])
def test_code_outside_of_the_rooms_that_read_strangers_may_compute_longer(room: str) -> None:
    code_of(room)["compute_until"](after(3 * LIMIT))


def test_many_short_calls_are_no_long_one() -> None:
    is_over, compute_until = after(4 * LIMIT), code_of("gates")["compute_until"]
    while not is_over():
        compute_until(after(LIMIT / 10))


def test_waiting_is_not_computing() -> None:
    code_of("gates")["wait"](2 * LIMIT, time.sleep)


def test_the_watch_ends_with_its_command() -> None:
    with ComputingWatch(LIMIT, look_every_s=0.02):
        pass
    code_of("gates")["compute_until"](after(2 * LIMIT))


def test_a_thread_other_than_the_main_one_can_be_where_a_command_runs() -> None:
    """It is not watched: only the main thread can handle signals."""
    entered = list[bool]()

    def work() -> None:
        with ComputingWatch(LIMIT):
            entered.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert entered == [True]


def test_a_decision_may_take_five_seconds() -> None:
    assert LIMIT_S == 5
    assert set(PURE_ROOMS) - set(ROOMS) == {"model", "events", "reports"}


ENDED = """
import threading, time
from autopilot.adapters import computing_watch

names = {"__name__": "autopilot.gates.example"}
exec(CODE, names)
over = threading.Event()
threads = [threading.Thread(target=names["compute_until"], args=(over.is_set,)) for _ in range(40)]
for thread in threads:
    thread.start()

find_call = computing_watch._pure_call

def end_all(frame):
    # Between the look at the frames and that at the clocks, as on a busy machine.
    over.set()
    for thread in threads:
        thread.join()
    time.sleep(0.2)
    return find_call(frame)

computing_watch._pure_call = end_all
computing_watch.ComputingWatch()._look(0, None)
print("watched", len(threads))
"""


def test_threads_that_end_while_they_are_looked_at_do_no_harm() -> None:
    ended = subprocess.run([sys.executable, "-c", f"CODE = {CODE!r}\n{ENDED}"], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "watched 40\n"), ended.stderr
