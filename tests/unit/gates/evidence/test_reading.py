"""Answers taken from plans and tests, and text that only a comment holds. covers: T8.H, T8.lies"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.commented import judge_commented
from autopilot.gates.evidence.reading import judge_reading
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion, Form, Strength
from autopilot.text.other_words import other_words

REFUSE, FLAG, OURS = Weight.REFUSE, Weight.FLAG, Weight.OURS


def observed(seen: Seen) -> Observation:
    return Observation("input:c1", "grep", "c0ffee", seen)


@pytest.mark.parametrize(
    ("seen", "weights"),
    [
        (Seen.PASSED, []),  # it opened the plan, and did without
        (Seen.FAILED, [REFUSE]),
        (Seen.TIMED_OUT, [Weight.FLAG]),  # it was not checked, and says so
        (Seen.NOTHING, [OURS]),
    ],
)
def test_an_answer_that_is_gone_with_other_words_in_the_plan_was_read_there(seen: Seen, weights: list[Weight]) -> None:
    found = judge_reading("c1", [".planning/ROADMAP.md"], observed(seen))
    assert [objection.weight for objection in found] == weights


def test_other_words_are_those_of_no_text_before() -> None:
    assert other_words(b"slug('Hello 19') # \xc3\xa4") == b"tmvh('Ifmmp 42') # \xc3\xa4"


@pytest.mark.parametrize(
    ("text", "command", "seen", "strings", "weights"),
    [
        ("There is slug()", "grep -q 'def slug' a.py", Seen.PASSED, False, []),
        ("There is slug()", "grep -q 'def slug' a.py", Seen.FAILED, False, [REFUSE]),
        ("There is slug()", "grep -q 'def slug' a.py", Seen.FAILED, True, [FLAG]),  # code that writes code holds it so
        ("It greets", "grep -q 'Hello' a.py", Seen.FAILED, False, [FLAG]),
        ("There is a license header", "grep -q 'def slug' a.py", Seen.FAILED, False, []),
        ("slug() has a comment", "grep -q 'slug(' a.py", Seen.FAILED, False, []),
        ("There is slug()", "grep -q 'def slug' a.py", Seen.NOTHING, False, [OURS]),
    ],
)
def test_code_that_is_looked_for_has_to_stand_in_code(
    text: str, command: str, seen: Seen, strings: bool, weights: list[Weight]
) -> None:
    criterion = Criterion("c1", text, Form.COMMAND, command, strength=Strength.GREP)
    found = judge_commented(criterion, observed(seen), strings=strings)
    assert [objection.weight for objection in found] == weights
