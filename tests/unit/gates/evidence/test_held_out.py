"""An answer that differs from the spec's own example refuses the phase; what is around the product does not.
covers: T8.H"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.gates.evidence.held_out import is_same, judge_held_out
from autopilot.model.evidence.example import Answer, Answered, Example, HeldOut, Language, Place
from autopilot.model.evidence.objection import Layer, Weight


def asked(expected: Any = "a-b", *, due: bool = True) -> HeldOut:
    example = Example("slugify", ("A b",), {}, expected, 3, 'slugify("A b") -> "a-b"')
    return HeldOut(example, Place("kit/text.py", "slugify", Language.PYTHON), "SPEC.md", "held-out:1", due)


def value(got: Any) -> Answer:
    return Answer(Answered.VALUE, got)


RAISED = Answer(Answered.RAISED, detail="KeyError: 'A b'")
MISSING = Answer(Answered.ELSEWHERE, detail="No module named 'yaml'")
OURS = Answer(Answered.OURS, detail="no bwrap")


@pytest.mark.parametrize(
    ("got", "expected", "same"),
    [
        (1, 1.0, True),
        (0.1 + 0.2, 0.3, True),
        (True, 1, False),
        (0, False, False),
        (None, False, False),
        ("1", 1, False),
        ([1, [2.0]], [1, [2]], True),
        ([1], [1, 2], False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({}, [], False),
        (10**400, 10**400, True),
        (10**400, 1.5, False),
        (2, 10**400, False),
    ],
)
def test_values_are_compared_as_json(got: Any, expected: Any, same: bool) -> None:
    assert is_same(got, expected) is same


def failed(*kinds: str, how: Answered = Answered.RAISED) -> Answer:
    return Answer(how, detail="no", kinds=kinds)


@pytest.mark.parametrize(
    ("error", "now", "weight"),
    [
        ("ValueError", failed("BadAge", "ValueError", "Exception"), None),
        ("", failed("KeyError", "Exception"), None),
        ("FileNotFoundError", failed("FileNotFoundError", "OSError", how=Answered.ELSEWHERE), None),
        ("ValueError", failed("KeyError", "LookupError", "Exception"), Weight.REFUSE),
        ("ValueError", value(None), Weight.REFUSE),
        ("", RAISED, Weight.REFUSE),  # not by the function: it is not there, or its module cannot be loaded
        ("ValueError", failed("FileNotFoundError", "OSError", how=Answered.ELSEWHERE), Weight.FLAG),
    ],
)
def test_an_expected_error_has_to_come_from_the_call(error: str, now: Answer, weight: Weight | None) -> None:
    held_out = replace(asked(), example=replace(asked().example, raises=error))
    assert [objection.weight for objection in judge_held_out([held_out], [now], [None])] == ([weight] if weight else [])


@pytest.mark.parametrize(
    ("now", "then", "due", "weight"),
    [
        (value("a-b"), None, True, None),
        (value("A b"), None, True, Weight.REFUSE),
        (RAISED, None, True, Weight.REFUSE),
        (Answer(Answered.SILENT, detail="the process exited with 0"), None, True, Weight.REFUSE),
        (Answer(Answered.LATE, detail="the command did not finish within 60 s"), None, True, Weight.REFUSE),
        (Answer(Answered.UNFINISHED), None, True, Weight.REFUSE),
        # What another phase is to bring about is shown, unless it held before.
        (Answer(Answered.UNFINISHED), None, False, Weight.FLAG),
        (value("A b"), None, False, Weight.FLAG),
        (value("A b"), value("a-b"), False, Weight.REFUSE),
        # The same disagreement as before the work is not the work's.
        (value("A b"), value("A b"), True, None),
        (RAISED, RAISED, True, None),
        (value("A b"), value("A"), True, Weight.REFUSE),
        (value("A b"), RAISED, True, Weight.REFUSE),
        (MISSING, None, True, Weight.FLAG),
        (MISSING, value("a-b"), True, Weight.FLAG),
        (OURS, None, True, Weight.OURS),
        (value("A b"), OURS, True, Weight.OURS),
    ],
)
def test_what_an_answer_is_worth(now: Answer, then: Answer | None, due: bool, weight: Weight | None) -> None:
    objections = judge_held_out([asked(due=due)], [now], [then])
    assert [o.weight for o in objections] == ([weight] if weight else [])


def test_a_refusal_says_what_was_expected_what_came_and_where() -> None:
    [objection] = judge_held_out([asked()], [value("A b")], [value("a-b")])
    assert (objection.layer, objection.subject) == (Layer.HELD_OUT, "held-out:1")
    assert (
        objection.description
        == 'the spec says slugify("A b") -> "a-b", and the code returns "A b", and it was right before the work'
    )
    assert objection.where == "SPEC.md:3, kit/text.py:slugify"
    assert 'return "a-b"' in objection.satisfy


def test_a_number_that_differs_by_rounding_alone_is_only_shown() -> None:
    assert [o.weight for o in judge_held_out([asked(12.566)], [value(12.56637)], [None])] == [Weight.FLAG]
    assert [o.weight for o in judge_held_out([asked(12.566)], [value(12.5671)], [None])] == [Weight.REFUSE]


def test_of_examples_that_a_process_did_not_come_to_the_first_tells_all() -> None:
    late = Answer(Answered.LATE, detail="the command did not finish within 60 s")
    answers = [value("a-b"), late, late]
    assert len(judge_held_out([asked()] * 3, answers, [None] * 3)) == 1
