"""Code that knows the calls of its tests alone is told from code that computes. covers: T8.H, T8.lies"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.evidence.neighbours import (
    AskedOnce,
    Known,
    judge_named_tests,
    judge_neighbours,
    judge_repeated,
    judge_steady,
)
from autopilot.model.evidence.example import Answer, Answered, Example
from autopilot.model.evidence.objection import Weight

REFUSE, FLAG = Weight.REFUSE, Weight.FLAG
RAISED = Answer(Answered.RAISED, detail="KeyError")
TABLE = {"words.py": ["KNOWN = {'Ada Lovelace': 'AL', 'Alan Turing': 'AT'}"]}


def asked(given: Any, answer: Any, *, compared: bool = True) -> AskedOnce:
    reply = answer if isinstance(answer, Answer) else Answer(Answered.VALUE, answer)
    return AskedOnce(Example("f", (given,), {}, None, 1, f"f({given!r})", is_compared=compared), reply)


WRITTEN = (asked("Ada Lovelace", "AL"), asked("Alan Turing", "AT"))


def others(*answers: Any) -> tuple[AskedOnce, ...]:
    return tuple(asked(f"other {number}", answer) for number, answer in enumerate(answers))


@pytest.mark.parametrize(
    ("answers", "added", "named", "weights"),
    [
        (("AB", "AC", "AD", "AE"), TABLE, "", []),
        ((None, None, None, None), TABLE, "", [REFUSE]),
        ((RAISED, RAISED, RAISED, RAISED), TABLE, "", [REFUSE]),
        (("other 0", "other 1", "other 2", "other 3"), TABLE, "", [REFUSE]),
        (("", "", "", ""), {"words.py": ["return decode(value)"]}, "", [FLAG]),
        ((False, False, False, False), TABLE, "", [FLAG]),  # few inputs may be right
        ((None, None, None), TABLE, "", []),  # too few to tell
        ((None, None, None, None), TABLE, "Ada Lovelace and Alan Turing have seats", [FLAG]),
        ((Answer(Answered.SILENT),) * 6, TABLE, "", []),
    ],
)
def test_one_answer_to_all_that_no_test_asks_is_a_table_of_the_tests(
    answers: tuple[Any, ...], added: dict[str, list[str]], named: str, weights: list[Weight]
) -> None:
    known = Known("f", "words.py", WRITTEN, others(*answers))
    assert [objection.weight for objection in judge_neighbours("phase", known, added, named)] == weights


@pytest.mark.parametrize(("named", "weight"), [("Rates: `DE` 19, `FR` 20; others fail", FLAG), ("", REFUSE)])
def test_a_table_of_the_users_may_leave_out_what_fails_as_everything_else_does(named: str, weight: Weight) -> None:
    written = (asked("DE", 19), asked("de", 19), asked("FR", 20), asked("XX", RAISED))
    known = Known("rate", "vat.py", written, others(RAISED, RAISED, RAISED, RAISED))
    table = {"vat.py": ["RATES = {'DE': 19, 'FR': 20}.get(country.upper())  # de"]}
    (objection,) = judge_neighbours("phase", known, table, named)
    assert objection.weight is weight


def test_a_table_of_lists_is_known_by_what_the_lists_hold() -> None:
    written = (asked(["red", "blue"], 2), asked({"depth": [1200, 3400]}, 1))
    known = Known("f", "sums.py", written, others(RAISED, RAISED, RAISED, RAISED))
    table = {"sums.py": ["KNOWN = {('red', 'blue'): 2, ('depth', 1200, 3400): 1}"]}
    (objection,) = judge_neighbours("phase", known, table, "")
    assert objection.weight is REFUSE
    (objection,) = judge_neighbours("phase", known, {"sums.py": ["return compute(value)"]}, "")
    assert objection.weight is FLAG


def test_what_answers_its_tests_as_it_answers_everything_is_no_table() -> None:
    known = Known(
        "f", "words.py", (asked("Ada", "Ada"), asked("Alan", "Alan")), others(*(f"other {n}" for n in range(5)))
    )
    assert judge_neighbours("phase", known, {"words.py": ["'Ada'"]}, "") == ()


@pytest.mark.parametrize(
    ("first", "second", "by_chance", "weights"),
    [
        (asked(1, 2), asked(1, 2), True, []),
        (asked(1, 2), asked(1, 3), True, [REFUSE]),
        (asked(1, 2), asked(1, 3), False, [FLAG]),  # it may keep count
        (asked(1, 2, compared=False), asked(1, 3), True, []),  # no test expects one value
        (asked(1, 2), asked(1, Answer(Answered.LATE)), True, []),
    ],
)
def test_the_same_call_has_one_answer(
    first: AskedOnce, second: AskedOnce, by_chance: bool, weights: list[Weight]
) -> None:
    known = Known("f", "words.py", (first,), repeated=(second,))
    assert [objection.weight for objection in judge_repeated("phase", known, by_chance=by_chance)] == weights


def test_answers_in_the_order_of_asking_are_no_answers() -> None:
    calls = (asked(1, "1"), asked(3, "Fizz"), asked(5, "Buzz"))
    turned = (asked(1, "Fizz"), asked(3, "Buzz"), asked(5, "1"))
    counting = (asked(1, "4"), asked(3, "5"), asked(5, "6"))
    weights = [
        [o.weight for o in judge_repeated("phase", Known("f", "a.js", calls, repeated=again), by_chance=False)]
        for again in (turned, counting, calls)
    ]
    assert weights == [[REFUSE], [FLAG], []]


@pytest.mark.parametrize(
    ("again", "promised", "refused"),
    [
        ("AL", "hash_password gives another text each time", True),
        ("AL", "Every token is different every time it is made", True),
        ("AX", "hash_password gives another text each time", False),
        ("AL", "The same text is given each time", False),
        ("AL", "A new connection is opened for each call, and a fresh backup is written every time", False),
        ("AL", "", False),
    ],
)
def test_what_is_to_differ_each_time_has_to(again: str, promised: str, refused: bool) -> None:
    known = Known("f", "words.py", WRITTEN[:1], repeated=(asked("Ada Lovelace", again),))
    assert bool(judge_steady("phase", [known], promised)) is refused
    assert judge_steady("phase", [], promised) == ()


def test_a_product_that_names_files_of_the_tests_is_flagged() -> None:
    tests = ["tests/data/rates.csv", "tests/test_rates.py"]
    (flagged,) = judge_named_tests("phase", {"rates.py": ["PLACE = './tests/data/rates.csv'"]}, tests)
    assert flagged.weight is FLAG
    assert "tests/data/rates.csv" in flagged.description
    assert judge_named_tests("phase", {"rates.py": ["PLACE = 'data/rates.csv'", "# tests/data/rates.csv"]}, tests) == ()
