"""Runs the conformance cases on agents."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from autopilot.model.errors import AgentMissing, AutopilotError, UsageError
from autopilot.settings.reading import Settings
from autopilot.simulation.conformance.cases import CASES, FOUND, Case
from autopilot.simulation.conformance.environment import CaseEnvironment
from autopilot.simulation.conformance.model_endpoint import find_obstacle
from autopilot.simulation.conformance.result import CaseFailed, Finding, Result, failed, not_testable


class CaseResult(Struct, frozen=True):
    """The result of one case on one agent."""

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


def run_cases(names: Sequence[str], settings: Settings, cases: Sequence[Case] = CASES) -> Iterator[CaseResult]:
    """Yields the results. Raises Unavailable before the first case when an agent is unknown."""
    settings.policy()
    roster = settings.roster()
    obstacles = {name: find_obstacle(roster, name) for name in dict.fromkeys(names)}
    for name, obstacle in obstacles.items():
        with tempfile.TemporaryDirectory(prefix="autopilot-test-", ignore_cleanup_errors=True) as folder:
            yield from _run_agent(name, obstacle, settings, cases, Path(folder).resolve())


def is_certified(results: Sequence[CaseResult]) -> bool:
    return all(result.result is Result.PASS for result in results if result.required)


def _run_agent(
    name: str, obstacle: str, settings: Settings, cases: Sequence[Case], folder: Path
) -> Iterator[CaseResult]:
    environment = None if settings.roster().is_scripted(name) else CaseEnvironment(folder, name, settings)
    for case in cases:
        began = time.monotonic()
        finding = (
            _run_case(case, environment) if environment and (case is FOUND or not obstacle) else not_testable(obstacle)
        )
        took_ms = round((time.monotonic() - began) * 1000)
        if case is FOUND and finding.result is Result.FAIL:
            obstacle = "its program was not found"
        yield CaseResult(name, case.name, case.required, finding.result, _one_line(finding.detail), took_ms)


def _run_case(case: Case, environment: CaseEnvironment) -> Finding:
    try:
        return case.perform(environment)
    except CaseFailed as failure:
        return failed(str(failure))
    except AgentMissing as missing:
        return failed(f"{missing}; {missing.hint}")
    except AutopilotError as error:  # a problem of this machine, not of the agent
        return not_testable(f"{error}; {error.hint}")


def _one_line(detail: str) -> str:
    return " ".join(detail.split())
