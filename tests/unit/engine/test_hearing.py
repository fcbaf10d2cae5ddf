"""What a person says while others are at work is heard at once; a cancel is left for those at work to hear.

covers: LOOP-4, T7.resume
"""

from __future__ import annotations

import threading
from pathlib import Path

from autopilot.engine.inbox import has_news, take_messages
from autopilot.engine.workers import Workers
from autopilot.events.entry import Message
from autopilot.events.happened import CancelRequested
from autopilot.events.people import FlagsRefused
from autopilot.flows.command import RunStep
from autopilot.model.run import Step
from autopilot.steps.context import Result, StepContext, StepRun
from tests.unit.engine.house import AT_MOST_S, A, House

ANSWER = Message("answer-1", "run-1", FlagsRefused(("--map",), "it says nothing"))
CANCEL = Message("cancel-1", "run-1", CancelRequested("you"))


def test_a_cancel_is_left_while_others_are_at_work_and_everything_else_is_taken_up(tmp_path: Path) -> None:
    house = House(tmp_path)
    ledger = house.ledger()
    house.journal.post(CANCEL)
    assert not has_news(ledger, house.ports)
    house.journal.post(ANSWER)
    assert has_news(ledger, house.ports)
    taken = [
        stored.event for recorded in take_messages(ledger, house.ports, cancels=False) for stored in recorded.entries
    ]
    assert taken == [ANSWER.event]
    assert [message.key for message in house.journal.inbox()] == ["cancel-1"]
    assert not ledger.state.session.cancelled_by
    list(take_messages(ledger, house.ports))
    assert house.ledger().state.session.cancelled_by == "you"


def test_who_listens_to_a_silent_crew_is_called_away_by_news_and_nobody_is_lost(tmp_path: Path) -> None:
    may_end = threading.Event()

    def perform(_: StepContext) -> StepRun:
        yield from ()
        assert may_end.wait(AT_MOST_S)
        return Result("pass")

    house = House(tmp_path)
    workers = Workers(house.ledger(), house.ports, {Step.VERIFY: perform})
    list(workers.begin(RunStep(A, Step.VERIFY)))
    assert list(workers.listen(lambda: True)) == []
    assert workers.phases == {A}
    may_end.set()
    recorded = [each for _ in range(2) for each in workers.listen()]
    assert len(recorded) == 1 and workers.phases == frozenset()
