"""Stated commands: what documents write out with its output or its exit status, run on what a phase built.

Each by itself first. Where that does not hold, once more behind the commands that stand above it, which may have made
what it finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from autopilot.events.criteria import criteria_of
from autopilot.gates.evidence.otherwise.stated import AskedCommand, Ran, does, judge_stated
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.planning.examples.commands import Exists, find_commands, program_of
from autopilot.planning.examples.owner import in_roadmap, is_due, read_owners
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.held_out import named_in, waiting_phases
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.observing import REFUSED_CALL, Check, observe
from autopilot.steps.observing.texts import text_at

MOST_COMMANDS = 20


def run_stated_commands(ctx: StepContext, work: Work) -> Proving:
    if not ctx.policy.evidence.held_out:
        return Proving()
    asked = _number(ctx, _find(ctx, work, _exists(ctx.ports.vault.list(work.new))))
    seen = _run(ctx, work.new, asked)
    wrong = [question for question in asked if not does(question.stated, _ran(ctx, seen[question.subject]))]
    followed = [question for question in wrong if question.stated.before and not question.stated.is_console]
    for subject, behind in _run(ctx, work.new, followed, behind=True).items():
        if any(question.subject == subject and does(question.stated, _ran(ctx, behind)) for question in followed):
            seen[subject] = behind
    before = _at_base(ctx, wrong)
    objections: list[Objection] = []
    for question in wrong:
        objections += judge_stated(question, _ran(ctx, seen[question.subject]), before.get(question.subject))
    refused = {objection.subject for objection in objections}
    observed = (replace(run, seen=_seen_as(run, subject in refused)) for subject, run in seen.items())
    return Proving(tuple(observed), tuple(objections))


def _find(ctx: StepContext, work: Work, exists: Exists) -> Iterator[AskedCommand]:
    """From the roadmap, the spec and the documents that the phase names, as the run pinned them."""
    is_part = bool(ctx.phase.parent)
    whole = ctx.state.phases[ctx.phase.parent].brief if ctx.phase.parent else ctx.phase.brief
    waiting = waiting_phases(ctx, whole)
    read, now = text_at(ctx, ctx.state.line.base), text_at(ctx, work.new)
    path = ctx.state.inputs.roadmap
    roadmap = read(path) or ""
    for stated in in_roadmap(roadmap, find_commands(roadmap, exists), whole):
        yield AskedCommand(stated, path, due=not is_part, is_of_phase=True)
    for document in dict.fromkeys((ctx.spec, *named_in(ctx, whole))):
        text = read(document) or "" if document != path else ""
        owners, is_kept = read_owners(text), document == ctx.spec or now(document) == text
        for stated in find_commands(text, exists):
            due = not is_part and is_kept and is_due(stated, owners, whole, waiting)
            yield AskedCommand(stated, document, due=due)


def _number(ctx: StepContext, found: Iterator[AskedCommand]) -> list[AskedCommand]:
    """Each once, without those that a criterion runs for its exit status already."""
    run = {criterion.command for criterion in criteria_of(ctx.phase)}
    kept: dict[str, AskedCommand] = {}
    for question in found:
        if question.stated.shows or question.stated.exit != 0 or question.stated.command not in run:
            kept.setdefault(question.stated.text, question)
    chosen = list(kept.values())[:MOST_COMMANDS]
    return [
        replace(question, subject=probe_subject(ProbeKind.HELD_OUT, f"command {number}"))
        for number, question in enumerate(chosen, 1)
    ]


def _run(
    ctx: StepContext, commit: str, asked: Sequence[AskedCommand], *, behind: bool = False, at_base: bool = False
) -> dict[str, Observation]:
    """By subject. ``behind``: after the commands that stand above it."""
    timeout_s = ctx.policy.timeouts.criterion
    checks: list[Check] = []
    for question in asked:
        earlier = question.stated.before if behind or question.stated.is_console else ()
        command = "".join(f"{{ {line}; }} >/dev/null 2>&1\n" for line in earlier) + question.stated.command
        checks.append(Check(question.subject, command, Expectation(), Strength.COMMAND, timeout_s))
    return {run.subject: run for run in observe(ctx, commit, checks, at_base=at_base)} if checks else {}


def _at_base(ctx: StepContext, wrong: Sequence[AskedCommand]) -> dict[str, Ran]:
    exists = _exists(ctx.ports.vault.list(ctx.phase.line.base))
    known = [question for question in wrong if program_of(question.stated.command, exists)]
    return {subject: _ran(ctx, run) for subject, run in _run(ctx, ctx.phase.line.base, known, at_base=True).items()}


def _exists(paths: Iterable[str]) -> Exists:
    """Whether the project has a file or a folder."""
    known = frozenset(paths)
    folders = {path.rpartition("/")[0] for path in known}
    return lambda path: path in known or path.rstrip("/") in folders


def _ran(ctx: StepContext, run: Observation) -> Ran:
    output = ctx.ports.blobs.get(run.output).decode("utf-8", "replace") if run.output else ""
    if run.seen is Seen.NOTHING:
        return Ran(None, output, run.reason, is_ours=True)
    if run.seen is Seen.TIMED_OUT:
        return Ran(None, output, run.reason or "it did not end in time")
    refused = REFUSED_CALL.search(output)
    return Ran(run.exit_code, output, f"the sandbox refuses it: {refused[0]}" if refused else "")


def _seen_as(run: Observation, refused: bool) -> Seen:
    """Its exit status alone does not say whether it does what was stated."""
    if run.seen in (Seen.NOTHING, Seen.TIMED_OUT):
        return run.seen
    return Seen.FAILED if refused else Seen.PASSED
