"""Observing: run commands on a clean checkout of one commit and record how they ended."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState
from autopilot.model.conditions import describe_usurped
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.evidence.subject import ProbeKind, parse_subject, probe_subject, script_subject
from autopilot.model.evidence.testing import Tally
from autopilot.model.planning.criterion import Criterion, Expectation, Strength, Want
from autopilot.model.planning.plan import Task
from autopilot.model.policy import CHECKS
from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import KEPT_BYTES, CommandSpec, Exited, NeverRan, Outcome, Profile, TimedOut, run
from autopilot.steps.context import StepContext
from autopilot.steps.observing.ends import describe_end, find_contradiction, judge_end, stop_if_killed
from autopilot.steps.observing.services import has_failed_service, judge_services
from autopilot.steps.observing.setups import describe_failed_setup, find_dependencies, settle_dependencies
from autopilot.steps.observing.surroundings import find_search_path, under
from autopilot.steps.observing.test_reports import ask_tools, read_tally, spell_reported
from autopilot.testtools.findings.not_run import why_not_run
from autopilot.testtools.findings.reading import read_findings
from autopilot.testtools.instrument import Asked
from autopilot.text.last_lines import last_lines
from autopilot.text.missing_file import missing_file

SCRIPT_LINE = re.compile(r"^(PASS|FAIL): (.*\S)", re.MULTILINE)

# A call that the sandbox refuses, in the words of libc and the tools that pass them on.
REFUSED_CALL = re.compile(
    r"Read-only file system|Network is unreachable|Could not resolve host|Temporary failure in name resolution|"
    r"getaddrinfo E[A-Z_]+|ENETUNREACH",
    re.IGNORECASE,
)


# What a linter prints of a large project: its findings are compared with those before the work, so all of them count.
FINDINGS_BYTES = 1 << 20
LAST_CHARS = 16_384  # more than the lines that are shown, so that a secret of several lines stands there whole
MOST_REWRITTEN = 50


class Check(Struct, frozen=True):
    """A command to run, and what it must show."""

    subject: str
    command: str
    expectation: Expectation
    strength: Strength
    timeout_s: float
    is_script: bool = False


def list_criterion_checks(ctx: StepContext, criteria: Sequence[Criterion]) -> list[Check]:
    return [
        Check(c.id, c.command, c.expectation, c.strength, _allowed_s(ctx, c.command)) for c in criteria if c.is_runnable
    ]


def list_task_checks(ctx: StepContext, tasks: Iterable[Task], commit: str) -> list[Check]:
    """Every criterion of these tasks that can be run, then their test scripts."""
    tasks = tuple(tasks)
    checks = list_criterion_checks(ctx, [criterion for task in tasks for criterion in task.criteria])
    return checks + [check for task in tasks for check in list_script_checks(ctx, task, commit)]


def list_phase_checks(ctx: StepContext, phase: PhaseState, commit: str) -> list[Check]:
    """Everything the phase is held to, then the test scripts of its tasks."""
    scripts = [check for state in phase.planned for check in list_script_checks(ctx, state.task, commit)]
    return list_promised_checks(ctx, phase) + list_criterion_checks(ctx, phase.plan.held_out) + scripts


def list_promised_checks(ctx: StepContext, phase: PhaseState) -> list[Check]:
    return list_criterion_checks(ctx, criteria_of(phase))


def _allowed_s(ctx: StepContext, command: str) -> float:
    """ "All tests pass" is the project's own check under another name, and takes as long."""
    configured = (check.timeout_s for check in list_configured_checks(ctx) if check.command == command)
    return max(_criterion_s(ctx), *configured, 0.0)


def _criterion_s(ctx: StepContext) -> float:
    """The criterion of an issue is its whole test suite, and that of a debug session may be."""
    return ctx.policy.timeouts.criterion if ctx.state.is_of_roadmap else ctx.policy.timeouts.test


def list_script_checks(ctx: StepContext, task: Task, commit: str) -> list[Check]:
    """The task's test script, when the plan brought one."""
    path = script_path(ctx.phase.brief.folder, task.id)
    if ctx.ports.vault.read(commit, path) is None:
        return []
    command, timeout_s = f"bash {shlex.quote(path)}", ctx.policy.timeouts.test
    strength = Strength.COMMAND if _is_beside_users_plan(ctx, path) else Strength.SCRIPT
    return [Check(script_subject(task.id), command, Expectation(), strength, timeout_s, is_script=True)]


