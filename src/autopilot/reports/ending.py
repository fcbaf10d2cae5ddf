"""What a run came to, for the person who comes back to it, and the commands that lead on."""

from __future__ import annotations

import shlex

from msgspec import Struct

from autopilot.events.state import Landing, PhaseState, RunState
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import one_line
from autopilot.reports.status import landing_words

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


def render_ending(state: RunState, again: Again | None = None) -> str:
    lines = [f"{state.run}: {state.status.value}, {state.stop_reason}"]
    lines += [_phase_line(phase) for phase in state.phases.values()]
    lines += _caught(state)
    if waits := landing_words(state):
        lines.append(f"  {waits}")
    lines += _next(state, again or Again())
    return "\n".join(map(one_line, lines)) + "\n"


def diagnostics_folder(phase: PhaseId) -> str:
    """Where the documents of a phase that failed are written: they land nowhere."""
    return f".autopilot/diagnostics/phase-{phase}"


def _phase_line(phase: PhaseState) -> str:
    proven = sum(v.outcome is Outcome.PASS for v in phase.verdicts)
    match phase.status:
        case PhaseStatus.COMPLETED:
            landed = "landed" if phase.landing.state == "landed" else "not landed yet"
            told = f"{proven}/{len(phase.verdicts)} proven, {phase.score}/10, {landed}"
            return f"  phase {phase.id} passed: {told}; report {phase.brief.folder}/VERIFICATION.md"
        case PhaseStatus.FAILED:
            kept = f"; what was tried is on {phase.diagnostic_branch}" if phase.diagnostic_branch else ""
            told = f"{phase.failure}{kept}; what was seen is in {diagnostics_folder(phase.id)}/"
            return f"  phase {phase.id} failed in {phase.failure_step}: {told}"
        case _:
            return f"  phase {phase.id} {phase.status.value}"


def _caught(state: RunState) -> list[str]:
    return [
        f"  caught: phase {phase.id} task {task.task.id} {reason}"
        for phase in state.phases.values()
        for task in phase.tasks.values()
        for reason in task.caught
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
    if state.exit_status == CAP and again.caps == CONFIG:
        # A run keeps the config it began with; only a new one reads what was raised there.
        return [f"  to go on: raise the cap in {CONFIG}, then {fresh}"]
    if state.exit_status == CAP:
        return [f"  to go on: raise the cap in {again.caps}, then {resume}"]
    if state.exit_status == UNPROVEN:
        return [f"  to go on: mend what is named above, then {resume}"]
    if state.status is RunStatus.FAILED and not _may_try_again(state):
        return [f"  to start over: {fresh}"]
    return [f"  to go on: {resume}; to start over: {fresh}"]


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
