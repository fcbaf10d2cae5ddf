"""The flags of ``autopilot issue``, and what they mean."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from autopilot.cli.run_options import whole
from autopilot.cli.saying import warn
from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import DESIGN, FLAKY_RUNS, IMPL, Route, SeedFinding, Wishes
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.issue.rejection import split_rejection
from autopilot.planning.issue.request import check_findings
from autopilot.settings.reading import read_settings

MARKER = "FA_HANDOFF"


def add_issue_options(issue: argparse.ArgumentParser) -> None:
    issue.add_argument(
        "issue", nargs="+", metavar="ISSUE", help="its number, its folder, a file with its text, a title"
    )
    way = issue.add_argument_group("how far, and which way")
    only = way.add_mutually_exclusive_group()
    only.add_argument("--define", action="store_true", help="have prd.md drafted where there is none; you approve it")
    only.add_argument("--design", action="store_true", help="stories, plan and tests alone, up to your approval")
    only.add_argument("--impl", action="store_true", help="the implementation alone, on an approved design")
    routes = "full, express (documents alone), bugfix or flaky; advised by label and words, chosen by you"
    way.add_argument("--route", choices=[route.value for route in Route], metavar="ROUTE", help=routes)
    says = "what has to change, in your words; may be repeated"
    way.add_argument("--finding", action="append", default=[], metavar="TEXT", help=says)
    way.add_argument("--findings", metavar="FILE", help="the same as a JSON list of objects with evidence_ref")
    marker = f"for a merge coordinator: honoured only where {MARKER}=1 is set for this call"
    way.add_argument("--hand-off", action="store_true", help=marker)
    way.add_argument("--fresh", action="store_true", help="archive an unfinished run of this issue and start anew")
    how = issue.add_argument_group("how it is looked at")
    how.add_argument("--at-command", default="", metavar="COMMAND", help="what runs the acceptance tests")
    how.add_argument("--at-step", default="", metavar="STEP", help="the step whose work is put to them")
    steps = "the steps of a phase, in order: design=STEP,STEP or impl=STEP"
    how.add_argument("--steps", action="append", default=[], metavar="PHASE=STEPS", help=steps)
    most = "iterations of every step, or STEP=N of one; may be repeated (default 4, the implementation 8)"
    how.add_argument("--max-iterations", action="append", default=[], metavar="N", help=most)
    runs = f"how often a flaky test is run before and after (default {FLAKY_RUNS})"
    how.add_argument("--flaky-runs", type=whole(3, 1000), default=FLAKY_RUNS, metavar="N", help=runs)
    how.add_argument("--design-heavy", action="store_true", help="implement with the designer's agent from the start")


def read_wishes(options: argparse.Namespace) -> Wishes:
    return Wishes(
        route=Route(options.route) if options.route else None,
        define=options.define,
        only=DESIGN if options.design else IMPL if options.impl else None,
        steps=dict(_steps(word) for word in options.steps),
        at_step=options.at_step,
        at_command=options.at_command.strip(),
        max_iterations=dict(_limit(word) for word in options.max_iterations),
        hand_off=options.hand_off and _is_marked(),
        design_heavy=options.design_heavy,
        flaky_runs=options.flaky_runs,
    )


def read_findings(options: argparse.Namespace) -> tuple[SeedFinding, ...]:
    if any(not text.strip() for text in options.finding):
        raise UsageError("a finding without words is none", '--finding "what has to change"')
    said = tuple(finding for text in options.finding for finding in split_rejection(text))  # as at a gate
    return said + _from_file(options.findings) if options.findings else said


def _from_file(name: str) -> tuple[SeedFinding, ...]:
    try:
        raw = msgspec.json.decode(Path(name).read_bytes())
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}", "--findings FILE") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{name} is no JSON: {error}", '[{"evidence_ref": "what has to change"}]') from error
    return check_findings(raw)


def _is_marked() -> bool:
    """Who starts many issues says so for each call; a flag alone must not take a person's gates away."""
    if read_settings().environment.get(MARKER) == "1":
        return True
    warn(f"--hand-off is ignored: {MARKER}=1 is not set for this call, so all three gates are yours")
    return False


def _steps(word: str) -> tuple[PhaseId, tuple[str, ...]]:
    name, _, steps = word.partition("=")
    if name not in (DESIGN, IMPL):
        raise UsageError(f"{name or word} is no phase of an issue", "--steps design=STEP,STEP or --steps impl=STEP")
    return PhaseId(name), _words(steps)


def _words(text: str) -> tuple[str, ...]:
    found: Sequence[str] = [word.strip() for word in text.split(",")]
    return tuple(word for word in found if word)


def _limit(word: str) -> tuple[str, int]:
    step, _, number = word.rpartition("=")
    try:
        return step, whole(1)(number)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"--max-iterations {word}: {error}", "--max-iterations 4 or STEP=4") from error
