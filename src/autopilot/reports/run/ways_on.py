"""The ways on from where a run stopped: what waits for its user, how it continues, what is left; each a command."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.pieces import Landing
from autopilot.events.state import RunState
from autopilot.model.errors import CapReached
from autopilot.model.git import LandingState
from autopilot.model.human import DECIDED, OF_AN_ISSUE, GateKind
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import BreakerStatus, LandingStage, PhaseStatus, RunStatus, StopKind
from autopilot.reports.drafting import ways_on
from autopilot.reports.local_time import clock_words
from autopilot.reports.run.caps import is_of_call, is_of_config, keys_in_config, keys_in_settings, raised_caps
from autopilot.reports.run.metrics import is_over
from autopilot.reports.run.project import DONE, project_of
from autopilot.reports.status.files import QUESTIONS
from autopilot.reports.status.gates import (
    LANDING,
    OBSTACLES,
    VERDICT,
    find_waiting,
    landing_command,
    resume_words,
    session_anew,
)
from autopilot.reports.status.remedy import remedy_lines
from autopilot.text.naming import name_phases

CONFIG = ".planning/config.json"
SETTINGS = "your settings.toml"
KEEPS = "a resumed run keeps the roadmap, plan and config it started with"


class CommandOptions(Struct, frozen=True):
    """What the run was called with and the user has to say again, ready for a shell."""

    before: str = ""
    after: str = ""
    caps: str = SETTINGS  # the file with the cap that stopped the run; "" if ``after`` raises the cap
    higher: str = ""  # the option that raises the cap for this run alone, whatever the file says
    may_be_config: bool = False  # whether the cap may as well be the repository's, for a reader that cannot tell
    host: str = ""  # the agent's chat it was called from, if it was

    def command(self, arguments: str) -> str:
        return f"{self.before}autopilot {arguments}{self.after}"

    def alone(self, command: str) -> str:
        """A whole command that asks no agent: nothing else has to be said again."""
        return f"{self.before}{command}"


def next_lines(state: RunState, options: CommandOptions | None = None) -> list[str]:
    """Every way on from here, each with its command."""
    options = options or recorded_options(state)
    return [*_to_decide(state, options), *lines_to_continue(state, options), *_remaining(state, options)]


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
    options = options or recorded_options(state)
    if state.drafting is not None and state.drafting.is_over:
        return ways_on(state.drafting)
    deferred = _deferred(state)
    if state.status is RunStatus.WAITING and deferred:
        return [f"  to land it: {_to_land(state, deferred[-1], options)}"]
    if state.status is RunStatus.WAITING and not find_waiting(state):
        return [f"  to continue: `{options.command(resume_words(state))}`"]  # everything is answered
    if state.status not in (RunStatus.FAILED, RunStatus.PAUSED) or (state.issue and state.issue.ending.halted):
        return []  # what to do about a halt is said with it
    return [*_landing_first(state, deferred, options), *_lines_to_resume(state, options)]


def _deferred(state: RunState) -> list[Landing]:
    phases = (*state.phases.values(), *state.completion.closing.values())
    return [phase.landing for phase in phases if phase.landing.state == LandingStage.DEFERRED]


def _landing_first(state: RunState, deferred: Sequence[Landing], options: CommandOptions) -> list[str]:
    """Beside a failed phase: the branch has moved, so a resume alone lands nothing, or nothing else needs a resume."""
    if not deferred or (may_try_again(state) and deferred[-1].obstacle is not LandingState.BRANCH_MOVED):
        return []
    return [f"  to land it: {_to_land(state, deferred[-1], options)}"]


def _lines_to_resume(state: RunState, options: CommandOptions) -> list[str]:
    resume, fresh = f"`{options.command(resume_words(state))}`", f"`{command_to_start_over(state, options)}`"
    kind = state.session.stop_kind
    if kind is StopKind.LIMIT:
        now = options.command(f"{resume_words(state)} --now")
        return [f"  to continue: {resume} at that time; to retry immediately: `{now}`"]
    if kind is StopKind.CALL:
        own = f"  if tokens or usd below [agent.NAME] in {options.caps or SETTINGS} sets that cap: raise it there"
        return [f"  to continue with a new call: {resume}", own]
    if kind is StopKind.PROBLEM and state.availability.out:
        return [*(f"  to continue: {remedy}" for remedy in remedy_lines(state)), f"  then: {resume}"]
    if kind is StopKind.CAP and options.caps == CONFIG:
        # A run keeps the config it began with; only a new one reads what was raised there.
        return [f"  to continue: raise {keys_in_config(state)} in {CONFIG}, then {fresh}"]
    config = [f"  if {CONFIG} sets the cap: raise it there, then {fresh}"] if options.may_be_config else []
    if state.breaker.state == BreakerStatus.OPEN:
        return [_after_cooldown(state, options), *config, *_after_changes(state, fresh)]
    if kind is StopKind.CAP:
        return [f"  {_raise_cap(state, options)} {resume}{_for_this_run(state, options, '')}", *config]
    if kind is StopKind.PROBLEM:
        return [f"  to continue: fix the problem named above, then {resume}", *_after_changes(state, fresh)]
    if state.status is RunStatus.FAILED and _left_out(state):
        return [f"  to continue with what it depends on: {fresh}"]
    if state.status is RunStatus.FAILED and not may_try_again(state):
        return [
            f"  nothing is left to run: {attempts_used(state)}",
            f"  after changing roadmap, plan or config: {fresh}",
        ]
    changes = _after_changes(state, fresh) if state.status is RunStatus.FAILED else []
    anew = f"; to start over: {fresh}" if _is_open(state) else ""
    return [f"  to continue: {resume}{anew}", *changes]


def command_to_start_over(state: RunState, options: CommandOptions) -> str:
    """What passed must be taken in before a fresh run begins: it would be left behind."""
    deferred = _deferred(state)
    first = f"git merge {shlex.quote(deferred[-1].branch)} && " if deferred else ""
    return f"{first}{options.command(_fresh(state))}"


def attempts_used(state: RunState) -> str:
    """Why no resume runs it again."""
    failed = [phase.id for phase in state.phases.values() if phase.status is PhaseStatus.FAILED]
    number = state.policy.attempts.phases
    attempts = "only attempt" if number == 1 else f"{number} attempts"
    if len(failed) == 1:
        return f"{name_phases(failed)} has used its {attempts}"
    return f"{name_phases(failed)} have each used their {attempts}"


def _is_open(state: RunState) -> bool:
    """Whether a fresh run would find something to do: what has passed and landed is not done again."""
    return not state.is_of_roadmap or any(p.status is not PhaseStatus.COMPLETED for p in state.phases.values())


def _after_changes(state: RunState, fresh: str) -> list[str]:
    """A correction that no resume would read; a cap or a full disk needs none, and an issue has anchors of its own."""
    is_cap = state.session.stop_kind is StopKind.CAP or state.session.exit_status == CapReached.exit_status
    if not state.is_of_roadmap or is_cap or not _is_open(state):
        return []
    return [f"  {KEEPS}; after changing them: {fresh}"]


def recorded_options(state: RunState) -> CommandOptions:
    """For a reader that does not know the options of the call: its agents and the cap it reached are recorded."""
    options = CommandOptions(after=state.policy.agent_options)
    return with_higher_cap(state, options) if state.session.stop_kind is StopKind.CAP else options


def with_higher_cap(state: RunState, options: CommandOptions) -> CommandOptions:
    """The options, with the cap that stopped the run: raised by the call if a call named it, else where it stands."""
    of_config = is_of_config(state)
    higher = "".join(f" {name} {value}" for name, value in raised_caps(state))
    if of_config:
        return replace(options, caps=CONFIG)
    if is_of_call(state):
        return replace(options, after=options.after + higher, caps="", may_be_config=of_config is None)
    return replace(options, higher=higher, may_be_config=of_config is None)


def _raise_cap(state: RunState, options: CommandOptions) -> str:
    if not options.caps:
        return "to continue with a higher cap:"
    return f"to continue: raise {keys_in_settings(state)} in {options.caps}, then"


def _for_this_run(state: RunState, options: CommandOptions, now: str) -> str:
    if not options.higher:
        return ""
    return f"; for this run alone: `{options.command(resume_words(state) + now)}{options.higher}`"


def _after_cooldown(state: RunState, options: CommandOptions) -> str:
    until = state.breaker.until
    later = f" from {clock_words(until, state.now)} on" if until else ""
    cause = "to continue: remove the cause, then"
    is_cap = state.session.stop_kind is StopKind.CAP
    first = _raise_cap(state, options) if is_cap else cause
    alone = _for_this_run(state, options, " --now") if is_cap else ""
    resume, now = resume_words(state), f"{resume_words(state)} --now"
    return f"  {first} `{options.command(resume)}`{later}, or immediately: `{options.command(now)}`{alone}"


def _remaining(state: RunState, options: CommandOptions) -> list[str]:
    """After a run that did all it was asked to: what of the roadmap is left."""
    if not is_over(state) or state.status is not RunStatus.COMPLETED:
        return []
    project = project_of(state)
    if not project.remaining and state.inputs.spec_changed_to:
        listing = options.command("run --dry-run")
        return [
            f"  All phases that the run began with are complete. The plan was edited since: `{listing}` lists the rest"
        ]
    if not project.remaining:
        return [f"  {DONE}"]
    names = ", ".join(project.remaining)
    return [f"  Remaining phases: {names}", f"  To continue: `{options.command(project.next_words)}`"]


def _to_land(state: RunState, landing: Landing, options: CommandOptions) -> str:
    merge, resume = f"git merge {shlex.quote(landing.branch)}", options.command(resume_words(state))
    command = landing_command(state, landing, resume)
    if landing.obstacle is LandingState.BRANCH_MOVED:
        return f"`{command}`"
    if landing.obstacle is LandingState.DETACHED:
        meant = f"switch to the branch that the work is meant for, then `{merge} && {resume}`"
        return f"`{command}`" if state.line.branch else meant
    if landing.obstacle is LandingState.OTHER_BRANCH:
        back = f"`{command}`; or " if state.line.branch else ""
        return f"{back}merge it into your current branch: `{merge} && {resume}`"
    if first := OBSTACLES.get(landing.obstacle):
        return f"{first}, then `{command}`"
    # A commit moves the branch, and what has moved is not landed upon.
    return f"`git stash`, then `{command}`, then `git stash pop`; or commit, then `{merge} && {resume}`"


def may_try_again(state: RunState) -> bool:
    return not state.is_of_roadmap or any(
        phase.status is PhaseStatus.FAILED and phase.totals.attempt < state.policy.attempts.phases
        for phase in state.phases.values()
    )


def _fresh(state: RunState) -> str:
    """The same phases again, without those that passed."""
    if state.debugging is not None:
        return session_anew(state)
    if state.issue is not None:
        return f"{resume_words(state)} --fresh"
    if state.drafting is not None:
        return "plan --discard"
    left = (phase.id for phase in state.phases.values() if phase.status is not PhaseStatus.COMPLETED)
    return " ".join(("run --fresh", *state.inputs.intent.beside((*_left_out(state), *left))))


def _left_out(state: RunState) -> tuple[PhaseId, ...]:
    """What failed phases depend on and this run does not include: no resume makes up for it."""
    known = {*state.phases, *state.inputs.proven, *state.inputs.ticked}
    failed = (phase for phase in state.phases.values() if phase.status is PhaseStatus.FAILED)
    return tuple(dict.fromkeys(needed for phase in failed for needed in phase.brief.depends_on if needed not in known))
