"""The options of ``autopilot issue``: defined and parsed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from autopilot.cli.output import print_warning
from autopilot.cli.run_options import add_accepted, whole_number
from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import DESIGN, FLAKY_RUNS, IMPL, IssueOptions, Route, SeedFinding
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.issue.rejection import split_rejection
from autopilot.planning.issue.request import check_findings
from autopilot.settings.reading import read_settings

MARKER = "FA_HANDOFF"


def add_issue_options(issue: argparse.ArgumentParser) -> None:
    issue.add_argument(
        "issue", nargs="+", metavar="ISSUE", help="number, folder, file with the text, or title of the issue"
    )
    scope = issue.add_argument_group("phases and route")
    phase = scope.add_mutually_exclusive_group()
    phase.add_argument("--define", action="store_true", help="let the agent draft a missing prd.md; you approve it")
    phase.add_argument(
        "--design", action="store_true", help="only the design (stories, plan, tests), up to your approval"
    )
    phase.add_argument("--impl", action="store_true", help="only the implementation of an approved design")
    routes = "full, express (documents only), bugfix or flaky; Autopilot suggests one, you choose"
    scope.add_argument("--route", choices=[route.value for route in Route], metavar="ROUTE", help=routes)
    finding = "what has to change; may be repeated"
    scope.add_argument("--finding", action="append", default=[], metavar="TEXT", help=finding)
    scope.add_argument(
        "--findings", metavar="FILE", help="findings from a JSON file: a list of objects with evidence_ref"
    )
    marker = (
        f"ask you nothing and mark the finished issue as ready to merge; needs {MARKER}=1 in this call's environment"
    )
    scope.add_argument("--hand-off", action="store_true", help=marker)
    scope.add_argument(
        "--fresh", action="store_true", help="archive the unfinished run of this issue and start a new one"
    )
    checks = issue.add_argument_group("checks")
    add_accepted(checks)
    checks.add_argument("--at-command", default="", metavar="COMMAND", help="command that runs the acceptance tests")
    checks.add_argument("--at-step", default="", metavar="STEP", help="step whose work the acceptance tests check")
    steps = "steps of a phase in their order: design=STEP,STEP or impl=STEP"
    checks.add_argument("--steps", action="append", default=[], metavar="PHASE=STEPS", help=steps)
    limit = "maximum iterations of every step, or STEP=N for one step; may be repeated (default 4, implementation 8)"
    checks.add_argument("--max-iterations", action="append", default=[], metavar="N", help=limit)
    runs = f"how often a flaky test runs before and after the fix (default {FLAKY_RUNS})"
    checks.add_argument("--flaky-runs", type=whole_number(3, 1000), default=FLAKY_RUNS, metavar="N", help=runs)
    checks.add_argument(
        "--design-heavy", action="store_true", help="use the designer's agent for the implementation from the start"
    )


def read_issue_options(options: argparse.Namespace) -> IssueOptions:
    return IssueOptions(
        route=Route(options.route) if options.route else None,
        define=options.define,
        only=DESIGN if options.design else IMPL if options.impl else None,
        steps=dict(_parse_steps(value) for value in options.steps),
        at_step=options.at_step,
        at_command=options.at_command.strip(),
        max_iterations=dict(_parse_limit(value) for value in options.max_iterations),
        hand_off=options.hand_off and _is_hand_off_allowed(),
        design_heavy=options.design_heavy,
        flaky_runs=options.flaky_runs,
    )


def read_findings(options: argparse.Namespace) -> tuple[SeedFinding, ...]:
    if any(not text.strip() for text in options.finding):
        raise UsageError("--finding has no text", 'write --finding "what has to change"')
    findings = tuple(finding for text in options.finding for finding in split_rejection(text))  # split as at a gate
    return findings + _read_findings_file(options.findings) if options.findings else findings


def _read_findings_file(name: str) -> tuple[SeedFinding, ...]:
    try:
        raw = msgspec.json.decode(Path(name).read_bytes())
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}", "name a readable file: --findings FILE") from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        hint = 'write a list such as [{"evidence_ref": "what has to change"}]'
        raise UsageError(f"{name} is not valid JSON", hint) from error
    return check_findings(raw)


def _is_hand_off_allowed() -> bool:
    """The environment variable is required per call: an option alone must not remove the user's gates."""
    if read_settings().environment.get(MARKER) == "1":
        return True
    print_warning(f"--hand-off is ignored: {MARKER}=1 is not set for this call; you decide at all three gates")
    return False


def _parse_steps(value: str) -> tuple[PhaseId, tuple[str, ...]]:
    name, _, steps = value.partition("=")
    if name not in (DESIGN, IMPL):
        hint = f"name the phase and its steps: --steps {DESIGN}=STEP,STEP or --steps {IMPL}=STEP"
        raise UsageError(f'--steps {value}: "{name}" is not a phase of an issue', hint)
    return PhaseId(name), _split_list(steps)


def _split_list(text: str) -> tuple[str, ...]:
    items: Sequence[str] = [item.strip() for item in text.split(",")]
    return tuple(item for item in items if item)


def _parse_limit(value: str) -> tuple[str, int]:
    step, _, number = value.rpartition("=")
    try:
        return step, whole_number(1)(number)
    except argparse.ArgumentTypeError as error:
        hint = "write --max-iterations 4, or --max-iterations STEP=4 for one step"
        raise UsageError(f"--max-iterations: {error}", hint) from error
