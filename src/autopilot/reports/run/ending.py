"""What a run came to, for the person who comes back to it, and the commands that lead on."""

from __future__ import annotations

import shlex

from msgspec import Struct

from autopilot.events.pieces import Landing
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import CapReached
from autopilot.model.git import LandingState
from autopilot.model.human import DECIDED, OF_AN_ISSUE, GateKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import BreakerStatus, LandingStage, PhaseStatus, RunStatus, Step, StopKind
from autopilot.reports.evidence.promised import ratio_words
from autopilot.reports.issue.issue_ending import issue_ending
from autopilot.reports.markdown import one_line
from autopilot.reports.run.announcement import announcement, refinement_results
from autopilot.reports.run.caps import raised_caps
from autopilot.reports.run.metrics import is_over
from autopilot.reports.run.project import DONE, project_of
from autopilot.reports.run.trend import Trend
from autopilot.reports.status.brief import brief, stop_words
from autopilot.reports.status.caught import caught_lines
from autopilot.reports.status.context_map import map_lines
from autopilot.reports.status.files import QUESTIONS, confidence_path, diagnostics_folder, postmortem_path
from autopilot.reports.status.gates import (
    LANDING,
    OBSTACLES,
    VERDICT,
    find_waiting,
    landing_command,
    landing_words,
    resume_words,
)
from autopilot.reports.status.host import for_host
from autopilot.reports.status.remedy import remedy_lines
from autopilot.reports.status.scores import falls_short, in_words, needs_diagnostic, score_of, stands_as_before
from autopilot.reports.status.status_text import spent_words

CONFIG = ".planning/config.json"
KEEPS = "a resumed run keeps the roadmap, plan and config it started with"


class CommandOptions(Struct, frozen=True):
    """What the run was called with and the user has to say again, ready for a shell."""

    before: str = ""
    after: str = ""
    caps: str = "your settings.toml"  # the file with the cap that stopped the run; "" if ``after`` raises the cap
    may_be_config: bool = False  # whether the cap may as well be the repository's, for a reader that cannot tell
    host: str = ""  # the agent's chat it was called from, if it was

    def command(self, arguments: str) -> str:
        return f"{self.before}autopilot {arguments}{self.after}"

    def alone(self, command: str) -> str:
        """A whole command that asks no agent: nothing else has to be said again."""
        return f"{self.before}{command}"


def render_ending(state: RunState, options: CommandOptions | None = None, trend: Trend | None = None) -> str:
    """``trend`` is that of the run against earlier ones, where they are known."""
    options = options or _recorded_options(state)
    lines = [f"{state.run}: {state.status.value}, {stop_words(state)}"]
    # A run that only maps carries out nothing: that its phases were not begun is no news.
    if state.issue is not None:
        lines += issue_ending(state, state.issue, options.before, options.after)
    elif not state.inputs.intent.only_maps:
        lines += [_phase_line(state, phase) for phase in state.phases.values()]
    lines += map_lines(state)
    lines += [f"  caught: {line}" for line in caught_lines(state)]
    lines += [*_incomplete(state), *refinement_results(state)]
    if state.breaker.state == BreakerStatus.OPEN and state.breaker.reason not in state.session.stop_reason:
        lines.append(f"  the circuit breaker is open: {brief(state.breaker.reason)}")
    lines += _spent(state)
    if waits := landing_words(state):
        lines.append(f"  {waits}")
    lines += [*announcement(state, trend), *next_lines(state, options)]
    return for_host("\n".join(map(one_line, lines)) + "\n", options.host)


def next_lines(state: RunState, options: CommandOptions | None = None) -> list[str]:
    """Every way on from here, each with its command."""
    options = options or _recorded_options(state)
    return [*_to_decide(state, options), *lines_to_continue(state, options), *_remaining(state, options)]


def _phase_line(state: RunState, phase: PhaseState) -> str:
    match phase.status:
        case PhaseStatus.COMPLETED if stands_as_before(phase):
            return (
                f"  phase {phase.id} keeps its earlier result, {in_words(score_of(state, phase))}: {_unrefined(phase)}"
            )
        case PhaseStatus.COMPLETED:
            return f"  phase {phase.id} passed{_passed(state, phase)}"
        case PhaseStatus.FAILED:
            kept = f"; the attempt is kept {_kept(phase)}" if _kept(phase) else ""
            seen = f"the evidence is in {diagnostics_folder(phase.id)}/, the post-mortem in {postmortem_path(phase.id)}"
            step, failure = phase.ending.failure_step, brief(phase.ending.failure)
            return f"  phase {phase.id} failed in {step}: {failure.removeprefix(f'{step}: ')}{kept}; {seen}"
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None:
            asked = phase.deferral.justification
            summary = f"{asked.label}, {asked.task_description}"
            return f"  phase {phase.id} waits for your verdict: {summary}; the work is on {phase.deferral.branch}"
        case _:
            return f"  phase {phase.id} {phase.status.value}"


