"""A command that runs tests, spelled so that its tools leave reports; and those reports read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from autopilot.model.testing import TestReport
from autopilot.planning.testrun.pack import Pack

ReadText = Callable[[str], str | None]  # a file of the project by its path, None where there is none


class Call(Struct, frozen=True):
    """One call of a test tool inside a command."""

    pack: Pack
    words: tuple[str, ...]
    name: str  # of its report, unique within the command
    folder: str = ""  # where it stands when called, relative to the project (`cd app && npm test`)


class Asked(Struct, frozen=True):
    """The whole command, with a report asked of every test tool in it."""

    command: str
    calls: tuple[Call, ...]


def ask_for_reports(command: str, read: ReadText) -> Asked | None:
    """None where no call of a test tool is found. ``npm test`` and ``make test`` are followed to what they call."""
    raise NotImplementedError


def read_reports(asked: Asked, files: Mapping[str, bytes], output: str) -> TestReport:
    """All calls' reports as one; problems of any are problems of the whole."""
    raise NotImplementedError
