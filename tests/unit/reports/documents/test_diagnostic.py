"""The confidence diagnostic: precise advice only, each item with file, deficiency and impact."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.pieces import Cycle, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.plan import REMEDIATION
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands, Policy
from autopilot.model.ruling import Deduction
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.diagnostic import render_diagnostic
from autopilot.reports.documents.path_to_nine import PathItem, left_out, path_items
from autopilot.reports.documents.vagueness import is_vague
from tests.unit.making import (
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)

# covers: CENF-02, CENF-05


@pytest.mark.parametrize(
    "text",
    [
        "improve code quality",
        "Add better tests.",
        "add more tests to shelf/a.py",
        "shelf/a.py:3 improve error handling",
        "enhance documentation",
        "write better code",
        "could be cleaner and more robust",
        "consider edge cases",
        "no reason was given",
        "needs some work",
        "none found",
        "the user experience should be improved",
        "",
        "   ",
        "...",
    ],
)
def test_advice_that_fits_every_file_is_vague(text: str) -> None:
    assert is_vague(text)


@pytest.mark.parametrize(
    "text",
    [
        "Line 450: missing grep pattern",
        "`find` ignores the author",
        "find() returns None for an empty title",
        "error handling for timeouts is missing",
        "the search compares raw titles",
        "parse_args is called twice",
        "readBook drops the last line",
        "no file and line is named as evidence; the check failed (exit 1)",
        'the label says "Serach"',
    ],
)
def test_a_deficiency_one_can_go_to_is_not_vague(text: str) -> None:
    assert not is_vague(text)


TASK = TaskState(
    make_task(
        "01-01",
        make_criterion("01-01.c1", "search ignores case", command="make check"),
        make_criterion("01-01.c2", "books are sorted"),
        files=("shelf/find.py",),
    ),
    "verified",
    "c1",
    files=(".planning/x.md", "shelf/changed.py"),
)


def phase_with(*deductions: Deduction, **more: Any) -> PhaseState:
    fields: dict[str, Any] = {
        "tasks": {"01-01": TASK},
        "score": 8.4,
        "gate": Outcome.PASS,
        "verdicts": (make_verdict(Outcome.PASS), make_verdict(Outcome.UNPROVEN, "01-01.c2", "no red evidence")),
        "deductions": deductions,
    }
    return make_phase(**{**fields, **more})


LOST = Deduction("search ignores case", 7.5, 2.5, 1.25, "titles with umlauts are missed", "shelf/find.py")


def test_an_item_names_file_deficiency_and_impact() -> None:
    assert path_items(phase_with(LOST)) == (
        PathItem(
            "shelf/find.py",
            "titles with umlauts are missed",
            'worth up to 1.25 of the score; settles "search ignores case", 1 of 1 criteria below 9.0',
        ),
    )


def test_what_scored_well_enough_is_left_alone_unless_nothing_else_lost() -> None:
    small = Deduction("books are sorted", 9.4, 0.6, 0.3, "a tie is broken by chance", "shelf/sort.py")
    assert [item.file for item in path_items(phase_with(LOST, small))] == ["shelf/find.py"]
    assert [item.file for item in path_items(phase_with(small))] == ["shelf/sort.py"]


def test_without_a_file_an_item_goes_to_the_files_of_its_criterions_task() -> None:
    lost = Deduction("Books  are sorted", 7.0, 3.0, 1.5, "a tie is broken by chance", "")
    assert [item.file for item in path_items(phase_with(lost))] == ["shelf/changed.py"]


def test_a_plan_is_not_the_file_to_mend() -> None:
    lost = Deduction("books are sorted", 7.0, 3.0, 1.5, "a tie is broken by chance", ".planning/phases/01/PLAN.md")
    assert [item.file for item in path_items(phase_with(lost))] == ["shelf/changed.py"]


def test_what_has_no_file_at_all_is_told_among_the_concerns_only() -> None:
    lost = Deduction("nobody's criterion", 7.0, 3.0, 1.5, "a tie is broken by chance", "")
    phase = phase_with(lost)
    assert path_items(phase) == ()
    assert left_out(phase) == ("nobody's criterion (scored 7.0): a tie is broken by chance",)
    text = render_diagnostic(make_state(phase), phase)
    assert "- scorecard, no file is known for it: nobody's criterion (scored 7.0)" in text
    assert "## Path to 9.0/10\n\nNo finding is precise enough to act on.\n" in text


def test_vague_words_are_replaced_by_what_was_seen_or_read() -> None:
    vague = Deduction("books are sorted", 6.0, 4.0, 2.0, "improve code quality", "shelf/sort.py")
    assert path_items(phase_with(vague))[0].deficiency == "books are sorted: no red evidence"
    reading = CriterionReading("books are sorted", "failed", "shelf/sort.py:4 sorts by id")
    read = phase_with(vague, verdicts=(), verification=make_verification(False, criteria_results=(reading,)))
    assert path_items(read)[0].deficiency == "shelf/sort.py:4 sorts by id"


def test_vague_words_without_anything_better_are_refused() -> None:
    vague = Deduction("search ignores case", 6.0, 4.0, 2.0, "improve code quality", "shelf/find.py")
    assert path_items(phase_with(vague)) == ()


def test_of_the_judges_concerns_only_precise_ones_with_a_file_become_items() -> None:
    judgement = make_judgement(
        concerns=(
            "shelf/cli.py prints tracebacks for an empty shelf",
            "shelf/cli.py could be cleaner",
            "the shelf forgets its order",
            "e.g. the shelf",
            "titles with umlauts are missed",
        ),
        verifier_missed=("shelf/io.py:9 swallows OSError",),
    )
    items = path_items(phase_with(LOST, judgement=judgement))
    assert [(item.file, item.impact) for item in items[1:]] == [
        ("shelf/cli.py", "addresses 1 of 6 concerns of the judge"),
        ("shelf/io.py", "addresses 1 of 6 concerns of the judge"),
    ]


def test_the_diagnostic_is_the_sources_document() -> None:
    phase = phase_with(
        LOST,
        judgement=make_judgement(concerns=("a worry",)),
        verification=make_verification(
            criteria_results=(CriterionReading("search ignores case", "verified", "shelf/find.py:3 -- here"),)
        ),
        observations=(
            make_observation("compile", command="make", exit_code=0),
            make_observation("lint", Seen.FAILED, command="lint", exit_code=1, excerpt="3 errors"),
            make_observation("01-01.c2", command="make sorted", exit_code=0),
        ),
    )
    policy = Policy(pass_threshold=7.0, commands=Commands(compile="make", lint="lint", test="t"))
    assert render_diagnostic(make_state(phase, policy=policy), phase) == (
        "# Phase 1 Confidence Diagnostic\n"
        "\n"
        "**Score:** 8.4/10\n"
        "**Threshold:** 7.0/10\n"
        "**Status:** passed\n"
        "\n"
        "## Judge Concerns\n"
        "\n"
        "- a worry\n"
        "\n"
        "## Acceptance Criteria Status\n"
        "\n"
        "| Criterion | Status | Evidence | Gap |\n"
        "| --- | --- | --- | --- |\n"
        "| search ignores case | verified | shelf/find.py:3 -- here | titles with umlauts are missed |\n"
        "| books are sorted | unproven | `make sorted` passed (exit 0) | no red evidence |\n"
        "\n"
        "## Automated Check Results\n"
        "\n"
        "| Check | Result | Details |\n"
        "| --- | --- | --- |\n"
        "| compile | pass | `make` passed (exit 0) |\n"
        "| lint | fail | `lint` failed (exit 1): 3 errors |\n"
        "| build | n/a | - |\n"
        "| test | not run | - |\n"
        "\n"
        "## Path to 9.0/10\n"
        "\n"
        "1. **shelf/find.py**: titles with umlauts are missed -- worth up to 1.25 of the score; settles "
        '"search ignores case", 1 of 1 criteria below 9.0\n'
    )


def test_a_reading_alone_is_shown_as_one_and_never_against_a_verdict() -> None:
    readings = (
        CriterionReading("search ignores case", "verified", "shelf/find.py:3 -- surely"),
        CriterionReading("books are sorted", "verified", "shelf/find.py:9 -- surely"),
    )
    phase = phase_with(
        verdicts=(make_verdict(Outcome.FAIL, because="it failed"),),
        verification=make_verification(criteria_results=readings),
    )
    text = render_diagnostic(make_state(phase), phase)
    assert "| search ignores case | failed | shelf/find.py:3 -- surely | it failed |" in text
    assert "| books are sorted | verified (read, not run) | shelf/find.py:9 -- surely | - |" in text


def cycle_task(id: str, action: str, commit: str) -> TaskState:
    task = make_task(id, type=REMEDIATION, action=action)
    return TaskState(task, "verified", commit, files=("shelf/find.py",))


def test_remediation_is_told_cycle_by_cycle() -> None:
    phase = phase_with(
        LOST,
        tasks={
            "01-01": TASK,
            "01-r1": cycle_task("01-r1", "- titles are missed\n- ties are broken", "r" * 40),
            "01-r2": cycle_task("01-r2", "- ties are broken", "s" * 40),
        },
        cycles=(
            Cycle(1, 8.0, ("01-r1",), new_score=8.2, ended=True),
            Cycle(2, 8.2, ("01-r2",), new_score=8.4, ended=True),
        ),
        incomplete=True,
    )
    text = render_diagnostic(make_state(phase), phase)
    assert "**Status:** force_incomplete\n" in text
    assert text.endswith(
        "## Remediation History\n"
        "\n"
        "| Cycle | Score | Changes Made | Remaining Issues |\n"
        "| --- | --- | --- | --- |\n"
        "| 0 (initial) | 8.0 | - | titles are missed; ties are broken |\n"
        "| 1 | 8.2 | 01-r1 shelf/find.py (rrrrrrrrrrrr) | ties are broken |\n"
        "| 2 | 8.4 | 01-r2 shelf/find.py (ssssssssssss) | shelf/find.py: titles with umlauts are missed |\n"
    )


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, "passed"),
        ({"cycles": (Cycle(1, 7.9, (), new_score=8.4, ended=True),)}, "remediated_to_8.4"),
        ({"incomplete": True}, "force_incomplete"),
        ({"gate": Outcome.FAIL, "status": PhaseStatus.FAILED}, "failed"),
        ({"gate": Outcome.FAIL}, "below_threshold"),
    ],
)
def test_the_status_is_one_of_a_few_words(more: dict[str, Any], status: str) -> None:
    phase = phase_with(**more)
    assert f"**Status:** {status}\n" in render_diagnostic(make_state(phase), phase)


def test_a_split_phase_is_diagnosed_by_its_parts() -> None:
    part = phase_with(LOST, judgement=make_judgement(concerns=("a worry",)), parent="2")
    whole = make_phase(parts=(PhaseId("1a"),), gate=Outcome.PASS)
    text = render_diagnostic(make_state(whole, parts={PhaseId("1a"): part}), whole)
    assert "**Score:** 8.4/10" in text and "1. **shelf/find.py**" in text and "- a worry" in text
    assert "| search ignores case | verified |" in text


def test_nobodys_words_add_an_item_to_the_path() -> None:
    evil = Deduction("search", 7.0, 3.0, 1.5, "titles are missed\n2. **evil**: x\x1b[2J", "shelf/find.py")
    phase = phase_with(evil)
    text = render_diagnostic(make_state(phase), phase)
    assert "\x1b" not in text and "\n2. " not in text
