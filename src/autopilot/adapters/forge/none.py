"""No forge at all: what stands in when the user has named none."""

from __future__ import annotations

from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.ports.forge import ForgeIssue, StatusState

LIST = 'Issues are listed by `gh`: write kind = "gh" below [forge] in your settings.toml.'


class NoForge:
    def check(self) -> None: ...

    def issue(self, number: int) -> ForgeIssue | None:  # noqa: ARG002 -- nobody is asked
        return None

    def planned(self, milestone: str) -> tuple[PlannedIssue, ...]:  # noqa: ARG002
        raise Unavailable("your settings name no forge", LIST)

    def push(self, commit: str, branch: str) -> str:  # noqa: ARG002 -- nothing leaves this machine
        return ""

    def draft(self, branch: str, base: str, title: str, body: str) -> str:  # noqa: ARG002
        return ""

    def comment(self, url: str, body: str) -> None: ...

    def label(self, number: int, label: str) -> None: ...

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str = "") -> None: ...
