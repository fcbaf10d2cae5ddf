"""What a run came to, for the person who comes back to it, and the commands that lead on."""

from __future__ import annotations

import shlex

from msgspec import Struct

from autopilot.events.state import Landing, PhaseState, RunState
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.model.verdict import Outcome
from autopilot.reports.brief import brief, stop_words
from autopilot.reports.files import confidence_path, diagnostics_folder, postmortem_path
from autopilot.reports.markdown import one_line
from autopilot.reports.remedy import remedy_lines
from autopilot.reports.scores import falls_short, in_words, needs_diagnostic, score_of
from autopilot.reports.standing import spent_words
from autopilot.reports.status import find_caught, landing_words

CAP, UNPROVEN = 4, 5  # exit statuses of a paused run
CONFIG = ".planning/config.json"
# Landing says in words what is in its way; these are the ones that no commit of the user's clears.
MOVED = (", not at ", "the branch moved")
ELSEWHERE = ("the checkout is on ", "HEAD is on no branch")


class Again(Struct, frozen=True):
    """What the run was called with and the user has to say again, ready for a shell."""

    before: str = ""
    after: str = ""
    caps: str = "your settings.toml"  # the file that holds the cap which stopped the run

    def command(self, words: str) -> str:
        return f"{self.before}autopilot {words}{self.after}"

    def verdict(self, phase: str) -> str:
        """A verdict asks no agent, so nothing else has to be said again."""
        return f"{self.before}autopilot verdict {phase} pass"


def render_ending(state: RunState, again: Again | None = None) -> str:
    again = again or Again()
    lines = [f"{state.run}: {state.status.value}, {stop_words(state)}"]
    lines += [_phase_line(state, phase) for phase in state.phases.values()]
    lines += [f"  caught: phase {phase} task {task} {reason}" for phase, task, reason in find_caught(state)]
    lines += _incomplete(state)
    if state.breaker.state == "open" and state.breaker.reason not in state.stop_reason:
        lines.append(f"  the circuit breaker is open: {brief(state.breaker.reason)}")
    lines += _spent(state)
    if waits := landing_words(state):
        lines.append(f"  {waits}")
    lines += [*_to_decide(state, again), *_next(state, again)]
    return "\n".join(map(one_line, lines)) + "\n"


def _phase_line(state: RunState, phase: PhaseState) -> str:
    match phase.status:
        case PhaseStatus.COMPLETED:
            return f"  phase {phase.id} passed{_passed(state, phase)}"
        case PhaseStatus.FAILED:
            kept = f"; what was tried is {_kept(phase)}" if _kept(phase) else ""
            seen = f"what was seen is in {diagnostics_folder(phase.id)}/, why it failed in {postmortem_path(phase.id)}"
            return f"  phase {phase.id} failed in {phase.failure_step}: {brief(phase.failure)}{kept}; {seen}"
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None:
            asked = phase.deferral.justification
            told = f"task {asked.checkpoint_task_id}, {asked.task_description}"
            return f"  phase {phase.id} waits for you: {told}; the work is on {phase.deferral.branch}"
        case _:
            return f"  phase {phase.id} {phase.status.value}"


def _kept(phase: PhaseState) -> str:
    """On which branches; a split phase has one for each part besides its own."""
    rollback = phase.step(Step.ROLLBACK)
    if phase.parts and rollback is not None and rollback.detail:
        return rollback.detail
    branch = phase.diagnostic_branch or (phase.deferral.branch if phase.deferral else "")
    return f"on {branch}" if branch else ""


def _passed(state: RunState, phase: PhaseState) -> str:
    proven = sum(v.outcome is Outcome.PASS for v in phase.verdicts)
    landed = "landed" if phase.landing.state == "landed" else "not landed yet"
    incomplete = " as incomplete" if phase.incomplete else ""
    told = f"{proven}/{len(phase.verdicts)} proven, {in_words(score_of(state, phase))}, {landed}"
    about = "what is missing" if falls_short(state, phase) else "how it got there"
    diagnostic = f"; {about}: {confidence_path(phase.id)}" if needs_diagnostic(state, phase) else ""
    return f"{incomplete}: {told}; report {phase.brief.folder}/VERIFICATION.md{diagnostic}"


