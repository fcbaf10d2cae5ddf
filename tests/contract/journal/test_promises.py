"""What every journal promises. covers: T7"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.journal.chain import RecordCheck, verify_record
from autopilot.events.anchor import anchor_text, check_anchor
from autopilot.events.entry import Entry, Head, Message
from autopilot.events.happened import CancelRequested, PhaseCompleted, StepSkipped, TaskCommitted, Warned
from autopilot.events.recovery import MarkedIncomplete
from autopilot.model.errors import RecordBroken
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.ports.journal import Journal

START = datetime(2025, 3, 1, 12, tzinfo=UTC)
NEW_JOURNALS = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_an_empty_journal_has_no_entries_and_an_empty_head(journal: Journal) -> None:
    assert list(journal.read()) == []
    assert journal.head() == Head(0, "")
    assert journal.digest_at(1) is None


def test_what_is_appended_is_read_back_in_order_with_numbers_and_times(new_journal: Callable, warn: Callable) -> None:
    journal = new_journal(SteppedClock(START))
    first = journal.append([warn(1), warn(2)])
    second = journal.append([warn(3)])
    assert [one.seq for one in (*first, *second)] == [1, 2, 3]
    assert [one.time for one in (*first, *second)] == [START, START, START + timedelta(seconds=1)]
    assert list(journal.read()) == [*first, *second]
    assert journal.head() == Head(3, journal.digest_at(3))


def test_an_entry_with_the_same_key_and_content_is_left_out(journal: Journal, warn: Callable) -> None:
    journal.append([warn(1), warn(2)])
    again = journal.append([warn(2), warn(3), warn(3)])
    assert [one.key for one in again] == ["r1/3"]
    assert [one.key for one in journal.read()] == ["r1/1", "r1/2", "r1/3"]


@pytest.mark.parametrize(
    "other",
    [
        Entry("r1", "r1/1", Warned("another text")),
        Entry("r1", "r1/1", CancelRequested("you")),
        Entry("r2", "r1/1", Warned("text 1")),
    ],
)
def test_the_same_key_with_other_content_is_our_bug_and_stores_nothing(
    journal: Journal, warn: Callable, other: Entry
) -> None:
    journal.append([warn(1, "text")])
    with pytest.raises(AssertionError, match="r1/1"):
        journal.append([warn(2), other])
    assert [one.key for one in journal.read()] == ["r1/1"]
    with pytest.raises(AssertionError):
        journal.append([warn(3), Entry("r1", "r1/3", Warned("not the same"))])
    assert journal.head().seq == 1


def test_what_could_not_be_read_back_is_never_stored(journal: Journal, warn: Callable) -> None:
    with pytest.raises(AssertionError, match="read back"):
        journal.append([warn(1), Entry("r1", "nan", MarkedIncomplete(PhaseId("1"), float("nan"), 9.0, 1))])
    assert journal.head().seq == 0


def test_append_returns_the_event_as_a_later_reading_will_show_it(journal: Journal) -> None:
    sloppy = TaskCommitted(PhaseId("1"), "t", "c", ["a", "b"], [])  # type: ignore[arg-type]
    [stored] = journal.append([Entry("r1", "k", sloppy)])
    assert stored.event == TaskCommitted(PhaseId("1"), "t", "c", ("a", "b"), ())
    assert [stored] == list(journal.read())


def test_one_run_can_be_read_without_the_others(journal: Journal, warn: Callable) -> None:
    journal.append([warn(1), warn(1, run="r2"), warn(2)])
    assert [one.key for one in journal.read("r1")] == ["r1/1", "r1/2"]
    assert [one.seq for one in journal.read("r2")] == [2]
    assert list(journal.read("r3")) == []


def test_reading_can_go_on_after_a_known_head(journal: Journal, warn: Callable) -> None:
    journal.append([warn(1), warn(2)])
    known = journal.head()
    assert list(journal.read(after=known)) == []
    journal.append([warn(3)])
    assert [one.seq for one in journal.read(after=known)] == [3]
    assert len(list(journal.read(after=Head(0, "")))) == 3
    with pytest.raises(RecordBroken):
        list(journal.read(after=Head(2, "0" * 64)))
    with pytest.raises(RecordBroken):
        list(journal.read(after=Head(9, "0" * 64)))


def test_reading_ends_where_the_record_ended_when_it_began(journal: Journal, warn: Callable) -> None:
    journal.append([warn(1), warn(2)])
    reading = journal.read()
    first = next(reading)
    journal.append([warn(3)])
    assert [first.seq, *(one.seq for one in reading)] == [1, 2]


def test_time_never_goes_backwards_even_if_the_clock_does(new_journal: Callable, warn: Callable) -> None:
    journal = new_journal(SteppedClock(START, timedelta(hours=-1)))
    for number in range(3):
        journal.append([warn(number)])
    assert [one.time for one in journal.read()] == [START] * 3


def test_after_a_clock_that_was_a_year_ahead_time_goes_on_from_the_record(
    new_journal: Callable, warn: Callable
) -> None:
    """Or every entry would bear the same time for a year: no duration, no time cap, and a wait that lasts a year."""
    clock = SteppedClock(START + timedelta(days=365))
    journal = new_journal(clock)
    journal.append([warn(0)])
    clock._next = START
    for number in (1, 2):
        journal.append([warn(number)])
    first, second, third = (one.time for one in journal.read())
    assert first == START + timedelta(days=365)
    assert first <= second < third < first + timedelta(seconds=5)


def test_times_from_another_zone_are_kept_as_utc(new_journal: Callable, warn: Callable) -> None:
    east = START.astimezone(tz=datetime.fromisoformat("2025-01-01T00:00:00+09:00").tzinfo)
    journal = new_journal(SteppedClock(east))
    [stored] = journal.append([warn(1)])
    assert stored.time == START
    assert stored.time.tzinfo == UTC


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
EVENTS = st.one_of(
    st.builds(Warned, TEXTS),
    st.builds(CancelRequested, TEXTS),
    st.builds(StepSkipped, TEXTS.map(PhaseId), st.sampled_from(Step), TEXTS),
    st.builds(PhaseCompleted, TEXTS.map(PhaseId), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
)


@NEW_JOURNALS
@given(batches=st.lists(st.lists(st.tuples(TEXTS, EVENTS), max_size=6), max_size=6))
def test_any_batches_read_back_equal(new_journal: Callable, batches: list[list[tuple[str, object]]]) -> None:
    journal = new_journal()
    sent: list[Entry] = []
    for batch in batches:
        entries = [Entry(run, f"{run}/{len(sent) + n}", event) for n, (run, event) in enumerate(batch)]
        journal.append(entries)
        sent.extend(entries)
    assert [Entry(one.run, one.key, one.event) for one in journal.read()] == sent
    assert verify_record(journal, (anchor_text(journal.head()),)).events == len(sent)


def test_equal_histories_have_equal_heads_and_different_ones_do_not(new_journal: Callable, warn: Callable) -> None:
    one, same, other = new_journal(), new_journal(), new_journal()
    for journal, text in ((one, "x"), (same, "x"), (other, "y")):
        journal.append([warn(1, text)])
        journal.append([warn(2)])
    assert one.head() == same.head()
    assert one.head() != other.head()


def test_an_anchor_holds_while_the_record_grows(journal: Journal, warn: Callable) -> None:
    empty = anchor_text(journal.head())
    journal.append([warn(1), warn(2)])
    early = anchor_text(journal.head())
    journal.append([warn(3)])
    late = anchor_text(journal.head())
    found = verify_record(journal, (empty, early, late))
    assert found == RecordCheck(3, 1, journal.head(), late, frozenset())


@pytest.mark.parametrize("text", ["3 " + "0" * 64, "1 " + "0" * 64, "", "1", "1 -", "x y", "-1 " + "0" * 64])
def test_an_anchor_ahead_of_the_record_unequal_or_unreadable_breaks_it(
    journal: Journal, warn: Callable, text: str
) -> None:
    journal.append([warn(1), warn(2)])
    with pytest.raises(RecordBroken) as caught:
        check_anchor(journal, text)
    assert caught.value.hint


def test_the_first_message_under_a_key_wins_and_is_shown_to_the_second(journal: Journal) -> None:
    first = Message("gate-1", "r1", Warned("yes"))
    assert journal.post(first) == first
    assert journal.post(Message("gate-1", "r1", Warned("no"))) == first
    assert journal.inbox() == (first,)


def test_messages_wait_in_order_until_they_are_taken(journal: Journal) -> None:
    letters = [Message(f"m{n}", "r1", CancelRequested(f"you {n}")) for n in range(3)]
    for letter in letters:
        journal.post(letter)
    assert journal.inbox() == tuple(letters)
    journal.mark_taken("m1")
    journal.mark_taken("m1")
    assert journal.inbox() == (letters[0], letters[2])
    assert journal.post(Message("m1", "r1", Warned("again"))) == letters[1]
    assert journal.inbox() == (letters[0], letters[2])
    with pytest.raises(AssertionError):
        journal.mark_taken("nothing of that name")


def test_a_prepared_answer_is_kept_with_its_number_and_replaced(journal: Journal) -> None:
    assert journal.prepared("status") is None
    journal.prepare(3, {"status": "phase 1"})
    journal.prepare(5, {"status": "phase 2"})
    assert journal.prepared("status") == (5, "phase 2")
