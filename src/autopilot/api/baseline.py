"""The baseline that a run would begin with, as `doctor` reports it: by the same code, so that both say the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from autopilot.api.findings.condition_findings import REMEDY, find_services
from autopilot.api.findings.finding import Finding
from autopilot.engine.baseline import (
    Baseline,
    Progress,
    Sorted,
    make_context,
    observe_baseline,
    separate_flaky,
    sort_red,
    start_services,
    with_environment,
)
from autopilot.engine.baseline_stop import (
    FEW,
    config_place,
    describe_flaky,
    describe_stops,
    describe_unasked,
    how_to_fix,
    spell_accepted,
    when_accepted,
)
from autopilot.engine.planning_files import CONFIG
from autopilot.engine.written_plans import read_text
from autopilot.gates.baseline import ALL, Goal, Red
from autopilot.model.conditions import SearchPath, activate
from autopilot.model.errors import AutopilotError
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.policy import Policy
from autopilot.ports.bundle import Ports

_LABEL = "doctor"
_NO_TEST = "add the first one, or write the command that runs your tests into"


def try_baseline(
    ports: Ports, policy: Policy, written: frozenset[str], goals: Sequence[Goal], progress: Progress
) -> Iterator[Finding]:
    """``policy``: as settled for a run; ``goals``: what the open phases are to reach."""
    commit = ports.checkout.head()
    try:
        ports.vault.adopt(commit)
        baseline = observe_baseline(_LABEL, commit, policy, written, ports, progress)
    except AutopilotError as error:
        yield Finding("baseline", "problem", str(error), error.hint)
        return
    policy = policy if baseline.setup_failed else with_environment(_LABEL, commit, policy, ports)
    found = sort_red(baseline, goals, policy.accept_red)
    found = separate_flaky(make_context(_LABEL, policy, ports), commit, baseline, found, progress)
    config = read_text(ports.checkout, CONFIG)
    if baseline.setup is not None:
        yield _setup(baseline, baseline.setup, config)
        yield from _programs(activate(policy.environment, policy.environment))
    untried = [name for name, _ in policy.commands.checks()] if baseline.setup_failed else []
    if untried:
        yield Finding("baseline", "note", f"not tried: {', '.join(untried)} (setup failed before)")
    for seen in baseline.seen:
        yield _describe(baseline, found, seen, config)
    if policy.conditions.services and not baseline.setup_failed:
        progress(f"baseline: services: {', '.join(daemon.name for daemon in policy.conditions.services)}")
        outcome = start_services(_LABEL, commit, policy, ports)
        is_known = any(seen.lacks_service for seen in baseline.seen)
        yield from find_services(policy.conditions, outcome, is_known=is_known)


def _setup(baseline: Baseline, setup: Observation, config: str) -> Finding:
    detail = f"setup: `{setup.command}` {_took(setup)}"
    if not baseline.setup_failed:
        return Finding("baseline", "ok", f"{detail}: worked")
    output = " / ".join(baseline.lines_of(setup.subject)) or setup.reason
    remedy = f"correct project.commands.setup in {config_place(config, 'project', 'commands', 'setup')}"
    return Finding("baseline", "problem", f"{detail}: failed: {output}", remedy)


def _programs(search: SearchPath) -> Iterator[Finding]:
    """How commands find what setup installed: who reads `pytest` in a criterion wants to know which one that is."""
    first = f"with {search.environment} activated ({', '.join(search.first)} first in PATH)" if search.first else ""
    last = f"with {', '.join(search.last)} last in PATH" if search.last else ""
    if first or last:
        yield Finding("baseline", "ok", f"setup: commands and criteria run {' and '.join(filter(None, (first, last)))}")


def _describe(baseline: Baseline, found: Sorted, seen: Observation, config: str) -> Finding:
    """A problem is what a run would stop for; what it only compares with is a note."""
    detail = f"{seen.subject}: `{seen.command}` {_took(seen)}"
    counted = f": {seen.tests.in_words}" if seen.tests and seen.tests.ran else ""
    if seen.lacks_service:
        return Finding("services", "problem", f"{detail}: {seen.reason}", REMEDY)
    if seen.tests and seen.tests.is_empty and seen.subject not in {red.check for red in baseline.red}:
        return Finding("baseline", "warning", f"{detail}: it ran no test", f"{_NO_TEST} {CONFIG}")
    if seen.seen is Seen.PASSED:
        return Finding("baseline", "ok", f"{detail}{counted or ': passed'}")
    if stops := [red for red in found.stops if red.check == seen.subject]:
        output = describe_stops(baseline, stops).removeprefix(f"{seen.subject}: `{seen.command}` ")
        return Finding("baseline", "problem", f"{detail}{counted}: {output}", _remedy(baseline, stops, config))
    if seen.is_not_run and seen.subject not in {red.check for red in baseline.red}:
        return Finding("baseline", "warning", *describe_unasked(seen))
    if flaky := [red for red in found.flaky if red.check == seen.subject]:
        return Finding(
            "baseline", "warning", f"{detail}{counted}: {describe_flaky(flaky)}", "make it stable: a run goes on"
        )
    expected = [red.id for red in (*found.accepted, *found.aimed_at) if red.check == seen.subject]
    if expected:
        return Finding("baseline", "note", f"{detail}{counted}: red, accepted or to be fixed: {', '.join(expected)}")
    output = " / ".join(baseline.lines_of(seen.subject))
    return Finding("baseline", "note", f"{detail}: red before any work, a run accepts nothing beyond it: {output}")


def _remedy(baseline: Baseline, stops: Sequence[Red], config: str) -> str:
    first = how_to_fix(baseline, "fix it first")
    ids = [red.id for red in stops] if len(stops) <= FEW else [ALL]
    if stops[0].is_not_run:
        place = config_place(config, "project", "commands", stops[0].check)
        first = f"correct project.commands.{stops[0].check} or project.commands.setup in {place}"
    lasting = f'for every run: "accept_red": {json.dumps(ids)} below "project" in {CONFIG}'
    begin = f"begin with it red{when_accepted(baseline, stops)}: `autopilot run{spell_accepted(ids)}`"
    return f"{first}; or {begin}, {lasting}"


def _took(seen: Observation) -> str:
    return f"in {seen.duration_ms / 1000:.1f} s"
