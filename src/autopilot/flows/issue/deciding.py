"""Issue mode: one issue between its three gates; each iteration generates, observes, records and checks the rails."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.happened import PhaseStarted
from autopilot.events.issue.happened import Converged, DesignApproved, RequirementsApproved, RouteTaken, SentBack
from autopilot.events.issue.rooms import Round
from autopilot.events.issue.state import IssueState
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.phase import MAX_STEP_ERRORS, next_step, try_again, wait_for_us
from autopilot.flows.preparing import wait_for
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.issue.issue import DESIGN, IMPL, PRD, Cause, CauseClass, FlakyKind, Route, SeedFinding
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus, Step, StepStatus
from autopilot.planning.issue.gate_answers import OK
from autopilot.planning.issue.rejection import split_rejection
from autopilot.rails.issue.halt import find_halt

HAND_OFF = "hand-off"  # approves the gates where the hand-off marker allows that
QUEUE = "queue"


def next_for_issue(state: RunState) -> tuple[Command, ...]:
    """The first part of its way that has something left to do."""
    issue = state.issue
    assert issue is not None, "only the run of an issue comes here"
    for phase in state.phases.values():
        if phase.open is not None:
            return (try_again(phase.id, phase.open),)
        if stop := wait_for_us(phase):
            return (stop,)
    for part in (_broken_down, _debt, _route, _requirements, _design, _middle_gate, _implement, _hand_off):
        if (command := part(state, issue)) is not None:
            return (command,)
    assert issue.ending.handed_off is not None, "an issue ends in a hand-off or in debt"
    return (Halt(RunStatus.COMPLETED, f"CONVERGED: {issue.ending.handed_off.branch} is ready for you to merge", 0),)


def leads_to_agent(command: Command, issue: IssueState) -> bool:
    """Whether an agent is asked right after this command, which itself asks none."""
    match command:
        case RunStep(step=step):
            return step is Step.FREEZE
        case Record(events=events):
            goes_on = (SentBack, RequirementsApproved, *(() if issue.options.only == DESIGN else (DesignApproved,)))
            return any(isinstance(event, goes_on) for event in events)
        case _:
            return False


def _broken_down(state: RunState, _: IssueState) -> Command | None:
    """A step that fails twice for the same reason is not retried."""
    for phase in state.phases.values():
        for name, step in phase.steps.items():
            if step.status == StepStatus.ERROR and step.errors >= MAX_STEP_ERRORS:
                return Halt(RunStatus.FAILED, f"{name}: {step.detail}", 1)
    return None


def _debt(_: RunState, issue: IssueState) -> Command | None:
    stuck = issue.ending.halted
    if stuck is None:
        return None
    outcome = f"COMPLETED_WITH_DEBT {{step: {stuck.step}, reason: {stuck.reason.value}}}"
    return Halt(RunStatus.FAILED, f"{stuck.detail} ({outcome})" if stuck.detail else outcome, 1)


def _route(state: RunState, issue: IssueState) -> Command | None:
    """The recommendation is given once; only the user can take it."""
    if issue.route is not None:
        return None
    recommended = issue.advice.recommended
    if recommended in (None, Route.FULL) or issue.options.hand_off:
        return Record("route", (RouteTaken(Route.FULL, "no shorter route fits"),))
    name = f"route-{issue.brief.number}"
    gate = state.people.gates.get(name)
    assert recommended is not None, "without advice no user is asked"
    if gate is None:
        looks = f"fits the {recommended.value} route ({'; '.join(issue.advice.reasons)})"
        title = f"issue {issue.brief.number} {looks}: take the {recommended.value} route, or full?"
        ways = f"ok takes the {recommended.value} route; or write one of: {', '.join(Route)}"
        question = HumanQuestion("route", ways, str(DESIGN))
        return Record(f"ask/{name}", (HumanAsked(name, GateKind.ROUTE, title, (question,)),))
    if gate.answered is None:
        return wait_for([gate])
    choice = gate.answered.answers.get("route", "").strip().lower()
    route = Route(choice) if choice in tuple(Route) else recommended if choice == OK else Route.FULL
    return Record("route", (RouteTaken(route, gate.answered.by),))


def _requirements(state: RunState, issue: IssueState) -> Command | None:
    """The first gate: only a person approves requirements. Other routes start from the issue's own text."""
    if issue.requirements.approved_by:
        return None
    if issue.route is not Route.FULL:
        return Record("requirements", (RequirementsApproved("the issue as it is written"),))
    if issue.options.hand_off and issue.requirements.has_prd and not issue.requirements.drafted:
        return Record("requirements", (RequirementsApproved(QUEUE),))
    if not issue.requirements.has_prd:
        return _begin(state, DESIGN) or next_step(state.phase(DESIGN), Step.DEFINE)
    asked = [gate for gate in state.people.gates.values() if gate.asked.kind is GateKind.REQUIREMENTS]
    last = asked[-1] if asked else None
    if last is None or last.asked.gate in issue.presentation.sent_back:
        return _ask_requirements(issue, issue.presentation.asked_before + len(asked) + 1)
    if last.answered is None:
        return wait_for([last])
    if last.answered.approved:
        return Record(f"approved/{last.asked.gate}", (RequirementsApproved(last.answered.by),))
    return _send_back(DESIGN, last)


