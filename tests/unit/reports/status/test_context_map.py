"""The context map as people see it: merged and never overwritten, told line by line, compared at the end.

covers: CMAP-01, CMAP-03, CMAP-04
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.intent import ContextAnswer, Intent
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.run import RunStatus
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.run.ending import render_ending
from autopilot.reports.status.context_map import answers_about, map_lines, merge_context_map, render_answers
from tests.unit.making import ONE, TWO, alter, make_brief, make_started, make_state, store

LOW, HIGH = Sufficiency(4, 2.0, 6.0, 2.0, 10.0, "no criteria"), Sufficiency(7, 6.0, 10.0, 2.0, 10.0)
WHICH = HumanQuestion("1.1", "Which command?", "1", "criteria", "none is given")
WHERE = HumanQuestion("1.2", "Where?", "1", "architecture", "no file is named")
STARTED = make_started(make_brief(ONE), make_brief(TWO), intent=Intent(map=True), command="autopilot run --map")
BEGUN = (STARTED, e.MappingStarted((ONE, TWO), "autopilot run --map"))
MAPPED = (*BEGUN, e.ContextMapped(ONE, LOW, (WHICH, WHERE)), e.ContextMapped(TWO, HIGH))
ASKED = (*MAPPED, e.HumanAsked("map", GateKind.MAP, "1 phase", (WHICH, WHERE)))
SAID = (*ASKED, e.HumanAnswered("map", {"1.1": "make test", "1.2": ""}, "you"))
ENDED = (*SAID, e.MappingEnded({ONE: HIGH, TWO: HIGH}, 2, 1))


def state(*events: h.Event) -> RunState:
    return fold_all(store(*events))


def rows(document: dict[str, Any], phase: str = "1") -> list[tuple[str, str | None]]:
    return [(row["question"], row["answer"]) for row in document["phases"][phase]["questions"]]


def test_the_file_has_the_shape_of_the_sources() -> None:
    assert merge_context_map({}, [state(*ENDED)]) == {
        "version": "1.0",
        "last_updated": "2025-01-01T12:00:06Z",
        "phases": {
            "1": {
                "phase_name": "Part 1",
                "context_score": 4,
                "score_after": 7,
                "questions": [
                    {
                        "question": "Which command?",
                        "category": "criteria",
                        "why_needed": "none is given",
                        "answer": "make test",
                        "answered_at": "2025-01-01T12:00:06Z",
                    },
                    {
                        "question": "Where?",
                        "category": "architecture",
                        "why_needed": "no file is named",
                        "answer": None,
                        "answered_at": None,
                    },
                ],
                "mapped_at": "2025-01-01T12:00:03Z",
            },
            "2": {
                "phase_name": "Part 2",
                "context_score": 7,
                "score_after": 7,
                "questions": [],
                "mapped_at": "2025-01-01T12:00:04Z",
            },
        },
    }


def test_a_run_that_still_waits_has_no_second_score() -> None:
    document = merge_context_map({}, [state(*ASKED)])
    assert document["phases"]["1"]["score_after"] is None
    assert rows(document) == [("Which command?", None), ("Where?", None)]


def test_entries_and_answers_of_others_are_kept() -> None:
    before = {
        "note": "mine",
        "last_updated": "2030-01-01T00:00:00Z",
        "phases": {
            "9": {"phase_name": "Nine", "questions": [{"question": "Why?", "answer": None}], "by": "hand"},
            "1": {
                "by": "hand",
                "questions": [
                    {"question": "By whom?", "answer": "me"},
                    {"question": "Open?", "answer": None},
                    {"question": "where", "answer": "in shelf/", "answered_at": "then"},
                ],
            },
        },
    }
    merged = merge_context_map(before, [state(*ENDED)])
    assert (merged["note"], merged["last_updated"]) == ("mine", "2030-01-01T00:00:00Z")
    assert merged["phases"]["9"] == before["phases"]["9"]  # type: ignore[index]
    assert merged["phases"]["1"]["by"] == "hand"
    assert rows(merged) == [
        ("By whom?", "me"),
        ("Open?", None),
        ("where", "in shelf/"),
        ("Which command?", "make test"),
    ]


def test_an_answer_in_the_file_is_not_replaced_by_an_older_one() -> None:
    before = {"phases": {"1": {"questions": [{"question": "Which command?", "answer": "make check"}]}}}
    assert rows(merge_context_map(before, [state(*ENDED)])) == [("Which command?", "make check"), ("Where?", None)]


def test_merging_again_changes_nothing() -> None:
    runs = [state(*ENDED), state(*ASKED), state(*SAID)]
    once = merge_context_map({"phases": {"7": {"questions": []}}}, runs)
    assert merge_context_map(once, runs) == once


def test_a_later_look_keeps_answers_and_drops_what_nobody_answered() -> None:
    new = HumanQuestion("1.1", "How many?", "1", "domain", "no number is given")
    later = state(*BEGUN, e.ContextMapped(ONE, HIGH, (new,)))
    merged = merge_context_map(merge_context_map({}, [state(*ENDED)]), [state(*ENDED), later])
    assert rows(merged) == [("Which command?", "make test"), ("How many?", None)]
    assert (merged["phases"]["1"]["context_score"], merged["phases"]["1"]["score_after"]) == (7, None)
    assert "2" in merged["phases"]


def test_what_was_answered_about_an_older_phase_of_the_same_number_is_put_aside() -> None:
    old = merge_context_map({}, [state(*ENDED)])
    other = make_started(replace(make_brief(ONE), name="Search"), intent=Intent(map=True))
    for runs in ([state(other, e.ContextMapped(ONE, LOW))], [state(*ENDED), state(other, e.ContextMapped(ONE, LOW))]):
        merged = merge_context_map(old, runs)
        assert (merged["phases"]["1"]["phase_name"], rows(merged)) == ("Search", [])
        assert rows(merged, "1 (Part 1)") == [("Which command?", "make test"), ("Where?", None)]
        assert merge_context_map(merged, runs) == merged


# --- answers for those who work ---------------------------------------------------------------------------------


def test_answers_of_this_run_follow_those_of_earlier_ones_and_win_over_them() -> None:
    earlier = (ContextAnswer("which command", "make"), ContextAnswer("By whom?", "me"))
    now = alter(state(*SAID), context={ONE: earlier})
    told = answers_about(now, ONE)
    assert [(one.question, one.answer) for one in told] == [("Which command?", "make test"), ("By whom?", "me")]
    assert answers_about(make_state(), ONE) == ()
    assert "## Which command?\n\nmake test\n" in render_answers(told)


# --- on the screen ----------------------------------------------------------------------------------------------


def shown(*events: h.Event) -> Iterator[str]:
    entries = store(*events)
    return progress_lines(entries[-1], fold_all(entries))


@pytest.mark.parametrize(
    ("history", "lines"),
    [
        (
            (STARTED,),
            ["Autopilot: Phases 1, 2 | Spec: .planning/REQUIREMENTS.md (5555555) | Model profile: balanced"],
        ),
        (BEGUN, ["Context map: 2 phases (1, 2)"]),
        (
            (*BEGUN, e.ContextMapped(ONE, LOW, (WHICH, WHERE))),
            [
                "Phase 1: context 4/10 (of 10 each: criteria 2, requirements 6, documents 2, dependencies 10)",
                "[Phase 1] 2 questions for you: no criteria",
            ],
        ),
        (
            (*BEGUN, e.ContextMapped(ONE, LOW, problem="the questioner crashed")),
            [
                "Phase 1: context 4/10 (of 10 each: criteria 2, requirements 6, documents 2, dependencies 10)",
                "[Phase 1] warning: no questions could be generated: the questioner crashed",
            ],
        ),
        (
            ENDED,
            [
                "Phase 1: context 4/10 -> 7/10",
                "Context map: 1 of 2 questions answered, kept in .autopilot/context-map.json",
            ],
        ),
        ((*BEGUN, e.ContextMapped(TWO, HIGH), e.MappingEnded({TWO: HIGH}, 0, 0)), []),
    ],
)
def test_progress_tells_what_is_known_and_what_the_answers_made_of_it(
    history: tuple[h.Event, ...], lines: list[str]
) -> None:
    assert list(shown(*history)) == lines


def test_the_end_compares_before_and_after_and_says_where_answers_lie() -> None:
    done = state(*ENDED, h.RunStopped(RunStatus.COMPLETED, "2 phases were mapped", 0))
    assert list(map_lines(done)) == [
        "  context of the phases (out of 10):",
        "    phase 1   4 ->  7  1 of 2 questions answered",
        "    phase 2   7 ->  7",
        "  questions and answers: .autopilot/context-map.json",
    ]
    text = render_ending(done)
    assert "phase 1   4 ->  7" in text and "not_started" not in text


def test_a_run_that_waits_for_answers_shows_no_second_score_yet() -> None:
    assert "    phase 1   4 ->  ?  0 of 2 questions answered" in map_lines(state(*ASKED))
    assert list(map_lines(make_state())) == []
