"""Looking at an interface: a browser beside the app, in its sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from autopilot.model.visual.facts import Facts
from autopilot.model.visual.subject import VisualTesting
from autopilot.ports.sandbox import CommandSpec, Outcome, Probe


class Taken(Struct, frozen=True):
    """What was shot of one route: two pictures as PNG, b"" where the page could not be opened."""

    facts: Facts
    first: bytes = b""
    second: bytes = b""


class Look(Struct, frozen=True):
    outcome: Outcome
    browser: str = ""  # its version
    taken: Mapping[str, Taken] = {}  # by the key of the shot; empty where the outcome says why
    problem: str = ""  # what is wrong with what came back


class Pictures(Protocol):
    """Pictures and their facts by digest, outside of the repository."""

    def keep(self, content: bytes) -> str: ...

    def has(self, digest: str) -> bool: ...

    def get(self, digest: str) -> bytes:
        """RecordBroken where it is missing or altered."""


class Eyes(Protocol):
    @property
    def pictures(self) -> Pictures: ...

    def probe(self) -> Probe:
        """Whether there is a browser to look with, and if not, how to get one."""

    def look(self, spec: CommandSpec, subject: VisualTesting) -> Look:
        """Start the app in a sandbox like that of ``spec``, open every route in it, and shoot each twice."""
