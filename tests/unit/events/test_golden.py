"""Journals of earlier versions: each is still read, and comes to the state it came to then (RES-1, STATE)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.events.codec import SCHEMA
from autopilot.events.fold import fold_all
from autopilot.flows.roadmap import decide
from tests.unit.events.golden.reading import FOLDER, read_golden, summarise

# covers: RES-1, STATE
JOURNALS = sorted(FOLDER.glob("journal-*.jsonl"))


def test_there_is_a_golden_journal_for_the_schema_of_today() -> None:
    assert len(JOURNALS) >= SCHEMA


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_golden_journal_folds_to_the_run_it_was(path: Path) -> None:
    summary = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert summarise(fold_all(read_golden(path))) == summary


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_golden_journal_can_be_taken_up_at_any_entry(path: Path) -> None:
    entries = list(read_golden(path))
    for cut in range(1, len(entries)):
        state = fold_all(entries[:cut])
        assert state.halted or decide(state, state.policy, state.now)


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_every_key_of_a_golden_journal_is_its_own(path: Path) -> None:
    keys = [entry.key for entry in read_golden(path)]
    assert len(set(keys)) == len(keys) > 50
