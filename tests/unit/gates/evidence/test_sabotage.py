"""Sabotage: green without the work is no evidence, nor is red by nothing but missing names (T8.M)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.evidence.sabotage import (
    Red,
    Trial,
    judge_doubted,
    judge_idle_work,
    judge_near,
    judge_sabotage,
    judge_unnoticed,
    judge_untouched,
    red_of,
)
from autopilot.model.evidence.objection import Layer, Objection, Weight
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


def weights_of(objections: tuple[Objection, ...]) -> list[Weight]:
    assert all(o.layer is Layer.SABOTAGE and o.subject == "c1" for o in objections)
    return [o.weight for o in objections]


@pytest.mark.parametrize(
    ("green", "reverted", "weights"),
    [
        (GREEN, without(PASSED, GREEN), [REFUSE]),
        (GREEN, without(PASSED), [REFUSE]),
        (None, without(PASSED), [REFUSE]),
        (GREEN, without(FAILED, report(f"red {A}", f"ok {B}")), []),
        (GREEN, without(FAILED, report(f"err {A} | ValueError: no", f"ok {B}")), []),
        (GREEN, without(FAILED, report(f"red {A}", f"load {B}")), []),
        (GREEN, without(FAILED, GREEN), [FLAG]),  # something else of the command is red
        (GREEN, without(NOTHING), [OURS]),
        (GREEN, without(LATE), [FLAG]),  # a timeout before the change is no red
        (GREEN, without(FAILED, UNLOADED), []),
        (GREEN, without(FAILED), []),
        (None, without(FAILED), []),
        (BARE, without(FAILED, BARE), []),
    ],
)
def test_with_the_implementation_reverted_the_tests_must_fail(
    green: TestReport | None, reverted: Trial, weights: list[Weight]
) -> None:
    assert weights_of(judge_sabotage("c1", green, reverted, mutable=False)) == weights


@pytest.mark.parametrize(
    ("mutants", "weights"),
    [
        ([mutant(FAILED, report(f"red {A}", f"ok {B}"))], []),
        ([mutant(FAILED, report(f"err {A} | TypeError: 'NoneType'", f"ok {B}"))], []),
        ([mutant(FAILED)], []),
        ([mutant(LATE)], []),  # it ended while the code was whole
        ([mutant(PASSED, GREEN)], [REFUSE]),
        ([mutant(PASSED), mutant(PASSED, what="True")], [REFUSE]),
        ([mutant(PASSED), mutant(FAILED, report(f"red {A}"), "True")], []),
        ([mutant(PASSED), mutant(FAILED, UNLOADED, "True")], [REFUSE]),
        ([mutant(FAILED, UNLOADED)], []),  # it says nothing: by absence alone
        ([mutant(NOTHING)], [OURS]),
        ([mutant(PASSED), mutant(NOTHING, what="True")], [OURS]),
        ([mutant(NOTHING), mutant(FAILED, report(f"red {A}"))], []),
        ([], []),
    ],
)
@pytest.mark.parametrize("spoiled", [UNLOADED, report(f"err {A} | NameError: name 'add'", f"err {B} | ImportError: x")])
def test_red_by_missing_names_alone_must_be_red_by_a_constant_too(
    spoiled: TestReport, mutants: list[Trial], weights: list[Weight]
) -> None:
    reverted = without(FAILED, spoiled)
    assert weights_of(judge_sabotage("c1", GREEN, reverted, mutants, mutable=True)) == weights


@pytest.mark.parametrize(
    "said", ["AttributeError: no attribute 'add'", "TypeError: add is not a function", "ENOENT: x"]
)
def test_an_error_about_a_missing_name_asks_nothing_of_what_bears_it(said: str) -> None:
    assert red_of(GREEN, without(FAILED, report(f"err {A} | {said}", f"ok {B}"))) is Red.ABSENCE
    assert red_of(GREEN, without(FAILED, report(f"err {A} | KeyError: 'x'", f"ok {B}"))) is Red.BEHAVIOUR
    assert red_of(GREEN, without(FAILED, report(f"red {A} | {said}", f"ok {B}"))) is Red.BEHAVIOUR


def test_what_survived_is_named() -> None:
    tried = [mutant(PASSED), mutant(PASSED, what="every changed function returning True")]
    (objection,) = judge_sabotage("c1", GREEN, without(FAILED, UNLOADED), tried, mutable=True)
    assert (
        "returning None and with every changed function returning True" in objection.description and objection.satisfy
    )


@pytest.mark.parametrize(
    ("mutants", "weights"),
    [([mutant(FAILED)], []), ([mutant(PASSED)], [REFUSE]), ([], [FLAG])],
)
def test_a_timeout_with_the_work_reverted_leaves_it_to_the_mutants(mutants: list[Trial], weights: list[Weight]) -> None:
    assert weights_of(judge_sabotage("c1", GREEN, without(LATE), mutants, mutable=True)) == weights


def test_a_command_without_tests_asks_for_what_the_plan_says_and_no_more() -> None:
    judged = judge_sabotage("c1", None, without(FAILED), [mutant(PASSED)], mutable=True)
    assert weights_of(judged) == [FLAG]


def test_without_an_implementation_there_is_nothing_to_take_away() -> None:
    assert weights_of(judge_sabotage("c1", GREEN, None, mutable=True)) == []


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
def test_what_is_green_without_the_work_is_refused_and_what_could_not_be_run_is_ours(
    green: TestReport | None, reverted: Trial, mutants: list[Trial], mutable: bool
) -> None:
    judged = judge_sabotage("c1", green, reverted, mutants, mutable=mutable)
    if reverted.seen is PASSED:
        assert weights_of(judged) == [REFUSE]
    if reverted.seen is NOTHING:
        assert weights_of(judged) == [OURS]


SURVIVED = [mutant(PASSED, GREEN), mutant(PASSED, GREEN, "True")]


def test_a_red_by_assertion_that_asks_nothing_of_what_was_built_is_refused_unless_another_criterion_does() -> None:
    """That a file is there can be asserted: it fails without the work, and would pass with anything in its place."""
    reverted = without(FAILED, report(f"red {A}", f"ok {B}"))
    alone = judge_sabotage("c1", GREEN, reverted, SURVIVED, mutable=True, noticed=False)
    assert weights_of(alone) == [REFUSE]
    assert weights_of(judge_sabotage("c1", GREEN, reverted, SURVIVED, mutable=True, noticed=True)) == []
    assert weights_of(judge_sabotage("c1", GREEN, reverted, (), mutable=False, noticed=False)) == []


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


def near(seen: Seen, told: TestReport | None = None, *, certain: bool = True) -> Trial:
    return Trial("`f` returning other values of the same type", seen, told, is_near=True, is_certain=certain)


@pytest.mark.parametrize(
    ("trials", "own", "weights"),
    [
        ([near(FAILED, report(f"red {A}", f"ok {B}"))], True, []),
        ([near(LATE)], True, []),
        ([], True, []),
        ([near(PASSED, GREEN), mutant(FAILED, report(f"red {A}", f"ok {B}"))], True, [REFUSE]),
        ([near(PASSED, GREEN, certain=False), mutant(FAILED, report(f"red {A}", f"ok {B}"))], True, [FLAG]),
        ([near(PASSED, GREEN)], False, [FLAG]),
        ([near(PASSED, GREEN, certain=False)], False, []),
        ([near(PASSED, GREEN), mutant(PASSED, GREEN)], True, []),  # that it asks nothing at all is said elsewhere
        ([near(NOTHING), mutant(FAILED, report(f"red {A}", f"ok {B}"))], True, []),
    ],
)
def test_tests_that_accept_another_value_of_the_type_are_refused_if_the_work_brought_them(
    trials: list[Trial], own: bool, weights: list[Weight]
) -> None:
    assert weights_of(judge_near("c1", GREEN, trials, own=own)) == weights


@pytest.mark.parametrize(
    ("seen", "certain", "weights"),
    [
        ([PASSED, PASSED], True, [REFUSE]),
        ([PASSED], False, [FLAG]),
        ([PASSED, FAILED], True, []),
        ([PASSED, NOTHING], True, [OURS]),
        ([], True, []),
    ],
)
def test_tests_that_ask_for_the_one_answer_alone_ask_for_nothing_done(
    seen: list[Seen], certain: bool, weights: list[Weight]
) -> None:
    trials = [Trial("`save` giving the one answer", each) for each in seen]
    found = judge_idle_work("c1", trials, certain=certain)
    assert [objection.weight for objection in found] == weights


@pytest.mark.parametrize(
    ("alive", "told"),
    [
        ([], None),
        ([("`a < b` with the bound moved by one (a.py:2)", "a.py:2")], "1 of 6 small changes of the new code: `a < b`"),
        ([(f"`x` left out (a.py:{n})", f"a.py:{n}") for n in range(6)], "left out (a.py:3); and 2 more"),
    ],
)
def test_small_changes_that_no_test_notices_are_shown_and_refuse_nothing(
    alive: list[tuple[str, str]], told: str | None
) -> None:
    found = judge_unnoticed(alive, 6)
    assert [objection.weight for objection in found] == [Weight.FLAG] * bool(told)
    assert told is None or told in str(found[0])
