"""Traces: what a run did and when, as spans; and where its user has them sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

Attribute = str | int | float | bool


class SpanKind(StrEnum):
    INTERNAL = "internal"
    CLIENT = "client"


class Span(Struct, frozen=True):
    """Ids are hexadecimal and follow from the run: rendered again, a span has the same."""

    trace: str
    id: str
    parent: str  # "" for the run itself
    name: str
    began_at: datetime
    ended_at: datetime
    attributes: Mapping[str, Attribute] = {}
    has_failed: bool = False
    kind: SpanKind = SpanKind.INTERNAL


class Telemetry(Struct, frozen=True):
    """Only the user's own settings say whether traces leave the machine, and where they go: never a repository."""

    otlp: str = ""  # the address of a collector, below which stands v1/traces; "" for none
    headers_env: Mapping[str, str] = {}  # header -> the variable that holds its value
