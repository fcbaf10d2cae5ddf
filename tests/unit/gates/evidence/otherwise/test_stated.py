"""A command that does not do what a document states refuses the phase; what may be told of a bug does not.
covers: T8.H"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.otherwise.stated import AskedCommand, Ran, does, judge_stated
from autopilot.model.evidence.example import FAILS, StatedCommand
from autopilot.model.evidence.objection import Weight


def stated(*shows: str, status: int | None = None) -> StatedCommand:
    return StatedCommand("./greet Ada", 3, "`./greet Ada` …", shows, status)


@pytest.mark.parametrize(
    ("command", "ran", "holds"),
    [
        (stated("Hello"), Ran(0, "Hello, Ada!"), True),
        (stated("Hello", "!"), Ran(0, "Hello, Ada!"), True),
        (stated("!", "Hello"), Ran(0, "Hello, Ada!"), False),
        (stated("3"), Ran(0, "13 items"), False),
        (stated("3"), Ran(0, "3.5"), False),
        (stated("3"), Ran(0, "items: 3."), True),
        (stated("Hello"), Ran(1, "Hello"), True),
        (stated("Hello", status=0), Ran(1, "Hello"), False),
        (stated(status=2), Ran(2), True),
        (stated(status=FAILS), Ran(1), True),
        (stated(status=FAILS), Ran(0), False),
        (stated(status=FAILS), Ran(127), False),
        (stated(), Ran(None), False),
    ],
)
def test_output_is_held_in_its_order_and_by_whole_words(command: StatedCommand, ran: Ran, holds: bool) -> None:
    assert does(command, ran) is holds


@pytest.mark.parametrize(
    ("now", "before", "asked", "weight"),
    [
        (Ran(0, "Hello"), None, {}, None),
        (Ran(0, "Bye"), None, {}, Weight.REFUSE),
        (Ran(0, "Bye"), Ran(0, "Bye"), {}, Weight.REFUSE),
        (Ran(0, "Bye"), Ran(0, "Hello"), {}, Weight.REFUSE),
        (Ran(0, "Bye"), Ran(0, "Hello"), {"is_of_phase": True}, Weight.FLAG),
        (Ran(0, "Bye"), None, {"due": False}, Weight.FLAG),
        (Ran(127, "not found"), None, {}, Weight.FLAG),
        (Ran(None, "", "it did not end in 60 s"), None, {}, Weight.FLAG),
        (Ran(None, "", "no bwrap", is_ours=True), None, {}, Weight.OURS),
        (Ran(1, "", "the sandbox refuses it: Network is unreachable"), None, {}, Weight.FLAG),
    ],
)
def test_only_what_is_promised_and_could_be_run_refuses(
    now: Ran, before: Ran | None, asked: dict[str, bool], weight: Weight | None
) -> None:
    command = AskedCommand(stated("Hello"), "SPEC.md", "held-out:command 1", **asked)
    assert [objection.weight for objection in judge_stated(command, now, before)] == ([weight] if weight else [])
