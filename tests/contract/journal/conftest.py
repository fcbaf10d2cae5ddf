"""Journals to test: each kind must keep the same promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.events.entry import Entry
from autopilot.events.happened import Warned
from autopilot.ports.journal import Journal

KEY = bytes(range(32))


@pytest.fixture
def key() -> bytes:
    return KEY


@pytest.fixture(params=["sqlite", "memory"])
def new_journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Journal]]:
    """A maker of empty journals of one kind; keyword arguments go to the journal."""
    with ExitStack() as stack:
        made: list[Journal] = []

        def make(clock: object = None, **more: object) -> Journal:
            clock = clock or SteppedClock()
            if request.param == "memory":
                journal = MemoryJournal(clock, KEY, **more)  # type: ignore[arg-type]
            else:
                path = tmp_path / f"{len(made)}" / "journal.db"
                path.parent.mkdir()
                journal = SqliteJournal(path, KEY, clock, **more)  # type: ignore[arg-type, assignment]
            stack.callback(journal.close)
            made.append(journal)
            return journal

        yield make


@pytest.fixture
def journal(new_journal: Callable[..., Journal]) -> Journal:
    return new_journal()


@pytest.fixture
def open_sqlite(tmp_path: Path) -> Iterator[Callable[..., SqliteJournal]]:
    """Opens the journal in tmp_path; the same file every time."""
    with ExitStack() as stack:

        def make(**more: object) -> SqliteJournal:
            options: dict[str, object] = {"path": tmp_path / "journal.db", "key": KEY, "clock": SteppedClock(), **more}
            journal = SqliteJournal(**options)  # type: ignore[arg-type]
            stack.callback(journal.close)
            return journal

        yield make


@pytest.fixture
def warn() -> Callable[..., Entry]:
    def make(number: int, text: str = "something was odd", run: str = "r1") -> Entry:
        return Entry(run, f"{run}/{number}", Warned(f"{text} {number}"))

    return make
