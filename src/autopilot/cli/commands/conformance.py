"""``autopilot agents test``: cases down, agents across, and what that makes of each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec

from autopilot.cli.saying import say
from autopilot.cli.screen import Screen
from autopilot.model.errors import UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.settings.reading import Settings, read_settings
from autopilot.simulation.conformance.cases import CASES, Case
from autopilot.simulation.conformance.finding import Result
from autopilot.simulation.conformance.trying import Tried, choose_cases, is_certified, try_agents


def main(options: argparse.Namespace) -> int:
    if options.list:
        say(_aligned([(case.name, case.about + ("" if case.required else " (not required)")) for case in CASES]))
        return 0
    if not options.names:
        raise UsageError("no agent is named", "autopilot agents test NAME; `autopilot agents` lists them")
    cases, names = choose_cases(options.case), list(dict.fromkeys(options.names))
    settings = read_settings()
    settings.policy()
    for name in names:
        if not settings.roster().is_scripted(name):
            settings.roster().program(name)  # one that is not installed needs no matrix to say so
    tried = _try(names, settings, cases, options.quiet)
    say(_as_json(names, tried) if options.json else render(names, tried))
    return 0 if is_certified(tried) else 1


def render(names: Sequence[str], tried: Sequence[Tried]) -> str:
    """The matrix, then every agent in one line. With one agent there is room for the details in the matrix itself."""
    alone = len(names) == 1
    rows: list[tuple[str, ...]] = [("CASE", *names, *(("DETAIL",) if alone else ()))]
    by_case: dict[str, list[Tried]] = {}
    for each in tried:
        by_case.setdefault(each.case, []).append(each)
    rows += [
        (case, *(each.result.value for each in row), *((row[0].detail,) if alone else ()))
        for case, row in by_case.items()
    ]
    told = "" if alone else "".join(_remarks(tried))
    ends = "".join(f"{name}: {_sum_up([each for each in tried if each.agent == name])}\n" for name in names)
    return "\n".join(part for part in (_aligned(rows), _clean(told), ends) if part)


def _remarks(tried: Sequence[Tried]) -> Iterator[str]:
    """What is not to be seen in the matrix; the same words about several cases are said once."""
    cases: dict[tuple[str, str], list[str]] = {}
    for each in tried:
        if each.result is not Result.PASS:
            cases.setdefault((each.agent, each.detail), []).append(each.case)
    for (agent, detail), names in cases.items():
        yield f"{agent}, {' '.join(names)}: {detail}\n"


def _try(names: Sequence[str], settings: Settings, cases: Sequence[Case], quiet: bool) -> list[Tried]:
    under_way: list[str] = []
    tried = []
    with Screen(quiet=quiet, below=lambda _: under_way[-1:]) as screen:

        def announced() -> Iterator[str]:
            for name, case in product(names, cases):
                under_way.append(f"{name}: {case.about}")
                yield name

        # The announcement is asked for first, and so is made before its case is tried.
        for _, each in zip(announced(), try_agents(names, settings, cases), strict=True):
            screen.line(f"{each.agent}  {each.case}: {each.result.value} ({each.duration_ms / 1000:.1f} s)")
            tried.append(each)
    return tried


def _sum_up(tried: Sequence[Tried]) -> str:
    if is_certified(tried):
        return "passes every required case" if len(tried) == len(CASES) else "passes; not every case was tried"
    lacking = [each.case for each in tried if each.required and each.result is not Result.PASS]
    return f"does not pass: {', '.join(lacking)}"


def _as_json(names: Sequence[str], tried: Sequence[Tried]) -> str:
    def told(name: str) -> dict[str, Any]:
        own = [each for each in tried if each.agent == name]
        cases = [msgspec.to_builtins(each) for each in own]
        return {"agent": name, "passes": is_certified(own), "cases": cases}

    return json.dumps([told(name) for name in names], indent=2) + "\n"


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(_clean(line).rstrip() + "\n" for line in lines)


def _clean(text: str) -> str:
    return "\n".join(strip_controls(line) for line in text.split("\n"))
