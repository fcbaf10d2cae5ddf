"""What may be asked of an issue run. Refused closed: whatever would leave a gate out is an error, not a default."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.errors import UsageError
from autopilot.model.issue.issue import AT_STEPS, DESIGN, IMPL, STEPS, IssueOptions, Route, SeedFinding
from autopilot.model.planning.roadmap import PhaseId

PHASES = (DESIGN, IMPL)
FEWEST_FLAKY_RUNS = 3  # a test is flaky that failed twice and passed as well
_PRIORITY = re.compile(r"\s*[Pp]?(\d{1,3})\s*\Z", re.ASCII)
_HIGHEST = 999
# It stands in the audit log and in the subjects of commits.
_STEP = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


def check_findings(raw: object) -> tuple[SeedFinding, ...]:
    """What an iteration is to fix, from outside: an empty list would look as if there were nothing."""
    form = 'write a list: [{"evidence_ref": "AC-2 is not covered", "priority": 0}]'
    if not isinstance(raw, list):
        raise UsageError("findings are not a list", form)
    if not raw:
        raise UsageError("the list of findings is empty", "name at least one, or leave the list out")
    return tuple(_finding(number, entry) for number, entry in enumerate(raw, 1))


def check_options(options: IssueOptions, route: Route, phase: PhaseId) -> None:
    for wrong, hint in _faults(options, route, phase):
        raise UsageError(wrong, hint)


def steps_of(options: IssueOptions, route: Route, phase: PhaseId) -> tuple[str, ...]:
    if phase not in PHASES:
        raise UsageError(f"there is no phase {phase!r} of an issue", f"the phases are {' and '.join(PHASES)}")
    return tuple(options.steps.get(phase, STEPS[route][phase]))


def at_step_of(options: IssueOptions, route: Route) -> str:
    """The step whose work the oracle judges; "" where the route has none."""
    return options.at_step or AT_STEPS[route]


def normalise_priority(value: object) -> int:
    """A number from 0 to 999, also as "1" or "P1"; anything else blocks, so that no slip lets a finding through."""
    if isinstance(value, str) and (found := _PRIORITY.match(value)):
        return int(found[1])
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 <= value <= _HIGHEST
        and value == int(value)
    ):
        return int(value)
    return 0


def _finding(number: int, entry: object) -> SeedFinding:
    if not isinstance(entry, dict):
        raise UsageError(f"finding {number} is not an object", 'write {"evidence_ref": "…", "priority": 0}')
    evidence = entry.get("evidence_ref")
    if not isinstance(evidence, str) or not evidence.strip():
        hint = "name the evidence in evidence_ref: a failing test, a criterion, a person's comment"
        raise UsageError(f"finding {number} has no evidence", hint)
    detail, about = (value if isinstance(value := entry.get(key), str) else "" for key in ("detail", "about"))
    return SeedFinding(evidence, detail, normalise_priority(entry.get("priority")), about)


def _faults(options: IssueOptions, route: Route, phase: PhaseId) -> Iterator[tuple[str, str]]:
    named = (phase, *options.steps, *((options.only,) if options.only is not None else ()))
    for unknown in (name for name in named if name not in PHASES):
        yield f"there is no phase {unknown!r} of an issue", f"the phases are {' and '.join(PHASES)}"
        return
    yield from _step_faults(options, route, phase)
    yield from _limit_faults(options, route)
    if options.at_command and not options.at_command.strip():
        yield "the command of the acceptance tests is blank", "name a command, or leave it out"
    if options.flaky_runs < FEWEST_FLAKY_RUNS:
        yield f"{options.flaky_runs} runs are too few to observe a flaky test", f"ask for {FEWEST_FLAKY_RUNS} or more"


def _step_faults(options: IssueOptions, route: Route, phase: PhaseId) -> Iterator[tuple[str, str]]:
    if route is Route.EXPRESS and (options.at_step or options.only == IMPL or IMPL in options.steps):
        yield (
            "the express route has no implementation phase",
            f"choose --route {Route.FULL.value} for what changes behaviour",
        )
    for name, steps in options.steps.items():
        if not steps:
            yield f"the list of steps of the {name} phase is empty", "name its steps, or leave the list out"
        if odd := [step for step in steps if not _STEP.match(step)]:
            yield f"{odd[0]!r} is not a valid name of a step", "use letters, digits, dots and dashes"
        if len(set(steps)) < len(steps):
            yield f"a step of the {name} phase is named twice", "name every step once"
    at_step, steps = at_step_of(options, route), steps_of(options, route, phase)
    if phase == IMPL and at_step and at_step not in steps:
        hint = "add it to --steps, or name another with --at-step: without it nothing would be tested"
        known = ", ".join(steps)
        yield f"the impl phase has no step {at_step} to run the deciding tests; its steps are {known}", hint
    if phase == IMPL and at_step in steps and steps[-1] != at_step:
        hint = f"let {at_step} be the last: Autopilot does not judge what comes after it"
        yield f"the step {steps[-1]} comes after {at_step}, which runs the deciding tests", hint
    early = [step for step in steps if step and step in (at_step, *AT_STEPS.values())]
    if phase == DESIGN and early:
        hint = "leave it to the impl phase: code may not be changed before the design is approved"
        yield f"the design phase must not have the step {early[0]}", hint


def _limit_faults(options: IssueOptions, route: Route) -> Iterator[tuple[str, str]]:
    steps = [step for phase in PHASES for step in steps_of(options, route, phase)]
    for step, limit in options.max_iterations.items():
        if step and step not in steps:
            yield f"a limit is set for {step!r}, which is no step of this run", f"steps: {', '.join(steps)}"
        if isinstance(limit, bool) or limit < 1:
            yield f"the iteration limit {limit} of {step or 'every step'} is too low", "allow 1 or more"