def _unrefined(phase: PhaseState) -> str:
    """Why nothing came of a refinement."""
    if phase.remediation.withdrawn:
        return f"the changes were withdrawn and are kept {_kept(phase)}" if _kept(phase) else "no change was made"
    return "nothing was changed" if phase.remediation.cycles else "there was nothing to refine"


def _kept(phase: PhaseState) -> str:
    """On which branches; a split phase has one for each part besides its own."""
    rollback = phase.step(Step.ROLLBACK)
    if phase.split.parts and rollback is not None and rollback.detail:
        return rollback.detail
    branch = phase.line.diagnostic_branch or (phase.deferral.branch if phase.deferral else "")
    return f"on {branch}" if branch else ""


def _passed(state: RunState, phase: PhaseState) -> str:
    landed = "landed" if phase.landing.state == LandingStage.LANDED else "not landed yet"
    incomplete = " as incomplete" if phase.remediation.incomplete else ""
    summary = f"{ratio_words(phase)}, {in_words(score_of(state, phase))}, {landed}"
    about = "what is missing" if falls_short(state, phase) else "its score history"
    diagnostic = f"; {about}: {confidence_path(phase.id)}" if needs_diagnostic(state, phase) else ""
    return f"{incomplete}: {summary}; report {_report(state, phase)}{diagnostic}"


def _report(state: RunState, phase: PhaseState) -> str:
    """Where it can be read: what has not landed is on its branch alone, unless records are never committed."""
    path = f"{phase.brief.folder}/VERIFICATION.md"
    is_on_branch = phase.landing.state == LandingStage.DEFERRED and phase.landing.branch and state.policy.commit_docs
    return f"`git show {shlex.quote(f'{phase.landing.branch}:{path}')}`" if is_on_branch else path


def _incomplete(state: RunState) -> list[str]:
    marked = [phase.id for phase in state.phases.values() if phase.remediation.incomplete]
    if not marked:
        return []
    names = ", ".join(marked)
    return [f"  {len(marked)} passed below {state.policy.pass_threshold}/10 (force_incomplete): phase {names}"]


def _remaining(state: RunState, options: CommandOptions) -> list[str]:
    """After a run that did all it was asked to: what of the roadmap is left."""
    if not is_over(state) or state.status is not RunStatus.COMPLETED:
        return []
    project = project_of(state)
    if not project.remaining:
        return [f"  {DONE}"]
    names = ", ".join(project.remaining)
    return [f"  Remaining phases: {names}", f"  To continue: `{options.command(project.next_words)}`"]


def _spent(state: RunState) -> list[str]:
    """What was used beside what was expected, where something was."""
    begun = [phase for phase in state.phases.values() if phase.intake.estimate]
    if not begun:
        return []
    expected = sum(phase.intake.estimate or 0 for phase in begun)
    used = state.totals.usage
    return ["  " + spent_words(used.tokens, expected, used.usd, used.usd_is_estimate)]


def _to_decide(state: RunState, options: CommandOptions) -> list[str]:
    """What waits for its user, one whole command for each."""
    lines = []
    for waiting in find_waiting(state):
        command = f"`{options.alone(waiting.command)}`"
        if waiting.kind == VERDICT:
            lines.append(f"  to decide: {command}, or fail, or issues_found")
        elif waiting.kind in DECIDED:
            comment = "" if waiting.kind == GateKind.CHECKPOINT else ' "…"'
            lines.append(f"  to decide: {command}, or `{options.alone(f'autopilot reject {waiting.name}{comment}')}`")
        elif waiting.kind != LANDING:
            lines.append(f"  to answer: {command} ({waiting.title})")
    if any(gate.asked.questions or gate.asked.kind in OF_AN_ISSUE for gate in state.open_gates):
        lines.append(
            f"  or fill in {QUESTIONS}, then `{options.command(f'{resume_words(state)} --answers {QUESTIONS}')}`"
        )
    return lines


