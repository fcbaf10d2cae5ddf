"""What `doctor` finds of the conditions of checks: services, each tried, and what else your settings give them."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.api.findings.finding import Finding
from autopilot.engine.planning_files import CONFIG
from autopilot.model.conditions import Conditions, Daemon, Reach
from autopilot.ports.sandbox import DaemonRun, Exited, Outcome

REMEDY = f"correct verify.services in {CONFIG}, or install what its commands need"
_MANY_BYTES = 1 << 20  # of output, while nothing is asked of it


def find_given(conditions: Conditions) -> Iterator[Finding]:
    """What the user's settings give to checks and setups of this repository."""
    reached = conditions.describe_reach()
    if conditions.network is Reach.OPEN:
        remedy = 'name ports instead: network = "loopback" and ports = [5432] in [verify]'
        yield Finding("network", "warning", f"checks may reach {reached}, by your settings", remedy)
    elif reached:
        yield Finding("network", "ok", f"checks may reach {reached}, by your settings")
    for kind, names in (("checks", conditions.env), ("setup", conditions.setup_env)):
        if names:
            yield Finding("variables", "ok", f"{kind} get {', '.join(names)} of your environment")


def find_services(conditions: Conditions, outcome: Outcome, *, is_known: bool) -> Iterator[Finding]:
    """``outcome``: of a command beside them; ``is_known``: that one is not ready was reported already."""
    ready = {started.name: started for started in outcome.services}
    for daemon in conditions.services:
        if daemon.name in ready:
            yield _describe(daemon, ready[daemon.name])
    if outcome.ended != Exited(0) and not is_known:
        yield Finding("services", "problem", str(getattr(outcome.ended, "reason", outcome.ended)), REMEDY)


def _describe(daemon: Daemon, started: DaemonRun) -> Finding:
    where = f" on port {daemon.port}" if daemon.port else ""
    detail = f"{daemon.name}: ready{where} in {started.ready_ms / 1000:.1f} s: `{daemon.start}`"
    if started.printed > _MANY_BYTES:
        return Finding("services", "warning", f"{detail}; it printed {started.printed >> 20} MB", "make it print less")
    return Finding("services", "ok", detail)
