"""An event with every string in it passed through a redactor; numbers, structure and the kind stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from autopilot.events.happened import Event


def redact_event(event: Event, redact: Callable[[str], str]) -> Event:
    """The event itself when nothing had to go, so that the usual case costs one walk."""
    plain = msgspec.to_builtins(event)
    clean = _walk(plain, redact)
    return event if clean == plain else msgspec.convert(clean, type(event))


def _walk(value: Any, redact: Callable[[str], str]) -> Any:
    match value:
        case str():
            return redact(value)
        case dict():
            return {key: _walk(one, redact) for key, one in value.items()}
        case list() | tuple():
            return type(value)(_walk(one, redact) for one in value)
        case _:
            return value
