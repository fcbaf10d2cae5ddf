"""A criterion in the reports: joined with its verdict, observation, reading and deduction, by its id or its words."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form, Strength
from autopilot.model.ruling import Deduction
from autopilot.reports.evidence.criterion_rows import criterion_rows, outcome_named, rows_named, seen_named
from autopilot.reports.evidence.unchecked import unrunnable
from tests.unit.making import (
    ONE,
    make_brief,
    make_criterion,
    make_observation,
    make_phase,
    make_task,
    make_verdict,
    make_verification,
)

WORKS = make_criterion("01-01.c1", "it works")
PROSE = make_criterion("01-01.c2", "it is neat", form=Form.PROSE, command="")


def judged(**fields: Any) -> PhaseState:
    return make_phase(
        tasks={"01-01": TaskState(make_task("01-01", WORKS, PROSE))},
        **{
            "verdicts": (make_verdict(Outcome.FAIL, "01-01.c1"), make_verdict(Outcome.PASS, "compile")),
            "observations": (make_observation("01-01.c1", Seen.FAILED), make_observation("compile")),
            **fields,
        },
    )


def test_a_row_joins_what_is_known_by_id_and_what_reviewers_said_in_words_of_another_case() -> None:
    reading = CriterionReading("It  WORKS", "failed", "a.py:3")
    lost = Deduction("it Works", 4.9, 5.1, 5.1, "it failed", "a.py")
    verification = replace(make_verification(), criteria_results=(reading,))
    row, prose = criterion_rows(judged(verification=verification, deductions=(lost,)))
    assert row.verdict is not None and row.verdict.outcome is Outcome.FAIL
    assert row.seen is not None and row.seen.seen is Seen.FAILED
    assert (row.reading, row.deduction, row.kind) == (reading, lost, "new")
    assert (prose.verdict, prose.seen, prose.reading, prose.deduction) == (None, None, None, None)
    assert prose.unchecked == "it is neat: no command checks it"


def test_a_line_of_its_tasks_test_script_decides_before_its_own_command() -> None:
    script = make_observation("script:01-01", lines=(("IT works", True),), strength=Strength.SCRIPT)
    row, _ = criterion_rows(judged(observations=(make_observation("01-01.c1"), script)))
    assert row.strength is Strength.SCRIPT
    row, _ = criterion_rows(judged(observations=(make_observation("01-01.c1"),)))
    assert row.strength is Strength.COMMAND


def test_a_script_of_ours_beside_a_users_plan_does_not_decide_against_the_users_own_command() -> None:
    script = make_observation("script:01-01", lines=(("it works", True),), strength=Strength.COMMAND)
    row, _ = criterion_rows(judged(observations=(make_observation("01-01.c1", Seen.FAILED), script)))
    assert row.strength is Strength.COMMAND


@pytest.mark.parametrize("ours", [True, False])
def test_in_a_users_plan_what_held_before_the_work_is_not_called_new(ours: bool) -> None:
    row, _ = criterion_rows(judged(red=(make_observation("01-01.c1"),), plan_ours=ours))
    assert row.kind == ("new" if ours else "already there")


@pytest.mark.parametrize(
    ("text", "outcome", "seen"),
    [
        ("it works", Outcome.FAIL, Outcome.FAIL.value),
        ("IT\nworks", Outcome.FAIL, Outcome.FAIL.value),
        ("Compile", Outcome.PASS, Outcome.PASS.value),
        ("it is neat", None, "not checked"),
        ("", None, "not checked"),
    ],
)
def test_what_a_reviewer_names_by_words_is_shown_with_what_was_judged_of_it(
    text: str, outcome: Outcome | None, seen: str
) -> None:
    assert (outcome_named(judged(), text), seen_named(judged(), text)) == (outcome, seen)


def test_what_is_not_judged_yet_is_shown_with_what_was_seen_of_it() -> None:
    assert seen_named(judged(verdicts=()), "It works") == Seen.FAILED.text


def test_rows_are_found_by_the_words_of_their_criterion() -> None:
    assert [row.criterion for row in rows_named(judged(), "It works")] == [WORKS]
    assert rows_named(judged(), "it sings") == []


def test_prose_of_the_roadmap_that_no_check_repeats_is_named_as_unchecked() -> None:
    roadmap = (
        make_criterion("phase.c1", "it looks nice to a person", form=Form.PROSE),
        make_criterion("phase.c2", "IT works", form=Form.PROSE),
    )
    phase = replace(judged(), brief=make_brief(ONE, criteria=roadmap))
    [_, unchecked] = unrunnable(phase)
    assert unchecked.startswith("it looks nice to a person: the roadmap gives no command for it")
