"""Recorded calls: functions of compiled languages, followed while their tests call them, and asked for more (layer H).

Their tests hold their inputs in tables and loops, where no reader of calls finds them; and no other process can call
them. So they are asked in their own: what a test asks is asked near it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.neighbours import AskedOnce, Known, judge_neighbours
from autopilot.model.evidence.observation import Observation
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
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.own_words import own_words


def run_recorded_calls(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    functions = _functions(ctx, work, seen) if ctx.policy.evidence.held_out else None
    if functions is None:
        return Proving()
    subject = probe_subject(ProbeKind.HELD_OUT, "recorded calls")
    check = Check(subject, functions.command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)
    commit = commit_with(ctx, work.evidence, functions.edits)
    (run,) = observe_made(ctx, commit, work.evidence, [check])
    output = ctx.ports.blobs.get(run.output).decode("utf-8", "replace") if run.output else ""
    added, named = added_lines(ctx, work), known_before(ctx, work)
    found = _by_function(functions, read_recorded(output))
    objections = [objection for known in found for objection in judge_neighbours(work.subject, known, added, named)]
    return Proving((run,), tuple(objections))


def _functions(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> RecordedFunctions | None:
    read = ctx.ports.vault.read
    changed = {
        change.path: (read(work.old, change.path), text)
        for change in work.changes
        if change.path.endswith(".go") and work.is_product(change.path) and (text := read(work.new, change.path))
    }
    tests = list(files_of_tests(ctx, seen)) if changed else []
    draw = Draw(f"{work.new} recorded calls")
    asked = [(read(work.evidence, path) or b"").decode("utf-8", "replace") for path in tests]
    return record_go(changed, tests, own_words(added_lines(ctx, work), (), asked, draw), draw) if tests else None


def _by_function(functions: RecordedFunctions, calls: Sequence[Recorded]) -> Iterator[Known]:
    for name, path in functions.paths.items():
        own = [call for call in calls if call.example.function == name]
        written, near = (
            tuple(AskedOnce(call.example, call.answer) for call in own if call.is_near is wanted)
            for wanted in (False, True)
        )
        yield Known(name, path, written, near)