def _is_beside_users_plan(ctx: StepContext, path: str) -> bool:
    """Whether an agent of ours wrote this script for a plan of the user's."""
    parent = ctx.state.phases[ctx.phase.parent] if ctx.phase.parent else ctx.phase
    return not parent.plan.ours and ctx.ports.vault.read(parent.line.base, path) is None


def list_configured_checks(ctx: StepContext) -> list[Check]:
    return [
        Check(name, command, Expectation(), Strength.COMMAND, getattr(ctx.policy.timeouts, name))
        for name, command in ctx.policy.commands.checks()
    ]


def make_repeat_check(ctx: StepContext, seen: Observation, probe: ProbeKind) -> Check:
    """The same command once more, under another subject."""
    timeout_s = getattr(ctx.policy.timeouts, seen.subject) if seen.subject in CHECKS else _criterion_s(ctx)
    return Check(probe_subject(probe, seen.subject), seen.command, Expectation(), seen.strength, timeout_s)


def script_path(folder: str, task: str) -> str:
    return f"{folder}/tests/task-{task}.sh"


SETUP = "setup"


def observe_setup(ctx: StepContext, commit: str) -> Observation:
    """The project's setup by itself: what it installs is kept for the checks that come after it."""
    command, began = ctx.policy.commands.setup or "", ctx.ports.clock.now()
    layer = find_dependencies(ctx, PurePosixPath(ctx.ports.workspaces.export(commit)))
    if isinstance(layer, Outcome):
        reason = ctx.ports.blobs.clean(describe_end(layer))
        output = ctx.ports.blobs.put(layer.output) if layer.output else ""
        seen = Seen.NOTHING if isinstance(layer.ended, NeverRan) else Seen.FAILED
        failed = Observation(SETUP, command, commit, seen, reason=reason, output=output, trouble=Trouble.SETUP)
        return replace(failed, duration_ms=layer.duration_ms)
    took = ctx.ports.clock.now() - began
    return Observation(SETUP, command, commit, Seen.PASSED, duration_ms=int(took.total_seconds() * 1000))


def observe(
    ctx: StepContext, commit: str, checks: Sequence[Check], *, at_base: bool = False, kept: bool = True
) -> tuple[Observation, ...]:
    """Run every check at ``commit``. A command that the sandbox could not run is retried before it counts as unproven.

    A setup that fails at the base is no evidence; one that fails after the change fails every check that needs it.
    """
    backing = PurePosixPath(ctx.ports.workspaces.export(commit, kept=kept))
    base = "" if at_base else ctx.phase.line.base
    layer, is_blameless = settle_dependencies(ctx, backing, base)
    return _observe_all(ctx, _Place(commit, backing, at_base or is_blameless, watched=True, good=base), layer, checks)


def observe_made(
    ctx: StepContext,
    commit: str,
    origin: str,
    checks: Sequence[Check],
    *,
    is_spoiled: bool = False,
    watched: bool = False,
) -> tuple[Observation, ...]:
    """Run every check on a temporary tree made from ``origin``; the tree is removed afterwards.

    ``is_spoiled``: its product was broken on purpose, and with it may be a service that runs it. What it writes then of
    the files of ``origin`` is known as well, those that this tree lacks too. ``watched``: what it opens is of interest.
    It gets the dependencies of its origin: a setup that fails on a deliberately broken tree proves nothing. Only where
    setup installs a copy of the product does it run again, for the tests would not see what was broken.
    """
    workspaces = ctx.ports.workspaces
    try:
        layer = find_dependencies(ctx, PurePosixPath(workspaces.export(origin)))
        made = PurePosixPath(workspaces.export(commit, kept=False))
        good = origin if is_spoiled else ""
        if not isinstance(layer, Layer) or not layer.copies:
            return _observe_all(ctx, _Place(commit, made, at_base=True, watched=watched, good=good), layer, checks)
        own = find_dependencies(ctx, made)
        try:
            return _observe_all(ctx, _Place(commit, made, at_base=False, watched=watched, good=good), own, checks)
        finally:
            if isinstance(own, Layer) and own.key != layer.key:
                ctx.ports.layers.forget(own)
    finally:
        workspaces.forget(commit)


class _Place(Struct, frozen=True):
    """A tree that checks are run on, and what their failure there says."""

    commit: str
    backing: PurePosixPath
    at_base: bool  # that something cannot be set up here is no fault of the work
    watched: bool = False  # which files are opened is of interest, and work is judged by it
    good: str = ""  # a commit on which the services are ready, "" where there is no other


