"""Sabotage: green without the work is no evidence, nor is red by nothing but missing names (T8.M)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.evidence.sabotage import (
    Red,
    Sabotaged,
    Trial,
    judge_doubted,
    judge_sabotage,
    judge_untouched,
    red_of,
)
from autopilot.model.evidence.objection import Layer, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Grade, TestReport
from tests.unit.gates.reports import report

# covers: T8.M, T8.lies
PASSED, FAILED, LATE, NOTHING = Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING
REFUSE, FLAG, OURS = Weight.REFUSE, Weight.FLAG, Weight.OURS
A, B = "tests/test_a.py::test_one", "tests/test_a.py::test_two"
GREEN = report(f"ok {A}", f"ok {B}")
UNLOADED = report(loading=("tests/test_a.py: ImportError",))
BARE = report(grade=Grade.EXIT)


def without(seen: Seen, told: TestReport | None = None) -> Trial:
    return Trial("the implementation reverted", seen, told)


def mutant(seen: Seen, told: TestReport | None = None, what: str = "every changed function returning None") -> Trial:
    return Trial(what, seen, told)


def shape(judged: Sabotaged) -> tuple[list[Weight], bool]:
    assert all(o.layer is Layer.SABOTAGE and o.subject == "c1" for o in judged.objections)
    assert judged.note
    return [o.weight for o in judged.objections], judged.replayed


@pytest.mark.parametrize(
    ("green", "reverted", "weights", "replayed"),
    [
        (GREEN, without(PASSED, GREEN), [REFUSE], False),
        (GREEN, without(PASSED), [REFUSE], False),
        (None, without(PASSED), [REFUSE], False),
        (GREEN, without(FAILED, report(f"red {A}", f"ok {B}")), [], True),
        (GREEN, without(FAILED, report(f"err {A} | ValueError: no", f"ok {B}")), [], True),
        (GREEN, without(FAILED, report(f"red {A}", f"load {B}")), [], True),
        (GREEN, without(FAILED, GREEN), [FLAG], False),  # something else of the command is red
        (GREEN, without(NOTHING), [OURS], False),
        (GREEN, without(LATE), [FLAG], False),  # a timeout before the change is no red
        (GREEN, without(FAILED, UNLOADED), [], True),
        (GREEN, without(FAILED), [], True),
        (None, without(FAILED), [], True),
        (BARE, without(FAILED, BARE), [], True),
    ],
)
def test_with_the_implementation_reverted_the_tests_must_fail(
    green: TestReport | None, reverted: Trial, weights: list[Weight], replayed: bool
) -> None:
    assert shape(judge_sabotage("c1", green, reverted, mutable=False)) == (weights, replayed)


@pytest.mark.parametrize(
    ("mutants", "weights", "replayed"),
    [
        ([mutant(FAILED, report(f"red {A}", f"ok {B}"))], [], True),
        ([mutant(FAILED, report(f"err {A} | TypeError: 'NoneType'", f"ok {B}"))], [], True),
        ([mutant(FAILED)], [], True),
        ([mutant(LATE)], [], True),  # it ended while the code was whole
        ([mutant(PASSED, GREEN)], [REFUSE], False),
        ([mutant(PASSED), mutant(PASSED, what="True")], [REFUSE], False),
        ([mutant(PASSED), mutant(FAILED, report(f"red {A}"), "True")], [], True),
        ([mutant(PASSED), mutant(FAILED, UNLOADED, "True")], [REFUSE], False),
        ([mutant(FAILED, UNLOADED)], [], True),  # it says nothing: by absence alone
        ([mutant(NOTHING)], [OURS], False),
        ([mutant(PASSED), mutant(NOTHING, what="True")], [OURS], False),
        ([mutant(NOTHING), mutant(FAILED, report(f"red {A}"))], [], True),
        ([], [], True),
    ],
)
@pytest.mark.parametrize("spoiled", [UNLOADED, report(f"err {A} | NameError: name 'add'", f"err {B} | ImportError: x")])
def test_red_by_missing_names_alone_must_be_red_by_a_constant_too(
    spoiled: TestReport, mutants: list[Trial], weights: list[Weight], replayed: bool
) -> None:
    reverted = without(FAILED, spoiled)
    assert shape(judge_sabotage("c1", GREEN, reverted, mutants, mutable=True)) == (weights, replayed)


@pytest.mark.parametrize(
    "said", ["AttributeError: no attribute 'add'", "TypeError: add is not a function", "ENOENT: x"]
)
def test_an_error_about_a_missing_name_asks_nothing_of_what_bears_it(said: str) -> None:
    assert red_of(GREEN, without(FAILED, report(f"err {A} | {said}", f"ok {B}"))) is Red.ABSENCE
    assert red_of(GREEN, without(FAILED, report(f"err {A} | KeyError: 'x'", f"ok {B}"))) is Red.BEHAVIOUR
    assert red_of(GREEN, without(FAILED, report(f"red {A} | {said}", f"ok {B}"))) is Red.BEHAVIOUR


def test_what_survived_is_named() -> None:
    tried = [mutant(PASSED), mutant(PASSED, what="every changed function returning True")]
    (objection,) = judge_sabotage("c1", GREEN, without(FAILED, UNLOADED), tried, mutable=True).objections
    assert "returning None and with every changed function returning True" in objection.saw and objection.satisfy


@pytest.mark.parametrize(
    ("reverted", "mutants", "mutable", "note"),
    [
        (without(FAILED, UNLOADED), [], False, "by absence alone: no mutants for this language"),
        (without(FAILED, UNLOADED), [], True, "no mutant was tried"),
        (without(FAILED, UNLOADED), [mutant(FAILED, UNLOADED)], True, "no mutant could be loaded"),
        (without(FAILED), [], False, "by exit status alone"),
        (without(FAILED, report(f"huh {A}", f"huh {B}")), [], False, "does not say by what"),
        (without(FAILED, report(f"red {A}", f"ok {B}")), [], False, "1 of 2 tests fail with the implementation"),
        (without(FAILED, report(f"ok {B}")), [], False, "by absence alone"),
    ],
)
def test_the_note_says_what_it_rests_on(reverted: Trial, mutants: list[Trial], mutable: bool, note: str) -> None:
    assert note in judge_sabotage("c1", GREEN, reverted, mutants, mutable=mutable).note


@pytest.mark.parametrize(
    ("mutants", "weights", "replayed"),
    [([mutant(FAILED)], [], True), ([mutant(PASSED)], [REFUSE], False), ([], [FLAG], False)],
)
def test_a_timeout_with_the_work_reverted_leaves_it_to_the_mutants(
    mutants: list[Trial], weights: list[Weight], replayed: bool
) -> None:
    assert shape(judge_sabotage("c1", GREEN, without(LATE), mutants, mutable=True)) == (weights, replayed)


def test_a_command_without_tests_asks_for_what_the_plan_says_and_no_more() -> None:
    judged = judge_sabotage("c1", None, without(FAILED), [mutant(PASSED)], mutable=True)
    assert shape(judged) == ([FLAG], True)


def test_without_an_implementation_there_is_nothing_to_take_away() -> None:
    assert shape(judge_sabotage("c1", GREEN, None, mutable=True)) == ([], False)


@pytest.mark.parametrize(
    ("changed", "declared", "refused"),
    [(["a.py"], ["a.py"], False), ([], [], False), (["b.py"], ["a.py"], False), ([], ["a.py"], True)],
)
def test_only_tests_changed_where_implementation_is_declared(
    changed: list[str], declared: list[str], refused: bool
) -> None:
    objection = judge_untouched("task 01-01", changed, declared)
    assert (objection is not None and objection.weight is REFUSE) is refused


REPORTS = st.none() | st.sampled_from([GREEN, UNLOADED, BARE, report(f"red {A}", f"ok {B}"), report(problem="cut off")])
TRIALS = st.builds(Trial, st.just("it"), st.sampled_from(Seen), REPORTS)


@given(REPORTS, TRIALS, st.lists(TRIALS, max_size=3), st.booleans())
def test_nothing_green_without_the_work_counts_as_replayed(
    green: TestReport | None, reverted: Trial, mutants: list[Trial], mutable: bool
) -> None:
    judged = judge_sabotage("c1", green, reverted, mutants, mutable=mutable)
    if reverted.seen is PASSED:
        assert shape(judged) == ([REFUSE], False)
    if judged.replayed:
        assert all(o.weight is FLAG for o in judged.objections)
    if reverted.seen is NOTHING:
        assert shape(judged) == ([OURS], False)


SURVIVED = [mutant(PASSED, GREEN), mutant(PASSED, GREEN, "True")]


def test_a_red_by_assertion_that_asks_nothing_of_what_was_built_is_refused_unless_another_criterion_does() -> None:
    """That a file is there can be asserted: it fails without the work, and would pass with anything in its place."""
    reverted = without(FAILED, report(f"red {A}", f"ok {B}"))
    alone = judge_sabotage("c1", GREEN, reverted, SURVIVED, mutable=True, noticed=False)
    assert shape(alone) == ([REFUSE], False)
    assert shape(judge_sabotage("c1", GREEN, reverted, SURVIVED, mutable=True, noticed=True)) == ([], True)
    assert shape(judge_sabotage("c1", GREEN, reverted, (), mutable=False, noticed=False)) == ([], True)


@pytest.mark.parametrize(
    ("mutants", "weights"),
    [
        (SURVIVED, [REFUSE]),
        ([], []),
        ([mutant(FAILED, report(f"red {A}", f"ok {B}"))], []),
        ([mutant(PASSED), mutant(FAILED, report(f"red {A}"), "True")], []),
        ([mutant(NOTHING)], [OURS]),
        ([mutant(FAILED, UNLOADED)], []),
    ],
)
def test_tests_in_doubt_must_notice_a_constant(mutants: list[Trial], weights: list[Weight]) -> None:
    assert [o.weight for o in judge_doubted("c1", GREEN, mutants)] == weights
