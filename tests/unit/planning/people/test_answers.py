"""Answers files: every way to write an answer, what is not understood, and the questions file filled in and read back.

covers: CMAP-03, CKPT, STAT-05, DISC
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.events.people import HumanAsked
from autopilot.events.state import RunState
from autopilot.planning.people.answers import Answers, Reply, parse_answers
from autopilot.planning.people.replies import reply_to, verdict_on, written_so_far
from autopilot.reports.status.questions import questions_title, render_questions
from tests.unit.asking import CHECKPOINT, DISCUSS, MAP, PICK, state_with
from tests.unit.making import ONE, THREE

ALL = state_with(CHECKPOINT, MAP, PICK, deferred=True)


def read(text: str, asked: HumanAsked, state: RunState = ALL) -> Reply:
    return reply_to(asked, parse_answers(text, "answers.md"), state)


WHOLE_MAP = {"1.1": "OAuth", "1.2": "80\n443", "2.1": ""}


@pytest.mark.parametrize(
    "text",
    [
        "Phase 1, Q1: OAuth\nPhase 1, Q2: 80\n443\nPhase 2, Q1: -\n",
        "## Phase 1\nQ1: OAuth\nQ2: 80\n443\n\n## Phase 2\n\nQ1: skip\n",
        "1.1: OAuth\n1.2: 80\n    443\n2.1: -\n",
        "# Answers\n\n## map\n### Phase 1: Part 1 (score: 4)\n- **Q1:** OAuth\n- Q2:\n  80\n  443\n\n### 2\nQ1: -\n",
        "phase 01 q1: OAuth\r\nphase 01, q2: 80\r\n443\r\nPhase 2: Q1: -\r\n",
        "## Gate `map`: two phases\nQ1.1: OAuth\n\n> Which ports?\nQ1.2: 80\n443\n> is this one?\n2.1: -\n",
    ],
)
def test_questions_about_phases_are_answered_in_many_spellings(text: str) -> None:
    reply = read(text, MAP)
    assert (dict(reply.answers), reply.lacking, reply.problems) == (WHOLE_MAP, (), ())


def test_what_a_file_lacks_or_leaves_empty_stays_open() -> None:
    reply = read("## Phase 1\nQ1: OAuth\nQ2:\n", MAP)
    assert (reply.lacking, reply.is_whole) == (("1.2", "2.1"), False)


def test_a_number_counts_only_for_the_phase_it_stands_below() -> None:
    reply = read("## Phase 3\nQ1: OAuth\n## Notes\nQ2: 80\n", MAP)
    assert reply.lacking == ("1.1", "1.2", "2.1")


def test_a_code_block_and_indented_lines_belong_to_the_answer_whatever_they_look_like() -> None:
    reply = read("## Phase 1\nQ1: this:\n```sh\n# not a heading\nQ2: not an answer\n```\nQ2: a\n  # b\n  2.1: c\n", MAP)
    assert reply.answers["1.1"] == "this:\n```sh\n# not a heading\nQ2: not an answer\n```"
    assert reply.answers["1.2"] == "a\n# b\n2.1: c"


def test_a_fence_that_is_never_closed_swallows_no_other_answer() -> None:
    reply = read("## Phase 1\nQ1: ```\nQ2: 80\n", MAP)
    assert reply.answers["1.2"] == "80"


@pytest.mark.parametrize(
    ("text", "approved", "comment"),
    [
        ("## checkpoint-1\napprove\n", True, ""),
        ("## checkpoint-1: go on?\nanswer: Approved\n", True, ""),
        ("checkpoint-1: reject: the totals are wrong\n", False, "the totals are wrong"),
        ("## checkpoint-1\nreject\n\n  look at the totals\n", False, "look at the totals"),
    ],
)
def test_a_checkpoint_is_approved_or_rejected(text: str, approved: bool, comment: str) -> None:
    reply = read(text, CHECKPOINT)
    assert (reply.approved, reply.comment, reply.is_whole) == (approved, comment, True)


@pytest.mark.parametrize("text", ["", "## checkpoint-2\napprove\n", "## map\napprove\n", "approve\n"])
def test_a_word_for_another_checkpoint_decides_nothing(text: str) -> None:
    assert read(text, CHECKPOINT).lacking == ("checkpoint-1",)


@pytest.mark.parametrize(
    "text", ["## areas-1\n1, 2\n", "areas-1: 1, 2\n", "## Phase 1\nareas: 1, 2\n", "## areas-01\nareas: 1, 2\n"]
)
def test_areas_are_picked_by_number(text: str) -> None:
    assert dict(read(text, PICK).answers) == {"areas": "1, 2"}


def test_what_cannot_be_meant_is_told_with_its_place() -> None:
    assert read("# a\n\nareas-1: 1, 9\n", PICK).problems == (
        'answers.md:3: write numbers from 1 to 2 ("1, 3"), all or none',
    )
    assert read("## checkpoint-1\nanswer: perhaps\n", CHECKPOINT).problems == (
        "answers.md:2: write approve, or reject and why",
    )
    assert parse_answers("# Answers\n\nhello there\n## Phase 3\nQ1: x\n", "a.md").complaints() == (
        "a.md:3: this line does not show which question it answers: hello there",
    )


def test_a_talk_is_answered_by_question_and_can_ask_for_more() -> None:
    text = "## discuss-1-0\n1.1: up\n1.2: never\n2.1: -\nmore: Refunds\nmore: totals\n"
    reply = read(text, DISCUSS, state_with(DISCUSS))
    assert (dict(reply.answers), reply.more) == ({"1.1": "up", "1.2": "never", "2.1": ""}, ("Refunds", "totals"))
    assert read(text, DISCUSS, state_with(DISCUSS)).is_whole


def test_an_answer_to_one_round_of_a_talk_is_none_to_another_and_none_to_the_map() -> None:
    text = "## discuss-1-1\n1.1: up\n1.2: never\n2.1: -\n"
    assert len(read(text, DISCUSS, state_with(DISCUSS)).lacking) == 3
    assert len(read(text, MAP).lacking) == 3


@pytest.mark.parametrize(
    ("text", "verdict", "issues"),
    [
        ("## Phase 3\nverdict: pass\n", "pass", ()),
        (
            "Phase 3, verdict: Issues found\nPhase 3, issue: too loud\nPhase 3, issue: too\nlong\n",
            "issues_found",
            ("too loud", "too\nlong"),
        ),
        ("## 3\n- verdict: fail\n", "fail", ()),
    ],
)
def test_a_verdict_is_written_below_its_phase(text: str, verdict: str, issues: tuple[str, ...]) -> None:
    written = verdict_on(THREE, parse_answers(text, "a.md"))
    assert written is not None
    assert (written.verdict, written.issues, written.problems) == (verdict, issues, ())
    assert verdict_on(ONE, parse_answers(text, "a.md")) is None


@pytest.mark.parametrize("text", ["maybe", "issues_found", "issues_found\nissue: defer: blue"])
def test_a_verdict_that_is_none_is_told(text: str) -> None:
    written = verdict_on(THREE, parse_answers(f"## Phase 3\nverdict: {text}\n", "a.md"))
    assert written is not None
    assert [problem.startswith("a.md:2: ") for problem in written.problems] == [True]


# --- the questions file


@pytest.mark.parametrize("state", [ALL, state_with(DISCUSS)])
def test_an_untouched_questions_file_answers_nothing_and_has_nothing_in_it_that_is_not_understood(
    state: RunState,
) -> None:
    answers = parse_answers(render_questions(state), "questions.md")
    assert answers.misread == ()
    assert all(not reply_to(gate.asked, answers, state).is_whole for gate in state.open_gates)
    assert not any(one.text for one in answers.written)
    assert verdict_on(THREE, answers) is None


def test_nothing_open_needs_no_file() -> None:
    assert render_questions(state_with()) == ""


LINE = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30).map(str.strip)
TEXT = st.lists(LINE.filter(bool), min_size=1, max_size=4).map("\n".join).filter(lambda text: text not in ("-", "skip"))


def fill_in(file: str, place: str, text: str) -> str:
    """As a person would: behind the colon, further lines indented."""
    filled, count = re.subn(
        rf"(?m)^{re.escape(place)}:$", lambda _: f"{place}: " + text.replace("\n", "\n    "), file, count=1
    )
    assert count == 1, f"there is no place for {place}"
    return filled


@given(st.tuples(TEXT, TEXT, TEXT))
def test_whatever_is_written_into_the_questions_file_about_phases_is_read_back(texts: tuple[str, str, str]) -> None:
    state, file = state_with(MAP), render_questions(state_with(MAP))
    for place, text in zip(("Q1", "Q2", "Q1"), texts, strict=True):
        file = fill_in(file, place, text)
    reply = reply_to(MAP, parse_answers(file, "questions.md"), state)
    assert (tuple(reply.answers.values()), reply.is_whole) == (texts, True)


@given(st.tuples(TEXT, TEXT, TEXT), LINE.filter(bool))
def test_whatever_is_written_into_it_in_a_talk_is_read_back(texts: tuple[str, str, str], more: str) -> None:
    state, file = state_with(DISCUSS), render_questions(state_with(DISCUSS))
    for place, text in zip(("1.1", "1.2", "2.1", "more"), (*texts, more), strict=True):
        file = fill_in(file, place, text)
    reply = reply_to(DISCUSS, parse_answers(file, "questions.md"), state)
    assert (tuple(reply.answers.values()), reply.more, reply.is_whole) == (texts, (more,), True)


@given(TEXT, st.lists(LINE.filter(bool), min_size=1, max_size=3))
def test_what_was_typed_survives_when_the_file_is_made_anew(text: str, issues: list[str]) -> None:
    typed = {("map", "1.1"): text, ("checkpoint-1", "answer"): "reject so", ("areas-1", "areas"): "1, 2"}
    typed |= {("3", "verdict"): "issues_found", ("3", "issue"): "\n".join(issues)}
    again = written_so_far(parse_answers(render_questions(ALL, typed), "q.md"), ALL)
    assert again == {**typed, ("3", "issue"): "\n".join(" ".join(issue.split()) for issue in issues)}


def test_the_first_line_tells_whether_the_same_is_open() -> None:
    assert questions_title(ALL) == "# Open in run-1: checkpoint-1, map, areas-1, phase 3"
    assert render_questions(ALL).startswith(f"{questions_title(ALL)}\n")


@given(st.text(max_size=200))
def test_any_text_at_all_is_read_without_trouble(text: str) -> None:
    answers = parse_answers(text, "a.md")
    assert isinstance(answers, Answers)
    for gate in ALL.open_gates:
        reply_to(gate.asked, answers, ALL)
    assert all(1 <= one.line <= text.count("\n") + 1 for one in (*answers.written, *answers.misread))
