"""Everything that was judged of a phase, each with what was run for it: the evidence a report can point at."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.model.criterion import Criterion
from autopilot.model.evidence import Observation
from autopilot.model.policy import CHECKS
from autopilot.model.verdict import Outcome, Verdict
from autopilot.reports.criteria import SCRIPT, criteria_of, parts_of
from autopilot.reports.unchecked import WORDS


class Proof(Struct, frozen=True):
    subject: str
    text: str
    kind: str  # criterion, check, script or task
    outcome: Outcome | None  # None for what nothing was run for
    because: str
    observation: Observation | None = None


def proofs_of(state: RunState, phase: PhaseState) -> tuple[Proof, ...]:
    """By the verdicts on the whole phase; of one that did not come so far, by those on its parts and tasks."""
    seen = {o.subject: o for o in phase.observations or ()}
    verdicts = phase.verdicts
    if not verdicts:
        homes = (phase, *parts_of(state, phase))
        tasks = [task for home in homes for task in home.tasks.values()]
        verdicts = tuple(verdict for task in tasks for verdict in task.verdicts)
        seen = {o.subject: o for task in tasks for o in task.observations} | seen
    criteria = {criterion.id: criterion for _, criterion in criteria_of(phase)}
    scripts = {c.id: seen.get(f"{SCRIPT}{task}") for task, c in criteria_of(phase)}  # which may speak for a criterion
    judged = [
        _judged(verdict, criteria.get(verdict.subject), seen.get(verdict.subject) or scripts.get(verdict.subject))
        for verdict in verdicts
    ]
    known = {verdict.subject for verdict in verdicts}
    return (*judged, *_unjudged_checks(phase, known), *_unseen(criteria, known, seen))


def _judged(verdict: Verdict, criterion: Criterion | None, seen: Observation | None) -> Proof:
    words = criterion.text if criterion else verdict.subject.removeprefix(SCRIPT)
    return Proof(verdict.subject, words, _kind(verdict.subject), verdict.outcome, verdict.because, seen)


def _kind(subject: str) -> str:
    if subject in CHECKS:
        return "check"
    if subject.startswith(SCRIPT):
        return "script"
    return "task" if subject.startswith("task ") else "criterion"


def _unjudged_checks(phase: PhaseState, known: set[str]) -> Iterator[Proof]:
    """Of a phase that came to its checks and not to its gate."""
    for seen in phase.observations or ():
        if seen.subject in CHECKS and seen.subject not in known:
            yield Proof(seen.subject, seen.subject, "check", None, f"seen, not judged: {seen.seen.words}", seen)


def _unseen(criteria: dict[str, Criterion], known: set[str], seen: dict[str, Observation]) -> Iterator[Proof]:
    for criterion in criteria.values():
        if criterion.id not in known:
            because = f"not checked: {WORDS[criterion.form]}"
            yield Proof(criterion.id, criterion.text, "criterion", None, because, seen.get(criterion.id))
