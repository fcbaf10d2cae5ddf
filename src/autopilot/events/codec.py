"""Events to bytes and back, by kind. The bytes are canonical: equal events have equal bytes."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, get_args

import msgspec

from autopilot.events.happened import Event, RunStarted

SCHEMA = 1
KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
# Journals of earlier versions have these fields at the top of a policy: the struct that holds each now, and its name.
MOVED = {
    **{name: ("assignments", name) for name in ("agents", "profiles", "providers", "models")},
    **{name: ("assignments", name) for name in ("max_wait_minutes", "first_wait_s")},
    "max_plan_rounds": ("attempts", "plan_rounds"),
    "max_task_debugs": ("attempts", "task_debugs"),
    "max_observations": ("attempts", "observations"),
    "max_phase_attempts": ("attempts", "phases"),
    "max_remediations": ("attempts", "remediations"),
    "max_handovers": ("attempts", "handovers"),
    "max_parallel": ("parallel", "parts"),
    "phases_at_once": ("parallel", "phases"),
    "ui_source_dir": ("interface", "source_dir"),
    "ui_extensions": ("interface", "extensions"),
    "visual": ("interface", "visual"),
}
_ENCODER = msgspec.json.Encoder(order="deterministic")
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def encode(event: Event) -> tuple[str, bytes]:
    return type(event).__name__, _ENCODER.encode(event)


@cache
def _decoder(kind: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(KINDS[kind])


def decode(kind: str, payload: bytes) -> Event:
    """The event of that kind. An unknown kind or a payload of another shape raises ``msgspec.ValidationError``."""
    if kind not in KINDS:
        raise msgspec.ValidationError(f"unknown kind of event: {kind}")
    event: Event = _decoder(kind).decode(_nested(payload) if kind == RunStarted.__name__ else payload)
    return event


def _nested(payload: bytes) -> bytes:
    """The start of a run, its policy in the structs of today."""
    started = _FIELDS.decode(payload)
    policy = _FIELDS.decode(started.get("policy", b"{}"))
    moved = MOVED.keys() & policy.keys()
    if not moved:
        return payload
    nested: dict[str, Any] = {name: value for name, value in policy.items() if name not in moved}
    for name in moved:
        struct, field = MOVED[name]
        nested.setdefault(struct, {})[field] = policy[name]
    return _ENCODER.encode({**started, "policy": nested})


assert isinstance(Event, types.UnionType)
