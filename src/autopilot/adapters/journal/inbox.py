"""The inbox: sealed messages from processes that do not hold the lock."""

from __future__ import annotations

import hmac
from typing import NamedTuple

from autopilot.adapters.journal.chain import read_event, seal, sealable
from autopilot.events.codec import SCHEMA
from autopilot.events.entry import Message
from autopilot.model.errors import RecordBroken


class Letter(NamedTuple):
    """A message as it is kept. The seal covers ``taken`` too: taking up is the lock holder's word."""

    seq: int
    key: str
    run: str
    kind: str
    schema: int
    payload: bytes
    taken: int
    mac: str


_TYPES = (int, str, str, str, int, bytes, int, str)


def write_letter(secret: bytes, seq: int, message: Message) -> Letter:
    kind, payload = sealable(message.event)
    letter = Letter(seq, message.key, message.run, kind, SCHEMA, payload, 0, "")
    return letter._replace(mac=_seal(secret, letter))


def read_letter(secret: bytes, letter: Letter) -> Message:
    check_letter(secret, letter)
    event = read_event(letter.kind, letter.schema, letter.payload, f"message {letter.seq} in the inbox")
    return Message(letter.key, letter.run, event)


def take_letter(secret: bytes, letter: Letter) -> Letter:
    check_letter(secret, letter)
    taken = letter._replace(taken=1)
    return taken._replace(mac=_seal(secret, taken))


def check_letter(secret: bytes, letter: Letter) -> None:
    whole = tuple(map(type, letter)) == _TYPES
    if not whole or not hmac.compare_digest(_seal(secret, letter).encode(), letter.mac.encode()):
        raise RecordBroken(
            f"message {letter.seq} in the inbox does not match its seal",
            "It was not written by Autopilot, or was changed since. Look at the inbox table of journal.db.",
        )


def _seal(secret: bytes, letter: Letter) -> str:
    texts = (letter.key.encode(), letter.run.encode(), letter.kind.encode(), letter.payload)
    return seal(secret, b"inbox", b"%d,%d,%d" % (letter.seq, letter.schema, letter.taken), *texts)
