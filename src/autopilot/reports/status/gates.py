"""What waits for a person: gates, verdicts, landings; each as text, with the command that answers it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, Literal

from msgspec import Struct

from autopilot.events.pieces import Deferral, Landing
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.git import LandingState
from autopilot.model.human import DECIDED, GateKind, HumanQuestion
from autopilot.model.issue.issue import Route
from autopilot.model.run import LandingStage, PhaseStatus, RunStatus
from autopilot.reports.issue.question import render_issue_gate
from autopilot.reports.issue.wording import go_on
from autopilot.reports.markdown import one_line, shorten
from autopilot.reports.status.discussion import render_talk
from autopilot.reports.status.scores import in_words, score_of

VERDICT: Final = "verdict"
LANDING: Final = "landing"
DEBUG_SESSION: Final = "debug session "  # its fix has no number of a phase
TITLE = 400
# Landing says in words what is in its way; these are the ones that no commit of the user's clears.
ELSEWHERE = (LandingState.OTHER_BRANCH, LandingState.DETACHED)
# What a user does first about the others, before the run is resumed.
OBSTACLES: Mapping[LandingState | None, str] = {
    LandingState.UNTRACKED: "move those files away",
    LandingState.IN_PROGRESS: "finish or abort that operation (`git status` names the commands)",
    LandingState.LOCKED: "wait for the other git, or delete that file if none runs",
    LandingState.TWO_WORKTREES: "switch the other worktree to another branch",
}


class Waiting(Struct, frozen=True):
    kind: GateKind | Literal["verdict", "landing"]
    name: str  # the gate's, the phase's, or that of a debug session
    title: str
    since: datetime | None
    command: str  # whole, ready to paste
    look: str = ""  # the command that shows the work, of a verdict


def find_waiting(state: RunState) -> tuple[Waiting, ...]:
    """Everything of a run that only a person can settle, the oldest first."""
    found = [
        *(_gate(gate, state) for gate in state.open_gates),
        *(_verdict(state, phase) for phase in wait_for_verdict(state)),
    ]
    landings = _deferred(state)
    if landings and state.halted:  # one under way tries by itself
        found.append(_landing(state, landings[-1]))
    return tuple(sorted(found, key=lambda waiting: waiting.since or state.now))


def wait_for_verdict(state: RunState) -> tuple[PhaseState, ...]:
    """Deferred phases whose user has not spoken yet."""
    waiting = (p for p in state.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION)
    return tuple(p for p in waiting if p.deferral is not None and not p.deferral.verdict)


def render_gate(gate: HumanGate, state: RunState) -> str:
    """All that has to be known to answer it, in one message."""
    match gate.asked.kind:
        case GateKind.CHECKPOINT:
            return "\n".join((one_line(gate.asked.title), *_progress(state))) + "\n"
        case GateKind.MAP:
            return "\n".join((one_line(gate.asked.title), *_asked(gate, state))) + "\n"
        case GateKind.AREAS | GateKind.DISCUSS:
            return render_talk(state, gate)
        case GateKind.ROUTE | GateKind.REQUIREMENTS | GateKind.DESIGN | GateKind.CAUSE:
            return render_issue_gate(gate, state)


def render_deferred(phase: PhaseState) -> str:
    """What a person needs for a verdict: what is left to check, why no agent could check it, and where the work is."""
    assert phase.deferral is not None, "only deferred work waits for a verdict"
    asked = phase.deferral.justification
    lines = [
        f"Phase {phase.id}, {phase.brief.name}, waits for your verdict.",
        f"  to check: {asked.label}, {asked.task_description}",
        f"  automatic tasks passed: {asked.auto_tasks_passed}/{asked.auto_tasks_total}",
        *(f"  not proven: {item.criterion} ({item.why_insufficient})" for item in phase.deferral.evidence),
        f"  the work is on branch {phase.deferral.branch}",
    ]
    return "\n".join(map(one_line, lines)) + "\n"


def verdict_words(deferral: Deferral) -> str:
    """Of work that does not wait for a verdict any more, while no run has acted on it."""
    return f"your verdict: {deferral.verdict.replace('_', ' ')}, not acted on yet"


def answer_command(kind: GateKind, gate: str, proposed: Route | None = None) -> str:
    """The one that lets the run go on. ``proposed``: the route to take, if it is known here; ok takes it too."""
    if kind in DECIDED:
        return f"autopilot approve {gate}"
    return f"autopilot answer {gate} {proposed or 'ok'}" if kind is GateKind.ROUTE else f"autopilot answer {gate}"


def resume_words(state: RunState) -> str:
    """The arguments that resume it: an issue by its number, because other issues may be newer; a session by name."""
    if state.debugging is not None:
        return f"debug continue {state.debugging.brief.slug}"
    return go_on(state.issue) if state.issue else "resume"


def session_anew(state: RunState) -> str:
    """The arguments that begin a debug session anew: its words alone would resume it."""
    assert state.debugging is not None, "only a debug session is begun anew by its words"
    brief = state.debugging.brief
    return f"debug abandon {brief.slug} && autopilot debug start {shlex.quote(brief.text)}"


def resume_command(state: RunState) -> str:
    """The whole command that resumes it, with the agents of its last call."""
    return f"autopilot {resume_words(state)}{state.policy.agent_options}"


def map_heading(phase: str, state: RunState) -> str:
    """A phase that is asked about, with what is known of it."""
    known = [p for p in state.phases.values() if p.id == phase]
    name = f": {one_line(known[0].brief.name)}" if known else ""
    mapped = [state.people.mapping[p.id] for p in known if p.id in state.people.mapping]
    return f"Phase {phase}{name}" + (f" (score: {mapped[0].before.score}/10)" if mapped else "")


def question_words(question: HumanQuestion) -> str:
    category = f" [{question.category}]" if question.category else ""
    return one_line(f"{question.text}{category}")


def landing_command(state: RunState, landing: Landing, resume: str) -> str:
    """The one command that brings work in that waits for it."""
    merge = f"git merge {shlex.quote(landing.branch)}"
    if landing.obstacle is LandingState.BRANCH_MOVED:
        return f"{merge} && {resume}"
    if landing.obstacle in ELSEWHERE:
        if state.line.branch:
            return f"git switch {shlex.quote(state.line.branch)} && {resume}"
        return f"git switch BRANCH && {merge} && {resume}"
    return resume


def landing_words(state: RunState, before: str = "") -> str:
    """The work that waits to be landed, and why, unless the text ``before`` has it; "" if none does."""
    waiting = _deferred(state)
    if not waiting:
        return ""
    last = waiting[-1].landing
    if last.because in before:
        return f"the verified work is on branch {last.branch}"
    return f"landing waits ({last.because}); the work is on branch {last.branch}"


def _deferred(state: RunState) -> list[PhaseState]:
    """Phases whose work waits to land; of a debug session that its user gave up nothing is to land any more."""
    phases = (*state.phases.values(), *state.completion.closing.values())
    is_over = state.status is RunStatus.COMPLETED
    return [phase for phase in phases if phase.landing.state == LandingStage.DEFERRED and not is_over]


def _gate(gate: HumanGate, state: RunState) -> Waiting:
    kind, name = gate.asked.kind, gate.asked.gate
    command = answer_command(kind, name, state.issue.advice.recommended if state.issue else None)
    title = _title(gate.asked.title)
    if kind is GateKind.REQUIREMENTS and gate.asked.questions:
        answers = " ".join(f'{question.id}="…"' for question in gate.asked.questions)
        title += f" Its questions are answered with `autopilot answer {name} {answers}`"
    return Waiting(kind, name, title, gate.asked_at, command)


def _verdict(state: RunState, phase: PhaseState) -> Waiting:
    assert phase.deferral is not None
    look = "git diff " + shlex.quote(f"{state.line.branch or 'HEAD'}...{phase.deferral.branch}")
    title = _title(f"phase {phase.id}, {phase.brief.name}: {phase.deferral.justification.task_description}")
    whole, command = f"{title}; look at it: {look}", f"autopilot verdict {phase.id} pass"
    return Waiting(VERDICT, phase.id, whole, phase.ending.completed_at, command, look)


def _landing(state: RunState, phase: PhaseState) -> Waiting:
    obstacle = phase.landing.obstacle
    remedy = "stash your changes first" if obstacle is LandingState.NOT_CLEAN else OBSTACLES.get(obstacle, "")
    first = f"; {remedy.replace('`', '')}" if remedy else ""
    work = f"verified work on branch {phase.landing.branch}"
    title = _title(f"{work} has not landed, because {phase.landing.because}{first}")
    command = landing_command(state, phase.landing, resume_command(state))
    name = f"{DEBUG_SESSION}{state.debugging.brief.slug}" if state.debugging else phase.id
    return Waiting(LANDING, name, title, phase.ending.completed_at, command)


def _title(text: str) -> str:
    return shorten(one_line(text), TITLE)


def _progress(state: RunState) -> Iterator[str]:
    for phase in state.phases.values():
        score = f", {in_words(score_of(state, phase))}" if phase.status is PhaseStatus.COMPLETED else ""
        status = phase.status.value.replace("_", " ")
        yield one_line(f"  phase {phase.id}  {status}{score}  {phase.brief.name}")


def _asked(gate: HumanGate, state: RunState) -> Iterator[str]:
    for phase in dict.fromkeys(question.phase for question in gate.asked.questions):
        yield from ("", map_heading(phase, state))
        for question in gate.asked.questions:
            if question.phase == phase:
                yield f"  {question.id}  {question_words(question)}"
                if question.why:
                    yield f"       {one_line(question.why)}"
