"""Recording the messages of other processes."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.engine.ledger import Ledger, Recorded
from autopilot.events.entry import Entry, Message
from autopilot.events.happened import CancelRequested
from autopilot.events.people import FlagsRefused, HumanAnswered, PauseRequested
from autopilot.events.recovery import VerdictGiven
from autopilot.ports.bundle import Ports


def take_messages(ledger: Ledger, ports: Ports, *, cancels: bool = True) -> Iterator[Recorded]:
    """Record every message for this run. A cancel or a pause of a run that has ended meanwhile has no effect.

    Without ``cancels`` those are left: other workers get a cancel only until it is recorded.
    """
    for message in ports.journal.inbox():
        if isinstance(message.event, CancelRequested) and not cancels:
            continue
        if message.run == ledger.state.run:
            yield take_message(ledger, ports, message)
        elif isinstance(message.event, CancelRequested | PauseRequested):
            ports.journal.mark_taken(message.key)


def has_news(ledger: Ledger, ports: Ports) -> bool:
    """Whether a person has said something that may let the run go on beside those at work."""
    others = (message for message in ports.journal.inbox() if not isinstance(message.event, CancelRequested))
    return any(message.run == ledger.state.run for message in others)


def take_message(ledger: Ledger, ports: Ports, message: Message) -> Recorded:
    """Record one message. Its key makes it count once, should we be killed before it is marked."""
    known = CancelRequested | PauseRequested | VerdictGiven | FlagsRefused | HumanAnswered
    assert isinstance(message.event, known), "nothing else can be posted so far"
    recorded = ledger.store([Entry(message.run, f"{message.run}/inbox/{message.key}", message.event)])
    ports.journal.mark_taken(message.key)
    return recorded
