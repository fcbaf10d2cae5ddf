"""The evidence of a phase as it is shown: what was run, how strong that is, what was objected, what nobody checked.

covers: T8, T8.S, T8.R, T8.E, T8.M, T8.unseen
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Layer, Objection, Weight, verdicts_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.proven import Proven
from autopilot.model.evidence.testing import By, Ended, Grade, Tally, TestReport, TestResult, tally
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Criterion, Form, Kind, Strength
from autopilot.model.policy import Evidence
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.shortfalls import shortfalls
from autopilot.reports.documents.summary import render_summary
from autopilot.reports.documents.tasks import is_done
from autopilot.reports.documents.verification import render_verification
from autopilot.reports.evidence.strength import EXIT_ONLY, read_probe, weigh
from autopilot.reports.evidence.text import render_evidence
from autopilot.reports.evidence.view import PhaseEvidence, view_evidence
from autopilot.reports.html.page import render_html
from autopilot.reports.run.batch import build_batch
from autopilot.reports.run.completion import render_completion
from autopilot.reports.run.junit import render_junit
from autopilot.reports.status.phase_record import phase_record
from tests.unit.making import (
    make_criterion,
    make_observation,
    make_phase,
    make_policy,
    make_state,
    make_task,
    make_verdict,
)

ID = "01-01.c1"
OLD, NEW = "tests/test_a.py::test_old", "tests/test_a.py::test_new"
REPORTS = {
    "before": TestReport("pytest", Grade.REPORT, (TestResult(OLD, Ended.PASSED),)),
    "after": TestReport(
        "pytest",
        Grade.REPORT,
        (TestResult(OLD, Ended.PASSED), TestResult(NEW, Ended.PASSED), TestResult("t::slow", Ended.SKIPPED)),
    ),
}
DECLARED = Objection(Layer.CHANGE, "task 01-01", "tests/test_a.py was changed, as declared", weight=Weight.FLAG)
REFUSED = Objection(Layer.RUN, ID, "a test is gone", "t::gone", "bring it back")
SEEN = Objection(Layer.LOOK, "phase", "it asks who calls it", "app.py:3", weight=Weight.FLAG)


def red(by: By | None, *, grade: Grade = Grade.REPORT, subject: str = ID, **more: Any) -> Observation:
    return make_observation(subject, Seen.FAILED, tests=Tally("pytest", grade, failed=1, by=by), **more)


def green(**more: Any) -> Observation:
    return make_observation(ID, tests=tally(REPORTS["after"], "after"), exit_code=0, duration_ms=420, **more)


@pytest.mark.parametrize(
    ("after", "before", "probes", "expected", "because"),
    [
        (green(), red(By.ASSERTION), (), Proven.REPLAYED, "it failed before the work (assertion)"),
        (green(), red(By.LOADING), (), Proven.GREEN, ""),
        (
            green(),
            red(By.LOADING),
            (red(By.ASSERTION, subject=f"replay:{ID}"),),
            Proven.REPLAYED,
            "the implementation reverted",
        ),
        (green(), red(By.LOADING), (red(By.LOADING, subject=f"replay:{ID}"),), Proven.GREEN, ""),
        (green(), red(By.ABSENT), (red(By.ASSERTION, subject=f"mutant:{ID}"),), Proven.REPLAYED, "constants"),
        (green(), red(By.LOADING), (make_observation(f"mutant:{ID}"),), Proven.GREEN, ""),
        (green(), red(By.LOADING), (red(By.ASSERTION, subject="canary:pytest"),), Proven.GREEN, ""),
        (green(), make_observation(ID), (), Proven.GREEN, ""),
        (
            make_observation(ID),
            make_observation(ID, Seen.FAILED, excerpt="0 books"),
            (),
            Proven.REPLAYED,
            "before the work",
        ),
        (make_observation(ID), make_observation(ID, Seen.FAILED, exit_code=127), (), Proven.GREEN, ""),
        (make_observation(ID, strength=Strength.GREP), red(By.ASSERTION), (), Proven.STRUCTURAL, ""),
        (make_observation(ID, Seen.NOTHING), red(By.ASSERTION), (), Proven.CLAIM, ""),
        (None, None, (), Proven.CLAIM, ""),
    ],
)
def test_evidence_is_as_strong_as_what_saw_it_red(
    after: Observation | None,
    before: Observation | None,
    probes: tuple[Observation, ...],
    expected: Proven,
    because: str,
) -> None:
    weighed = weigh(after, before, [read_probe(o) for o in probes])
    assert weighed.proven is expected
    assert because in "; ".join(weighed.replayed_by)
    assert bool(weighed.replayed_by) is (expected is Proven.REPLAYED)


def test_what_was_to_stay_green_is_not_proven_by_having_been_red() -> None:
    assert weigh(green(), red(By.ASSERTION), new=False).proven is Proven.GREEN


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (red(By.UNKNOWN, grade=Grade.EXIT), EXIT_ONLY),
        (make_observation(ID, tests=Tally("cargo test", Grade.TEXT, 3)), "text report"),
        (make_observation(ID, tests=Tally("pytest", Grade.REPORT, problem="cut off")), "cut off"),
        (make_observation(ID, Seen.FAILED, tests=Tally("pytest", Grade.REPORT), legacy=2), "2 of its tests"),
    ],
)
def test_the_weakest_forms_are_said_plainly(after: Observation, words: str) -> None:
    assert words in "; ".join(weigh(after, None).weak)
    assert weigh(green(), None).weak == ()


def phase_with(*objections: Objection, **more: Any) -> PhaseState:
    criteria = (make_criterion(ID, "it adds"), Criterion("01-01.c2", "it is pretty", Form.PROSE))
    task = TaskState(
        make_task("01-01", *criteria),
        "verified",
        "c1",
        probes=(
            red(By.ASSERTION, subject=f"replay:{ID}", commit="reverted"),
            red(By.ASSERTION, subject="canary:pytest"),
        ),
        objections=objections,
    )
    usual = {
        "tasks": {"01-01": task},
        "red": (red(By.LOADING, commit="base"),),
        "baseline": (make_observation("test", commit="base"),),
        "observations": (green(commit="tip"), make_observation("test", commit="tip")),
        "verdicts": (make_verdict(Outcome.PASS, ID), make_verdict(Outcome.PASS, "test", "green")),
        "observed_commit": "tip",
        "status": PhaseStatus.COMPLETED,
    }
    return make_phase(**{**usual, **more})


def view(phase: PhaseState, layers: Evidence | None = None) -> PhaseEvidence:
    policy = make_policy(evidence=Evidence.full() if layers is None else layers)
    return view_evidence(make_state(phase, policy=policy), phase, REPORTS.get)


def test_every_promise_is_shown_with_its_runs_its_tests_and_its_probes() -> None:
    before = red(By.LOADING, commit="base")
    before = replace(before, tests=replace(before.tests or Tally("", Grade.EXIT), report="before"))
    shown = view(phase_with(red=(before,)))
    piece, check, prose = shown.pieces
    assert (piece.subject, piece.task, piece.verdict, piece.strength) == (ID, "01-01", "PASS", "replayed red→green")
    assert piece.after is not None and piece.before is not None and piece.after.tests is not None
    assert (piece.after.commit, piece.after.exit_code, piece.after.duration_ms) == ("tip", 0, 420)
    assert (piece.before.commit, piece.before.seen) == ("base", "failed")
    assert (piece.after.tests.new, piece.after.tests.others) == ((NEW,), (OLD,))
    assert piece.after.tests.not_passed == ("t::slow: skipped",)
    assert [(probe.kind, probe.run.commit) for probe in piece.probes] == [("reverted", "reverted")]
    assert [probe.kind for probe in shown.probes] == ["canary"]
    assert (check.kind, check.strength, check.weak) == ("check", "green only", (EXIT_ONLY,))
    assert (prose.verdict, prose.strength) == (None, "claim only")
    assert dict(shown.strengths) == {"replayed red→green": 1, "green only": 1, "claim only": 1}


def test_objections_stand_with_what_they_are_about_and_say_what_would_satisfy() -> None:
    against = (REFUSED, DECLARED)
    verdicts = (make_verdict(Outcome.PASS, ID), *verdicts_of(against))
    shown = view(phase_with(*against, objections=(SEEN,), verdicts=verdicts))
    (piece,) = [piece for piece in shown.pieces if piece.subject == ID]
    assert [(o.observed, o.where, o.satisfy) for o in piece.objections] == [
        ("a test is gone", "t::gone", "bring it back")
    ]
    assert [o.layer for o in shown.objections] == ["L"]
    assert [o.observed for o in shown.control_files] == ["tests/test_a.py was changed, as declared"]
    assert not any(piece.subject.startswith("R:") for piece in shown.pieces)
    text = render_evidence(shown, 100)
    assert "objection (refuse) R: a test is gone" in text and "would satisfy: bring it back" in text
    assert "Control files changed by declaration:" in text and "flag L phase: it asks who calls it" in text


def test_a_failed_promise_has_no_strength_and_its_tasks_evidence_is_shown_before_the_gate() -> None:
    task = phase_with().tasks["01-01"]
    task = replace(task, observations=(green(commit="c1"),), verdicts=(make_verdict(Outcome.FAIL, ID, "no"),))
    phase = phase_with(verdicts=(), observations=None, tasks={"01-01": task}, status=PhaseStatus.FAILED)
    piece = view(phase).pieces[0]
    assert (piece.verdict, piece.strength) == ("FAIL", None)
    assert piece.after is not None and piece.after.commit == "c1"


def test_before_anything_is_judged_the_evidence_says_that_nothing_was_checked() -> None:
    shown = view(phase_with(verdicts=(), observations=None))
    assert f"nothing was checked yet ({len(shown.pieces)} criteri" in render_evidence(shown, 100)


def test_a_failed_criterion_shows_what_was_expected_and_what_was_printed() -> None:
    seen = make_observation(ID, Seen.FAILED, exit_code=1, excerpt="0 books\n")
    text = render_evidence(
        view(phase_with(verdicts=(make_verdict(Outcome.FAIL, ID, "no"),), observations=(seen,))), 100
    )
    assert "    expected: exit status 0\n    actual:   exit status 1\n      | 0 books\n" in text


def test_a_layer_switched_off_is_said_and_an_old_run_says_that_it_had_none() -> None:
    less = view(phase_with(), replace(Evidence.full(), mutants=False))
    assert [line for line in less.not_checked if line.endswith("disabled by your settings")] == [
        "whether the new tests fail with constants in place of the implementation: disabled by your settings"
    ]
    assert less.note == "" and not any("switched off" in line for line in view(phase_with()).not_checked)
    old = view(phase_with(), Evidence())
    assert "without checks of single tests" in old.note and "no layer of evidence" in " ".join(old.not_checked)


def test_a_phase_that_has_not_begun_says_so() -> None:
    shown = view(make_phase(status=PhaseStatus.NOT_STARTED, started_at=None))
    assert "not started" in shown.note and not any(piece.after for piece in shown.pieces)


def test_a_report_that_is_gone_is_told_and_its_counts_are_shown_all_the_same() -> None:
    phase = phase_with()
    state = make_state(phase, policy=make_policy(evidence=Evidence.full()))
    after = view_evidence(state, phase, lambda _: None).pieces[0].after
    assert after is not None and after.tests is not None
    assert (after.tests.passed, after.tests.new) == (2, ()) and "no longer exists" in after.tests.problem


@pytest.mark.parametrize("columns", [20, 80, 160])
def test_lines_fit_whatever_was_recorded(columns: int) -> None:
    evil = Objection(Layer.RUN, ID, "x" * 300 + "\n\x1b[2Jsmall words " * 20, "a/b" * 90, "y " * 200)
    shown = view(phase_with(evil, SEEN))
    lines = render_evidence(shown, columns).splitlines()
    assert max(map(len, lines)) <= max(columns, 40)
    assert "\x1b" not in "".join(lines)
    assert lines[-1].strip().endswith("may have used") or columns < 80


def test_the_json_has_the_fields_its_document_names() -> None:
    found = msgspec.to_builtins(view(phase_with(REFUSED)))
    assert found["schema"] == 1
    assert set(found) >= {"run", "phase", "pieces", "probes", "objections", "control_files", "not_checked", "note"}
    piece = found["pieces"][0]
    assert set(piece["after"]["tests"]) >= {"runner", "grade", "passed", "new", "others", "not_passed", "report"}
    assert piece["objections"][0]["satisfy"] == "bring it back"
    assert msgspec.json.decode(msgspec.json.encode(found)) == msgspec.json.decode(msgspec.json.encode(found))


def test_a_criterion_that_must_stay_green_is_green_only() -> None:
    kept = make_criterion(ID, "it adds", Kind.KEEP)
    task = replace(phase_with().tasks["01-01"], task=make_task("01-01", kept))
    assert view(phase_with(tasks={"01-01": task})).pieces[0].strength == "green only"


REPORTS_OF_A_RUN: dict[str, Callable[[RunState, PhaseState], str]] = {
    "VERIFICATION.md": render_verification,
    "SUMMARY.md": render_summary,
    "completion": lambda state, _: render_completion(state, None),
    "page": lambda state, _: render_html(state, (), ()),
}


@pytest.mark.parametrize("name", REPORTS_OF_A_RUN)
def test_every_report_says_how_strong_what_was_objected_and_what_you_switched_off(name: str) -> None:
    phase = phase_with(REFUSED, SEEN)
    state = make_state(phase, policy=make_policy(evidence=replace(Evidence.full(), canary=False)))
    text = REPORTS_OF_A_RUN[name](state, phase)
    assert "replayed red→green" in text
    assert "R (run of the tests), refused, 01-01.c1: a test is gone (t::gone); bring it back" in text
    assert "L (second look), flag, phase: it asks who calls it" in text
    assert "whether a test that must fail does fail: disabled by your settings" in text


def test_ci_learns_of_strengths_and_of_every_objection() -> None:
    objections = (REFUSED, replace(REFUSED, description="another one is gone"))
    phase = phase_with(*objections, verdicts=(make_verdict(Outcome.PASS, ID), *verdicts_of(objections)))
    suite = ET.fromstring(render_junit(make_state(phase)).encode())[0]
    facts = {each.attrib["name"]: each.attrib["value"] for each in suite.iter("property")}
    assert facts["evidence"] == "1 replayed red→green, 1 green only, 1 claim only"
    failed = [case.attrib["name"] for case in suite.iter("testcase") if case.find("failure") is not None]
    assert [name.partition(": ")[0] for name in failed] == ["objection R:01-01.c1"] * 2 and len(set(failed)) == 2


def test_programs_read_the_strengths_of_a_phase_as_counts() -> None:
    phase = phase_with(REFUSED, SEEN)
    state = make_state(phase, policy=make_policy(evidence=Evidence.full()))
    expected = {"replayed": 1, "green": 1, "structural": 0, "claim": 1, "objections": 1, "flags": 1}
    assert phase_record(state, phase, is_suspect=False)["evidence"] == expected
    assert build_batch(state).evidence == {"1": expected}


def test_a_task_with_an_objection_against_it_is_not_done() -> None:
    task = phase_with(REFUSED).tasks["01-01"]
    verdicts = (make_verdict(Outcome.PASS, ID), *verdicts_of((REFUSED,)))
    assert is_done(task, phase_with(verdicts=verdicts[:1])) and not is_done(task, phase_with(verdicts=verdicts))
    (short,) = shortfalls(phase_with(verdicts=verdicts))
    assert (short.task, short.text) == ("01-01", "it adds")
