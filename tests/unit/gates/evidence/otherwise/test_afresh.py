"""An answer that another call left behind is told from state that is asked for. covers: T8.H, T8.lies"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.gates.evidence.neighbours import AskedOnce
from autopilot.gates.evidence.otherwise.afresh import differing, judge_afresh, judge_changed, keeps_state
from autopilot.model.evidence.example import Answer, Answered, Example
from autopilot.model.evidence.objection import Weight

REFUSE, FLAG = Weight.REFUSE, Weight.FLAG
PLAIN, SHARED = "def f(a, b):\n    return a * b\n", "def f(a, found=[]):\n    found.append(a)\n"


def asked(given: tuple[Any, ...], answer: Any) -> AskedOnce:
    reply = answer if isinstance(answer, Answer) else Answer(Answered.VALUE, answer)
    return AskedOnce(Example("f", given, {}, None, 1, f"f{given!r}"), reply)


ALONE = (asked(("tea", 2), 6), asked(("tea", 3), 9), asked(("cake", 1), 5))


@pytest.mark.parametrize(
    ("sequence", "code", "named", "weights"),
    [
        (ALONE, PLAIN, "", []),
        ((asked(("tea", 2), 6), asked(("tea", 3), 6)), PLAIN, "", [REFUSE]),
        ((asked(("tea", 2), 6), asked(("tea", 3), 6)), PLAIN, "the first one stays", [FLAG]),
        ((asked(("tea", 2), 6), asked(("tea", 3), 7)), PLAIN, "", []),  # of no other call: it may keep count
        ((asked(("tea", 2), 6), asked(("tea", 2), 9), asked(("tea", 3), 6)), PLAIN, "", []),  # a queue, an account
        ((asked(("tea", 2), 6), asked(("tea", 3), 7)), SHARED, "", [REFUSE]),
        ((asked(("tea", 3), Answer(Answered.LATE)),), PLAIN, "", []),
    ],
)
def test_a_call_that_gets_the_answer_of_another_is_refused(
    sequence: tuple[AskedOnce, ...], code: str, named: str, weights: list[Weight]
) -> None:
    found = judge_afresh("phase", "shop.py", code, sequence, ALONE, named)
    assert [objection.weight for objection in found] == weights


def test_what_a_process_of_its_own_does_not_answer_is_compared_with_nothing() -> None:
    alone = (asked(("tea", 2), Answer(Answered.LATE)), asked(("tea", 3), Answer(Answered.RAISED)))
    assert differing((asked(("tea", 2), 6), asked(("tea", 3), 6)), alone) == []


@pytest.mark.parametrize(
    ("promised", "weight"),
    [
        ("", FLAG),
        ("`f(items)` sorts", FLAG),
        ("`f(items)` gives them in order; the list that is given is not changed", REFUSE),
        ("`f(items)`: neither `a` nor `b` is changed, at any depth", REFUSE),
        ("`g(items)` leaves them unchanged", FLAG),  # another function
    ],
)
def test_changed_arguments_are_a_flag_where_nothing_else_was_promised(promised: str, weight: Weight) -> None:
    sequence = (asked(([2, 1],), Answer(Answered.VALUE, [1, 2], is_changing=True)),)
    (found,) = judge_changed("phase", "shop.py", sequence, promised)
    assert (found.weight, "f([2, 1]) changes what it is given" in found.description) == (weight, True)
    assert judge_changed("phase", "shop.py", ALONE, promised) == ()


@pytest.mark.parametrize(
    ("code", "keeps"),
    [
        ("_KNOWN = {}\n", True),
        ("known: dict[str, int] = dict()\n", True),
        ("class Box:\n    known = {}\n", True),
        ("def f(a, found=[]):\n    return found\n", True),
        ("@lru_cache\ndef f(a):\n    return a\n", True),
        ("def f(a):\n    global LAST\n    LAST = a\n", True),
        ("const known = new Map();\n", True),
        ("let last;\n", True),
        ("def f(a):\n    found = []\n    return found\n", False),
        ("export function f(a) {\n  const found = [];\n  return found;\n}\n", False),
        ("RATE = 3\n\n\ndef f(a):\n    return a * RATE\n", False),
    ],
)
def test_code_without_memory_needs_no_further_process(code: str, keeps: bool) -> None:
    assert keeps_state(code) is keeps
