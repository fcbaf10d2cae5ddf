"""Weights and traces of criteria. covers: RATE, CRIT, BEH"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.criterion import Criterion, Expectation, Form, Kind, Want
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.plan.trace import is_trace
from autopilot.planning.plan.weight import take_weight


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("It works -- verified by: `run`", 1.0),
        ("It works -- verified by: `run` (weight 2)", 2.0),
        ("It works -- verified by: `run` [weight: 2.5]", 2.5),
        ("It works -- verified by: `run` (Weight: 0.5).", 0.5),
        ("It works (weight 3) -- verified by: `run`", 3.0),
        ("[new] It works -- verified by: `run` (weight=4)", 4.0),
    ],
)
def test_a_weight_at_the_end_is_taken_off_the_words(text: str, weight: float) -> None:
    criterion, complaints = parse_criterion(text, "c", 3, Commands())
    assert (criterion.text, criterion.command, criterion.weight, complaints) == ("It works", "run", weight, ())


def test_a_weight_stands_beside_an_expectation() -> None:
    criterion, _ = parse_criterion("x -- verified by: `grep -c a b` (returns 2) (weight 3)", "c", 1, Commands())
    assert (criterion.expectation, criterion.weight) == (Expectation(Want.EQUALS, 2), 3.0)


@pytest.mark.parametrize("given", ["0", "-1", "0.01", "1000", "heavy", "1e9", "nan", "inf"])
def test_a_weight_that_would_silence_the_others_is_not_used_and_said(given: str) -> None:
    criterion, (complaint,) = parse_criterion(f"x -- verified by: `a` (weight {given})", "c", 7, Commands(), "P.md")
    assert (criterion.weight, criterion.form) == (1.0, Form.COMMAND)
    assert str(complaint) == f"P.md:7: weight {given} is not a number from 0.1 to 10: 1 is used"


def test_words_about_weight_are_words() -> None:
    assert take_weight("the box (weight 5 kg)").weight == 1.0
    assert take_weight("the (weight 5) of the box").text == "the (weight 5) of the box"


def read(verify: str) -> Task:
    text = f"<task>\n<name>x</name>\n<files>a</files>\n{verify}\n</task>"
    (task,) = parse_plan(text, "PLAN.md", PhaseId("2"), Commands()).tasks
    return task


def test_weights_are_read_in_every_place_of_a_criterion() -> None:
    task = read(
        "<verify>Run `pytest a` [weight: 2]</verify>\n<acceptance_criteria>\n- `pytest b` exits 0 (weight 3)\n"
        "- It is nice (weight 4)\n- z -- verified by: `pytest c` (weight 5)\n</acceptance_criteria>"
    )
    assert [criterion.weight for criterion in task.criteria] == [2.0, 3.0, 4.0, 5.0]
    assert not any("weight" in criterion.text for criterion in task.criteria)


def test_a_criterion_recorded_before_there_were_weights_still_reads() -> None:
    old = b'{"id": "c", "text": "t", "form": "command", "line": 3}'
    assert msgspec.json.decode(old, type=Criterion) == Criterion("c", "t", Form.COMMAND, line=3, weight=1.0, path="")


TRACES = [
    "read EventBlock.tsx:handleClick and trace to shell.openExternal call",
    "read DragPanel.tsx:onDragEnd and trace through setState to persistPosition call",
    "Read `A.tsx:onClick` and trace to `open`",
    "read src/a.py:save, then trace it through store.put to disk.write",
    "Reading A.vue:submit and tracing into api.post",
    "read A.tsx:handle and follow the call to save",
    "read A.tsx:handle and trace -> save",
    "trace A.tsx:handle to save",
    "read the click handler in A.tsx and trace to shell.openExternal",
]


@pytest.mark.parametrize("words", TRACES)
def test_a_trace_is_known_by_its_form(words: str) -> None:
    assert is_trace(words)
    inside = words.replace("`", "")
    for text in (f"Click opens -- verified by: `{inside}`", f"Click opens -- verified by: {words} (weight 2)"):
        criterion, complaints = parse_criterion(text, "c", 1, Commands())
        assert (criterion.form, criterion.text, complaints) == (Form.TRACE, "Click opens", ())
        assert criterion.kind is Kind.NEW
    assert parse_criterion(words, "c", 1, Commands())[0].form is Form.TRACE


@pytest.mark.parametrize(
    "words",
    [
        "read x < file; trace to y",
        "read -r line && trace to y",
        "read a:b and trace to $(rm x)",
        "read a | trace --to b",
        "strace -o trace to",
        "pytest tests/test_trace.py",
        "read the manual",
        "trace errors to the log",
        "grep read a:b",
        "",
    ],
)
def test_what_a_shell_would_run_is_no_trace(words: str) -> None:
    assert not is_trace(words)


def test_a_trace_in_a_list_of_a_verify_block_is_found_beside_its_commands() -> None:
    task = read("<verify>\n- Read A.tsx:onClick and trace to open\n- `pytest a`\n</verify>")
    assert [criterion.form for criterion in task.criteria] == [Form.TRACE, Form.COMMAND]


@given(st.text(alphabet="read trace to:ab`()[]weight 0123.;|\n"))
def test_any_words_are_read_without_a_traceback(text: str) -> None:
    assert is_trace(text) in (True, False)
    assert 0.1 <= take_weight(text).weight <= 10
    assert 0.1 <= parse_criterion(f"x -- verified by: {text}", "c", 1, Commands())[0].weight <= 10