def _ask_requirements(issue: IssueState, number: int) -> Record:
    """All that only a person can decide, in one batch."""
    name = f"requirements-{issue.brief.number}-{number}"
    texts = issue.requirements.questions
    questions = tuple(HumanQuestion(f"q{n}", text, str(DESIGN)) for n, text in enumerate(texts, 1))
    title = f"requirements of issue {issue.brief.number}, {issue.brief.title}: approve {issue.brief.path(PRD)}?"
    return Record(f"ask/{name}", (HumanAsked(name, GateKind.REQUIREMENTS, title, questions),))


def _send_back(phase: PhaseId, gate: HumanGate) -> Record:
    """Anything but an approval sends the whole back; every point of it is a finding, in the person's own text."""
    assert gate.answered is not None, "an open gate has no answer"
    asked, answer = gate.asked, gate.answered
    answers = [f"{q.text}: {answer.answers[q.id]}" for q in asked.questions if answer.answers.get(q.id)]
    findings = (*(SeedFinding(evidence_ref=text) for text in answers),)
    if answer.comment or not findings:
        findings += split_rejection(answer.comment)
    return Record(f"sent-back/{asked.gate}", (SentBack(phase, asked.gate, findings),))


def _design(state: RunState, issue: IssueState) -> Command | None:
    if issue.design.approved_by:
        return None
    if command := _begin(state, DESIGN) or _freeze(state, issue, DESIGN):
        return command
    return _converge(state, issue, DESIGN)


def _middle_gate(state: RunState, issue: IssueState) -> Command | None:
    """Presented to a person, who passes it or sends the whole back."""
    if issue.design.approved_by:
        return None
    phase = state.phase(DESIGN)
    if issue.presentation.last is None or issue.presentation.last.commit != state.line.tip:
        return next_step(phase, Step.PRESENT)
    name, kind = issue.middle_gate, GateKind.CAUSE if issue.has_cause else GateKind.DESIGN
    gate = state.people.gates.get(name)
    if gate is None:
        return Record(f"ask/{name}", (HumanAsked(name, kind, _middle_title(issue), _causes(issue), DESIGN),))
    if gate.answered is None and issue.options.hand_off:
        comment = "accepted by the automatic checks; review it on the draft pull request"
        return Record(f"answer/{name}", (HumanAnswered(name, {}, HAND_OFF, approved=True, comment=comment),))
    if gate.answered is None:
        return wait_for([gate])
    if gate.answered.approved:
        return Record(f"approved/{name}", (DesignApproved(gate.answered.by, _agreed(issue, gate.answered)),))
    return _send_back(DESIGN, gate)


