"""Gates of several runs of one repository: all of them are listed, and a file answers none that nobody has seen.

covers: AL-1, INV-8
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.home import Home
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import open_key
from autopilot.api.people.answers_file import AnswersFile
from autopilot.api.people.open_requests import _find_unanswered
from autopilot.api.projections import prepare_status
from autopilot.engine.history import read_history
from autopilot.events.entry import Entry, Message
from autopilot.model.secrecy.redaction import Redactor
from autopilot.planning.people.answers import parse_answers
from autopilot.reports.status.state_json import state_document
from tests.unit import issue_runs as runs
from tests.unit.asking import CHECKPOINT, events_for


def record(journal: SqliteJournal, run: str, *events: Any) -> None:
    renamed = [
        replace(event, run=run) if hasattr(event, "base") and hasattr(event, "roadmap") else event for event in events
    ]
    journal.append([Entry(run, f"{run}/{n}", event) for n, event in enumerate(renamed)])


def test_every_gate_of_every_unfinished_run_is_listed_with_its_command(tmp_path: Path) -> None:
    home = Home(tmp_path)
    journal = SqliteJournal(home.journal, open_key(home.key, home.journal), SystemClock())
    record(journal, "run-0", *events_for(CHECKPOINT))
    record(journal, "run-1", *runs.AT_DESIGN, runs.WAITS)
    last = read_history(journal.read()).last
    assert last is not None and last.run == "run-1"
    prepare_status(journal, last, state_document(last, ()))
    assert [(run, each["name"], each["command"]) for run, each in _find_unanswered(home, tmp_path)] == [
        ("run-0", "checkpoint-1", "autopilot approve checkpoint-1"),
        ("run-1", "design-24-1", "autopilot approve design-24-1"),
    ]


@pytest.mark.parametrize(("events", "posted"), [((*runs.AT_DESIGN, runs.WAITS), 1), (runs.SHOWN, 0)])
def test_a_file_approves_only_what_lay_before_its_writer(events: tuple[Any, ...], posted: int, tmp_path: Path) -> None:
    messages: list[Message] = []
    told: list[str] = []
    assembly = SimpleNamespace(
        repository=SimpleNamespace(path=tmp_path / "project"),
        redactor=Redactor({}),
        ports=SimpleNamespace(journal=SimpleNamespace(post=messages.append), checkout=None, vault=None),
    )
    answers = parse_answers("## design-24-1\nok\n", str(tmp_path / "answers.md"))
    hear = AnswersFile(answers, cast(Any, assembly)).start(told.append)
    hear(runs.state_of(*events))
    hear(runs.state_of(*runs.AT_DESIGN, runs.WAITS))
    assert len(messages) == posted
    assert bool(told) is not bool(posted) and all("the file cannot approve it" in words for words in told)