def lines_to_continue(state: RunState, options: CommandOptions | None = None) -> list[str]:
    """How a run goes on. Whatever stands between backquotes is one whole command that can be pasted."""
    options = options or _recorded_options(state)
    phases = (*state.phases.values(), *state.completion.closing.values())
    deferred = [p.landing for p in phases if p.landing.state == LandingStage.DEFERRED]
    if state.status is RunStatus.WAITING and deferred:
        return [f"  to land it: {_to_land(state, deferred[-1], options)}"]
    if state.status is RunStatus.WAITING and not find_waiting(state):
        return [f"  to continue: `{options.command(resume_words(state))}`"]  # everything is answered
    if state.status not in (RunStatus.FAILED, RunStatus.PAUSED) or (state.issue and state.issue.ending.halted):
        return []  # what to do about a halt is said with it
    # What passed must be taken in before a fresh run begins: it would be left behind.
    first = f"git merge {shlex.quote(deferred[-1].branch)} && " if deferred else ""
    resume, fresh = f"`{options.command(resume_words(state))}`", f"`{first}{options.command(_fresh(state))}`"
    kind = state.session.stop_kind
    if kind is StopKind.LIMIT:
        now = options.command(f"{resume_words(state)} --now")
        return [f"  to continue: {resume} once the limit is lifted; to retry immediately: `{now}`"]
    if kind is StopKind.PROBLEM and state.availability.out:
        return [*(f"  to continue: {remedy}" for remedy in remedy_lines(state)), f"  then: {resume}"]
    if kind is StopKind.CAP and options.caps == CONFIG:
        # A run keeps the config it began with; only a new one reads what was raised there.
        return [f"  to continue: raise the cap in {CONFIG}, then {fresh}"]
    config = [f"  if {CONFIG} sets the cap: raise it there, then {fresh}"] if options.may_be_config else []
    if state.breaker.state == BreakerStatus.OPEN:
        return [_after_cooldown(state, options), *config, *_after_changes(state, fresh)]
    if kind is StopKind.CAP:
        return [f"  {_raise_cap(options)} {resume}", *config]
    if kind is StopKind.PROBLEM:
        return [f"  to continue: fix the problem named above, then {resume}", *_after_changes(state, fresh)]
    if state.status is RunStatus.FAILED and _left_out(state):
        return [f"  to continue with what it depends on: {fresh}"]
    if state.status is RunStatus.FAILED and not _may_try_again(state):
        return [f"  to start over: {fresh}"]
    changes = _after_changes(state, fresh) if state.status is RunStatus.FAILED else []
    return [f"  to continue: {resume}; to start over: {fresh}", *changes]


def _after_changes(state: RunState, fresh: str) -> list[str]:
    """A correction that no resume would read; a cap or a full disk needs none, and an issue has anchors of its own."""
    is_cap = state.session.stop_kind is StopKind.CAP or state.session.exit_status == CapReached.exit_status
    if state.issue is not None or is_cap:
        return []
    return [f"  {KEEPS}; after changing them: {fresh}"]


def _recorded_options(state: RunState) -> CommandOptions:
    """For a reader that does not know the options of the call: its agents and the cap it reached are recorded."""
    is_cap = state.session.stop_kind is StopKind.CAP
    raised = raised_caps(state) if is_cap else ()
    after = state.policy.agent_options + "".join(f" {name} {value}" for name, value in raised)
    return CommandOptions(after=after, caps="" if raised else CommandOptions().caps, may_be_config=is_cap)


def _raise_cap(options: CommandOptions) -> str:
    return f"to continue: raise the cap in {options.caps}, then" if options.caps else "to continue with a higher cap:"


def _after_cooldown(state: RunState, options: CommandOptions) -> str:
    until = state.breaker.until
    later = f" from {until:%H:%M} UTC on" if until else ""
    cause = "to continue: remove the cause, then"
    first = _raise_cap(options) if state.session.stop_kind is StopKind.CAP else cause
    resume, now = resume_words(state), f"{resume_words(state)} --now"
    return f"  {first} `{options.command(resume)}`{later}, or immediately: `{options.command(now)}`"


def _to_land(state: RunState, landing: Landing, options: CommandOptions) -> str:
    merge, resume = f"git merge {shlex.quote(landing.branch)}", options.command("resume")
    command = landing_command(state, landing, resume)
    if landing.obstacle is LandingState.BRANCH_MOVED:
        return f"`{command}`"
    if landing.obstacle is LandingState.DETACHED:
        return f"`{command}`" if state.line.branch else f"switch to the branch that it is meant for, then `{merge}`"
    if landing.obstacle is LandingState.OTHER_BRANCH:
        back = f"`{command}`; or " if state.line.branch else ""
        return f"{back}merge it into your current branch: `{merge}`"
    if first := OBSTACLES.get(landing.obstacle):
        return f"{first}, then `{command}`"
    # A commit moves the branch, and what has moved is not landed upon.
    return f"`git stash`, then `{command}`, then `git stash pop`; or commit, then `{merge} && {resume}`"


def _may_try_again(state: RunState) -> bool:
    return state.issue is not None or any(
        phase.status is PhaseStatus.FAILED and phase.totals.attempt < state.policy.max_phase_attempts
        for phase in state.phases.values()
    )


def _fresh(state: RunState) -> str:
    """The same phases again, without those that passed."""
    if state.issue is not None:
        return f"{resume_words(state)} --fresh"
    left = (phase.id for phase in state.phases.values() if phase.status is not PhaseStatus.COMPLETED)
    return " ".join(("run --fresh", *state.inputs.intent.arguments, *_left_out(state), *left))


def _left_out(state: RunState) -> tuple[PhaseId, ...]:
    """What failed phases depend on and this run does not include: no resume makes up for it."""
    known = {*state.phases, *state.inputs.proven, *state.inputs.ticked}
    failed = (phase for phase in state.phases.values() if phase.status is PhaseStatus.FAILED)
    return tuple(dict.fromkeys(needed for phase in failed for needed in phase.brief.depends_on if needed not in known))