def _implement(state: RunState, issue: IssueState) -> Command | None:
    if state.phase(IMPL).status is PhaseStatus.COMPLETED or not issue.steps_of(IMPL):
        return None
    if issue.options.only == DESIGN:
        return Halt(RunStatus.PAUSED, f"the design is approved: autopilot issue {issue.brief.number} --impl", 0)
    if command := _begin(state, IMPL) or _freeze(state, issue, IMPL):
        return command
    return _converge(state, issue, IMPL)


def _hand_off(state: RunState, issue: IssueState) -> Command | None:
    if issue.ending.handed_off is not None and issue.ending.handed_off.commit == state.line.tip:
        return None
    return next_step(state.phase(IMPL if issue.steps_of(IMPL) else DESIGN), Step.HAND_OFF)


def _begin(state: RunState, name: PhaseId) -> Command | None:
    phase = state.phase(name)
    if phase.status is not PhaseStatus.NOT_STARTED:
        return None
    attempt = phase.totals.attempt + 1
    return Record(f"{name}/start/{attempt}", (PhaseStarted(name, attempt, state.line.tip),))


def _freeze(state: RunState, issue: IssueState, name: PhaseId) -> Command | None:
    return next_step(state.phase(name), Step.FREEZE) if issue.frozen != name else None


def _converge(state: RunState, issue: IssueState, name: PhaseId) -> Command | None:
    """Step after step of a phase; each goes round until its oracle holds or a rail trips."""
    phase = state.phase(name)
    steps = issue.steps_of(name)
    for step in steps:
        round_ = issue.convergence.rounds.get(step, Round())
        if not round_.passed:
            return _next_in_round(issue, phase, step, round_)
    if phase.status is PhaseStatus.COMPLETED:
        return None
    return Record(f"{name}/converged/{phase.totals.attempt}", (Converged(name, steps, state.line.tip),))


def _next_in_round(issue: IssueState, phase: PhaseState, step: str, round_: Round) -> RunStep:
    work = Step.IMPLEMENT if phase.id == IMPL or issue.is_express else Step.DESIGN
    if round_.work is None:
        return next_step(phase, work, step)
    if round_.row is not None:
        return next_step(phase, Step.HALT if find_halt(issue, step) else work, step)
    needs_oracle = step == issue.at_step or (phase.id == DESIGN and issue.route is not Route.FULL)
    if round_.judged is None and needs_oracle and round_.work.commit:
        return next_step(phase, Step.ORACLE, step)
    return next_step(phase, Step.RECORD, step)


def _middle_title(issue: IssueState) -> str:
    number, title = issue.brief.number, issue.brief.title
    match issue.route:
        case Route.BUGFIX | Route.FLAKY:
            return f"cause of issue {number}, {title}: do you agree?"
        case Route.EXPRESS:
            return f"change for issue {number}, {title}: approve it?"
        case _:
            return f"design of issue {number}, {title}: approve stories, plan and acceptance tests?"


def _causes(issue: IssueState) -> tuple[HumanQuestion, ...]:
    """The class of the cause is a person's to say; what the agent takes it for is the answer left out."""
    if issue.cause.proposed is None:
        return ()
    kinds = CauseClass if issue.route is Route.BUGFIX else FlakyKind
    return (HumanQuestion("cause", f"one of {', '.join(kinds)}; proposed: {issue.cause.proposed.kind}", str(DESIGN)),)


def _agreed(issue: IssueState, answer: HumanAnswered) -> Cause | None:
    """The cause as proposed, under the class the person gave it."""
    if issue.cause.proposed is None or not issue.has_cause:
        return None
    return replace(issue.cause.proposed, kind=answer.answers.get("cause") or issue.cause.proposed.kind)
