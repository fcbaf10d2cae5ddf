"""A language pack: everything Autopilot knows of one test tool. Pure: it spells commands and reads bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from autopilot.model.evidence.testing import Grade, TestReport

# Stands in a spelled command for the folder where its reports are left, outside the project.
REPORTS = "AUTOPILOT_REPORTS"


def name_folder(command: str, folder: str) -> str:
    """The command with that folder by its path: a variable would tell the product that Autopilot is looking."""
    return command.replace(f"${REPORTS}", folder)


class Canary(Struct, frozen=True):
    """A test that must fail. Where it does not, no green of this tool means anything.

    It is spelled ``autopilot canary`` in the case of its language (``TestAutopilotCanary``) and gives ``must fail`` as
    its reason: ``disguise`` renames both, so that no product can spare it by its name.
    """

    path: str  # where it is put, relative to the project
    text: str
    name: str  # by which a report shows it: part of its test id


class Pack(Protocol):
    @property
    def name(self) -> str:
        """As reports call it: "pytest", "node:test", "go test"."""

    @property
    def grade(self) -> Grade: ...

    def knows(self, arguments: Sequence[str]) -> bool:
        """Whether this simple command, split into words, runs tests with this tool (`python -m pytest -q tests`)."""

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """The same call, spelled for the shell, so that it leaves its report in ``"$AUTOPILOT_REPORTS"/<name>…``.

        Same tests, same exit status. Words come in as the shell would split them and are quoted again as needed.
        """

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        """What the tool reported. ``files`` are the reports of one call by their file names; ``output`` is what the
        whole command printed, for tools that have nothing better. A report that is missing is a ``problem``."""

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """A failing test that this call's tool would collect. None: there can be none.

        ``paths`` are the project's files, seen from where the call stands; so is the path of the canary.
        """

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        """The same call on these test files alone (the canary), with its settings, without its selection."""
