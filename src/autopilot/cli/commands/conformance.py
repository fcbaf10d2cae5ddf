"""``autopilot agents test``: a matrix of cases and agents, and a summary for each agent."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec

from autopilot.cli.output import print_output
from autopilot.cli.screen import Screen
from autopilot.model.errors import UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.settings.reading import Settings, read_settings
from autopilot.simulation.conformance.cases import CASES, Case
from autopilot.simulation.conformance.result import Result
from autopilot.simulation.conformance.runner import CaseResult, choose_cases, is_certified, run_cases


def main(options: argparse.Namespace) -> int:
    if options.list:
        print_output(_align([(case.name, case.about + ("" if case.required else " (not required)")) for case in CASES]))
        return 0
    if not options.names:
        raise UsageError("no agent was named", "write `autopilot agents test NAME`; `autopilot agents` lists the names")
    cases, names = choose_cases(options.case), list(dict.fromkeys(options.names))
    settings = read_settings()
    settings.policy()
    for name in names:
        if not settings.roster().is_scripted(name):
            settings.roster().program(name)  # raises an error at once when the agent is not installed
    results = _run_cases(names, settings, cases, options.quiet)
    print_output(_render_json(names, results) if options.json else render(names, results))
    return 0 if is_certified(results) else 1


def render(names: Sequence[str], results: Sequence[CaseResult]) -> str:
    """The matrix, then one summary line per agent. With a single agent the matrix has a column of details."""
    is_single = len(names) == 1
    rows: list[tuple[str, ...]] = [("CASE", *names, *(("DETAIL",) if is_single else ()))]
    by_case: dict[str, list[CaseResult]] = {}
    for result in results:
        by_case.setdefault(result.case, []).append(result)
    rows += [
        (case, *(result.result.value for result in row), *((row[0].detail,) if is_single else ()))
        for case, row in by_case.items()
    ]
    notes = "" if is_single else "".join(_notes(results))
    summaries = "".join(
        f"{name}: {_summarize([result for result in results if result.agent == name])}\n" for name in names
    )
    return "\n".join(part for part in (_align(rows), _clean(notes), summaries) if part)


def _notes(results: Sequence[CaseResult]) -> Iterator[str]:
    """Details that the matrix does not show; cases with the same detail share a line."""
    cases: dict[tuple[str, str], list[str]] = {}
    for result in results:
        if result.result is not Result.PASS:
            cases.setdefault((result.agent, result.detail), []).append(result.case)
    for (agent, detail), names in cases.items():
        yield f"{agent}, {' '.join(names)}: {detail}\n"


def _run_cases(names: Sequence[str], settings: Settings, cases: Sequence[Case], quiet: bool) -> list[CaseResult]:
    current: list[str] = []
    results = []
    with Screen(quiet=quiet, below=lambda _: current[-1:]) as screen:

        def announced() -> Iterator[str]:
            for name, case in product(names, cases):
                current.append(f"{name}: {case.about}")
                yield name

        # `zip` advances `announced` first, so a case is announced before it runs.
        for _, result in zip(announced(), run_cases(names, settings, cases), strict=True):
            screen.line(f"{result.agent}  {result.case}: {result.result.value} ({result.duration_ms / 1000:.1f} s)")
            results.append(result)
    return results


def _summarize(results: Sequence[CaseResult]) -> str:
    if all(result.result is Result.NOT_TESTABLE for result in results):
        return f"cannot be certified: {results[0].detail}"
    if is_certified(results):
        return (
            "passes every required case"
            if len(results) == len(CASES)
            else "passes the cases that were run; not all cases were run"
        )
    failed = [result for result in results if result.result is not Result.PASS]
    required, others = ([result.case for result in failed if result.required is wanted] for wanted in (True, False))
    return f"does not pass: {', '.join(required)} (required)" + (f"; {', '.join(others)}" if others else "")


def _render_json(names: Sequence[str], results: Sequence[CaseResult]) -> str:
    def document(name: str) -> dict[str, Any]:
        own = [result for result in results if result.agent == name]
        cases = [msgspec.to_builtins(result) for result in own]
        return {"agent": name, "passes": is_certified(own), "cases": cases}

    return json.dumps([document(name) for name in names], indent=2) + "\n"


def _align(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(_clean(line).rstrip() + "\n" for line in lines)


def _clean(text: str) -> str:
    return "\n".join(strip_controls(line) for line in text.split("\n"))
