"""Neighbours: what tests ask the product with written-out arguments, asked twice and with other ones (layer H)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.gates.evidence.neighbours import (
    AskedOnce,
    Known,
    judge_neighbours,
    judge_opened,
    judge_repeated,
    judge_steady,
)
from autopilot.model.evidence.example import Example, Place
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.planning.examples.in_any_tests import find_calls
from autopilot.planning.examples.neighbours import neighbours
from autopilot.planning.examples.places import locate
from autopilot.planning.examples.probe import read_answers, spell_probe
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.held_out import files_of_tests, is_touched, product_texts
from autopilot.steps.evidence.otherwise.afresh import ask_afresh
from autopilot.steps.evidence.otherwise.other_input import added_lines, data_naming
from autopilot.steps.evidence.otherwise.started import ask_here
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.users_tests import promised_text
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.texts import files_opened, text_at
from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.own_words import own_words
from autopilot.text.file_kind import is_test

MOST_FUNCTIONS = 12
MOST_WRITTEN = 12  # calls of one function that tests write out
AGAIN = 4  # times that they are asked once more, in reverse order
PATIENCE_S = 20.0  # an input that nobody thought of may keep the code busy for ever
_CHANCE = re.compile(r"\brandom|\brandint|\bMath\.random|\burandom|\bsecrets\b|\bgetrandbits|\btime_ns")
_CALLS = re.compile(r"(?<![\w$.])[\w$.]{1,200}+\([^()\n]{0,400}+\)")


def run_neighbours(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    """One process for all functions of a file. Only what the work changed is asked."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    files = product_texts(ctx, work.new, [c.path for c in work.changes if work.is_product(c.path)])
    proving = Proving()
    by_file: dict[str, list[tuple[Place, list[Example]]]] = {}
    for place, examples in list(_written(ctx, work, files, seen))[:MOST_FUNCTIONS]:
        by_file.setdefault(place.path, []).append((place, examples))
    for number, asked in enumerate(by_file.values(), 1):
        proving += _ask(ctx, work, number, asked)
    return proving


def _written(
    ctx: StepContext, work: Work, files: Mapping[str, str], seen: Sequence[Observation]
) -> Iterator[tuple[Place, list[Example]]]:
    """The calls of every function that the work wrote or changed."""
    found: dict[Place, list[Example]] = {}
    for path in files_of_tests(ctx, seen):
        for example in find_calls(path, text_at(ctx, work.evidence)(path) or ""):
            if place := locate(example, files):
                found.setdefault(place, []).append(example)
    for place, examples in found.items():
        if is_touched(ctx, place, work.new):
            yield place, examples[:MOST_WRITTEN]


def _ask(ctx: StepContext, work: Work, number: int, asked: Sequence[tuple[Place, list[Example]]]) -> Proving:
    added, draw = added_lines(ctx, work), Draw(f"{work.new} {asked[0][0].path}")
    data = data_naming(ctx, work, [str(v) for _, examples in asked for e in examples for v in e.inputs])
    own = own_words(added, data, [example.text for _, examples in asked for example in examples], draw)
    sets = [(examples, neighbours(examples, draw, own)) for _, examples in asked]
    calls = [example for examples, others in sets for example in (*examples, *examples[::-1] * AGAIN, *others)]
    command = spell_probe(asked[0][0], calls, elsewhere=True)
    subject = probe_subject(ProbeKind.HELD_OUT, f"neighbours {number}")
    check = Check(subject, command, Expectation(), Strength.COMMAND, min(ctx.policy.timeouts.criterion, PATIENCE_S))
    (seen,) = observe(ctx, work.new, [check])
    output = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    answers = iter(read_answers(seen, output, len(calls)))
    proving = Proving((seen,), _judge_opened(ctx, work, seen))
    sequences: list[tuple[Place, tuple[AskedOnce, ...]]] = []
    functions: list[Known] = []
    for (place, _), (examples, others) in zip(asked, sets, strict=True):
        written, repeated, near = (
            tuple(AskedOnce(example, next(answers)) for example in group)
            for group in (examples, examples[::-1] * AGAIN, others)
        )
        known = Known(place.function, place.path, written, near, repeated)
        functions.append(known)
        proving += Proving(objections=_judged(ctx, work, known, added))
        sequences.append((place, (*written, *repeated, *near)))
        proving += ask_here(ctx, work, place, written, named_by_user(ctx, work))
    proving += Proving(objections=judge_steady(work.subject, functions, promised_text(ctx)))
    return proving if proving.is_refused else proving + ask_afresh(ctx, work, sequences, named_by_user(ctx, work))


def _judge_opened(ctx: StepContext, work: Work, seen: Observation) -> tuple[Objection, ...]:
    """No test runs here: what is opened among tests was opened by the product."""
    known = frozenset(ctx.ports.vault.list(work.new))
    return judge_opened(work.subject, [path for path in files_opened(ctx, seen) if path in known and is_test(path)])


def _judged(ctx: StepContext, work: Work, known: Known, added: Mapping[str, Sequence[str]]) -> tuple[Objection, ...]:
    by_chance = any(_CHANCE.search(line) for line in added.get(known.path, ()))
    objections = judge_neighbours(work.subject, known, added, known_before(ctx, work))
    return objections + judge_repeated(work.subject, known, by_chance=by_chance)


def known_before(ctx: StepContext, work: Work) -> str:
    """What code may know by name: what the user wrote of the work, and what stood in the files that it changed."""
    return f"{named_by_user(ctx, work)}\n{_product_before(ctx, work)}"


def _product_before(ctx: StepContext, work: Work) -> str:
    """What the changed files of the product were: a table that only moved was not copied from the tests."""
    before = text_at(ctx, work.old)
    return "\n".join(before(change.path) or "" for change in work.changes if work.is_product(change.path))


def named_by_user(ctx: StepContext, work: Work) -> str:
    """What the user wrote of the work, without the calls that are its examples."""
    read, inputs = text_at(ctx, ctx.state.line.base), ctx.state.inputs
    texts = (read(inputs.roadmap) or "", read(ctx.spec) or "", work.text)
    return _CALLS.sub("", "\n".join(texts))
