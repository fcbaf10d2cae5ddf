"""The context map as a file anybody may have edited, and the questions that may go into it.

covers: CMAP-02, CMAP-03
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.human import HumanQuestion, same_words
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.complaint import Complaint
from autopilot.model.proposal import ProposedQuestion, ProposedQuestions
from autopilot.planning.people.context_map import join_context, load_context_map, read_context_map
from autopilot.planning.people.questions import as_human_questions, check_questions
from tests.unit.making import ONE, TWO

ASKED = {"question": "Which command?", "category": "build_config", "why_needed": "none is known"}
ANSWERED = {**ASKED, "answer": "make test", "answered_at": "2026-02-10T14:35:00Z"}


def file(*rows: Any, key: str = "1", **entry: Any) -> str:
    return json.dumps({"version": "1.0", "phases": {key: {"phase_name": "Begin", "questions": list(rows), **entry}}})


def test_answers_are_read_by_phase_and_open_questions_are_none() -> None:
    answers, complaints = read_context_map(file(ANSWERED, {**ASKED, "question": "And lint?", "answer": None}, key="01"))
    assert answers == {ONE: (ContextAnswer("Which command?", "make test", "build_config"),)}
    assert complaints == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[1]", "not an object with phases"),
        ('{"phases": []}', "not an object with phases"),
        ('{"phases": {"1": []}}', "phase 1 has no list of questions"),
        ('{"phases": {"1": {"questions": ["What?"]}}}', "phase 1 has no list of questions"),
        (file(ANSWERED, key="one"), "'one' is not a phase number"),
    ],
)
def test_what_is_not_understood_is_said(text: str, said: str) -> None:
    answers, [complaint] = read_context_map(text)
    assert answers == {} and said in str(complaint)
    assert str(complaint).startswith(".autopilot/context-map.json: ")


@pytest.mark.parametrize("text", ["{}", '{"phases": {}}', '{"phases": {"1": {}}}', file({"question": 3, "answer": []})])
def test_what_holds_nothing_is_nothing_to_complain_about(text: str) -> None:
    assert read_context_map(text) == ({}, ())


def test_what_was_answered_about_another_phase_of_the_same_number_is_left_out() -> None:
    assert read_context_map(file(ANSWERED), {ONE: "begin "})[0] != {}
    assert read_context_map(file(ANSWERED), {ONE: "Something else"}) == ({}, ())
    assert read_context_map(file(ANSWERED, key="1 (Begin)")) == ({}, ())


def test_of_two_answers_to_one_question_the_one_in_the_file_counts() -> None:
    old, new = ContextAnswer("Which command?", "make"), ContextAnswer("which command", "make test")
    other = ContextAnswer("Which words?", "these")
    assert join_context({ONE: (old, other)}, {ONE: (new,), TWO: (other,)}) == {ONE: (new, other), TWO: (other,)}
    assert join_context({}, {ONE: ()}) == {}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_file_can_stop_anybody(value: Any) -> None:
    for text in (json.dumps(value), json.dumps({"phases": value}), json.dumps({"phases": {"1": value}})):
        answers, complaints = read_context_map(text)
        assert bool(complaints) or not answers or set(answers) == {ONE}
        loaded = load_context_map(text)
        assert isinstance(loaded, Complaint) or all(isinstance(e["questions"], list) for e in loaded["phases"].values())


# --- questions --------------------------------------------------------------------------------------------------


def proposed(*words: str, category: str = "criteria", why: str = "it is not said") -> ProposedQuestions:
    return ProposedQuestions(tuple(ProposedQuestion(text, category, why) for text in words), 8.0)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (proposed("A?", "B?"), ""),
        (proposed("A?", "B?", "C?", "D?", "E?"), ""),
        (proposed("A?"), "1 questions, where 2 to 5 are wanted"),
        (proposed(*"ABCDEF"), "6 questions, where 2 to 5 are wanted"),
        (proposed("A?", " ?! "), "question 2 is empty, or does not say why it is asked"),
        (proposed("A?", "B?", why=" "), "question 1 is empty, or does not say why it is asked"),
        (proposed("A?", "B" * 601), "question 2 is longer than 600 characters"),
        (proposed("A?", "B?", category="mood"), "question 1 has the category 'mood', not one of build_config, "),
        (proposed("Which one?", "which  ONE"), "question 2 is asked twice"),
        (proposed("A?", "What is known?"), "question 2 was answered by the user before"),
    ],
)
def test_questions_are_checked_before_anybody_is_bothered(said: ProposedQuestions, problem: str) -> None:
    found = check_questions(said, ["what is known"])
    assert found[0].startswith(problem) if problem else found == ()


def test_questions_are_numbered_by_phase_and_stand_on_one_line() -> None:
    questions = as_human_questions(TWO, proposed("Which\n  one?", "B?"))
    assert questions[0] == HumanQuestion("2.1", "Which one?", "2", "criteria", "it is not said")
    assert questions[1].id == "2.2"


def test_two_questions_are_the_same_when_only_case_spaces_and_marks_differ() -> None:
    assert same_words("Which  one?") == same_words("which one") != same_words("which ones")
