"""What people say at an issue's gates: a plain ok approves, anything else sends the whole back, and no doubt counts.

covers: AL-1, ISSUE-DIALOG, ISSUE-DESIGNGATE, ISSUE-ROUTES
"""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.people import HumanAsked
from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import Route
from autopilot.planning.issue.gate_answers import Given, check_given, read_answer
from autopilot.planning.issue.rejection import split_rejection
from autopilot.planning.people.answers import Reply, compose_rejection, parse_answers
from autopilot.planning.people.replies import reply_to, written_so_far
from autopilot.reports.status.questions import render_questions
from tests.unit.issue_runs import (
    AT_DESIGN,
    BEGUN,
    BUG,
    CAUSE_ASKED,
    DESIGN_ASKED,
    REQUIREMENTS,
    ROUTE_ASKED,
    WAITS,
    opened,
    started,
    state_of,
)


def read(asked: HumanAsked, *words: str, route: Route = Route.BUGFIX) -> Given:
    return check_given(asked, read_answer(asked, words), route)


@pytest.mark.parametrize(
    ("asked", "words", "expected"),
    [
        (DESIGN_ASKED, ("ok",), Given(approved=True)),
        (DESIGN_ASKED, ("OK.",), Given(approved=True)),
        (DESIGN_ASKED, ("ok", "but", "AC-2"), Given(approved=False, comment="ok but AC-2")),
        (DESIGN_ASKED, ("a=b is wrong",), Given(approved=False, comment="a=b is wrong")),
        (REQUIREMENTS, ("ok",), Given(approved=True)),
        (REQUIREMENTS, ("q1=comma", "q2="), Given({"q1": "comma", "q2": ""})),
        (REQUIREMENTS, ("too", "vague"), Given(approved=False, comment="too vague")),
        (CAUSE_ASKED, ("ok",), Given(approved=True)),
        (CAUSE_ASKED, ("cause=b",), Given({"cause": "B"}, approved=True)),
        (CAUSE_ASKED, ("it is the cache",), Given(approved=False, comment="it is the cache")),
        (ROUTE_ASKED, ("Bugfix",), Given({"route": "bugfix"})),
        (ROUTE_ASKED, ("route=express",), Given({"route": "express"})),
        (ROUTE_ASKED, ("ok",), Given({"route": "ok"})),
        (ROUTE_ASKED, ("yes",), Given({"route": "ok"})),
    ],
)
def test_words_become_an_answer(asked: HumanAsked, words: tuple[str, ...], expected: Given) -> None:
    assert read(asked, *words) == expected


