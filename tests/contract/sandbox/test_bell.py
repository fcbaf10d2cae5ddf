"""The bell: whoever listens is rung while there is a reason to stop, and nobody else has to ask.

covers: LOOP-4
"""

from __future__ import annotations

import threading

from autopilot.adapters.sandbox.bell import Bell, never_stop
from autopilot.model.errors import RecordBroken

AT_MOST_S = 60.0


def test_all_who_listen_are_rung_again_and_again_until_they_leave() -> None:
    reason = ""
    bell = Bell(lambda: reason)
    rung = {name: threading.Semaphore(0) for name in ("one", "two")}
    rings = {name: each.release for name, each in rung.items()}
    for ring in rings.values():
        bell.listen(ring)
    reason = "cancel"
    for each in rung.values():
        assert each.acquire(timeout=AT_MOST_S)
    bell.leave(rings["one"])
    for _ in range(2):
        assert rung["two"].acquire(timeout=AT_MOST_S)
    bell.leave(rings["two"])
    assert bell.ask() == "cancel"


def test_trouble_with_asking_is_left_to_those_who_are_rung() -> None:
    def broken() -> str:
        raise RecordBroken("the inbox does not verify")

    rung = threading.Event()
    bell = Bell(broken)
    bell.listen(rung.set)
    assert rung.wait(AT_MOST_S)
    bell.leave(rung.set)


def test_where_nothing_can_stop_a_run_no_thread_asks() -> None:
    before = threading.active_count()
    bell = Bell(never_stop)
    bell.listen(lambda: None)
    assert threading.active_count() == before


def test_of_many_who_ask_at_once_one_is_answered_for_all() -> None:
    asked: list[int] = []

    def ask() -> str:
        asked.append(1)
        return ""

    bell = Bell(ask)
    assert {bell.ask() for _ in range(10_000)} == {""}
    assert len(asked) < 5_000


def test_a_reason_is_heard_by_everybody_and_held_for_nobody() -> None:
    reasons = ["cancel", "cancel", "", "cancel"]
    bell = Bell(lambda: reasons.pop(0))
    assert [bell.ask(), bell.ask(), bell.ask()] == ["cancel", "cancel", ""]
    while not bell.ask():
        pass
    assert reasons == []