def _observe_all(
    ctx: StepContext, place: _Place, layer: Layer | Outcome | None, checks: Sequence[Check]
) -> tuple[Observation, ...]:
    if isinstance(layer, Outcome):
        seen = Seen.NOTHING if place.at_base or isinstance(layer.ended, NeverRan) else Seen.FAILED
        reason = describe_failed_setup(ctx, layer)
        return tuple(
            Observation(k.subject, k.command, place.commit, seen, k.strength, reason=reason, trouble=Trouble.SETUP)
            for k in checks
        )
    done: list[Observation] = []
    runs: dict[tuple[str, bool], Run] = {}
    for check in checks:
        if done and done[-1].trouble is Trouble.SERVICE:  # the same services, and the same fresh state
            done.append(_copy_for(done[-1], check))
            continue
        key = check.command, check.is_script
        # Under another subject, what a command did is known; under the same it is repeated on purpose.
        if key not in runs or check.subject in runs[key].subjects:
            alike = [other for other in checks if (other.command, other.is_script) == key]
            runs[key] = _run(ctx, place, layer, alike)
        runs[key].subjects.add(check.subject)
        done.append(_observe_one(ctx, place, check, runs[key]))
    return tuple(done)


class Run(Struct):
    """One run of a command, and whose observation it is."""

    spec: CommandSpec
    outcome: Outcome
    asked: Asked | None
    subjects: set[str] = set()


def _copy_for(last: Observation, check: Check) -> Observation:
    return replace(last, subject=check.subject, command=check.command, strength=check.strength, duration_ms=0)


def spell_check(ctx: StepContext, backing: PurePosixPath, layer: Layer | None, command: str) -> CommandSpec:
    """The place of every check: a throw-away copy of the project at its own path, over what setup installed."""
    spec = CommandSpec(
        argv=("bash", "-o", "pipefail", "-c", command),
        profile=Profile.VERIFY,
        project=ctx.project,
        backing=backing,
        layers=(layer.project,) if layer else (),
        home_layers=(layer.home,) if layer else (),
        search=find_search_path(ctx.policy, layer),
        label=ctx.label,
    )
    return under(ctx.policy.conditions, spec)


def _run(ctx: StepContext, place: _Place, layer: Layer | None, alike: Sequence[Check]) -> Run:
    """``alike``: every check that this command is run for. Where work is judged by it, one that does not end in its
    time is run once more: a busy machine is no fault of the work."""
    check, subjects = alike[0], {check.subject for check in alike}
    asked = ask_tools(ctx, place.commit, check.command) if not check.is_script else None
    # What lints and builds open says nothing: they read everything.
    of_interest = any(subject not in CHECKS or subject == "test" for subject in subjects)
    spec = replace(
        spell_check(ctx, place.backing, layer, spell_reported(asked, place.commit) if asked else check.command),
        timeout_s=max(check.timeout_s for check in alike),
        keep_bytes=FINDINGS_BYTES if subjects & {*CHECKS} else KEPT_BYTES,
        watched=place.watched and of_interest,
        report=asked is not None,
        shown=ctx.ports.blobs.clean(check.command),
    )
    outcome = run(ctx.ports.sandbox, spec)
    for _ in range(ctx.policy.attempts.observations - 1):
        if not isinstance(outcome.ended, NeverRan):
            break
        outcome = run(ctx.ports.sandbox, spec)
    is_probe = all(parse_subject(subject).probe for subject in subjects)
    if place.watched and not place.at_base and not is_probe and isinstance(outcome.ended, TimedOut):
        outcome = run(ctx.ports.sandbox, spec)
    stop_if_killed(outcome)
    return Run(spec, outcome, asked)


def _observe_one(ctx: StepContext, place: _Place, check: Check, ran: Run) -> Observation:
    if has_failed_service(ran.outcome):
        return _without_service(ctx, place, check, ran)
    seen = _make_observation(ctx, place, check, ran.outcome, ran.asked)
    usurped = describe_usurped(ran.spec.search)
    return replace(seen, reason="; ".join(filter(None, (seen.reason, usurped)))) if seen.seen is Seen.FAILED else seen


def _without_service(ctx: StepContext, place: _Place, check: Check, ran: Run) -> Observation:
    """What it printed is kept to be read, and not judged: it was asked while its service was not there."""
    good, outcome = place.good, ran.outcome
    other = PurePosixPath(ctx.ports.workspaces.export(good)) if good and good != place.commit else None
    seen, reason = judge_services(ctx.ports.sandbox, ran.spec, outcome, other)
    return Observation(
        check.subject,
        check.command,
        place.commit,
        seen,
        check.strength,
        output=ctx.ports.blobs.put(outcome.output) if outcome.output else "",
        duration_ms=outcome.duration_ms,
        reason=ctx.ports.blobs.clean(reason),
        trouble=Trouble.SERVICE if isinstance(outcome.ended, NeverRan) else Trouble.SERVICE_LOST,
    )


