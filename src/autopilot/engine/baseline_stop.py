"""Whether a run may begin on its baseline: what stops it, what was accepted, and the commands that help."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.engine.baseline import (
    Baseline,
    Sorted,
    make_context,
    observe_baseline,
    separate_flaky,
    sort_red,
    with_environment,
)
from autopilot.engine.planning_files import CONFIG
from autopilot.engine.written_plans import read_text
from autopilot.gates.baseline import ALL, TEST, Goal, Red
from autopilot.model.errors import Unavailable
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.policy import Policy
from autopilot.ports.bundle import Ports
from autopilot.text.json_span import line_of
from autopilot.text.last_lines import most_telling
from autopilot.text.naming import name_some

MOST_NAMED = 5  # ids in one message: all of them are listed before it
FEW = 3  # ids that a suggested command names one by one
DOCTOR = "`autopilot doctor` runs every command and shows what it prints"
NOTHING_SPENT = "no agent was started, nothing was spent"


class Begin(Struct, frozen=True):
    """A run that is about to begin."""

    run: str
    commit: str
    policy: Policy
    written: frozenset[str]  # the commands that the config names
    goals: tuple[Goal, ...]
    accepted: tuple[str, ...]  # by this call
    command: str  # the call as its user wrote it
    is_issue: bool = False


def see_baseline(begin: Begin, ports: Ports) -> tuple[tuple[Observation, ...], tuple[str, ...]]:
    """What was seen at the commit it begins with, and warnings. Unavailable where it must not begin like that."""
    baseline = observe_baseline(begin.run, begin.commit, begin.policy, begin.written, ports)
    if lacking := next((observation for observation in baseline.seen if observation.lacks_service), None):
        raise Unavailable(f"{lacking.subject}: `{lacking.command}` cannot run here: {lacking.reason}", NOTHING_SPENT)
    if any(observation.seen is Seen.NOTHING for observation in (*baseline.seen, baseline.setup) if observation):
        return (), ()  # the sandbox is at fault, not the project: the first step of the run pauses with its remedy
    found = sort_red(baseline, begin.goals, (*begin.accepted, *begin.policy.accept_red))
    if begin.is_issue:
        found = _leave_tests_to_issue(found)
    policy = with_environment(begin.run, begin.commit, begin.policy, ports)
    found = separate_flaky(make_context(begin.run, policy, ports), begin.commit, baseline, found)
    return baseline.seen, must_stand(baseline, found, read_text(ports.checkout, CONFIG), begin.command)


def _leave_tests_to_issue(found: Sorted) -> Sorted:
    """An issue is often about what is red without naming a test; its route reproduces that before any change."""
    stops = tuple(red for red in found.stops if red.is_not_run)
    return Sorted(stops, (*found.accepted, *(red for red in found.stops if not red.is_not_run)), found.aimed_at)


def must_stand(baseline: Baseline, found: Sorted, config: str, command: str) -> tuple[str, ...]:
    if baseline.setup_failed:
        raise _setup_failed(baseline, config)
    if found.stops:
        what_to_do = _what_to_do(baseline, found.stops, config, command)
        raise Unavailable(describe_stops(baseline, found.stops), what_to_do, list_tests(found.stops))
    return tuple(_warn(baseline, found))


def list_tests(stops: Sequence[Red]) -> list[str]:
    """Every red test by its id, with what its tool says of it."""
    tests = [red for red in stops if red.id != red.check]
    return [f"  red: {red.id}{f' -- {red.because}' if red.because else ''}" for red in tests]


def describe_stops(baseline: Baseline, stops: Sequence[Red]) -> str:
    """Single tests together, every check that says nothing of single tests by itself."""
    parts = [_describe_check(baseline, red) for red in stops if red.id == red.check]
    if tests := [red.id for red in stops if red.id != red.check]:
        are = "1 test is" if len(tests) == 1 else f"{len(tests)} tests are"
        parts.append(f"{are} red before any work: {name_some(tests, MOST_NAMED)}")
    return "; ".join(parts)


def _describe_check(baseline: Baseline, red: Red) -> str:
    command, printed = baseline.command_of(red.check), baseline.lines_of(red.check)
    how = "cannot run here" if red.is_not_run else "fails before any work"
    output = f": {' / '.join(printed[-2:])}" if printed else ""
    because = f" ({red.because})" if red.because else ""
    return f"{red.check}: `{command}` {how}{because}{output}"


def config_place(config: str, *keys: str) -> str:
    """The line of a key, or of the nearest parent that is there."""
    return f"{CONFIG}:{line_of(config, keys)}" if config.strip() else CONFIG


def _what_to_do(baseline: Baseline, stops: Sequence[Red], config: str, command: str) -> str:
    """Two commands: one that shows more, and one that begins all the same."""
    accepted = [red.id for red in stops] if len(stops) <= FEW else [ALL]
    first = how_to_fix(baseline, "fix what is red") if any(not red.is_not_run for red in stops) else ""
    if broken := [red.check for red in stops if red.is_not_run]:
        place = config_place(config, "project", "commands", broken[0])
        correct = f"correct project.commands.{broken[0]} or project.commands.setup in {place}"
        first = f"{first}; {correct}" if first else correct
    begin = f"begin all the same{when_accepted(baseline, stops)}: `{command}{spell_accepted(accepted)}`"
    return f"{first} ({DOCTOR}); or {begin}; {NOTHING_SPENT}"


def how_to_fix(baseline: Baseline, otherwise: str) -> str:
    """Of tests that ran out of time, the limit is as good a cause as they are."""
    if (test := _tests_of(baseline)) is None or test.seen is not Seen.TIMED_OUT:
        return otherwise
    limit = f"test below [timeouts] in your settings.toml, which autopilot.timeouts_s.test in {CONFIG} may lower"
    return f"make the tests faster, or raise their time limit: {limit}"


def when_accepted(baseline: Baseline, stops: Sequence[Red]) -> str:
    """A phase passes beside red tests only where others are green: without any, its own work has to bring them."""
    test = _tests_of(baseline)
    if test is None or not any(red.check == TEST for red in stops):
        return ""
    is_without_green = test.tests is not None and bool(test.tests.ran) and not test.tests.passed
    is_lost = test.is_not_run or test.seen is Seen.TIMED_OUT or is_without_green
    return ", if the work is to bring tests that pass (no phase passes without one)" if is_lost else ""


def _tests_of(baseline: Baseline) -> Observation | None:
    return next((observation for observation in baseline.seen if observation.subject == TEST), None)


def _setup_failed(baseline: Baseline, config: str) -> Unavailable:
    setup = baseline.setup
    assert setup is not None, "only a setup that was run can fail"
    output = " / ".join(most_telling(baseline.lines_of(setup.subject))) or setup.reason
    place = config_place(config, "project", "commands", "setup")
    hint = f"correct project.commands.setup in {place} ({DOCTOR}); {NOTHING_SPENT}"
    return Unavailable(f"setup: `{setup.command}` fails before any work: {output}", hint)


def _warn(baseline: Baseline, found: Sorted) -> Iterator[str]:
    if found.accepted:
        yield f"red before the work, and accepted: {_list(found.accepted)}; they may stay red, and none may be lost"
    if found.aimed_at:
        yield f"red before the work, and for a phase of this run to turn green: {_list(found.aimed_at)}"
    if found.flaky:
        yield f"{describe_flaky(found.flaky)}: the run goes on, and nothing counts as proven by them"
    known = {red.check for red in baseline.red}
    for check in (seen for seen in baseline.seen if seen.is_not_run and seen.subject not in known):
        yield "; ".join(describe_unasked(check))


def describe_flaky(red: Sequence[Red]) -> str:
    return f"flaky before the work, red and green at the same commit: {_list(red)}"


def describe_unasked(seen: Observation) -> tuple[str, str]:
    """Of a check that was only detected and cannot run: what is the case, and what to do."""
    detail = f"{seen.subject}: `{seen.command}` was detected and cannot run here ({seen.reason})"
    return detail, f"`autopilot init` finds one that runs, or write null for {seen.subject} into {CONFIG}"


def _list(red: Sequence[Red]) -> str:
    return name_some([entry.id for entry in red], MOST_NAMED)


def spell_accepted(ids: Sequence[str]) -> str:
    return "".join(f" --accept-red {shlex.quote(id)}" for id in ids)
