"""What a run came to, for the person who comes back to it, and the commands that lead on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import BreakerStatus, LandingStage, PhaseStatus, Step
from autopilot.reports.debugging.progress import session_ending
from autopilot.reports.drafting import draft_ending
from autopilot.reports.evidence.failure_text import failure_blocks, why_failed
from autopilot.reports.evidence.failures import Failure, failures_of
from autopilot.reports.evidence.promised import ratio_words
from autopilot.reports.issue.issue_ending import issue_ending
from autopilot.reports.markdown import one_line
from autopilot.reports.run.announcement import announcement, refinement_results
from autopilot.reports.run.trend import Trend
from autopilot.reports.run.ways_on import CommandOptions, next_lines, recorded_options
from autopilot.reports.status.brief import brief, first_sentence, stop_words
from autopilot.reports.status.caught import caught_lines
from autopilot.reports.status.context_map import map_lines
from autopilot.reports.status.files import confidence_path, diagnostics_folder, postmortem_path
from autopilot.reports.status.gates import landing_words, verdict_words
from autopilot.reports.status.host import for_host
from autopilot.reports.status.scores import falls_short, in_words, needs_diagnostic, score_of, stands_as_before
from autopilot.reports.status.status_text import spent_words
from autopilot.text.naming import name_phases

MOST_LINES = 12  # phases that are told one by one
MOST_CAUGHT = 5


def render_ending(
    state: RunState, options: CommandOptions | None = None, trend: Trend | None = None, *, has_report: bool = True
) -> str:
    """``trend`` is that of the run against earlier ones, where they are known; ``has_report``: its file is there."""
    options = options or recorded_options(state)
    lines = [f"{state.run}: {state.status.value}, {stop_words(state)}"]
    # A run that only maps carries out nothing: that its phases were not begun is no news.
    if state.issue is not None:
        lines += issue_ending(state, state.issue, options.before, options.after)
    elif state.debugging is not None:
        lines += session_ending(state.debugging)
    elif state.drafting is not None:
        lines += draft_ending(state.drafting)
    elif not state.inputs.intent.only_maps:
        lines += _phase_lines(state, options)
    lines += [*map_lines(state), *_caught(state)]
    lines += [*_incomplete(state), *refinement_results(state)]
    if state.breaker.state == BreakerStatus.OPEN and state.breaker.reason not in state.session.stop_reason:
        lines.append(f"  the circuit breaker is open: {brief(state.breaker.reason)}")
    lines += _spent(state)
    if waits := landing_words(state, before=state.session.stop_reason):
        lines.append(f"  {waits}")
    lines += [*announcement(state, trend, has_report=has_report), *next_lines(state, options)]
    return for_host("\n".join(map(one_line, lines)) + "\n", options.host)


def _phase_lines(state: RunState, options: CommandOptions) -> list[str]:
    """Of a long night what needs attention in one line each, and all that went well in one: it fits on a screen."""
    phases = list(state.phases.values())
    if len(phases) <= MOST_LINES:
        return [line for phase in phases for line in _whole_phase(state, phase, options)]
    well = [phase for phase in phases if _went_well(state, phase)]
    others = [_phase_line(state, phase) for phase in phases if phase not in well]
    return [_together(state, well), *others] if well else others


def _whole_phase(state: RunState, phase: PhaseState, options: CommandOptions) -> list[str]:
    """Of a failed one with what did not hold, expected against actual."""
    failures = failures_of(state, phase) if phase.status is PhaseStatus.FAILED else ()
    blocks = failure_blocks(failures, options.alone(f"autopilot why {phase.id}"))
    return [_phase_line(state, phase, failures), *(f"    {line}" for line in blocks)]


def _went_well(state: RunState, phase: PhaseState) -> bool:
    is_plain = not (phase.remediation.incomplete or needs_diagnostic(state, phase) or _without_person(phase))
    return phase.status is PhaseStatus.COMPLETED and is_plain and not stands_as_before(phase)


def _together(state: RunState, phases: Sequence[PhaseState]) -> str:
    scores = [score for phase in phases if (score := score_of(state, phase)) is not None]
    landed = sum(phase.landing.state == LandingStage.LANDED for phase in phases)
    parts = [
        f"  {len(phases)} phases passed ({', '.join(phase.id for phase in phases)})",
        f"scores {min(scores)} to {max(scores)}" if scores else "no scores",
        f"{landed} landed" + (f", {len(phases) - landed} not landed yet" if landed < len(phases) else ""),
        "each with its VERIFICATION.md: `autopilot status` lists them",
    ]
    return "; ".join(parts)


def _caught(state: RunState) -> list[str]:
    lines = [f"  caught: {line}" for line in caught_lines(state)]
    if len(lines) <= MOST_CAUGHT:
        return lines
    return [*lines[:MOST_CAUGHT], f"  caught: {len(lines) - MOST_CAUGHT} more, in the report below"]


def _phase_line(state: RunState, phase: PhaseState, failures: Sequence[Failure] = ()) -> str:
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
            return (
                f"  phase {phase.id} failed in {phase.ending.failure_step}: {why_failed(phase, failures)}{kept}; {seen}"
            )
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None and phase.is_answered:
            return f"  phase {phase.id}: {verdict_words(phase.deferral)}; the work is on {phase.deferral.branch}"
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None:
            asked = phase.deferral.justification
            summary = f"{asked.label}, {asked.task_description}"
            return f"  phase {phase.id} waits for your verdict: {summary}; the work is on {phase.deferral.branch}"
        case PhaseStatus.NOT_STARTED | PhaseStatus.SKIPPED:
            word = "was not started" if phase.status is PhaseStatus.NOT_STARTED else "was skipped"
            return f"  phase {phase.id} {word}{_waits_for(state, phase)}"
        case PhaseStatus.IN_PROGRESS if phase.line.held_at:
            return f"  phase {phase.id} is held back, its work is kept: {phase.line.held_for}"
        case _:
            return f"  phase {phase.id} is in progress"


def _waits_for(state: RunState, phase: PhaseState) -> str:
    others = (state.phases[id] for id in phase.brief.depends_on if id in state.phases)
    left = [other.id for other in others if other.status is not PhaseStatus.COMPLETED]
    return f": it depends on {name_phases(left)}" if left else ""


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
    return f"{incomplete}: {summary}{_without_person(phase)}; report {_report(state, phase)}{diagnostic}"


def _without_person(phase: PhaseState) -> str:
    """What its plan leaves to a person's eyes, and no person looked at."""
    asked = [state.task.id for state in phase.planned if state.task.asks_person]
    if not asked or phase.deferral is not None:
        return ""
    if phase.gate.unseen:
        return f"; no person looked at {'; '.join(map(first_sentence, phase.gate.unseen))}"
    return f"; the verifier judged in place of a person: {', '.join(asked)}"


def _report(state: RunState, phase: PhaseState) -> str:
    """Where it can be read: what has not landed is on its branch alone, unless records are never committed."""
    path = f"{phase.brief.folder}/VERIFICATION.md"
    is_on_branch = phase.landing.state == LandingStage.DEFERRED and phase.landing.branch and state.policy.commit_docs
    return f"`git show {shlex.quote(f'{phase.landing.branch}:{path}')}`" if is_on_branch else path


def _incomplete(state: RunState) -> list[str]:
    marked = [phase.id for phase in state.phases.values() if phase.remediation.incomplete]
    if not marked:
        return []
    below = f"passed below {state.policy.pass_threshold}/10 (force_incomplete)"
    return [f"  {len(marked)} {below}: {name_phases(marked)}"]


def _spent(state: RunState) -> list[str]:
    """What was used beside what was expected, where something was."""
    begun = [phase for phase in state.phases.values() if phase.intake.estimate]
    if not begun:
        return []
    expected = sum(phase.intake.estimate or 0 for phase in begun)
    used = state.totals.usage
    return ["  " + spent_words(used.tokens, expected, used.usd, used.usd_is_estimate)]
