"""Held out: the examples of the spec, put to what a phase built, in a process without its tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.held_out import holds, judge_held_out
from autopilot.model.evidence.example import Answer, Answered, HeldOut, Place
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.run import PhaseBrief, PhaseStatus
from autopilot.planning.examples.in_any_tests import find_in_tests
from autopilot.planning.examples.owner import in_roadmap, is_due, read_owners
from autopilot.planning.examples.places import defined, locate
from autopilot.planning.examples.probe import read_answers, spell_probe
from autopilot.planning.examples.reading import find_examples
from autopilot.planning.spec.clauses import named_documents
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.text.file_kind import is_ours, is_test

MOST_EXAMPLES = 60
MOST_DOCUMENTS = 5
# Code that looks at who calls it answers another caller otherwise, and may be right to, if it did so before the work.
_BY_CALLER = re.compile(r"\b_getframe\b|\bcurrentframe\b|\binspect\.stack\b|\bextract_stack\b")

ExampleResults = tuple[tuple[Observation, ...], tuple[Objection, ...]]


class Asked(Struct, frozen=True):
    """All examples of one file, asked by one command."""

    examples: tuple[HeldOut, ...]
    check: Check


def run_examples(
    ctx: StepContext, commit: str, changed: Sequence[str], seen: Sequence[Observation] = ()
) -> ExampleResults:
    """``changed`` are the paths that differ from the phase's base. No example, no function, no command.

    ``seen``: runs of tests. What they ask by written-out calls is asked once more where no test is.
    """
    if not ctx.policy.evidence.held_out:
        return (), ()
    files = product_texts(ctx, commit, changed)
    if not files:
        return (), ()
    in_tests = tuple(_in_tests(ctx, commit, files, seen))
    asked = _ask(ctx, commit, (*tuple(_held_out(ctx, commit, files))[:MOST_EXAMPLES], *in_tests[:MOST_EXAMPLES]))
    if not asked:
        return (), ()
    observations = list(observe(ctx, commit, [request.check for request in asked]))
    objections: list[Objection] = []
    for index, request in enumerate(asked):
        answers = _answers(ctx, observations[index], request)
        request, at_base = _of_issue(ctx, request, answers)
        observations += at_base
        earlier, before = _before(ctx, request, answers)
        objections += judge_held_out(request.examples, answers, before)
        observations[index] = _as_judged(observations[index], request, answers)
        observations += earlier
    return tuple(observations), tuple(objections)


def product_texts(ctx: StepContext, commit: str, changed: Sequence[str]) -> Mapping[str, str]:
    read = text_at(ctx, commit)
    wanted = (path for path in dict.fromkeys(changed) if not is_ours(path) and not is_test(path))
    return {path: text for path in wanted if (text := read(path))}


def _held_out(ctx: StepContext, commit: str, files: Mapping[str, str]) -> Iterator[HeldOut]:
    """From the spec, the roadmap and what the phase names there, as the run pinned it: nothing written since is asked.
    What a document said that the work changed may be what was to change, and is only shown."""
    part = bool(ctx.phase.parent)
    whole = ctx.state.phases[ctx.phase.parent].brief if ctx.phase.parent else ctx.phase.brief
    waiting = waiting_phases(ctx, whole)
    read = text_at(ctx, ctx.state.line.base)
    roadmap, now = read(ctx.state.inputs.roadmap) or "", text_at(ctx, commit)
    for example in in_roadmap(roadmap, find_examples(roadmap), whole):
        if place := locate(example, files):
            yield HeldOut(example, place, ctx.state.inputs.roadmap, due=not part)
    for path in dict.fromkeys((ctx.spec, *named_in(ctx, whole))):
        text = read(path) or "" if path != ctx.state.inputs.roadmap else ""
        owners, is_kept = read_owners(text), path == ctx.spec or now(path) == text
        for example in find_examples(text):
            if place := locate(example, files):
                due = not part and is_kept and is_due(example, owners, whole, waiting)
                yield HeldOut(example, place, path, due=due)


def named_in(ctx: StepContext, phase: PhaseBrief) -> list[str]:
    """Documents that the goal or a criterion of the phase names by their paths."""
    paths = frozenset(ctx.ports.vault.list(ctx.state.line.base))
    named = named_documents((phase.goal, *phase.promises))
    return [path for path in named if path in paths and not is_ours(path)][:MOST_DOCUMENTS]


def _in_tests(
    ctx: StepContext, commit: str, files: Mapping[str, str], seen: Sequence[Observation]
) -> Iterator[HeldOut]:
    read, base = text_at(ctx, commit), text_at(ctx, ctx.phase.line.base)
    paths = files_of_tests(ctx, seen)
    if any("autouse" in (read(path) or "") for path in ctx.ports.vault.list(commit) if path.endswith("conftest.py")):
        return  # every test may rest on what is set up there
    for path in paths:
        for example in find_in_tests(path, read(path) or ""):
            place = locate(example, files)
            if place and not (_BY_CALLER.search(files[place.path]) and _BY_CALLER.search(base(place.path) or "")):
                yield HeldOut(example, place, path, in_test=True)


def files_of_tests(ctx: StepContext, seen: Sequence[Observation]) -> list[str]:
    """With a test that passed."""
    reports = [report for run in seen if run.seen is Seen.PASSED and (report := report_of(ctx, run))]
    results = [result for report in reports for result in report.results]
    return list(dict.fromkeys(result.file for result in results if result.ended is Ended.PASSED and result.file))


def waiting_phases(ctx: StepContext, phase: PhaseBrief) -> list[PhaseBrief]:
    done = {other.id for other in ctx.state.phases.values() if other.status is PhaseStatus.COMPLETED}
    done |= {*ctx.state.inputs.proven, *ctx.state.inputs.ticked}
    return [brief for brief in ctx.state.inputs.outline if brief.id != phase.id and brief.id not in done]


def _ask(ctx: StepContext, commit: str, held_out: Sequence[HeldOut]) -> list[Asked]:
    places: dict[tuple[str, bool], list[HeldOut]] = {}
    for held in held_out:
        places.setdefault((held.place.path, held.in_test), []).append(held)
    asked = []
    for number, found in enumerate(places.values(), 1):
        subject = probe_subject(ProbeKind.HELD_OUT, str(number))
        touched = [is_touched(ctx, held.place, commit) for held in found]
        named = tuple(replace(held, subject=subject, touched=new) for held, new in zip(found, touched, strict=True))
        asked.append(Asked(named, _make_check(ctx, subject, named)))
    return asked


def is_touched(ctx: StepContext, place: Place, commit: str) -> bool:
    before, after = (text_at(ctx, version)(place.path) or "" for version in (ctx.phase.line.base, commit))
    return defined(place, before) != defined(place, after)


def _make_check(ctx: StepContext, subject: str, asked: Sequence[HeldOut]) -> Check:
    command = spell_probe(asked[0].place, [held.example for held in asked], elsewhere=asked[0].in_test)
    return Check(subject, command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.criterion)


def _answers(ctx: StepContext, seen: Observation, asked: Asked) -> tuple[Answer, ...]:
    output = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    return read_answers(seen, output, len(asked.examples))


def _before(
    ctx: StepContext, asked: Asked, answers: Sequence[Answer]
) -> tuple[tuple[Observation, ...], tuple[Answer | None, ...]]:
    """The base is asked only where something does not hold now, and has the function. In the run of an issue it is not
    asked at all: that examples do not hold there, and in the very same way, is what the issue is about."""
    nothing = (None,) * len(asked.examples)
    if not ctx.state.is_of_roadmap:
        return (), nothing
    wrong = [held for held, now in zip(asked.examples, answers, strict=True) if not holds(held, now)]
    path = asked.examples[0].place.path
    base = {path: text_at(ctx, ctx.phase.line.base)(path) or ""}
    if not any(locate(held.example, base) for held in wrong):
        return (), nothing
    seen = observe(ctx, ctx.phase.line.base, [asked.check], at_base=True)
    known_at_base = [locate(held.example, base) is not None for held in asked.examples]
    earlier = _answers(ctx, seen[0], asked)
    return seen, tuple(answer if known else None for answer, known in zip(earlier, known_at_base, strict=True))


def _of_issue(ctx: StepContext, asked: Asked, answers: Sequence[Answer]) -> tuple[Asked, tuple[Observation, ...]]:
    """An issue tells what the code does today: an example that holds before the work is no promise there."""
    wrong = [held for held, now in zip(asked.examples, answers, strict=True) if held.due and not holds(held, now)]
    if ctx.state.is_of_roadmap or not wrong:
        return asked, ()
    seen = observe(ctx, ctx.phase.line.base, [asked.check], at_base=True)
    pairs = zip(asked.examples, _answers(ctx, seen[0], asked), strict=True)
    examples = tuple(replace(held, due=held.due and not holds(held, then)) for held, then in pairs)
    return replace(asked, examples=examples), seen


def _as_judged(seen: Observation, asked: Asked, answers: Sequence[Answer]) -> Observation:
    """The command cannot fail by itself: it does not know what is expected."""
    pairs = zip(asked.examples, answers, strict=True)
    wrong = [held.example.text for held, now in pairs if not holds(held, now) and now.how is not Answered.ELSEWHERE]
    if seen.seen is not Seen.PASSED or not wrong:
        return seen
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return replace(seen, seen=Seen.FAILED, reason=f"wrong result: {wrong[0]}{more}")
