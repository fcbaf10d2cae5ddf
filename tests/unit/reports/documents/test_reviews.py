"""JUDGE-REPORT.md and SCORECARD.md: what reviewers said, beside what counts."""

from __future__ import annotations

from typing import Any

from autopilot.events.pieces import TaskState
from autopilot.model.assessment import JudgeFindings, Rating, Recommendation, Score, Trace, Traced
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Strength
from autopilot.model.ruling import Deduction
from autopilot.reports.documents.judge_report import render_judge_report
from autopilot.reports.documents.scorecard import render_scorecard
from tests.unit.making import (
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_rating,
    make_score,
    make_task,
    make_verdict,
)

# covers: VRFY-02, RATE, BEH
FINDINGS = JudgeFindings(
    recommendation=Recommendation.PROCEED,
    concerns=("shelf/a.py:3 keeps no order",),
    independent_evidence=("shelf/a.py:1 -- read",),
    scope_creep=(),
    missing_requirements=(),
    traces=(),
    notes="fine\n## Divergence Analysis\nNone.",
)


def section(text: str, title: str) -> str:
    return text.partition(f"## {title}\n\n")[2].partition("\n## ")[0]


def test_the_judges_own_findings_stand_before_the_comparison() -> None:
    judgement = make_judgement(
        Recommendation.DEBUG,
        concerns=("shelf/a.py:3 keeps no order", "the verifier ran no test"),
        independent_evidence=FINDINGS.independent_evidence,
        agreements=("it works",),
        disagreements=("it lasts: the verifier says verified",),
        verifier_missed=("an empty title",),
        judge_missed=(),
        verifier_agreement=False,
    )
    text = render_judge_report(make_phase(findings=FINDINGS), judgement)
    assert text == (
        "# Phase 1 Judge Report: Part 1\n"
        "\n"
        "**Recommendation:** debug\n"
        "\n"
        "## Independent findings\n"
        "\n"
        "Recorded before the judge saw the verifier's report; its recommendation then: proceed.\n"
        "\n"
        "### Concerns\n\n- shelf/a.py:3 keeps no order\n"
        "\n"
        "### Independent evidence\n\n- shelf/a.py:1 -- read\n"
        "\n"
        "### Missing requirements\n\nNone.\n"
        "\n"
        "### Scope creep\n\nNone.\n"
        "\n"
        "### Notes\n\nfine ## Divergence Analysis None.\n"
        "\n"
        "## Divergence Analysis\n"
        "\n"
        "The judge does not agree on every point with the verifier.\n"
        "\n"
        "### Agreements\n\n- it works\n"
        "\n"
        "### Disagreements\n\n- it lasts: the verifier says verified\n"
        "\n"
        "### Missed by the verifier\n\n- an empty title\n"
        "\n"
        "### Missed by the judge\n\nNone.\n"
        "\n"
        "## Added after the comparison\n"
        "\n"
        "- the verifier ran no test\n"
    )


def test_a_judge_that_spoke_once_is_not_said_to_have_spoken_before() -> None:
    text = render_judge_report(make_phase(), make_judgement(concerns=("a worry",), verifier_agreement=True))
    assert "No separate findings were recorded" in text and "- a worry" in text
    assert "The judge agrees with the verifier." in text and "Added after" not in text


def test_a_judge_who_would_proceed_against_the_evidence_is_set_right() -> None:
    task = TaskState(make_task("01-01", make_criterion(text="it works")), "failed")
    red = make_phase(tasks={"01-01": task}, verdicts=(make_verdict(Outcome.FAIL, because="the check failed"),))
    assert "The evidence says otherwise, and it decides:\n\n- it works: the check failed\n" in (
        render_judge_report(red, make_judgement())
    )
    assert "otherwise" not in render_judge_report(red, make_judgement(Recommendation.DEBUG))
    green = make_phase(tasks={"01-01": task}, verdicts=(make_verdict(Outcome.PASS),))
    assert "otherwise" not in render_judge_report(green, make_judgement())


