"""A transcript as text: the words of any kind of agent, and of the rest enough to know what it was."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from autopilot.model.step import Role
from autopilot.reports.transcript import LONGEST_TEXT, CallShown, head_of, render_calls, render_transcript

# covers: WHY-4
CALL = CallShown(
    number=12,
    time=datetime(2026, 1, 31, 12, tzinfo=UTC),
    phase="3",
    step="plan_check",
    task="03-01",
    role=Role.PLAN_CHECKER,
    agent="claude:opus",
    ending="completed",
    tokens=1234,
    usd=0.1,
    duration_ms=61_000,
    transcripts=("a" * 64,),
)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("no such option: --json", ["no such option: --json"]),
        (json.dumps({"type": "assistant", "message": {"content": [{"type": "text", "text": "I look"}]}}), ["I look"]),
        (json.dumps({"item": {"type": "command", "command": "ls", "output": "a.py"}}), ["ls", "a.py"]),
        (json.dumps({"type": "usage", "tokens_in": 5}), ['{"type": "usage", "tokens_in": 5}']),
        ("42", ["42"]),
        ("[" * 100_000, ["[" * LONGEST_TEXT + "… (100,000 characters)"]),
        ("   ", []),
    ],
)
def test_a_line_is_shown_by_its_words(line: str, shown: list[str]) -> None:
    assert list(render_transcript([line])) == shown


def test_a_text_that_is_printed_again_at_once_is_shown_once() -> None:
    lines = [json.dumps({"text": "done"}), json.dumps({"result": "done"}), json.dumps({"text": "again"})]
    assert list(render_transcript(lines)) == ["done", "again"]


@pytest.mark.parametrize("name", ["plan_check", "PLAN-CHECK", "03-01", "plan_checker", "12", "#12", "plan_check.03-01"])
def test_a_call_is_named_by_step_task_role_or_number(name: str) -> None:
    assert CALL.is_named(name) and not CALL.is_named("execute")


def test_calls_are_a_table_and_one_has_a_head() -> None:
    head, row = render_calls([CALL]).splitlines()
    assert head.split() == ["#", "phase", "step", "task", "role", "agent", "ended", "tokens", "took"]
    expected = ["12", "3", "plan_check", "03-01", "plan_checker", "claude:opus", "completed", "1,234", "61", "s"]
    assert row.split() == expected
    what = "plan_check 03-01 of phase 3, plan_checker by claude:opus, 2026-01-31T12:00:00Z, completed"
    assert head_of(CALL) == f"--- call 12: {what} ---"
