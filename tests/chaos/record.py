"""The record as a test sees it: watched while it is written, read from outside, and named by its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.events.entry import Entry, Head, Message, Stored
from autopilot.events.happened import LandingDeferred, LandingStarted, RunResumed, StepEnded, StepStarted
from autopilot.events.issue.happened import IssueReentered
from autopilot.events.provision import AgentCutOff, WaitStarted, Woken
from autopilot.model.run import Step, StepStatus
from autopilot.ports.journal import Journal
from tests.scenario.kit.world import World

STOP = "stop"
COUNTED_BY_RESUMES = (STOP, "breaker-opened", "breaker-closed")
BY_CHANCE = (RunResumed, IssueReentered, AgentCutOff, WaitStarted, Woken)
Watch = Callable[[str], None]


class WatchedJournal:
    """The real journal; ``watch("before")`` and ``watch("after")`` are called around every append.

    ``batches`` names what each append brought that is new, [] for one that a crash alone adds.
    """

    def __init__(self, journal: Journal, watch: Watch) -> None:
        self.batches: list[list[str]] = []
        self._journal = journal
        self._watch = watch

    def append(self, entries: Sequence[Entry]) -> tuple[Stored, ...]:
        self._watch("before")
        stored = self._journal.append(entries)
        self._watch("after")
        self.batches.append(names(stored))
        return stored

    def read(self, run: str | None = None, after: Head | None = None) -> Iterator[Stored]:
        return self._journal.read(run, after)

    def head(self) -> Head:
        return self._journal.head()

    def digest_at(self, seq: int) -> str | None:
        return self._journal.digest_at(seq)

    def keep_snapshot(self, name: str, head: Head, payload: bytes) -> None:
        self._journal.keep_snapshot(name, head, payload)

    def snapshot(self, name: str) -> tuple[Head, bytes] | None:
        return self._journal.snapshot(name)

    def post(self, message: Message) -> Message:
        return self._journal.post(message)

    def inbox(self) -> tuple[Message, ...]:
        return self._journal.inbox()

    def mark_taken(self, key: str) -> None:
        self._journal.mark_taken(key)

    def prepare(self, seq: int, texts: Mapping[str, str]) -> None:
        self._journal.prepare(seq, texts)

    def prepared(self, name: str) -> tuple[int, str] | None:
        return self._journal.prepared(name)


def read_record(world: World) -> list[Stored]:
    """Every entry, its chain checked; none when there is no journal yet."""
    home = world.repository.home
    if not home.journal.exists():
        return []
    return list(SqliteJournal(home.journal, read_key(home.key), SystemClock(), readonly=True).read())


def is_finished(world: World) -> bool:
    """Whether the end itself is recorded; a kill after that has nothing left to interrupt."""
    return names(read_record(world))[-1:] == [STOP]


def names(entries: Iterable[Stored]) -> list[str]:
    """Keys without the run's name and without what a crash adds: resumes, further tries of a step, calls cut off.

    And without waits: one may be over when a killed run comes back. A landing that waits is one, tried again in every
    session: only that it lands at last is new, at whichever try.
    """
    kept = (stored for stored in entries if not isinstance(stored.event, BY_CHANCE) and not _is_retry(stored))
    return [_name(stored) for stored in kept]


def _is_retry(stored: Stored) -> bool:
    if _lands_again(stored):
        waits = isinstance(stored.event, StepEnded) and stored.event.status is StepStatus.WAITING
        return waits or isinstance(stored.event, StepStarted | LandingStarted | LandingDeferred)
    return isinstance(stored.event, StepStarted) and stored.event.number > 1


def _lands_again(stored: Stored) -> bool:
    _, _, step, number, *_ = (*stored.key.split("/"), "", "", "")
    return step == Step.LAND and number != "1"


def _name(stored: Stored) -> str:
    parts = stored.key.split("/")[1:]
    if _lands_again(stored):
        parts[2] = "again"
    return parts[0] if parts[0] in COUNTED_BY_RESUMES else "/".join(parts)
