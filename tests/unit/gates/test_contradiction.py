"""A report that denies what was seen is refused; one that lowers, doubts or differs in wording is not (VRFY-01)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.contradiction import contradictions, mini_contradictions, plain, rating_contradictions
from autopilot.model.assessment import CheckReading, CriterionReading, MiniVerification, Score
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Expectation, Form, Strength, Want
from tests.unit.making import make_criterion, make_observation, make_rating, make_verification

# covers: VRFY-01, PVRF-01, RATE, T2
SCRIPT = "bash .planning/phases/01-part/tests/task-01-01.sh"
COUNT = make_criterion(
    "01-01.c3", "three shelves", command="grep -c shelf a.txt", expectation=Expectation(Want.EQUALS, 3)
)
CRITERIA = (
    make_criterion("01-01.c1", "it adds", command="make add"),
    make_criterion("01-01.c2", "it takes away", command="make take"),
    COUNT,
    make_criterion("01-01.c4", "it refuses", command="tool --bad", expectation=Expectation(Want.EXIT, 2)),
    make_criterion("01-02.c1", "it says hello", command="tool", expectation=Expectation(Want.CONTAINS, text="hello")),
    make_criterion("01-02.c2", "it is fast", form=Form.PROSE, command=""),
    make_criterion("01-02.c3", "it is piped", command="tool list | sort"),
    make_criterion("01-02.c4", "an arrow", command="grep -q 'x -> y' a.txt"),
    make_criterion("01-02.c5", "never set up", command="make late"),
    make_criterion("01-02.c6", "it ends", command="make slow"),
)
FAILED, PASSED = Seen.FAILED, Seen.PASSED


def seen(subject: str, seen: Seen, command: str, code: int | None, excerpt: str = "", **more: Any) -> Observation:
    return make_observation(subject, seen, command=command, exit_code=code, excerpt=excerpt, **more)


LINES = (("it adds", True), ("it takes away", False))
OBSERVATIONS = (
    seen("compile", PASSED, "make compile", 0),
    seen("lint", FAILED, "make lint", 1, "a.py:3 unused name"),
    seen("build", Seen.NOTHING, "make build", None),
    seen("01-01.c1", PASSED, "make add", 0, "ok"),
    seen("01-01.c2", FAILED, "make take", 2, "test_one ... ok\ntest_two ... FAIL\nFAILED (failures=1)"),
    seen("01-01.c3", FAILED, "grep -c shelf a.txt", 0, "2\n"),
    seen("01-01.c4", FAILED, "tool --bad", 0),
    seen("01-02.c1", FAILED, "tool", 0, "bye"),
    seen("01-02.c3", FAILED, "tool list | sort", 1),
    seen("01-02.c4", FAILED, "grep -q 'x -> y' a.txt", 1),
    seen("01-02.c5", FAILED, "make late", None, reason="setup did not succeed"),
    seen("01-02.c6", Seen.TIMED_OUT, "make slow", None),
    seen("cross_reference", FAILED, "", 1),
    seen("script:01-02", FAILED, "bash tests/task-01-02.sh", 0, "FAIL: it says hello", strength=Strength.SCRIPT),
    seen(
        "script:01-01", FAILED, SCRIPT, 1, "PASS: it adds\nFAIL: it takes away", strength=Strength.SCRIPT, lines=LINES
    ),
)


@pytest.mark.parametrize(
    ("entry", "refused"),
    [
        # what it says is what was seen
        ("make add -> exit 0", False),
        ("make take -> exit 2", False),
        ("make take -> 1 failed", False),
        ("make take -> FAILED (failures=1)", False),
        ("grep -c shelf a.txt -> 2", False),
        ("tool --bad -> exit 0", False),
        ("tool -> exit 0", False),  # true: it is its words that were missing
        ("tool -> ran ok", False),  # true of its status
        # plain denials
        ("make take -> exit 0", True),
        ("make take -> EXIT:0", True),
        ("make take → exit code 0", True),
        ("make take => exited with status 0", True),
        ("make take -> rc=0", True),
        ("make take -> passed", True),
        ("make take -> PASS", True),
        ("make take -> all tests passed, 0 failures", True),
        ("make take -> 5/5 passed", True),
        ("make take -> no errors", True),
        ("make take -> OK as expected", True),
        ("make lint -> clean", True),
        ("make slow -> exit 0", True),
        ("make slow -> passed", True),
        ("grep -c shelf a.txt -> 3", True),
        ("grep -c shelf a.txt -> returns 3", True),
        ("tool --bad -> exit 2", True),
        ("grep -q 'x -> y' a.txt -> exit 0", True),  # the arrow in the command does not hide it
        # the spelling of a command does not hide it either
        ("`make take` -> exit 0", True),
        ("$ make take -> exit 0", True),
        ("make  take  ->  exit 0", True),
        ("make take 2>&1; echo EXIT:$? -> EXIT:0", True),
        ("make take 2>&1 | tail -n 5 -> 3 passed", True),
        ("timeout 60 make take -> passed", True),
        ("bash .planning/phases/01-part/tests/task-01-01.sh -> all passed", True),
        ("sh .planning/phases/01-part/tests/task-01-01.sh -> exit 0", True),
        (f"{SCRIPT} -> PASS: it takes away", True),
        ("bash tests/task-01-02.sh -> passed", True),  # it ended with 0 and printed FAIL: that is a failure
        ("bash tests/task-01-02.sh -> exit 0", False),
        # in doubt, no contradiction
        (f"{SCRIPT} -> PASS: it adds", False),
        ("make take -> did not pass", False),
        ("make take -> doesn't pass", False),
        ("make take -> 3 passed, 1 failed", False),
        ("make take -> 3 of 5 passed", False),
        ("make take -> passed before the change", False),
        ("make take -> should pass", False),
        ("make take -> 0 passed", False),
        ("make take -> test_one ... ok", False),  # a line it did print
        ("make take -> exit 0, then exit 2", False),
        ("make take -> exit 0 and exit 3", False),  # which of them?
        ("make take -> exit 2, all ok", False),  # its status is told rightly; the rest is opinion
        (f"{SCRIPT} -> PASS: it counts", False),  # a line we did not see fail
        ("make take -> see the log", False),
        ("make take ->", False),
        ("-> passed", False),
        ("make take", False),
        ("make take --only one -> passed", False),  # another command
        ("cd x && make take -> passed", False),  # another place
        ("make -> passed", False),
        ("git diff HEAD~1 -> ok", False),
        ("tool list | sort -> exit 0", False),  # without pipefail that is what a pipe says
        ("make late -> exit 0", False),  # the setup failed with us: the command itself was never seen
        ("make build -> exit 0", False),  # nor was this one
        ("grep -c shelf a.txt -> 2 lines", False),
        ("", False),
        # worse than what was seen: a reviewer may lower
        ("make add -> exit 1", False),
        ("make add -> FAILED", False),
        ("make compile -> 3 errors", False),
    ],
)
def test_a_command_is_reported_with_the_result_it_had(entry: str, refused: bool) -> None:
    verification = make_verification(commands_run=(entry,))
    assert bool(contradictions(verification, OBSERVATIONS, CRITERIA)) is refused
    assert bool(rating_contradictions(replace(make_rating(), commands_run=(entry,)), OBSERVATIONS, CRITERIA)) is refused


@pytest.mark.parametrize(
    ("check", "passed", "words"),
    [
        ("compile", True, ""),
        ("compile", False, "compile is reported as failed, but it passed"),
        ("lint", False, ""),
        ("lint", True, "lint is reported as passed, but it failed"),
        (" Lint ", True, "lint is reported as passed"),
        ("test", True, "no test command is configured"),
        ("tests", True, "no test command is configured"),
        ("test", False, ""),  # nothing was seen that it denies
        ("build", True, ""),  # it could not be run: nothing was seen
        ("build", False, ""),
        ("typecheck", True, ""),  # a check of its own
    ],
)
def test_a_check_is_reported_as_it_was_seen(check: str, passed: bool, words: str) -> None:
    found = contradictions(make_verification(automated_checks=(CheckReading(check, passed),)), OBSERVATIONS, CRITERIA)
    assert words in found[0] if words else found == ()


@pytest.mark.parametrize("passed", [True, False])
def test_a_check_that_is_red_only_by_what_was_red_before_may_be_called_either(passed: bool) -> None:
    seen = [replace(o, legacy=1) if o.subject == "lint" else o for o in OBSERVATIONS]
    told = make_verification(
        automated_checks=(CheckReading("lint", passed),),
        criteria_results=(CriterionReading("lint", "verified" if passed else "failed", "a.py:1 -- lint"),),
    )
    assert contradictions(told, seen, CRITERIA) == ()


@pytest.mark.parametrize(
    ("criterion", "status", "refused"),
    [
        ("it adds", "verified", False),
        ("it adds", "failed", False),  # green with us, and still read as failed: it may
        ("it takes away", "verified", True),
        ("It  takes\naway", "verified", True),
        ("01-01.c2", "verified", True),
        ("it takes away", "failed", False),
        ("it takes away", "unverifiable", False),
        ("three shelves", "verified", True),
        ("it ends", "verified", True),
        ("never set up", "verified", True),
        ("it is fast", "verified", False),  # prose: nothing decides it
        ("lint", "verified", True),
        ("script:01-01", "verified", True),
        ("compile", "verified", False),
        ("something else", "verified", False),
    ],
)
def test_a_criterion_whose_evidence_failed_is_not_verified(criterion: str, status: str, refused: bool) -> None:
    readings = (CriterionReading(criterion, status, "a.py:1"),)
    assert bool(contradictions(make_verification(criteria_results=readings), OBSERVATIONS, CRITERIA)) is refused
    mini = MiniVerification(True, readings, (), ("make take -> exit 2",))
    assert bool(mini_contradictions(mini, OBSERVATIONS, CRITERIA)) is refused


def test_the_line_of_a_test_script_decides_over_the_command() -> None:
    said = make_verification(criteria_results=(CriterionReading("it adds", "verified", "a.py:1"),))
    red = (*OBSERVATIONS[:-1], replace(OBSERVATIONS[-1], lines=(("it adds", False),)))
    assert contradictions(said, red, CRITERIA) == ("'it adds' is called verified, but its check failed",)


def test_of_two_criteria_with_the_same_words_one_that_holds_is_enough() -> None:
    twin = make_criterion("01-09.c1", "it takes away", command="make other")
    said = make_verification(criteria_results=(CriterionReading("it takes away", "verified", "a.py:1"),))
    assert contradictions(said, (*OBSERVATIONS, make_observation("01-09.c1")), (*CRITERIA, twin)) == ()


def test_a_command_that_was_run_twice_may_be_reported_as_either() -> None:
    again = seen("01-02.c9", PASSED, "make take", 0)
    said = make_verification(commands_run=("make take -> exit 0",))
    assert contradictions(said, (*OBSERVATIONS, again), CRITERIA) == ()


def score(criterion: str, command: str, output: str = "") -> Score:
    return Score(criterion, 9.0, command, output, "a.py:1", "seen")


@pytest.mark.parametrize(
    ("criterion", "command", "refused"),
    [
        ("it adds", "make add", False),
        ("It adds", " `make   add` ", False),
        ("it adds", "make add 2>&1; echo EXIT:$?", False),
        ("it adds", 'make add 2>&1; echo "EXIT:$?"', False),
        ("it adds", "make add (expect EXIT:0)", False),
        ("it adds", "make add | head -20", False),
        ("it adds", SCRIPT, False),
        ("it adds", ".planning/phases/01-part/tests/task-01-01.sh", False),
        ("it adds", f"make add && {SCRIPT}", False),
        ("it adds", f"`make add` and `{SCRIPT}`", False),
        ("it adds", "", True),
        ("it adds", "make", True),
        ("it adds", "make added", True),
        ("it adds", "echo fine", True),
        ("it adds", "make take", True),  # that of another criterion
        ("it adds", "cd x && make add", True),
        ("it adds", "make add || true", True),
        ("it adds", "! make add", True),
        ("it says hello", SCRIPT, True),  # the script of another task
        ("it is fast", "time tool", False),  # prose: whatever was run
        ("it is fast", "", False),
        ("something else", "rm -rf x", False),  # not asked for, does not count
    ],
)
def test_a_score_rests_on_a_command_of_its_criterion(criterion: str, command: str, refused: bool) -> None:
    found = rating_contradictions(make_rating(score(criterion, command)), OBSERVATIONS, CRITERIA)
    assert bool([words for words in found if "command" in words]) is refused


@pytest.mark.parametrize(
    ("criterion", "command", "output", "refused"),
    [
        ("it adds", "make add", "ok", False),
        ("it adds", "make add", "FAILED", False),  # lowers
        ("it takes away", "make take", "OK", True),
        ("it takes away", "make take", "Ran 2 tests in 0.1s\n\nOK", True),
        ("it takes away", "make take", "3 passed\nEXIT:0", True),
        ("it takes away", "make take", "EXIT:2", False),
        ("it takes away", "make take", "test_one ... ok", False),  # a line it printed
        ("it takes away", "make take", "test_one ... ok\ntest_two ... FAIL", False),
        ("it takes away", "make take", "", False),
        ("it takes away", "make take", "collected items passed " + "x" * 150, False),  # cut: its end is not there
        ("it takes away", SCRIPT, "PASS: it adds\nPASS: it takes away", True),
        ("it takes away", SCRIPT, "PASS: it adds\nFAIL: it takes away", False),
        ("it takes away", f"make take; {SCRIPT}", "exit 0", True),
        ("three shelves", "grep -c shelf a.txt", "3", True),
        ("three shelves", "grep -c shelf a.txt", "2", False),
        ("it says hello", "tool", "bye", False),
    ],
)
def test_an_output_that_was_never_printed_is_refused(criterion: str, command: str, output: str, refused: bool) -> None:
    found = rating_contradictions(make_rating(score(criterion, command, output)), OBSERVATIONS, CRITERIA)
    assert bool(found) is refused


@pytest.mark.parametrize(
    ("command", "same"),
    [
        ("make test", "make test"),
        ("  make   test ;", "make test"),
        ("```make test```", "make test"),
        ("npm test 2>&1 | tail -n 3", "npm test"),
        ("make test; echo EXIT:$?", "make test"),
        ("echo EXIT:1", "echo EXIT:1"),
        ("a | grep b", "a | grep b"),
        ("", ""),
    ],
)
def test_what_only_wraps_a_command_is_taken_off(command: str, same: str) -> None:
    assert plain(command) == same


ENTRY = st.builds(
    "{}{}{}".format,
    st.sampled_from([o.command for o in OBSERVATIONS]),
    st.sampled_from([" -> ", "→", " ", ": "]),
    st.text(max_size=40) | st.sampled_from(["passed", "exit 0", "3", "failed", "ok, no errors", "not ok"]),
)


@given(st.lists(ENTRY, max_size=4))
def test_where_everything_held_no_entry_is_a_denial(entries: list[str]) -> None:
    green = tuple(replace(o, seen=PASSED) for o in OBSERVATIONS)
    assert contradictions(make_verification(commands_run=tuple(entries)), green, CRITERIA) == ()


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_the_reading(one: str, other: str) -> None:
    said = make_verification(
        commands_run=(one, f"{one} -> {other}", f"make take -> {other}"),
        criteria_results=(CriterionReading(one, other, other),),
        automated_checks=(CheckReading(one, True),),
    )
    assert isinstance(contradictions(said, OBSERVATIONS, CRITERIA), tuple)
    assert isinstance(rating_contradictions(make_rating(score("it adds", one, other)), OBSERVATIONS, CRITERIA), tuple)
