"""New tests that ask nothing of the work are an objection, whoever runs them. covers: T8.M"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.idle import NewTests, judge_idle, judge_unspelled
from autopilot.gates.evidence.sabotage import Trial, judge_named_work
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from tests.unit.gates.reports import report

A = "tests/test_new.py::test_it"
GREEN = report(f"ok {A}")
FOUND = (Objection(Layer.SABOTAGE, "phase", "still green with the implementation reverted"),)
UNNOTICED = Trial("every function of the product returning a constant", Seen.PASSED, GREEN)
NOTICED = Trial("every function of the product returning a constant", Seen.FAILED, report(f"red {A}"))


OLD = "tests/test_new.py::test_old"
NEIGHBOUR = Trial("every function of the product returning a constant", Seen.FAILED, report(f"ok {A}", f"red {OLD}"))


def new_tests(*, is_new: bool = True, declared: bool = False) -> NewTests:
    return NewTests("tests/test_new.py", (A,), GREEN, is_new, declared)


@pytest.mark.parametrize(
    ("new", "blank", "weight", "words"),
    [
        (new_tests(), UNNOTICED, Weight.REFUSE, "ask nothing of the product"),
        (new_tests(is_new=False), UNNOTICED, Weight.REFUSE, "ask nothing of the product"),
        (new_tests(declared=True), UNNOTICED, Weight.REFUSE, "ask nothing of the product"),
        (new_tests(), NOTICED, Weight.REFUSE, "ask nothing of this work, only of what was there"),
        (new_tests(is_new=False), NEIGHBOUR, Weight.REFUSE, "ask nothing of the product"),
        (new_tests(declared=True), NOTICED, Weight.FLAG, "ask nothing of this work"),
        (new_tests(is_new=False), NOTICED, Weight.FLAG, "ask nothing of this work"),
        (new_tests(), None, Weight.REFUSE, "ask nothing of this work"),  # a language without constants
        (new_tests(), Trial("x", Seen.NOTHING), Weight.OURS, "could not be run"),
    ],
)
def test_a_test_that_passes_without_the_work_is_an_objection(
    new: NewTests, blank: Trial | None, weight: Weight, words: str
) -> None:
    (objection,) = judge_idle("phase", new, FOUND, blank)
    assert objection.weight is weight
    assert words in objection.description


def test_tests_that_notice_the_work_and_flags_of_sabotage_stay_as_they_are() -> None:
    flag = (Objection(Layer.SABOTAGE, "phase", "a timeout", weight=Weight.FLAG),)
    assert judge_idle("phase", new_tests(), (), None) == ()
    assert judge_idle("phase", new_tests(), flag, None) == flag


@pytest.mark.parametrize(
    ("missing", "weights"),
    [
        ([], []),
        ([("modulo 97", ("97",))], [Weight.REFUSE]),
        ([("raises KeyError", ("KeyError",))], [Weight.FLAG]),  # a lookup raises it without naming it
        ([("raises KeyError", ("KeyError",)), ("with --no-color", ("--no-color",))], [Weight.REFUSE]),
    ],
)
def test_what_nothing_spells_is_not_done_but_an_exception_may_be(
    missing: list[tuple[str, tuple[str, ...]]], weights: list[Weight]
) -> None:
    assert [objection.weight for objection in judge_unspelled("phase", missing)] == weights


@pytest.mark.parametrize(
    ("name", "seen", "weight"),
    [
        ("total", Seen.PASSED, Weight.REFUSE),
        ("close", Seen.PASSED, Weight.FLAG),
        ("warm_cache", Seen.PASSED, Weight.FLAG),  # it makes something faster
        ("logged_in", Seen.PASSED, Weight.REFUSE),
        ("total", Seen.NOTHING, Weight.OURS),  # our own sandbox failed: nobody is to blame
        ("total", Seen.TIMED_OUT, None),
    ],
)
def test_a_function_that_the_roadmap_names_is_asked_for(name: str, seen: Seen, weight: Weight | None) -> None:
    objections = judge_named_work("phase", name, [Trial(f"`{name}` doing nothing", seen)], "shop.py")
    assert [objection.weight for objection in objections] == ([weight] if weight else [])
