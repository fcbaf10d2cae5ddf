"""What is recorded when several threads work at once: blobs are whole, one thread alone writes the journal (T2)."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.interruption import LOOK_EVERY_S, Interruption
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.lock import FileLock
from autopilot.adapters.once import Once
from autopilot.adapters.redaction import make_redactor
from autopilot.events.entry import Entry, Message
from autopilot.events.happened import CancelRequested, Warned
from autopilot.model.errors import UsageError
from tests.contract.threads import CROWD, together

# covers: T2
SECRET = "decoy-secret-value-0123456789"


@pytest.fixture
def journal(tmp_path: Path) -> SqliteJournal:
    return SqliteJournal(tmp_path / "journal.db", bytes(32), SteppedClock())


def test_the_same_and_different_texts_kept_at_once_are_all_whole_and_clean(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path / "blobs", make_redactor({"API_TOKEN": SECRET}))

    def work(number: int) -> list[str]:
        digests = []
        for step in range(20):
            shared = f"shared {step} {SECRET}\n".encode() * 500
            own = f"own {number} {step} {SECRET}".encode()
            digests += [blobs.put(shared), blobs.put(own)]
            assert SECRET.encode() not in blobs.get(digests[-1]) + blobs.get(digests[-2])
            assert SECRET not in blobs.clean(own.decode())
        return digests

    digests = {digest for each in together(work) for digest in each}
    assert len(digests) == 20 + CROWD * 20
    files = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert len(files) == len(digests)
    assert all(SECRET.encode() not in path.read_bytes() for path in files)


def test_the_first_thread_that_records_is_the_only_one_that_may(journal: SqliteJournal) -> None:
    journal.append([Entry("r1", "k1", Warned("one"))])
    refused: list[str] = []

    def other() -> None:
        with pytest.raises(AssertionError, match="one thread alone records"):
            journal.append([Entry("r1", "k2", Warned("two"))])
        refused.append("refused")

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert refused == ["refused"]
    assert journal.head().seq == 1


def test_other_threads_may_look_into_the_inbox_while_one_records(journal: SqliteJournal) -> None:
    interruption = Interruption(journal)
    over = threading.Event()
    heard: list[str] = []

    def listen() -> None:
        while not over.wait(0.01):
            if reason := interruption.reason():
                heard.append(reason)
                return

    listeners = [threading.Thread(target=listen) for _ in range(CROWD)]
    for listener in listeners:
        listener.start()
    try:
        for number in range(50):
            journal.append([Entry("r1", f"k{number}", Warned("busy"))])
        journal.post(Message("cancel/r1/0", "r1", CancelRequested("somebody")))
        for listener in listeners:
            listener.join(20 * LOOK_EVERY_S)
    finally:
        over.set()
    assert heard == ["cancel"] * CROWD
    assert journal.head().seq == 50


def test_of_all_threads_that_take_the_lock_one_gets_it(tmp_path: Path) -> None:
    locks = [FileLock(tmp_path / "lock") for _ in range(CROWD)]

    def work(number: int) -> bool:
        try:
            locks[number].take(f"thread {number}")
        except UsageError:
            return False
        return True

    won = together(work)
    assert won.count(True) == 1
    holder = FileLock(tmp_path / "lock").holder()
    assert holder is not None and holder.command == f"thread {won.index(True)}"
    locks[won.index(True)].release()
    assert FileLock(tmp_path / "lock").holder() is None


def test_work_wanted_by_all_is_done_by_one_and_shared() -> None:
    once: Once[object] = Once()
    done: list[str] = []

    def work() -> object:
        done.append("once")
        threading.Event().wait(0.2)
        return object()

    assert len(set(together(lambda _: once.do("key", work)))) == 1
    assert done == ["once"]
    assert once.do("key", work) is not None
    assert done == ["once", "once"]


def test_work_that_fails_fails_for_all_and_is_not_remembered() -> None:
    once: Once[str] = Once()

    def fail() -> str:
        threading.Event().wait(0.2)
        raise UsageError("no", "hint")

    def work(_: int) -> str:
        with pytest.raises(UsageError) as caught:
            once.do("key", fail)
        return str(caught.value)

    assert together(work) == ["no"] * CROWD
    assert once.do("key", lambda: "yes") == "yes"
