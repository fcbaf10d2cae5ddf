"""A run of tests against the base: nothing lost, nothing set aside, nothing newly red (T8.R)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.evidence.test_run import Excuses, judge_tests, newly_red, only_legacy_red
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.testing import Grade, TestReport
from tests.unit.gates.reports import WORDS, report, result

# covers: T8.R, T8.lies
REFUSE, FLAG = Weight.REFUSE, Weight.FLAG
A, B = "tests/test_a.py::test_one", "tests/test_a.py::test_two"
DECLARED = Excuses(files=("tests/test_a.py",))


def weights(objections: tuple[Objection, ...]) -> list[Weight]:
    assert all(o.layer is Layer.RUN and o.subject == "c1" and o.description for o in objections)
    assert all(o.satisfy for o in objections if o.weight is REFUSE)
    return [o.weight for o in objections]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (report(f"ok {A}"), report(f"ok {A}", f"ok {B}"), []),
        (None, report(f"ok {A}"), []),
        (report(problem="missing"), report(f"ok {A}"), []),
        (report(f"red {A}", f"ok {B}"), report(f"red {A}", f"ok {B}"), []),  # red before and still
        (report(f"red {A}", f"ok {B}"), report(f"err {A}", f"ok {B}"), []),
        (report(f"skip {A}", f"ok {B}"), report(f"skip {A}", f"ok {B}"), []),
        (report(f"xfail {A}", f"ok {B}"), report(f"skip {A}", f"ok {B}"), []),
        (report(f"skip {A}", f"ok {B}"), report(f"ok {A}", f"ok {B}"), []),
        (report(f"red {A}", f"ok {B}"), report(f"ok {B}"), [REFUSE]),  # a red one that is gone
        (report(f"ok {A}"), report(problem="cut off"), [REFUSE]),
        (None, report(), [REFUSE]),
        (report(f"ok {A}"), report(), [REFUSE, REFUSE]),  # nothing ran, and one is gone
        (report(f"ok {A}"), report(f"skip {A}"), [REFUSE, REFUSE]),
        (report(f"ok {A}", f"ok {B}"), report(f"ok {A}"), [REFUSE]),
        (report(f"ok {A}", f"ok {B}"), report(f"ok {A}", f"red {B}"), [REFUSE]),
        (report(f"ok {A}"), report(f"ok {A}", f"red {B}"), [REFUSE]),  # a new one that is red
        (report(f"skip {A}", f"ok {B}"), report(f"red {A}", f"ok {B}"), [REFUSE]),
        (report(f"ok {A}", f"ok {B}"), report(f"ok {A}", f"skip {B}"), [REFUSE]),
        (report(f"ok {A}", f"ok {B}"), report(f"ok {A}", f"xfail {B}"), [REFUSE]),
        (report(f"red {A}", f"ok {B}"), report(f"skip {A}", f"ok {B}"), [REFUSE]),  # a red one hidden
        (report(f"ok {A}"), report(f"ok {A}", f"skip {B}"), [REFUSE]),
        (None, report(f"ok {A}", f"xfail {B}"), [REFUSE]),
        # A test of the same name beside the one that is skipped, or red, covers up for nothing.
        (report(f"ok {A}"), report(f"ok {A}", f"skip {A}"), [REFUSE]),
        (report(f"ok {A}"), report(f"ok {A}", f"red {A}"), [REFUSE]),
        (report(f"ok {A}"), report(f"ok {A}", loading=("tests/test_n.py: ImportError",)), [REFUSE]),
        (report(loading=("t.py:3: ImportError",)), report(f"ok {A}", loading=("t.py:9: ImportError",)), []),
        (None, report(loading=("tests/test_n.py: SyntaxError",)), [REFUSE]),
    ],
)
def test_a_run_is_held_against_the_base_test_by_test(
    before: TestReport | None, after: TestReport, expected: list[Weight]
) -> None:
    assert weights(judge_tests("c1", before, after)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(None, report(), []), (report(), report(), []), (report(f"red {A}"), report(), [REFUSE])],
)
def test_a_command_that_need_not_run_tests_must_where_it_did_before(
    before: TestReport | None, after: TestReport, expected: list[Weight]
) -> None:
    assert weights(judge_tests("c1", before, after, must_run=False)) == expected


@pytest.mark.parametrize(
    ("excuses", "expected"),
    [
        (Excuses(), REFUSE),
        (DECLARED, REFUSE),  # to declare a file excuses no deletion
        (Excuses(still_pass=frozenset((B,))), REFUSE),
        (Excuses(text="rename test_two to test_second"), REFUSE),
        (Excuses(files=("tests/test_b.py",), text="rename test_two"), REFUSE),
        (replace(DECLARED, text="rename test_twofold"), REFUSE),
        (replace(DECLARED, text="extend tests/test_a.py"), REFUSE),
        (replace(DECLARED, text="remove tests/test_a.py"), REFUSE),  # it is still there, with less in it
        (replace(DECLARED, still_pass=frozenset((B,))), FLAG),
        (replace(DECLARED, text="rename test_two to test_second"), FLAG),
        (Excuses(files=("tests/",), text="`test_two` goes"), FLAG),
        (Excuses(files=("tests/test_*.py",), text="`test_two` goes"), FLAG),
    ],
)
def test_a_test_may_go_when_its_file_is_declared_and_it_still_passes_or_is_named(
    excuses: Excuses, expected: Weight
) -> None:
    after = report(f"ok {A}", "ok tests/test_a.py::test_second")
    assert weights(judge_tests("c1", report(f"ok {A}", f"ok {B}"), after, excuses)) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("remove tests/test_a.py", [FLAG]),
        ("Remove test_a.py with the exporter", [FLAG]),
        ("extend test_a.py", [REFUSE]),
        ("remove the exporter", [REFUSE]),
    ],
)
def test_a_whole_file_may_go_when_the_plan_declares_it_and_says_so(text: str, expected: list[Weight]) -> None:
    after = report("ok tests/test_b.py::test_three")
    excuses = replace(DECLARED, text=text)
    assert weights(judge_tests("c1", report(f"ok {A}", f"ok {B}"), after, excuses)) == expected


def test_a_group_may_go_when_the_plan_says_so() -> None:
    before, after = report("ok tests/test_a.py::TestOld::test_x", f"ok {A}"), report(f"ok {A}")
    excuses = replace(DECLARED, text="Remove the class TestOld")
    assert weights(judge_tests("c1", before, after, excuses)) == [FLAG]
    assert weights(judge_tests("c1", before, after, replace(DECLARED, text="Look at TestOld"))) == [REFUSE]


def test_a_test_that_the_plan_names_may_be_skipped() -> None:
    before, after = report(f"ok {A}", f"ok {B}"), report(f"ok {A}", f"skip {B}")
    assert weights(judge_tests("c1", before, after, Excuses(text="mark test_two as expected to fail"))) == [FLAG]
    assert weights(judge_tests("c1", before, after, Excuses(text="two tests"))) == [REFUSE]


UNLOADED = report("ok tests/test_b.py::test_three", loading=("tests/test_a.py: ImportError",))
GONE = Excuses(deleted=frozenset(("tests/test_a.py",)))
C, D = "tests/test_b.py::test_three", "tests/test_b.py::test_four"


@pytest.mark.parametrize(
    ("before", "after", "excuses", "expected"),
    [
        (report(f"ok {A}"), report(f"ok {A}", f"ok {C}", f"skip {D}"), Excuses(), [FLAG]),
        (report(f"ok {A}"), report(f"ok {A}", f"ok {C}", f"xfail {D}"), Excuses(), [FLAG]),
        (report(f"ok {A}"), report(f"ok {A}", f"ok {B}", f"skip {C}"), Excuses(), [FLAG]),
        (report(f"ok {A}"), report(f"ok {A}", f"skip {D}"), Excuses(), [REFUSE]),  # nothing new that passes
        (report(f"ok {A}"), report(f"ok {A}", f"skip {C}", f"xfail {D}"), Excuses(), [REFUSE]),
        (report(f"ok {A}", f"ok {D}"), report(f"ok {A}", f"ok {C}", f"skip {D}"), Excuses(), [REFUSE]),
        (report(f"ok {A}", f"red {D}"), report(f"ok {A}", f"ok {C}", f"skip {D}"), Excuses(), [REFUSE]),
        (report(f"ok {A}", f"red {D}"), report(f"ok {A}", f"ok {C}", f"xfail {D}"), Excuses(), [REFUSE]),
        # Which tests the file had at the base is not known, unless the work brought it.
        (
            report(f"ok {A}", loading=("tests/test_b.py: x",)),
            report(f"ok {A}", f"ok {C}", f"skip {D}"),
            Excuses(),
            [REFUSE],
        ),
        (None, report(f"ok {C}", f"skip {D}"), Excuses(), [REFUSE]),
        (None, report(f"ok {C}", f"skip {D}"), Excuses(added=frozenset(("tests/test_b.py",))), [FLAG]),
        (
            report(loading=("tests/test_a.py: x",)),
            report(f"ok {C}", f"skip {D}", loading=("tests/test_a.py: x",)),
            Excuses(added=frozenset(("tests/test_b.py",))),
            [FLAG],
        ),
    ],
)
def test_a_new_test_may_be_skipped_beside_new_ones_that_pass(
    before: TestReport | None, after: TestReport, excuses: Excuses, expected: list[Weight]
) -> None:
    assert weights(judge_tests("c1", before, after, excuses)) == expected


@pytest.mark.parametrize(
    ("before", "after", "excuses", "expected"),
    [
        (report(f"red {A}", f"ok {C}"), report(f"ok {C}"), Excuses(), [REFUSE]),
        (report(f"err {A}", f"ok {C}"), report(f"ok {C}"), Excuses(), [REFUSE]),
        (report(f"red {A}", f"ok {C}"), report(f"ok {B}", f"ok {C}"), Excuses(), [REFUSE]),  # of the same file
        (report(f"red {A}", f"ok {C}"), report(f"ok {C}"), DECLARED, [REFUSE]),
        (report(f"red {A}", f"ok {C}"), report(f"ok {C}"), replace(DECLARED, text="Remove `test_one`"), []),
        (report(f"red {A}", f"ok {C}"), report(f"ok {C}"), replace(DECLARED, still_pass=frozenset((A,))), []),
        (UNLOADED, report(f"ok {C}"), GONE, [REFUSE]),
        (UNLOADED, report(f"ok {C}"), replace(GONE, text="Remove tests/test_a.py"), []),
        (UNLOADED, report(f"ok {C}"), Excuses(), []),  # the file is there, with tests that this run does not select
        (report("red setUpClass", f"ok {C}"), report(f"ok {C}"), Excuses(), []),  # of no file, and perhaps no test
        (report(f"red {A}"), report(loading=("x.py: SyntaxError",)), Excuses(), [REFUSE]),  # said once, as what it is
    ],
)
def test_a_run_does_not_turn_green_by_leaving_out_the_file_that_was_red(
    before: TestReport, after: TestReport, excuses: Excuses, expected: list[Weight]
) -> None:
    assert weights(judge_tests("c1", before, after, excuses, must_run=True)) == expected


def test_who_names_a_test_of_go_means_its_cases_too() -> None:
    before = report("ok shelf.TestAdd", "ok shelf.TestAdd/negative", "ok shelf.TestSub")
    excuses = Excuses(files=("shelf/shelf_test.go",), text="TestAdd becomes TestSum")
    assert weights(judge_tests("c1", before, report("ok shelf.TestSub"), excuses)) == [FLAG]


def test_where_no_file_is_known_some_declared_test_file_has_to_do() -> None:
    before, after = report("ok app::TestAdd", "ok app::TestSub"), report("ok app::TestSub")
    gone = Excuses(text="TestAdd goes")
    assert weights(judge_tests("c1", before, after, gone)) == [REFUSE]
    assert weights(judge_tests("c1", before, after, replace(gone, files=("app/add_test.go",)))) == [FLAG]


def test_a_command_that_never_left_a_report_is_not_refused_for_it() -> None:
    before, after = report(problem="missing"), report(problem="missing")
    (only,) = judge_tests("c1", before, after, silent_base=True)
    assert only.weight is FLAG and "missing" in only.description
    assert weights(judge_tests("c1", before, report(f"ok {A}", f"red {B}"), silent_base=True)) == [FLAG]
    assert weights(judge_tests("c1", before, report(), silent_base=True)) == [REFUSE]


def test_of_an_exit_status_nothing_can_be_said_but_that_it_is_missing() -> None:
    bare = report(grade=Grade.EXIT)
    assert judge_tests("c1", report(f"ok {A}"), bare) == ()
    assert weights(judge_tests("c1", bare, report(f"ok {A}", f"skip {B}"))) == [FLAG]
    assert weights(judge_tests("c1", None, replace(bare, problem="not run"))) == [REFUSE]


def test_noise_in_an_id_loses_no_test_and_hides_no_red_one() -> None:
    old, new = "t.py::a[<X at 0x7f00aa11>]", "t.py::a[<X at 0x7f00bb22>]"
    assert judge_tests("c1", report(f"ok {old}"), report(f"ok {new}")) == ()
    assert judge_tests("c1", report(f"skip {old}", "ok b"), report(f"skip {new}", "ok b")) == ()
    assert judge_tests("c1", report(f"red {old}", "ok b"), report(f"red {new}", "ok b")) == ()
    assert weights(judge_tests("c1", report(f"ok {old}"), report(f"red {new}"))) == [REFUSE]


def test_an_objection_names_five_tests_and_counts_the_rest() -> None:
    before = report(*(f"ok tests/test_a.py::test_{n}" for n in range(9)), "ok tests/test_b.py::test_x")
    (lost,) = judge_tests("c1", before, report("ok tests/test_b.py::test_x"))
    assert (
        lost.description.count("::") == 5
        and lost.description.endswith("and 4 more")
        and lost.where == "tests/test_a.py"
    )


@pytest.mark.parametrize(
    ("before", "after", "legacy"),
    [
        (report(f"red {A}", f"ok {B}"), report(f"red {A}", f"ok {B}"), True),
        (report(f"red {A}"), report(f"red {A}", f"ok {B}"), True),
        (report(f"ok {B}", loading=("x",)), report(f"ok {B}", loading=("x",)), True),
        (report(f"red {A}", f"ok {B}"), report(f"red {A}", f"red {B}"), False),
        (report(f"red {A}", f"ok {B}"), report(f"red {A}", f"ok {B}", loading=("x",)), False),
        (report(f"red {A}"), report(f"red {A}"), False),  # not one passed: it may be that nothing works
        (report(f"red {A}", f"ok {B}"), report(f"ok {A}", f"ok {B}"), False),  # something else is red
        (report(f"red {A}", f"ok {B}"), report(f"red {A}", f"ok {B}", problem="cut off"), False),
        (report(problem="missing"), report(f"red {A}", f"ok {B}"), False),
        (None, report(f"red {A}", f"ok {B}"), False),
        (report(grade=Grade.EXIT), report(f"red {A}", f"ok {B}"), False),
    ],
)
def test_a_red_run_is_legacy_when_nothing_but_what_was_red_is(
    before: TestReport | None, after: TestReport, legacy: bool
) -> None:
    assert only_legacy_red(before, after) is legacy


IDS = st.sampled_from([f"tests/test_{f}.py::test_{n}" for f in "ab" for n in range(4)])
RESULTS = st.builds(lambda word, id: result(f"{word} {id}"), st.sampled_from(sorted(WORDS)), IDS)
REPORTS = st.lists(RESULTS, max_size=8, unique_by=lambda r: r.id).map(lambda rs: replace(report(), results=tuple(rs)))


@given(REPORTS)
def test_a_run_like_the_base_is_never_refused(same: TestReport) -> None:
    ran = replace(same, results=(*same.results, result("ok tests/test_z.py::test_it")))
    assert judge_tests("c1", ran, ran) == ()


@given(REPORTS, REPORTS)
def test_whatever_passed_at_the_base_passes_still_or_the_run_is_refused(before: TestReport, after: TestReport) -> None:
    passed = {r.id for r in before.results if r.ended.value == "passed"}
    still = {r.id for r in after.results if r.ended.value == "passed"}
    if not passed <= still:
        assert REFUSE in weights(judge_tests("c1", before, after))


@given(REPORTS, REPORTS, st.sampled_from(["red", "err", "load"]))
def test_one_more_test_that_is_red_is_one_more_reason(before: TestReport, after: TestReport, word: str) -> None:
    worse = replace(after, results=(*after.results, result(f"{word} tests/test_z.py::test_new")))
    assert REFUSE in weights(judge_tests("c1", before, worse))


@given(REPORTS, REPORTS)
def test_what_is_only_legacy_red_has_nothing_newly_red(before: TestReport, after: TestReport) -> None:
    if only_legacy_red(before, after):
        assert not newly_red(before, after)
        assert not any("red, and" in o.description for o in judge_tests("c1", before, after))
