"""Afresh: calls that were made after others, made as the first of a process too (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.neighbours import AskedOnce
from autopilot.gates.evidence.otherwise.afresh import differing, judge_afresh, judge_changed, keeps_state, key_of
from autopilot.model.evidence.example import Example, Place
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.planning.examples.places import defined
from autopilot.planning.examples.probe import read_answers, spell_probe
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.users_tests import promised_text
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.observing import Check, observe
from autopilot.steps.observing.texts import text_at

MOST_CALLS = 48  # of one file: each is a process
PATIENCE_S = 40.0

Asked = tuple[AskedOnce, ...]


def ask_afresh(ctx: StepContext, work: Work, sequences: Sequence[tuple[Place, Asked]], named: str) -> Proving:
    """``sequences``: all functions of one file, with their calls in the order in which one process made them.

    No process where nothing in the file could remember a call.
    """
    promised = promised_text(ctx)
    changed = [judge_changed(work.subject, place.path, sequence, promised) for place, sequence in sequences]
    proving = Proving(objections=tuple(objection for found in changed for objection in found))
    code = text_at(ctx, work.new)(sequences[0][0].path) or ""
    if not keeps_state(code):
        return proving
    once = {key_of(asked): asked.example for _, sequence in sequences for asked in sequence}
    seen, alone = ask_calls(ctx, work, sequences[0][0], list(once.values())[:MOST_CALLS], fresh=True)
    proving += Proving((seen,))
    for place, sequence in sequences:
        if differing(sequence, alone):
            proving += _settle(ctx, work, place, sequence, named, defined(place, code))
    return proving


def _settle(ctx: StepContext, work: Work, place: Place, sequence: Asked, named: str, code: str) -> Proving:
    """Both once more, with the calls of this function alone: what another function sets may rightly change it, and
    what differs by chance or by the clock differs from itself."""
    calls = [asked.example for asked in sequence]
    once = {key_of(asked): asked.example for asked in sequence}
    after, repeated = ask_calls(ctx, work, place, calls, fresh=False)
    first, alone = ask_calls(ctx, work, place, list(once.values())[:MOST_CALLS], fresh=True)
    second, twice = ask_calls(ctx, work, place, list(once.values())[:MOST_CALLS], fresh=True)
    changing = {key_of(asked) for asked, _ in differing(alone, twice)}
    steady = tuple(asked for asked in alone if key_of(asked) not in changing)
    objections = judge_afresh(work.subject, place.path, code, repeated, steady, named)
    return Proving((after, first, second), objections)


def ask_calls(
    ctx: StepContext, work: Work, place: Place, calls: Sequence[Example], *, fresh: bool, elsewhere: bool = True
) -> tuple[Observation, Asked]:
    how = "afresh" if fresh else "in order" if elsewhere else "here"
    command = spell_probe(place, calls, elsewhere=elsewhere, fresh=fresh)
    subject = probe_subject(ProbeKind.HELD_OUT, f"{place.path} {how}")
    patience_s = min(ctx.policy.timeouts.criterion, PATIENCE_S)
    (seen,) = observe(ctx, work.new, [Check(subject, command, Expectation(), Strength.COMMAND, patience_s)])
    output = ctx.ports.blobs.get(seen.output).decode("utf-8", "replace") if seen.output else ""
    answers = read_answers(seen, output, len(calls))
    return seen, tuple(AskedOnce(example, answer) for example, answer in zip(calls, answers, strict=True))