def _incomplete(state: RunState) -> list[str]:
    marked = [phase.id for phase in state.phases.values() if phase.incomplete]
    if not marked:
        return []
    names = ", ".join(marked)
    return [f"  {len(marked)} passed below {state.policy.pass_threshold}/10 (force_incomplete): phase {names}"]


def _spent(state: RunState) -> list[str]:
    """What was used beside what was expected, where something was."""
    begun = [phase for phase in state.phases.values() if phase.estimate]
    if not begun:
        return []
    expected = sum(phase.estimate or 0 for phase in begun)
    used = state.usage
    return ["  " + spent_words(used.tokens, expected, used.usd, used.usd_is_estimate)]


def _to_decide(state: RunState, again: Again) -> list[str]:
    waiting = [p for p in state.phases.values() if p.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION]
    return [
        f"  to decide: `{again.verdict(phase.id)}`, or fail, or issues_found"
        for phase in waiting
        if phase.deferral is not None and not phase.deferral.verdict
    ]


def _next(state: RunState, again: Again) -> list[str]:
    """What leads on from here. Whatever stands between backquotes is one whole command that can be pasted."""
    deferred = [p.landing for p in state.phases.values() if p.landing.state == "deferred"]
    if state.status is RunStatus.WAITING and deferred:
        return [f"  to land it: {_to_land(state, deferred[-1], again)}"]
    if state.status not in (RunStatus.FAILED, RunStatus.PAUSED):
        return []
    # What passed must be taken in before a fresh run begins: it would be left behind.
    first = f"git merge {shlex.quote(deferred[-1].branch)} && " if deferred else ""
    resume, fresh = f"`{again.command('resume')}`", f"`{first}{again.command(_fresh(state))}`"
    if state.exit_status == CAP and " ended as " in state.stop_reason:
        # A provider's limit, or one part's share.
        return [f"  to go on: {resume}, when there is more to be had; at once: `{again.command('resume --now')}`"]
    if state.exit_status == UNPROVEN and state.out:
        return [*(f"  to go on: {remedy}" for remedy in remedy_lines(state)), f"  then: {resume}"]
    if state.exit_status == CAP and again.caps == CONFIG:
        # A run keeps the config it began with; only a new one reads what was raised there.
        return [f"  to go on: raise the cap in {CONFIG}, then {fresh}"]
    if state.breaker.state == "open":
        return [_after_cooldown(state, again)]
    if state.exit_status == CAP:
        return [f"  to go on: raise the cap in {again.caps}, then {resume}"]
    if state.exit_status == UNPROVEN:
        return [f"  to go on: mend what is named above, then {resume}"]
    if state.status is RunStatus.FAILED and not _may_try_again(state):
        return [f"  to start over: {fresh}"]
    return [f"  to go on: {resume}; to start over: {fresh}"]


def _after_cooldown(state: RunState, again: Again) -> str:
    until = state.breaker.until
    later = f" from {until:%H:%M} UTC on" if until else ""
    cap = f"raise the cap in {again.caps}, then " if state.exit_status == CAP else ""
    return f"  to go on: {cap}`{again.command('resume')}`{later}, or at once: `{again.command('resume --now')}`"


def _to_land(state: RunState, landing: Landing, again: Again) -> str:
    merge, resume = f"git merge {shlex.quote(landing.branch)}", again.command("resume")
    if any(words in landing.because for words in MOVED):
        return f"`{merge} && {resume}`"
    if any(words in landing.because for words in ELSEWHERE):
        back = f"`git switch {shlex.quote(state.branch)} && {resume}`; or " if state.branch else ""
        return f"{back}take it where you are: `{merge}`"
    return f"commit or put aside your changes, then `{resume}`; or take it yourself: `{merge}`"


def _may_try_again(state: RunState) -> bool:
    return any(
        phase.status is PhaseStatus.FAILED and phase.attempt < state.policy.max_phase_attempts
        for phase in state.phases.values()
    )


def _fresh(state: RunState) -> str:
    """The same phases again, without those that passed."""
    left = (phase.id for phase in state.phases.values() if phase.status is not PhaseStatus.COMPLETED)
    return " ".join(("run --fresh", *left))
