"""What is typed about open questions is never lost, wherever it was typed. covers: CMAP-03"""

from __future__ import annotations

from pathlib import Path

from autopilot.api.people.gate_answers import answer_hint
from autopilot.api.people.questions_file import keep_draft, read_draft, update_questions
from autopilot.reports.status.files import QUESTIONS
from tests.unit.asking import CHECKPOINT, DISCUSS, MAP, state_with


def test_what_was_typed_before_its_user_left_is_in_the_file_beside_what_stood_there(tmp_path: Path) -> None:
    state = state_with(DISCUSS)
    keep_draft(tmp_path, state, {("discuss-1-0", "1.1"): "up\n2.1: to the cent", ("discuss-1-0", "1.2"): "-"})
    keep_draft(tmp_path, state, {("discuss-1-0", "2.1"): "the owner"})
    kept = {question: text for (_, question), text in read_draft(tmp_path, state).items()}
    assert kept == {"1.1": "up\n2.1: to the cent", "1.2": "-", "2.1": "the owner"}
    content = (tmp_path / QUESTIONS).read_bytes()
    assert update_questions(state, content) == content.decode()


def test_where_there_is_no_file_nothing_was_begun(tmp_path: Path) -> None:
    assert read_draft(tmp_path, state_with(MAP)) == {}


def test_a_hint_is_a_command_for_each_gate_that_is_open() -> None:
    gates = state_with(CHECKPOINT, DISCUSS).open_gates
    decide = "autopilot approve checkpoint-1, or autopilot reject checkpoint-1"
    assert answer_hint(gates) == f"{decide}; autopilot answer discuss-1-0 1.1=… 1.2=… 2.1=…"