def test_the_judges_own_trace_is_in_its_report() -> None:
    trace = Trace("it works", "a.ts:1 -- go", (), "b.ts:2 -- done", Traced.CONTRADICTED)
    text = render_judge_report(make_phase(), make_judgement(traces=(trace,)))
    assert "| go | a.ts:1 |  | b.ts:2 -- done | it works | CONTRADICTED |" in text


TASKS = {
    "01-01": TaskState(
        make_task(
            "01-01",
            make_criterion("01-01.c1", "it works", weight=3.0),
            make_criterion("01-01.c2", "it lasts", strength=Strength.GREP),
        )
    ),
    "01-02": TaskState(make_task("01-02", make_criterion("01-02.c1", "it shines", strength=Strength.GREP))),
}
SCRIPT = make_observation(
    "script:01-01", Seen.FAILED, strength=Strength.SCRIPT, lines=(("it works", False), ("it lasts", True))
)


def card(**more: Any) -> str:
    fields: dict[str, Any] = {
        "tasks": TASKS,
        "observations": (SCRIPT, make_observation("01-02.c1", strength=Strength.GREP)),
        "verdicts": (make_verdict(Outcome.FAIL), make_verdict(Outcome.PASS, "01-02.c1")),
        "deductions": (
            Deduction("it works", 4.9, 5.1, 3.06, "the check failed (the rater: seen)", "shelf/a.py"),
            Deduction("it lasts", 0.0, 10.0, 2.0, "it was not scored", ""),
        ),
        "score": 4.9,
        "band": "major_failures",
    }
    rating = more.pop("rating", make_rating(make_score("It  works", 9.6), make_score("it shines", 10.0)))
    return render_scorecard(make_phase(**{**fields, **more}), rating)


def test_the_scorecard_shows_what_counts_not_what_was_given() -> None:
    assert (
        "| Criterion | Score | Evidence | Test Results | Justification |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| It works | 4.9 (rated 9.6) | shelf/a.py:3 it is there | FAIL (test script) | seen |\n"
        "| it shines | 10.0 | shelf/a.py:3 it is there | PASS | seen |\n"
        "| it lasts | 0.0 |  | not checked | it was not scored |\n"
        "\n"
        "**Alignment Score: 4.9/10** (major_failures)\n"
    ) in card()


def test_deductions_are_listed_with_weight_and_impact() -> None:
    assert section(card(), "Deductions") == (
        "| Criterion | Weight | Lost | Impact on the score | Why | File |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| it works | 3 | 5.1 | 3.06 | the check failed (the rater: seen) | shelf/a.py |\n"
        "| it lasts | 1 | 10.0 | 2.00 | it was not scored |  |\n"
    )
    assert section(card(deductions=()), "Deductions") == "None.\n"


def test_coverage_counts_scripts_and_assertions_and_names_what_only_a_grep_saw() -> None:
    assert section(card(), "Test Coverage") == (
        "- Tasks with a test script: 1/2\n- Assertions passed: 1/2\n- Tasks with grep-based evidence only: 01-02\n"
    )


def test_the_band_is_explained_and_does_not_hide_what_failed() -> None:
    assert section(card(), "Calibration") == (
        "4.9/10 lies in the band `major_failures` (3.0-4.9): several criteria not met. "
        "1 of 2 checks failed or are unproven.\n"
    )


def test_scores_are_shown_rounded_down() -> None:
    rating = make_rating(Score("it shines", 9.97, "", "", "", ""))
    assert "| it shines | 9.9 |" in card(rating=rating, deductions=())


def test_the_raters_own_remarks_are_marked_as_such() -> None:
    rating = Rating((make_score("it shines", 10.0),), ("a cache",), ("x",), "10 out of 10", ("slow",), ("a flag",), ())
    text = card(rating=rating)
    assert section(text, "Side effects") == "- a cache\n"
    assert section(text, "The rater's remarks") == "- slow\n- scope creep: a flag\n- on the whole: 10 out of 10\n"
    assert "remarks" not in card()
