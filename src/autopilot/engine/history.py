"""Every run of a repository, as the journal has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct

from autopilot.engine.earlier import find_earlier
from autopilot.engine.past import Past, Unlanded, named
from autopilot.events.entry import Head, Stored
from autopilot.events.fold import fold, fold_all
from autopilot.events.state import RunState
from autopilot.model.run import LandingStage, PhaseStatus, RunStatus
from autopilot.ports.git import Checkout
from autopilot.ports.journal import Journal
from autopilot.reports.status.gates import landing_command, resume_command

SNAPSHOT = "runs"
SNAPSHOT_EVERY = 20_000  # entries; fewer are folded without a noticeable delay


class History(Struct, frozen=True):
    """Every run of this repository, oldest first."""

    runs: dict[str, RunState]

    def past(self, checkout: Checkout, is_in_head: Callable[[str], bool]) -> Past:
        """Proven is what was completed in any run *and* is in the user's branch, whatever boxes say."""
        runs = [run for run in self.runs.values() if run.is_of_roadmap]
        done = [p for run in runs for p in run.phases.values() if p.status is PhaseStatus.COMPLETED]
        landed = (p for p in done if p.landing.state == LandingStage.LANDED or is_in_head(p.landing.commit))
        incomplete = {named(phase.brief): phase.remediation.incomplete for phase in done}  # as it was the last time
        return Past(
            proven=frozenset(named(phase.brief) for phase in landed),
            incomplete=frozenset(name for name, is_so in incomplete.items() if is_so),
            folders=frozenset((phase.brief.folder, named(phase.brief)) for phase in done),
            earlier=find_earlier(runs, checkout),
            other_runs=tuple(other for run in runs for other in run.inputs.other_runs),
            unlanded={
                named(phase.brief): Unlanded(run.run, landing_command(run, phase.landing, resume_command(run)))
                for run in runs[-1:]
                for phase in run.phases.values()
                if phase.landing.state == LandingStage.DEFERRED and not is_in_head(phase.landing.commit)
            },
        )

    @property
    def last(self) -> RunState | None:
        """The run that was active last: a run may have been resumed after others started."""
        return max(self.runs.values(), key=lambda run: run.seq, default=None)

    @property
    def unfinished(self) -> RunState | None:
        """The last run of the roadmap, if something is left of it."""
        return _if_unfinished(next((run for run in reversed(self.runs.values()) if run.is_of_roadmap), None))

    def of_issue(self, number: int) -> RunState | None:
        """The last run about that issue, finished or not."""
        about = (run for run in reversed(self.runs.values()) if run.issue and run.issue.brief.number == number)
        return next(about, None)

    @property
    def sessions(self) -> dict[str, RunState]:
        """Every debug session by its name."""
        return {run.debugging.brief.slug: run for run in self.runs.values() if run.debugging}

    @property
    def draft(self) -> RunState | None:
        """The last draft of a roadmap, as long as its user has not decided."""
        last = next((run for run in reversed(self.runs.values()) if run.drafting), None)
        return None if last is None or last.archived or (last.drafting and last.drafting.settled) else last

    @property
    def all_unfinished(self) -> tuple[RunState, ...]:
        """Of the roadmap, of every issue and of every debug session the last one, if something is left of it; who was
        at work last is last."""
        last: dict[tuple[str, int | str], RunState] = {}
        for run in self.runs.values():
            last[_subject(run)] = run
        open_ = [run for run in last.values() if _if_unfinished(run)]
        return tuple(sorted(open_, key=lambda run: run.seq))


def _subject(run: RunState) -> tuple[str, int | str]:
    if run.debugging:
        return "debug session", run.debugging.brief.slug
    if run.issue:
        return "issue", run.issue.brief.number
    return ("draft" if run.drafting else "roadmap"), ""


def _if_unfinished(run: RunState | None) -> RunState | None:
    if run is None or run.status is RunStatus.COMPLETED or run.archived:
        return None
    # A session that came to an end by itself goes on only by `debug continue`; what is proven may still have to land.
    over = run.debugging is not None and run.debugging.ending is not None and not run.debugging.is_proven
    over = over or (run.drafting is not None and run.drafting.is_over)  # its user decides by `plan`, not by a resume
    return None if over and run.halted else run


def read_history(entries: Iterable[Stored]) -> History:
    return History(_fold_runs({}, entries))


def load_history(journal: Journal, snapshot_every: int = SNAPSHOT_EVERY) -> History:
    """The same from the last snapshot and what was recorded since; a new one is written after ``snapshot_every``.

    Only the process that holds the lock may call it: no other writes beside the journal.
    """
    after, runs = _load_snapshot(journal)
    entries = Counted(journal.read(after=after))
    history = History(_fold_runs(runs, entries))
    if entries.count >= snapshot_every:
        _keep_snapshot(journal, entries.last, history)
    return history


def load_run(journal: Journal, run: str) -> RunState:
    """One run, without reading the others."""
    after, runs = _load_snapshot(journal)
    return fold_all(journal.read(run, after), runs.get(run, RunState()))


class Counted:
    """Entries as they come, counted on the way."""

    def __init__(self, entries: Iterable[Stored]) -> None:
        self.count = 0
        self.last = 0  # the sequence number of the last one
        self._entries = entries

    def __iter__(self) -> Iterator[Stored]:
        for stored in self._entries:
            self.count, self.last = self.count + 1, stored.seq
            yield stored


def _fold_runs(runs: dict[str, RunState], entries: Iterable[Stored]) -> dict[str, RunState]:
    for stored in entries:
        runs[stored.run] = fold(runs.get(stored.run) or RunState(), stored)
    return runs


def _load_snapshot(journal: Journal) -> tuple[Head | None, dict[str, RunState]]:
    found = journal.snapshot(SNAPSHOT)
    if found is None:
        return None, {}
    try:
        return found[0], msgspec.msgpack.decode(found[1], type=dict[str, RunState])
    except msgspec.MsgspecError:  # written through another version of the library
        return None, {}


def _keep_snapshot(journal: Journal, seq: int, history: History) -> None:
    digest, payload = journal.digest_at(seq), msgspec.msgpack.encode(history.runs)
    # What does not come back as it went would make a resumed run decide otherwise than the record does.
    if digest is not None and msgspec.msgpack.decode(payload, type=dict[str, RunState]) == history.runs:
        journal.keep_snapshot(SNAPSHOT, Head(seq, digest), payload)
