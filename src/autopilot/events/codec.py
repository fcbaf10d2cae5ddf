"""Events to bytes and back, by kind. The bytes are canonical: equal events have equal bytes."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, get_args

import msgspec

from autopilot.events.happened import Event

SCHEMA = 1
KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode(event: Event) -> tuple[str, bytes]:
    return type(event).__name__, _ENCODER.encode(event)


@cache
def _decoder(kind: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(KINDS[kind])


def decode(kind: str, payload: bytes) -> Event:
    """The event of that kind. An unknown kind or a payload of another shape raises ``msgspec.ValidationError``."""
    if kind not in KINDS:
        raise msgspec.ValidationError(f"unknown kind of event: {kind}")
    event: Event = _decoder(kind).decode(payload)
    return event


assert isinstance(Event, types.UnionType)
