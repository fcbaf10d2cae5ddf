"""An engine without a world: a journal in memory, a phase cut into parts, and steps made up by the test."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.journal.memory import MemoryJournal
from autopilot.engine.ledger import Ledger
from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Entry, Stored
from autopilot.events.fold import fold_all
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.bundle import Ports
from autopilot.ports.clock import Clock
from tests.unit.making import ONE, START, make_brief, make_policy, make_started, make_task
from tests.unit.steps.world import Checkout, Places, Tree, Uninterrupted

A, B, C = (PhaseId(f"1{letter}") for letter in "abc")
PARTS = (A, B, C)
AT_MOST_S = 20.0  # a thread that waits longer is stuck; nothing here takes a second


class StandingClock:
    def now(self) -> datetime:
        return START

    def catch_up(self, moment: datetime) -> None: ...

    def nap(self, seconds: float) -> None: ...


class OneWriter(MemoryJournal):
    """Remembers which threads appended."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.writers: set[int] = set()

    def append(self, entries: Sequence[Entry]) -> tuple[Stored, ...]:
        self.writers.add(threading.get_ident())
        return super().append(entries)


class Refs(Tree):
    """A vault that only keeps what the ledger tells it."""

    def __init__(self) -> None:
        super().__init__({})

    def take(self, clone: Path, keep_as: str) -> str:
        return ""  # nobody here commits anything

    def has(self, commit: str) -> bool:
        return True  # none is ever lost here

    def set_ref(self, name: str, new: str) -> None: ...

    def anchor(self, name: str, text: str) -> None: ...

    def anchored(self, name: str) -> str:
        return ""


class House:
    def __init__(
        self,
        folder: Path,
        agents: Any = None,
        interrupts: Any = None,
        clock: Clock | None = None,
        policy: Policy | None = None,
    ) -> None:
        clock = clock or StandingClock()
        self.journal = OneWriter(clock)
        self.policy = policy or make_policy()
        fields = {
            **{"journal": self.journal, "vault": Refs(), "workspaces": Places(), "checkout": Checkout()},
            **{"sandbox": None, "layers": None, "agents": agents, "blobs": FileBlobs(folder / "blobs", Redactor({}))},
            **{"clock": clock, "interrupts": interrupts or Uninterrupted(), "transcripts": None, "forge": None},
            **{"maps": None, "word_search": None},
        }
        self.ports = Ports(**cast(Any, fields))
        self._begin()

    def _begin(self) -> None:
        tasks = tuple(make_task(f"01-0{n}") for n in (1, 2, 3))
        events: tuple[h.Event, ...] = (
            make_started(make_brief(ONE), policy=self.policy),
            h.PhaseStarted(ONE, 1, "base"),
            h.PreflightDone(ONE, (), ()),
            h.Triaged(ONE, "none", (), (), verify_only=False, has_plan=False, note=""),
            h.Planned(ONE, "plan", tasks, ()),
            h.PlanChecked(ONE, True, None, ()),
            h.StepStarted(ONE, h.Step.SPLIT, 1),
            r.SplitAgreed(ONE, "too much", tuple(make_brief(id) for id in PARTS), tuple((t.id,) for t in tasks)),
            h.StepEnded(ONE, h.Step.SPLIT, 1, "split"),
        )
        self.journal.append([Entry("run-1", f"run-1/begin/{n}", event) for n, event in enumerate(events)])
        self.journal.writers.clear()

    def ledger(self) -> Ledger:
        return Ledger(fold_all(self.journal.read()), self.journal, self.ports.vault)

    def recorded_keys(self) -> list[str]:
        return [stored.key for stored in self.journal.read()]
