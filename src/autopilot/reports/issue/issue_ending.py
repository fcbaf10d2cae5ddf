"""What an issue came to, for the person who comes back to it."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.human import GateKind
from autopilot.model.issue.issue import DESIGN, IMPL
from autopilot.model.run import PhaseStatus
from autopilot.reports.issue.evidence import judged_of
from autopilot.reports.issue.halts import halt_of_run
from autopilot.reports.issue.question import gate_facts
from autopilot.reports.issue.wording import finding_words, merge_of, oracle_words, position, stands_at, where
from autopilot.reports.status.files import hand_off_path, presentation_path
from autopilot.text.naming import plural


def issue_ending(state: RunState, issue: IssueState, before: str, after: str) -> Iterator[str]:
    """Its gates, its convergence, and what only the user can do now."""
    route = f", {issue.route.value} route" if issue.route else ""
    yield f"  issue {issue.brief.number}, {issue.brief.title}{route}: {issue.brief.folder}"
    yield f"  gate 1, requirements: {_passed(state, issue.requirements.approved_by, GateKind.REQUIREMENTS)}"
    shown = f"; {plural(issue.presentation.count, 'presentation')}" if issue.presentation.count else ""
    kind = GateKind.CAUSE if issue.has_cause else GateKind.DESIGN
    approved = issue.design.approved_by
    reached = _passed(state, approved, kind) if approved or shown else "not reached yet"
    yield f"  gate 2, {kind.value}: {reached}{shown}"
    yield from _converged(state, issue)
    if issue.ending.halted is not None:
        yield from (f"  {line}" for line in halt_of_run(state, issue, before, after))
    elif issue.ending.handed_off is not None:
        yield f"  gate 3, merge: you decide; read {hand_off_path(issue.brief.number)}"
        yield f"  to merge: `{merge_of(issue)}`"
    elif issue.presentation.last is not None and not issue.design.approved_by:
        path = presentation_path(issue.brief.number, issue.presentation.last.number)
        yield f"  to read: {path}, branch {issue.presentation.last.branch}"
    else:
        yield from _first_gate(state, issue, before)


def _first_gate(state: RunState, issue: IssueState, before: str) -> Iterator[str]:
    """Where the requirements can be read, and what their author asks."""
    for gate in state.open_gates:
        if gate.asked.kind is GateKind.REQUIREMENTS:
            yield from (f"  {line}" for line in gate_facts(gate, state, issue))
            arguments = " ".join(f'{question.id}="…"' for question in gate.asked.questions)
            if arguments:
                yield f"  to answer without approving: `{before}autopilot answer {gate.asked.gate} {arguments}`"


def _passed(state: RunState, by: str, kind: GateKind) -> str:
    """An answer is recorded at once; what follows from it is for the next run to say."""
    answers = [gate.answered for gate in state.people.gates.values() if gate.asked.kind is kind]
    is_approved = bool(answers) and answers[-1] is not None and answers[-1].approved
    return f"approved ({by})" if by else "approved by you, not read by a run yet" if is_approved else "open"


def _converged(state: RunState, issue: IssueState) -> Iterator[str]:
    for name in (DESIGN, IMPL):
        phase = state.phases.get(name)
        if phase is not None and phase.status is PhaseStatus.COMPLETED and issue.steps_of(name):
            yield f"  {name}: CONVERGED"
    judged = judged_of(issue)
    if judged is not None:
        first = f"; {finding_words(judged.findings[0])}" if judged.findings and issue.ending.halted is None else ""
        yield f"  {where(issue, judged.phase, judged.step, judged.iteration)}: {oracle_words(judged.state)}{first}"
    elif not issue.ending.is_reached and issue.convergence.rounds and position(state)[1]:
        yield f"  {stands_at(state)}"
