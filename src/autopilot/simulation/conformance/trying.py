"""Trying agents: every case on every one of them, and what that makes of each."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from autopilot.model.errors import AgentMissing, AutopilotError, UsageError
from autopilot.settings.reading import Settings
from autopilot.simulation.conformance.aiming import find_obstacle
from autopilot.simulation.conformance.cases import CASES, FOUND, Case
from autopilot.simulation.conformance.finding import Finding, Flunked, Result, failed, not_testable
from autopilot.simulation.conformance.stage import Stage


class Tried(Struct, frozen=True):
    """One case on one agent."""

    agent: str
    case: str
    required: bool
    result: Result
    detail: str
    duration_ms: int = 0


def choose_cases(names: Sequence[str]) -> tuple[Case, ...]:
    """All of them when none is named."""
    known = {case.name: case for case in CASES}
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"there is no case named {unknown[0]!r}", f"choose from: {', '.join(known)}")
    return tuple(known[name] for name in dict.fromkeys(names)) or CASES


def try_agents(names: Sequence[str], settings: Settings, cases: Sequence[Case] = CASES) -> Iterator[Tried]:
    """One result after the other. Unavailable before anything is tried when an agent is not known."""
    settings.policy()
    roster = settings.roster()
    obstacles = {name: find_obstacle(roster, name) for name in dict.fromkeys(names)}
    for name, obstacle in obstacles.items():
        with tempfile.TemporaryDirectory(prefix="autopilot-test-", ignore_cleanup_errors=True) as folder:
            yield from _try_agent(name, obstacle, settings, cases, Path(folder).resolve())


def is_certified(tried: Sequence[Tried]) -> bool:
    return all(each.result is Result.PASS for each in tried if each.required)


def _try_agent(name: str, obstacle: str, settings: Settings, cases: Sequence[Case], folder: Path) -> Iterator[Tried]:
    stage = None if settings.roster().is_scripted(name) else Stage(folder, name, settings)
    for case in cases:
        began = time.monotonic()
        finding = _perform(case, stage) if stage and (case is FOUND or not obstacle) else not_testable(obstacle)
        took_ms = round((time.monotonic() - began) * 1000)
        if case is FOUND and finding.result is Result.FAIL:
            obstacle = "it is not there"
        yield Tried(name, case.name, case.required, finding.result, _on_one_line(finding.detail), took_ms)


def _perform(case: Case, stage: Stage) -> Finding:
    try:
        return case.perform(stage)
    except Flunked as wrong:
        return failed(str(wrong))
    except AgentMissing as missing:
        return failed(f"{missing}; {missing.hint}")
    except AutopilotError as error:  # ours, not the agent's: nothing was seen of it
        return not_testable(f"{error}; {error.hint}")


def _on_one_line(detail: str) -> str:
    return " ".join(detail.split())
