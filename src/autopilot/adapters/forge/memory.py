"""A forge that keeps what it receives: a fake for tests, and one that fails on request."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.model.errors import Unavailable
from autopilot.model.forge import PlannedIssue
from autopilot.ports.forge import ForgeIssue, StatusState


class RememberedForge:
    def __init__(self, issues: Mapping[int, ForgeIssue] | None = None, problem: str = "") -> None:
        self.issues = dict(issues or {})
        self.plans: dict[str, tuple[PlannedIssue, ...]] = {}  # by milestone
        self.problem = problem
        self.branches: dict[str, str] = {}
        self.drafts: dict[str, tuple[str, str, str]] = {}  # by address: base, title, body
        self.comments: list[tuple[str, str]] = []
        self.labels: list[tuple[int, str]] = []
        self.statuses: list[tuple[str, StatusState, str, str]] = []  # commit, state, name, text

    def check(self) -> None:
        self._answer()

    def issue(self, number: int) -> ForgeIssue | None:
        self._answer()
        return self.issues.get(number)

    def planned(self, milestone: str) -> tuple[PlannedIssue, ...]:
        self._answer()
        known = self.plans.get(milestone, ())
        return known if milestone else tuple(issue for issue in known if not issue.closed)

    def push(self, commit: str, branch: str) -> str:
        self._answer()
        self.branches[branch] = commit
        return branch

    def draft(self, branch: str, base: str, title: str, body: str) -> str:
        self._answer()
        url = f"https://forge.example.org/pull/{branch}"
        self.drafts[url] = (base, title, body)
        return url

    def comment(self, url: str, body: str) -> None:
        self._answer()
        if url:
            self.comments.append((url, body))

    def label(self, number: int, label: str) -> None:
        self._answer()
        self.labels.append((number, label))

    def status(self, commit: str, state: StatusState, name: str, text: str, url: str = "") -> None:  # noqa: ARG002
        self._answer()
        self.statuses.append((commit, state, name, text))

    def _answer(self) -> None:
        if self.problem:
            raise Unavailable(self.problem, "it was asked to fail")
