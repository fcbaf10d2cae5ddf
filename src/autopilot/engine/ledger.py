"""The one writer of a run: gives events their keys, makes them durable, folds what was stored."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from autopilot.events.anchor import anchor_text, check_anchor
from autopilot.events.entry import Entry, Stored
from autopilot.events.fold import fold_all
from autopilot.events.happened import Event, GateJudged, Landed, RunStarted, RunStopped
from autopilot.events.state import RunState
from autopilot.model.errors import CapReached
from autopilot.ports.git import Vault
from autopilot.ports.journal import Journal

ANCHORED = (RunStarted, GateJudged, Landed, RunStopped)
ANCHOR = "journal"


class Recorded(Struct, frozen=True):
    """What was just stored, and the state after it."""

    entries: tuple[Stored, ...]
    state: RunState


class Slot:
    """A place in the record: run/phase/step/attempt. Events recorded in it are numbered by kind."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._count: Counter[str] = Counter()

    def key(self, event: Event) -> str:
        kind = type(event).__name__
        self._count[kind] += 1
        return f"{self.prefix}/{kind}/{self._count[kind]}"


class Ledger:
    def __init__(self, state: RunState, journal: Journal, vault: Vault) -> None:
        self.state = state
        self._journal = journal
        self._vault = vault

    def slot(self, name: str) -> Slot:
        return Slot(f"{self.state.run}/{name}")

    def record(self, slot: Slot, events: tuple[Event, ...]) -> Recorded:
        return self.store([Entry(self.state.run, slot.key(event), event) for event in events])

    def store(self, entries: list[Entry]) -> Recorded:
        """Durable first, then folded. The head is anchored where it matters: the record cannot be cut back past it."""
        stored = self._journal.append(entries)
        before, self.state = self.state, fold_all(stored, self.state)
        try:
            self._keep_lines(before)
            if any(isinstance(entry.event, ANCHORED) for entry in stored):
                self._vault.anchor(ANCHOR, anchor_text(self._journal.head()))
        except CapReached:
            # No room for the anchor. A stopped run has nothing left to stop: the next head that is anchored covers it.
            if not self.state.halted:
                raise
        return Recorded(stored, self.state)

    def _keep_lines(self, before: RunState) -> None:
        """The run's branch, and every other, is kept under a ref of the vault, whatever happens to offered branches."""
        run = self.state.run
        if self.state.line.tip != before.line.tip:
            self._vault.set_ref(f"refs/heads/run/{run}", self.state.line.tip)
        known = {**before.phases, **before.parts}
        for phase in (*self.state.phases.values(), *self.state.parts.values()):
            if phase.line.tip and (phase.id not in known or known[phase.id].line.tip != phase.line.tip):
                self._vault.set_ref(f"refs/heads/line/{run}/{phase.id}", phase.line.tip)


def check_against_anchor(journal: Journal, vault: Vault) -> None:
    if text := vault.anchored(ANCHOR):
        check_anchor(journal, text)
