"""Steps side by side: threads perform, one thread records, and what breaks is raised when the others are done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autopilot.engine.ledger import Recorded
from autopilot.engine.workers import Workers
from autopilot.events.happened import StepEnded, Warned
from autopilot.flows.command import RunStep
from autopilot.model.errors import Interrupted, Unavailable
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.steps.context import Result, StepContext, StepRun
from tests.unit.engine.house import AT_MOST_S, PARTS, A, B, C, House

# covers: LOOP-3, T7.resume
Perform = Callable[[StepContext], StepRun]


def workers_of(house: House, perform: Perform) -> Workers:
    return Workers(house.ledger(), house.ports, {Step.VERIFY: perform})


def begin(workers: Workers, *parts: PhaseId) -> None:
    for part in parts:
        assert len(list(workers.begin(RunStep(part, Step.VERIFY)))) == 1, "its start is recorded at once"


def work_off(workers: Workers) -> Iterator[Recorded]:
    while workers.phases:
        yield from workers.listen()


def said(ctx: StepContext, words: str) -> tuple[Warned, ...]:
    return (Warned(f"{ctx.phase.id} {words}"),)


def test_steps_are_performed_at_the_same_time(tmp_path: Path) -> None:
    together = threading.Barrier(len(PARTS), timeout=AT_MOST_S)

    def perform(_: StepContext) -> StepRun:
        yield from ()
        together.wait()  # nobody gets past it alone
        return Result("pass")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, *PARTS)
    assert workers.phases == set(PARTS)
    ended = [r.entries[-1].event for r in work_off(workers)]
    assert {event.phase for event in ended if isinstance(event, StepEnded)} == set(PARTS)
    assert workers.phases == frozenset()


def test_one_thread_records_for_all_of_them_and_each_performs_in_its_own(tmp_path: Path) -> None:
    performers: set[int] = set()

    def perform(ctx: StepContext) -> StepRun:
        for number in range(5):
            performers.add(threading.get_ident())
            yield said(ctx, f"batch {number}")
        return Result("pass")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, *PARTS)
    recorded = list(work_off(workers))
    assert house.journal.writers == {threading.get_ident()}
    assert threading.get_ident() not in performers
    seqs = [stored.seq for each in recorded for stored in each.entries]
    assert seqs == sorted(seqs) and len(recorded) == len(PARTS) * 6
    assert [each.state.seq for each in recorded] == [each.entries[-1].seq for each in recorded]


def test_a_step_goes_on_only_when_what_it_handed_over_is_durable(tmp_path: Path) -> None:
    house = House(tmp_path)
    too_early: list[str] = []

    def perform(ctx: StepContext) -> StepRun:
        for number in range(5):
            yield said(ctx, f"batch {number}")
            if f"run-1/{ctx.phase.id}/verify/1/Warned/{number + 1}" not in house.recorded_keys():
                too_early.append(f"{ctx.phase.id} {number}")
        return Result("pass")

    workers = workers_of(house, perform)
    begin(workers, *PARTS)
    assert len(list(work_off(workers))) == 18
    assert too_early == []


def test_a_broken_step_is_raised_after_the_others_came_to_their_end_and_nothing_paid_for_is_lost(
    tmp_path: Path,
) -> None:
    broke = threading.Event()

    def perform(ctx: StepContext) -> StepRun:
        yield said(ctx, "was paid for")
        if ctx.phase.id == A:
            broke.set()
            raise Interrupted("stopped while the verifier was working", "SIGINT")
        assert broke.wait(AT_MOST_S)
        yield said(ctx, "was paid for later")
        return Result("pass")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, *PARTS)
    with pytest.raises(Interrupted, match="stopped while the verifier was working"):
        list(work_off(workers))
    assert workers.phases == frozenset()
    ended = {
        s.event.phase for s in house.journal.read() if isinstance(s.event, StepEnded) and s.event.step is Step.VERIFY
    }
    assert ended == {B, C}
    words = {s.event.text for s in house.journal.read() if isinstance(s.event, Warned)}
    assert words == {"1a was paid for", *(f"{part} was paid for{more}" for part in (B, C) for more in ("", " later"))}


def test_when_several_break_the_first_is_raised_and_none_is_waited_for_in_vain(tmp_path: Path) -> None:
    def perform(ctx: StepContext) -> StepRun:
        yield said(ctx, "began")
        raise Interrupted(f"{ctx.phase.id} was stopped", "SIGTERM")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, *PARTS)
    with pytest.raises(Interrupted, match="was stopped"):
        list(work_off(workers))
    assert workers.phases == frozenset()


def test_what_is_missing_ends_its_own_step_alone_as_unproven(tmp_path: Path) -> None:
    def perform(ctx: StepContext) -> StepRun:
        yield from ()
        if ctx.phase.id == B:
            raise Unavailable("bwrap is not there", hint="install bubblewrap")
        return Result("pass")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, *PARTS)
    ends = [stored.event for each in work_off(workers) for stored in each.entries]
    statuses = {event.phase: event.status for event in ends if isinstance(event, StepEnded)}
    assert statuses == {A: "pass", B: "unproven", C: "pass"}


def test_a_bug_in_a_step_reaches_the_recording_thread(tmp_path: Path) -> None:
    def perform(_: StepContext) -> StepRun:
        yield from ()
        raise AssertionError("our bug")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, A)
    with pytest.raises(AssertionError, match="our bug"):
        list(work_off(workers))


def test_tried_again_after_a_crash_the_steps_record_nothing_twice(tmp_path: Path) -> None:
    def perform(ctx: StepContext) -> StepRun:
        yield said(ctx, "first")
        yield said(ctx, "second")
        return Result("pass")

    house = House(tmp_path)
    workers = workers_of(house, perform)
    begin(workers, A, B)
    next(work_off(workers))  # one batch is durable, then the process is gone; its threads wait for ever and die with it
    again = Workers(house.ledger(), house.ports, {Step.VERIFY: perform})
    for part in (A, B):
        list(again.begin(RunStep(part, Step.VERIFY, 1, 2)))
    list(work_off(again))
    keys = house.recorded_keys()
    assert len(keys) == len(set(keys))
    assert sum("/Warned/" in key for key in keys) == 4
    assert sum("/verify/1/StepStarted/" in key for key in keys) == 4
