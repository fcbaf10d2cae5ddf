"""CONTEXT.md and discuss-context.json: the sections and fields other tools look for, and every answer (DISC)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from autopilot.events.people import HumanAsked
from autopilot.events.state import RunState
from autopilot.events.talk import Answered, Discussion, HumanGate
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.proposal import AreaDecisions, DeferredIdea, GrayArea
from autopilot.reports.documents.context_md import join_context, render_context
from autopilot.reports.status.discuss_context import categorize, render_discuss_context
from autopilot.reports.status.discussion import render_talk
from tests.unit.making import ONE, START, at, make_brief, make_phase, make_state

# covers: DISC
AREAS = (GrayArea("Order", "by what it is sorted", ()), GrayArea("Covers", "whether\nthey are shown", ()))
ASKED = (
    HumanQuestion("1.1", "How many rows at most?", ONE, area="Order"),
    HumanQuestion("1.2", "By date or by name?", ONE, area="Order"),
    HumanQuestion("2.1", "Which colour?", ONE, area="Covers"),
)
SAID = (Answered(ASKED[0], "Ten.\n## Phase Boundary\nAnd share it.", START), Answered(ASKED[2], "you decide", at(9)))
TALK = Discussion(
    "RUN",
    "It lists books",
    AREAS,
    START,
    picked=("Order", "Covers"),
    answers=SAID,
    decisions=(AreaDecisions("Order", ("Ten rows at most.",)),),
    discretion=("Covers: which colour",),
    deferred=(DeferredIdea("sharing", "share it"),),
    done=True,
)
DOCUMENT = """\
# Phase 1: Part 1 - Context

**Gathered:** 2025-01-01
**Status:** Ready for planning

## Phase Boundary

It lists books -- part 1 is there

## Implementation Decisions

### Order
- Ten rows at most.

### Autopilot's Discretion
- Covers: which colour

## Specific Ideas

No specific requirements -- standard approaches will do

## Deferred Ideas

- sharing ("share it")

These belong in phases of their own: none of them is built in this phase.

## What was asked and answered

**1.1 Order: How many rows at most?**

> Ten.
> ## Phase Boundary
> And share it.

**1.2 Order: By date or by name?**

(left open)

**2.1 Covers: Which colour?**

> you decide
"""


def state_of(kind: GateKind = GateKind.DISCUSS, **more: Discussion) -> RunState:
    gate = HumanGate(HumanAsked("discuss-1-0", kind, "Phase 1, Part 1: talk", ASKED, ONE), START)
    return make_state(make_phase(), discussions={ONE: more.get("talk", TALK)}, gates={"discuss-1-0": gate})


def test_the_document_has_the_sections_other_tools_look_for_and_every_answer() -> None:
    assert render_context(make_brief(), TALK, ASKED, START) == DOCUMENT


def test_sections_without_anything_in_them_say_so() -> None:
    text = render_context(make_brief(), replace(TALK, answers=(), discretion=(), deferred=()), (), START)
    for words in ("Nothing was left open on purpose.", "None -- the discussion stayed within", "Nothing was answered."):
        assert words in text


def test_what_the_user_wrote_stays_and_the_new_follows_under_its_date() -> None:
    mine = "# My context\n\nuse sqlite\n"
    joined = join_context(mine, DOCUMENT, START)
    assert joined.startswith("# My context\n\nuse sqlite\n\n---\n\n# Discussed on 2025-01-01\n\n**Gathered:**")
    assert "## Implementation Decisions" in joined
    assert join_context(joined, DOCUMENT, at(99_999)) == joined, "once is enough"
    assert join_context("", DOCUMENT, START) == DOCUMENT


def test_answers_are_kept_as_data_word_by_word() -> None:
    known = json.loads(render_discuss_context(state_of(), None))
    assert (known["version"], known["last_updated"]) == ("1.0", "2025-01-01T12:00:09Z")
    phase = known["phases"]["1"]
    assert phase["phase_name"] == "Part 1"
    assert phase["gray_areas_discussed"] == ["Order", "Covers"]
    assert phase["context_md_path"] == ".planning/phases/01-part/CONTEXT.md"
    assert [each["answer"] for each in phase["questions"]] == [each.answer for each in SAID]
    assert set(phase["questions"][0]) == {"question", "area", "category", "answer", "answered_at"}


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (b'{"phases": {"7": {"phase_name": "old"}, "1": {"phase_name": "older"}}}', {"7", "1"}),
        (b"no json", {"1"}),
        (b"[]", {"1"}),
        (b'{"phases": 3}', {"1"}),
        (None, {"1"}),
    ],
)
def test_other_phases_of_the_file_stay(before: bytes | None, kept: set[str]) -> None:
    phases = json.loads(render_discuss_context(state_of(), before))["phases"]
    assert set(phases) == kept
    assert phases["1"]["phase_name"] == "Part 1"


def test_without_an_answer_there_is_nothing_to_write() -> None:
    assert render_discuss_context(state_of(talk=replace(TALK, answers=())), None) == ""


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("How many rows at most?", "threshold"),
        ("What happens when the file is empty?", "edge_case"),
        ("Is the archive out of scope?", "scope"),
        ("By date or by name?", "trade_off"),
        ("Which colour?", "preference"),
    ],
)
def test_a_question_has_one_of_the_formats_five_categories(question: str, category: str) -> None:
    assert categorize(question) == category


# --- on the screen


def test_areas_are_offered_by_number_with_what_is_open_and_how_to_answer() -> None:
    state = state_of(GateKind.AREAS)
    assert render_talk(state, state.people.gates["discuss-1-0"]).splitlines() == [
        "Phase 1, Part 1: talk",
        "",
        "It builds: It lists books (something people run)",
        "This is about how to build it; new capabilities belong in phases of their own.",
        "",
        "1. Order -- by what it is sorted",
        "2. Covers -- whether they are shown",
        "",
        'Answer with numbers ("1, 3"), "all" or "none".',
    ]


def test_questions_are_shown_below_their_area() -> None:
    state = state_of()
    lines = render_talk(state, state.people.gates["discuss-1-0"]).splitlines()
    assert lines[2:8] == [
        "## 1. Order",
        "",
        "1.1 How many rows at most?",
        "1.2 By date or by name?",
        "",
        "## 2. Covers",
    ]
    assert lines[-2] == 'For more questions about an area, answer "more" and its number: "more 1".'
