"""What was asked of a phase: the same rows and the same count in every report, and the first line tells it. T8"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form
from autopilot.model.planning.promise import Answer
from autopilot.model.policy import Commands, Policy
from autopilot.reports.documents.summary import render_summary
from autopilot.reports.documents.verification import render_verification
from autopilot.reports.evidence.planned import planned_document, planned_lines
from autopilot.reports.evidence.promised import promise_rows, promised_document, ratio, ratio_words, standing_words
from autopilot.reports.evidence.text import render_evidence
from autopilot.reports.evidence.unchecked import unchecked_in_phase, unrunnable
from autopilot.reports.evidence.view import view_evidence
from autopilot.reports.html.page import render_html
from autopilot.reports.html.phase import render_phase
from autopilot.reports.run.ci_summary import render_ci_summary
from autopilot.reports.run.completion import render_completion
from autopilot.reports.run.junit import render_junit
from autopilot.reports.status.result import build_result
from tests.unit.making import (
    ONE,
    make_brief,
    make_criterion,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)

# covers: T8.accounts
GREETS = make_criterion("01-01.c1", "It greets")
TEXTS = ("It says hello", "It is kind", "It looks right")
ASKED = [make_criterion(f"phase.c{n}", text, form=Form.PROSE, command="") for n, text in enumerate(TEXTS, 1)]
READING = CriterionReading("SC-2", "verified", "a.py:3 -- kind words")
LINE = "1 of 3 criteria of the roadmap proven, 1 judged by a reviewer (opinion), 1 waits for you"


def phase_with(accounted: bool = True, **more: Any) -> PhaseState:
    fields = {
        "verdicts": (make_verdict(Outcome.PASS, "01-01.c1"), make_verdict(Outcome.PASS, "test")),
        "observations": (make_observation("01-01.c1"), make_observation("test")),
        "red": (make_observation("01-01.c1", Seen.FAILED),),
        "answers": (Answer("SC-1", ("01-01.c1",)), Answer("SC-3", person="by eye")),
        "verification": make_verification(criteria_results=(READING,)),
        "gate": Outcome.UNPROVEN,
        **more,
    }
    phase = make_phase(tasks={"01-01": TaskState(make_task("01-01", GREETS))}, **fields)
    return replace(phase, brief=make_brief(ONE, criteria=tuple(ASKED), accounted=accounted))


def test_each_row_says_by_what_or_on_whose_word() -> None:
    phase = phase_with()
    rows = [(row.name, row.status, row.by, row.because) for row in promise_rows(make_state(phase), phase)]
    assert rows == [
        ("SC-1", "proven", ("01-01.c1 (replayed red→green)",), ""),
        ("SC-2", "judged", (), "a.py:3 -- kind words"),
        ("SC-3", "for a person", (), "by eye"),
        ("REQ-1", "not checked", (), "the plan traces it to no check that ran"),
    ]


def test_every_report_says_the_same_first() -> None:
    phase = phase_with()
    state = make_state(phase)
    evidence = render_evidence(view_evidence(state, phase, lambda _: None), 400)
    assert evidence.splitlines()[2] == f"{LINE}; 2 of 2 checks proven", "after whose it is, and how it was recorded"
    verification = render_verification(state, phase)
    assert verification.split("# Phase 1 Verification: Part 1\n\n")[1].startswith(f"{LINE}; 2 of 2 checks proven.\n")
    assert "score: 1/3 must-haves verified" in verification
    assert f"\n{LINE}; 2 of 2 checks proven, no score" in render_summary(state, phase)
    assert build_result(state, phase).summary.startswith(LINE)
    assert "1/3 proven, 1 judged by a reviewer (opinion), 1 waits for you</span>" in render_phase(state, phase, "")
    assert f"- Asked for: {LINE}\n" in render_completion(state, None)
    assert f"- {LINE}\n" in render_ci_summary(state, None)
    assert f"<p>{LINE}</p>" in render_html(state, (), ())
    assert f'value="{LINE}; 2 of 2 checks proven"' in render_junit(state)
    document = promised_document(state, phase)
    assert (document["line"], document["total"], document["proven"], document["judged"], document["person"]) == (
        LINE,
        *(3, 1, 1, 1),
    )
    assert [row["name"] for row in document["rows"]] == ["SC-1", "SC-2", "SC-3", "REQ-1"]


def test_every_report_says_what_rests_on_tests_that_came_with_the_work() -> None:
    phase = phase_with(observations=(make_observation("01-01.c1", brought=True), make_observation("test")))
    state = make_state(phase)
    line = LINE.replace("proven,", "proven (1 by tests that came with the work),")
    assert standing_words(phase).startswith(f"{line}; ")
    assert ratio_words(phase).startswith("1/3 proven (1 by tests that came with the work), ")
    assert promised_document(state, phase)["by_new_tests"] == 1
    evidence = render_evidence(view_evidence(state, phase, lambda _: None), 400)
    assert "every test that it ran came with the work" in evidence
    assert "every test" not in render_evidence(
        view_evidence(make_state(phase_with()), phase_with(), lambda _: None), 400
    )


def test_an_opinion_and_what_waits_stand_under_not_checked_as_what_they_are() -> None:
    assert unrunnable(phase_with()) == [
        "SC-2 It is kind: a reviewer's opinion, no proof (a.py:3 -- kind words)",
        "SC-3 It looks right: waits for a person (by eye)",
    ]


def test_what_failed_was_checked_and_what_no_command_could_check_is_said_of_the_phase_too() -> None:
    red = phase_with(verdicts=(make_verdict(Outcome.FAIL, "01-01.c1"),), gate=Outcome.FAIL)
    rows = promise_rows(make_state(red), red)
    assert (rows[0].name, rows[0].status) == ("SC-1", "failed"), "the control"
    assert not [text for text in unrunnable(red) if text.startswith("SC-1")]
    shown = unchecked_in_phase(make_state(red, policy=Policy(commands=Commands())), red)
    assert "compile, lint, build and tests: no such command is configured" in shown


def test_a_run_of_an_older_version_counts_its_checks_as_before() -> None:
    older = phase_with(accounted=False)
    assert (ratio(older), ratio_words(older), standing_words(older)) == ("2/2", "2/2 proven", "2 of 2 checks proven")
    assert promised_document(make_state(older), older)["line"] is None
    assert "What is asked for" not in render_verification(make_state(older), older)


def test_before_the_gate_nothing_is_said_of_what_is_asked_for() -> None:
    """The judge is shown the document then, and no verdict."""
    open_ = phase_with(verdicts=(), gate=None)
    assert "What is asked for" not in render_verification(make_state(open_), open_)
    assert promised_document(make_state(open_), open_)["rows"] == []


def test_once_its_plan_is_approved_every_report_shows_by_whom_each_is_to_be_shown() -> None:
    open_ = phase_with(verdicts=(), gate=None)
    open_ = replace(open_, plan=replace(open_.plan, approved=True))
    state = make_state(open_)
    assert list(planned_lines(open_)) == [
        "SC-1 It says hello: to be proven by 01-01.c1",
        "SC-2 It is kind: to be judged by a reviewer (opinion)",
        "SC-3 It looks right: for you to look at",
    ]
    shown = render_evidence(view_evidence(state, open_, lambda _: None), 200)
    assert "nothing is judged yet" in shown and "SC-3  for you to look at: It looks right" in shown
    assert "to be judged by a reviewer (opinion)" in render_phase(state, open_, "")
    assert [row["status"] for row in planned_document(open_)["planned"]] == [
        *("to be proven", "to be judged", "to be seen", "not checked")
    ]
    assert planned_document(phase_with()) == {"planned": [], "planned_lines": []}, "once judged, the verdicts count"
    refused = replace(open_, plan=replace(open_.plan, approved=False))
    assert list(planned_lines(refused)) == []
