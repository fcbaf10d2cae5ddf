"""Recorded calls: functions of compiled languages, followed while their tests call them, and asked for more (layer H).

Their tests hold their inputs in tables and loops, where no reader of calls finds them; and no other process can call
them. So they are asked in their own: what a test asks is asked near it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.neighbours import AskedOnce, Known, judge_neighbours
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.held_out import files_of_tests
from autopilot.steps.evidence.neighbours import known_before
from autopilot.steps.evidence.otherwise.other_input import added_lines
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.testtools.calls.go_calls import RecordedFunctions, record_go
from autopilot.testtools.calls.recorded import Recorded, read_recorded
from autopilot.testtools.calls.rust_calls import record_rust
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.own_words import own_words


def run_recorded_calls(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    """One run of the tests for each language."""
    proving = Proving()
    for functions in _functions(ctx, work, seen) if ctx.policy.evidence.held_out else ():
        proving += _ask(ctx, work, functions)
    return proving


def _ask(ctx: StepContext, work: Work, functions: RecordedFunctions) -> Proving:
    subject = probe_subject(ProbeKind.HELD_OUT, "recorded calls")
    check = Check(subject, functions.command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)
    commit = commit_with(ctx, work.evidence, functions.edits)
    (run,) = observe_made(ctx, commit, work.evidence, [check])
    output = ctx.ports.blobs.get(run.output).decode("utf-8", "replace") if run.output else ""
    added, named = added_lines(ctx, work), known_before(ctx, work)
    found = _by_function(functions, read_recorded(output))
    objections = [objection for known in found for objection in judge_neighbours(work.subject, known, added, named)]
    return Proving((run,), tuple(objections))


def _functions(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Iterator[RecordedFunctions]:
    read, paths = ctx.ports.vault.read, frozenset(ctx.ports.vault.list(work.evidence))
    changed = {
        change.path: (read(work.old, change.path), text)
        for change in work.changes
        if change.path.endswith((".go", ".rs")) and work.is_product(change.path)
        if (text := read(work.new, change.path))
    }
    tests = list(files_of_tests(ctx, seen)) if changed else []
    draw = Draw(f"{work.new} recorded calls")
    asked = [(read(work.evidence, path) or b"").decode("utf-8", "replace") for path in tests]
    own = own_words(added_lines(ctx, work), (), asked, draw) if changed else ()
    of_rust = {path: contents for path, contents in changed.items() if path.endswith(".rs")}
    is_run = any(run.tests and "cargo" in run.tests.runner for run in seen if run.seen is Seen.PASSED)
    yield from filter(None, [record_go(changed, tests, own, draw) if tests else None])
    yield from filter(None, [record_rust(of_rust, paths.__contains__, own, draw) if of_rust and is_run else None])


def _by_function(functions: RecordedFunctions, calls: Sequence[Recorded]) -> Iterator[Known]:
    for name, path in functions.paths.items():
        own = [call for call in calls if call.example.function == name]
        written, near = (
            tuple(AskedOnce(call.example, call.answer) for call in own if call.is_near is wanted)
            for wanted in (False, True)
        )
        yield Known(name, path, written, near)
