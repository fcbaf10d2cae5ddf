"""Data that is found from one working folder alone is told from a path that a caller gives. covers: T8.H, T8.lies"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.neighbours import AskedOnce
from autopilot.gates.evidence.otherwise.started import judge_started, lost
from autopilot.model.evidence.example import Answer, Answered, Example
from autopilot.model.evidence.objection import Weight

REFUSE, FLAG = Weight.REFUSE, Weight.FLAG
MISSED = Answer(Answered.ELSEWHERE, detail="FileNotFoundError")
NEW = frozenset({"shop/rates.json"})


def asked(given: str, answer: Answer) -> AskedOnce:
    return AskedOnce(Example("rate", (given,), {}, None, 1, f"rate({given!r})"), answer)


def test_only_calls_that_miss_something_are_lost() -> None:
    calls = [asked("DE", Answer(Answered.VALUE, 19)), asked("FR", MISSED)]
    assert lost(calls) == calls[1:]


@pytest.mark.parametrize(
    ("given", "answer", "opened", "named", "weights"),
    [
        ("DE", Answer(Answered.VALUE, 19), ["shop/rates.json"], "", [REFUSE]),
        ("DE", Answer(Answered.VALUE, 19), ["shop/rates.json"], "reads it from the current folder", [FLAG]),
        ("DE", Answer(Answered.VALUE, 19), ["settings.json"], "", [FLAG]),  # it was there: it may be the caller's
        ("shop/rates.json", Answer(Answered.VALUE, 19), ["shop/rates.json"], "", []),
        ("DE", Answer(Answered.VALUE, 19), [], "", []),
        ("DE", MISSED, ["shop/rates.json"], "", []),
    ],
)
def test_data_of_the_work_that_the_working_folder_leads_to_is_refused(
    given: str, answer: Answer, opened: list[str], named: str, weights: list[Weight]
) -> None:
    found = judge_started("phase", "shop/core.py", [asked(given, answer)], opened, NEW, named)
    assert [objection.weight for objection in found] == weights
