"""Resuming an issue: which options the user gives now, and what the checkout holds of the approved files."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from autopilot.events.issue.happened import IssueReentered
from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.human import GateKind
from autopilot.model.issue.issue import IssueOptions, SeedFinding
from autopilot.ports.bundle import Ports
from autopilot.rails.issue.convergence import fingerprint


def take_up(
    issue: IssueState, ports: Ports, options: IssueOptions | None = None, findings: tuple[SeedFinding, ...] = ()
) -> IssueReentered:
    """Who passes the gates is set by each command; a command that does not set it leaves them to the user."""
    options = options or replace(issue.options, hand_off=False)
    return IssueReentered(options, findings, _anchors(issue, ports))


def last_asked(number: int, runs: Iterable[RunState]) -> int:
    """The highest number of a gate of that issue: an answer by a name from an old message means the old gate."""
    about = [run for run in runs if run.issue is not None and run.issue.brief.number == number]
    gates = [gate.asked for run in about for gate in run.people.gates.values() if gate.asked.kind is not GateKind.ROUTE]
    return max((int(asked.gate.rpartition("-")[2]) for asked in gates), default=0)


def print_of(text: bytes | None) -> str:
    return fingerprint((text or b"").decode("utf-8", "replace"))


def _anchors(issue: IssueState, ports: Ports) -> dict[str, str]:
    """What the checkout has of what was approved: a person may have changed it since."""
    paths = {path for pin in issue.pinned.pins.values() for path in pin.files}
    found = {path: ports.checkout.read(path) for path in sorted(paths)}
    return {path: print_of(text) for path, text in found.items() if text is not None}