def _make_observation(
    ctx: StepContext, place: _Place, check: Check, outcome: Outcome, asked: Asked | None
) -> Observation:
    """The output is judged as printed and stored without secrets."""
    commit = place.commit
    text = outcome.output.decode("utf-8", "replace")
    lines = tuple((m[2], m[1] == "PASS") for m in SCRIPT_LINE.finditer(text)) if check.is_script else ()
    seen, reason = judge_end(check.expectation, outcome, text, lines if check.is_script else None)
    if seen is Seen.PASSED and (missing := _missing_file(ctx, commit, check, outcome, text)):
        seen, reason = Seen.FAILED, f"{missing} is not there: what was printed is a complaint about that"
    trouble = None
    if seen is Seen.FAILED and (refused := REFUSED_CALL.search(text)):
        # What the command itself reports; that a sandbox might be the cause of a failure is never inferred.
        trouble = Trouble.VIOLATION
        reason = f"violation: it reports {refused[0]!r}" + (f"; {reason}" if reason else "")
    tests = read_tally(ctx, commit, asked, outcome, text) if asked else None
    if seen is Seen.FAILED and trouble is None and (never := _why_not_run(check, outcome, text, tests)):
        trouble, reason = Trouble.NOT_RUN, never
    if (
        seen is Seen.PASSED
        and tests is not None
        and (contradiction := find_contradiction(check.subject, check.expectation, tests))
    ):
        seen, reason = Seen.FAILED, contradiction
    digest = ctx.ports.blobs.put(outcome.output) if outcome.output else ""
    return Observation(
        subject=check.subject,
        command=check.command,
        commit=commit,
        seen=seen,
        strength=check.strength,
        exit_code=outcome.ended.code if isinstance(outcome.ended, Exited) else None,
        excerpt=ctx.ports.blobs.clean(text[:4000])[:200],
        output=digest,
        duration_ms=outcome.duration_ms,
        reason=ctx.ports.blobs.clean(reason),
        lines=tuple((ctx.ports.blobs.clean(line), passed) for line, passed in lines),
        tests=tests,
        ran=asked.command if asked else "",
        trouble=trouble,
        last_lines=_last_lines(ctx, text) if seen is not Seen.PASSED else (),
        opened=ctx.ports.blobs.put("\n".join(outcome.opened).encode()) if outcome.opened else "",
        rewritten=_rewritten(ctx, (commit, place.good), check, outcome, is_of_tests=asked is not None),
    )


def _missing_file(ctx: StepContext, commit: str, check: Check, outcome: Outcome, text: str) -> str:
    """Of a command that failed and printed what is expected: "cannot open hello.sh" contains "hello"."""
    status = outcome.ended.code if isinstance(outcome.ended, Exited) else 0
    if status == 0 or check.expectation.want is not Want.CONTAINS:
        return ""
    return missing_file(check.command, status, text, frozenset(ctx.ports.vault.list(commit)))


def _last_lines(ctx: StepContext, text: str) -> tuple[str, ...]:
    """From whole lines: half a secret would not be known as one."""
    end = text[-LAST_CHARS:] if len(text) <= LAST_CHARS else text[-LAST_CHARS:].partition("\n")[2]
    return last_lines(ctx.ports.blobs.clean(end))


def _rewritten(
    ctx: StepContext, commits: tuple[str, str], check: Check, outcome: Outcome, *, is_of_tests: bool
) -> tuple[str, ...]:
    """Of the commit's own files: what a run makes besides is its own affair. A command that runs no tests may write
    what it is there to write; of a probe it is known, with the files that its tree lacks."""
    is_probe = parse_subject(check.subject).probe is not None
    if not outcome.changed or not (is_of_tests or is_probe or check.is_script or check.subject == "test"):
        return ()
    known = {path for commit in commits[: 2 if is_probe else 1] if commit for path in ctx.ports.vault.list(commit)}
    return tuple(ctx.ports.blobs.clean(path) for path in outcome.changed if path in known)[:MOST_REWRITTEN]


def _why_not_run(check: Check, outcome: Outcome, text: str, tests: Tally | None) -> str:
    """Of a configured check. One that tells of findings or of tests ran, whatever else it prints."""
    if check.subject not in CHECKS or not isinstance(outcome.ended, Exited) or (tests is not None and tests.ran):
        return ""
    reason = why_not_run(outcome.ended.code, text)
    return reason if reason and not read_findings(text).findings else ""