@pytest.mark.parametrize(
    ("asked", "words", "says"),
    [
        (REQUIREMENTS, ("q1=comma",), "no answer to q2"),
        (REQUIREMENTS, ("q1=", "q2="), "needs an approval or a rejection"),
        (REQUIREMENTS, ("q1=comma", "q2=yes", "ok"), "not both at once"),
        (REQUIREMENTS, ("q1",), "needs its answer"),
        (REQUIREMENTS, ("q1=comma", "q3=yes"), "requirements-24-1 has no question q3"),
        (REQUIREMENTS, ("first=comma",), "has no question first"),
        (DESIGN_ASKED, ("q1=comma",), "design-24-1 has no question q1"),
        (DESIGN_ASKED, ("stories=AC-2 is missing",), "has no question stories"),
        (CAUSE_ASKED, ("class=B",), "has no question class"),
        (DESIGN_ASKED, ("yes",), "neither `ok` nor"),
        (CAUSE_ASKED, ("LGTM!",), "neither `ok` nor"),
        (CAUSE_ASKED, ("cause=D",), "is not a known kind of cause"),
        (ROUTE_ASKED, ("quickly",), "not a route"),
        (ROUTE_ASKED, ("",), "choose a route"),
    ],
)
def test_what_is_no_answer_is_refused_with_a_way_on(asked: HumanAsked, words: tuple[str, ...], says: str) -> None:
    with pytest.raises(UsageError, match=says) as refused:
        read(asked, *words)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("asked", "given", "says"),
    [
        (DESIGN_ASKED, Given(approved=False, comment=" \n"), "needs a reason"),
        (DESIGN_ASKED, Given(approved=False, comment="ok"), "not a reason to reject"),
        (DESIGN_ASKED, Given(), "approval or a rejection"),
        (ROUTE_ASKED, Given(approved=True), "choose a route"),
    ],
)
def test_nothing_doubtful_is_recorded(asked: HumanAsked, given: Given, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        check_given(asked, given, Route.FULL)


def test_a_flaky_test_has_causes_of_its_own() -> None:
    assert read(CAUSE_ASKED, "cause=shared-state", route=Route.FLAKY).answers == {"cause": "shared state"}
    with pytest.raises(UsageError, match="timing, order"):
        read(CAUSE_ASKED, "cause=B", route=Route.FLAKY)


def test_what_is_said_of_each_document_becomes_findings_about_it() -> None:
    told = compose_rejection("too large", {"stories": "AC-2 is missing", "plan": "- step 3\n- the order", "tests": " "})
    found = split_rejection(told)
    assert [(finding.about, finding.evidence_ref.split("\n")[-1]) for finding in found] == [
        ("", "too large"),
        ("stories", "stories: AC-2 is missing"),
        ("plan", "step 3"),
        ("plan", "the order"),
    ]


# --- answers in a file


def reply(asked: HumanAsked, text: str, *events: Any) -> Reply:
    return reply_to(asked, parse_answers(f"## {asked.gate}\n{text}", "answers.md"), state_of(*events))


@pytest.mark.parametrize(
    ("asked", "text", "approved", "answers", "comment"),
    [
        (DESIGN_ASKED, "ok", True, {}, ""),
        (DESIGN_ASKED, "answer: approve", True, {}, ""),
        (DESIGN_ASKED, "answer: approved, but AC-2", False, {}, "approved, but AC-2"),
        (DESIGN_ASKED, "answer: reject: AC-2 is missing", False, {}, "AC-2 is missing"),
        (DESIGN_ASKED, "stories: AC-2\nplan: step 3", False, {}, "stories: AC-2\nplan: step 3"),
        (DESIGN_ASKED, "ok\nplan: step 3", False, {}, "ok\nplan: step 3"),
        (CAUSE_ASKED, "cause: B", True, {"cause": "B"}, ""),
        (REQUIREMENTS, "Q1: comma\nQ2: -", None, {"q1": "comma", "q2": ""}, ""),
        (ROUTE_ASKED, "route: flaky", None, {"route": "flaky"}, ""),
        (ROUTE_ASKED, "ok", None, {"route": "ok"}, ""),
    ],
)
def test_a_file_answers_as_a_command_does(
    asked: HumanAsked, text: str, approved: bool | None, answers: dict[str, str], comment: str
) -> None:
    found = reply(asked, text, *BEGUN)
    assert found.is_whole, found
    assert (found.approved, dict(found.answers), found.comment) == (approved, answers, comment)


@pytest.mark.parametrize(("text", "lacking"), [("", ("requirements-24-1",)), ("Q1: comma", ("q2",))])
def test_what_a_file_leaves_open_stays_open(text: str, lacking: tuple[str, ...]) -> None:
    assert reply(REQUIREMENTS, text, *BEGUN).lacking == lacking


@pytest.mark.parametrize(
    "events",
    [
        (*AT_DESIGN, WAITS),
        BUG,
        (*BEGUN, REQUIREMENTS, WAITS),
        (started(), opened(None), ROUTE_ASKED, WAITS),
    ],
)
def test_the_file_of_open_questions_is_an_answers_file_and_keeps_what_was_typed(events: tuple[Any, ...]) -> None:
    state = state_of(*events)
    [gate] = state.open_gates
    empty = render_questions(state)
    assert not reply_to(gate.asked, parse_answers(empty, "q"), state).is_whole
    place = "route" if gate.asked.gate.startswith("route") else "answer"
    filled = render_questions(state, {(gate.asked.gate, place): "ok"})
    answers = parse_answers(filled, "q")
    assert answers.misread == () and reply_to(gate.asked, answers, state).is_whole
    assert written_so_far(answers, state) == {(gate.asked.gate, place): "ok"}
