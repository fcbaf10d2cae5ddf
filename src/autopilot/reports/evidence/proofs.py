"""Everything that was judged of a phase, each with what was run for it: the evidence a report can point at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.proven import Proven
from autopilot.model.evidence.subject import ACCEPTANCE, Subject, SubjectKind, script_subject
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion
from autopilot.model.policy import CHECKS
from autopilot.reports.debugging.verdicts import session_criteria, session_verdicts
from autopilot.reports.documents.objections import flags_of, refusals_of
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.evidence.criterion_rows import WHY_UNCHECKED
from autopilot.reports.evidence.strength import Probe, Weighed, read_probe, weigh
from autopilot.reports.issue.evidence import judged_of
from autopilot.reports.issue.wording import oracle_words

ProofKind = Literal["criterion", "check", "script", "task", "objection"]
_OWN: Mapping[SubjectKind, ProofKind] = {
    SubjectKind.CHECK: "check",
    SubjectKind.SCRIPT: "script",
    SubjectKind.TASK: "task",
}


class Proof(Struct, frozen=True):
    subject: str
    text: str
    kind: ProofKind
    outcome: Outcome | None  # None for what nothing was run for
    because: str
    observation: Observation | None = None
    before: Observation | None = None  # the same at the base
    probes: tuple[Probe, ...] = ()
    weighed: Weighed = Weighed(Proven.CLAIM)
    task: str = ""  # that promises the criterion
    expected: str = ""  # of the criterion's command

    @property
    def strength(self) -> str:
        """As reports say it; what does not hold has none."""
        return self.weighed.proven.value if self.outcome in (Outcome.PASS, None) and self.kind in WEIGHED else ""


WEIGHED = ("criterion", "check", "script")


def proofs_of(state: RunState, phase: PhaseState) -> tuple[Proof, ...]:
    """By the verdicts on the whole phase; of one that did not come so far, by those on its parts and tasks."""
    seen = {observation.subject: observation for observation in phase.observed.observations or ()}
    verdicts = phase.gate.verdicts or session_verdicts(state)
    if not verdicts:
        homes = (phase, *parts_of(state, phase))
        tasks = [task for home in homes for task in home.tasks.values()]
        verdicts = tuple(verdict for task in tasks for verdict in task.verdicts)
        seen = {observation.subject: observation for task in tasks for observation in task.observations} | seen
    criteria = {criterion.id: criterion for criterion in criteria_of(phase)} | session_criteria(state)
    held_out = {criterion.id: criterion for criterion in phase.plan.held_out}
    scripts = {c.id: seen.get(script_subject(c.task)) for c in criteria_of(phase)}  # which may speak for a criterion
    judged = [
        _judged(
            verdict,
            criteria.get(verdict.about.without_layer) or held_out.get(verdict.subject),
            seen.get(verdict.subject) or scripts.get(verdict.subject),
        )
        for verdict in verdicts
    ]
    known = {verdict.subject for verdict in verdicts}
    proofs = (*_of_issue(state, phase), *judged, *_unjudged_checks(phase, known), *_unseen(criteria, known, seen))
    return _weighed(state, phase, criteria, proofs)


def strengths_words(proofs: Sequence[Proof]) -> str:
    """ "3 replayed red→green, 1 green only": of what holds, how much is how strong."""
    known = [proof.strength for proof in proofs]
    return ", ".join(f"{known.count(word)} {word}" for word in Proven if word in known) or "none"


def count_strengths(state: RunState, phase: PhaseState) -> dict[str, int]:
    """For programs: every strength with how much is that strong, and what was objected and flagged."""
    known = [proof.strength for proof in proofs_of(state, phase)]
    counts = {word.name.lower(): known.count(word.value) for word in Proven}
    return {**counts, "objections": len(refusals_of(state, phase)), "flags": len(flags_of(state, phase))}


def probes_of(state: RunState, phase: PhaseState) -> tuple[Probe, ...]:
    homes = (phase, *parts_of(state, phase))
    of_tasks = [observation for home in homes for task in home.tasks.values() for observation in task.probes]
    return tuple(map(read_probe, (*of_tasks, *(observation for home in homes for observation in home.observed.probes))))


def _weighed(
    state: RunState, phase: PhaseState, criteria: Mapping[str, Criterion], proofs: Sequence[Proof]
) -> tuple[Proof, ...]:
    """Each with what was seen of it before the work, and on trees made on purpose."""
    homes = (phase, *parts_of(state, phase))
    before = {
        observation.subject: observation
        for home in homes
        for observation in (*(home.intake.triage or ()), *(home.plan.red or ()), *(home.plan.baseline or ()))
    }
    if state.issue is not None and state.issue.baseline.red is not None:
        before[ACCEPTANCE] = state.issue.baseline.red  # the same tests without the implementation
    probes: dict[str, list[Probe]] = {}
    for probe in probes_of(state, phase):
        probes.setdefault(probe.subject, []).append(probe)
    found = []
    for proof in proofs:
        seen, criterion = proof.observation, criteria.get(proof.subject)
        then = before.get(seen.subject if seen else proof.subject)
        own = tuple(probes.get(proof.subject, ()))
        new = criterion.is_new if criterion else proof.kind == "script" or proof.subject == ACCEPTANCE
        found.append(replace(proof, before=then, probes=own, weighed=weigh(seen, then, own, new=new)))
    return tuple(found)


def _of_issue(state: RunState, phase: PhaseState) -> Iterator[Proof]:
    """The acceptance tests of an issue: its oracle judged them as a whole, and no gate did."""
    judged = judged_of(state.issue) if state.issue else None
    if judged is not None and judged.phase == phase.id:
        seen = next((observation for observation in judged.observations if observation.subject == ACCEPTANCE), None)
        outcome = Outcome.PASS if judged.state.holds else Outcome.FAIL
        yield Proof(ACCEPTANCE, "the acceptance tests", "criterion", outcome, oracle_words(judged.state), seen)


def _judged(verdict: Verdict, criterion: Criterion | None, seen: Observation | None) -> Proof:
    text = criterion.text if criterion else _name(verdict.about)
    task = criterion.task if criterion else ""
    expected = criterion.expectation.in_words if criterion and criterion.is_runnable else ""
    kind = _kind(verdict.about)
    return Proof(verdict.subject, text, kind, verdict.outcome, verdict.because, seen, task=task, expected=expected)


def _name(subject: Subject) -> str:
    return subject.name if subject.kind is SubjectKind.SCRIPT else subject.without_layer


def _kind(subject: Subject) -> ProofKind:
    if subject.is_objection:
        return "objection"
    return _OWN[subject.kind] if subject.is_plain(*_OWN) else "criterion"


def _unjudged_checks(phase: PhaseState, known: set[str]) -> Iterator[Proof]:
    """Of a phase that came to its checks and not to its gate."""
    for seen in phase.observed.observations or ():
        if seen.subject in CHECKS and seen.subject not in known:
            yield Proof(seen.subject, seen.subject, "check", None, f"observed, not judged: {seen.seen.text}", seen)


def _unseen(criteria: dict[str, Criterion], known: set[str], seen: dict[str, Observation]) -> Iterator[Proof]:
    for criterion in criteria.values():
        if criterion.id not in known:
            because = f"not checked: {WHY_UNCHECKED[criterion.form]}"
            found = seen.get(criterion.id)
            yield Proof(criterion.id, criterion.text, "criterion", None, because, found, task=criterion.task)
