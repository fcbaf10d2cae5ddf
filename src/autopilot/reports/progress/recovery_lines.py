"""Progress when something did not hold at once: other tries, other cuts, people."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events import recovery as r
from autopilot.events.state import RunState
from autopilot.reports.markdown import shorten
from autopilot.reports.progress.people_lines import deferred_lines
from autopilot.reports.progress.steps import baseline_lines, check_lines
from autopilot.reports.progress.task_lines import modified_lines
from autopilot.reports.status.files import confidence_path
from autopilot.reports.status.scores import in_words
from autopilot.text.naming import plural

Shown = r.ReviewEvent | r.RetryEvent | r.VerdictGiven | r.SplitEvent | r.PhaseHeld
Retry = r.PhaseMended | r.RemediationStarted | r.RemediationEnded | r.Replanned | r.MarkedIncomplete
RECOVERY = (
    *(r.Estimated, r.BaselineObserved, r.JudgeFound, r.IntegrityChecked, r.StepEnforced, r.ScoresUniform),
    *(r.PhaseMended, r.RemediationStarted, r.RemediationEnded, r.Replanned, r.MarkedIncomplete, r.VerdictGiven),
    *(r.Exhausted, r.Withdrawn, r.PhaseHeld),
    *(r.SplitAgreed, r.ConflictFound, r.Resolved, r.Integrated),
)
ALIKE = {
    1: "the reviewers may not have checked the work",
    2: "the next phase is reviewed more strictly",
    3: "CRITICAL, every later phase is reviewed more strictly",
}


def recovery_lines(event: Shown, state: RunState) -> Iterator[str]:
    prefix = f"[Phase {event.phase}]"
    match event:
        case r.Estimated():
            yield f"Phase {event.phase} cost estimate: {event.tokens:,} tokens ({_tasks(event)})"
        case r.BaselineObserved(observations=observations):
            yield from baseline_lines(prefix, observations)
        case r.JudgeFound():
            return  # its recommendation is told when the step ends
        case r.IntegrityChecked(findings=findings):
            for found in findings:
                verdict = "REFUSED" if found.refuses else "warning"
                yield f"{prefix} Integrity check {found.check}: {verdict} -- {found.message}"
        case r.StepEnforced(step=step, notice=notice):
            yield f"{prefix} Step: {step.label} is repeated -- {notice}"
        case r.ScoresUniform(tier=tier, count=count, low=low, high=high):
            values = f"are {low}" if low == high else f"lie between {low} and {high}"
            alike = f"{count} scores in a row {values}"
            yield f"{prefix} warning: {alike}: {ALIKE[min(tier, 3)]}"
        case r.VerdictGiven(verdict=verdict, issues=issues, by=by):
            listed = f" -- {'; '.join(issues)}" if issues else ""
            yield f"{prefix} Verdict: {verdict} by {by}{listed}"
            yield from deferred_lines(prefix, event.deferred)
        case r.RemediationStarted(flag=flag) | r.RemediationEnded(flag=flag) if flag:
            yield from refinement_lines(event, prefix)
        case r.Exhausted() | r.Withdrawn():
            yield from refinement_lines(event, prefix)
        case r.PhaseMended() | r.RemediationStarted() | r.RemediationEnded() | r.Replanned() | r.MarkedIncomplete():
            yield from _retry_lines(event, prefix, state)
        case r.PhaseHeld(reason=reason):
            yield f"{prefix} Held back: {reason}; the run goes on without it"
        case r.SplitAgreed() | r.ConflictFound() | r.Resolved() | r.Integrated():
            yield from _split_lines(event, prefix)


def _tasks(event: r.Estimated) -> str:
    kinds = {"simple": event.simple, "medium": event.medium, "complex": event.complex}
    if not any(kinds.values()):
        return f"no plan yet; phase of type {event.phase_type}"
    return f"{plural(sum(kinds.values()), 'task')}: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items())


def _retry_lines(event: Retry, prefix: str, state: RunState) -> Iterator[str]:
    match event:
        case r.PhaseMended(refusal=refusal) if refusal or not event.commit:
            yield f"{prefix} Step: DEBUG failed -- {refusal or 'the debugger changed nothing'}"
        case r.PhaseMended(files=files, remaining=remaining):
            yield from modified_lines(f"{prefix} Debug:", files)
            yield f"{prefix} Step: DEBUG complete. {plural(len(remaining), 'issue')} remaining."
        case r.RemediationStarted(cycle=cycle, tasks=tasks, by_person=True):
            yield f"{prefix} Remediation cycle {cycle} after your verdict: {plural(len(tasks), 'task')}"
        case r.RemediationStarted(cycle=cycle, score=score, threshold=threshold, tasks=tasks):
            most = state.policy.attempts.remediations
            below = f"score {in_words(score)} below threshold {threshold}"
            yield f"{prefix} Remediation cycle {cycle}/{most}: {plural(len(tasks), 'task')} -- {below}"
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new, threshold=threshold):
            reached = "reached" if new is not None and new >= threshold else "not reached"
            change = f"{in_words(old)} -> {in_words(new)}"
            yield f"{prefix} Remediation cycle {cycle} complete. Score: {change}, threshold {threshold} {reached}"
        case r.Replanned(score=score, issues=issues):
            yield f"{prefix} Re-plan: {in_words(score)}, {plural(len(issues), 'issue')} -- restarting from research"
        case r.MarkedIncomplete(score=score, threshold=threshold, cycles=cycles):
            yield f"{prefix} Remediation exhausted ({cycles} cycles): {score}/10 of {threshold}, force_incomplete"
            yield f"{prefix} Diagnostic: {confidence_path(event.phase)}"


def _split_lines(event: r.SplitEvent, prefix: str) -> Iterator[str]:
    match event:
        case r.SplitAgreed(reason=reason, parts=parts, tasks=tasks):
            yield f"{prefix} Split into {len(parts)} parts -- {reason}"
            for part, names in zip(parts, tasks, strict=True):
                yield f"[Phase {part.id}] {part.name}: {', '.join(names)}"
        case r.ConflictFound(paths=paths, because=because):
            named = f" ({', '.join(paths)})" if paths else ""
            yield f"{prefix} {_what(event)} CONFLICT -- {because}{named}"
        case r.Resolved(refusal=refusal):
            yield f"{prefix} {_what(event)} " + (f"not resolved -- {refusal}" if refusal else "resolved")
        case r.Integrated(commit=commit, observations=observations):
            yield from check_lines(prefix, observations)
            yield f"{prefix} {_what(event)} INTEGRATED at {commit[:12]}"


def _what(event: r.ConflictFound | r.Resolved | r.Integrated) -> str:
    """A part, or the line of its own that the phase was on: beside others, or waiting for a person."""
    return "Its branch:" if event.part == event.phase else f"Part {event.part}:"


SHOWN_CHARS = 160
NOUNS = {"quality": "Quality cycle", "gaps": "Gap iteration"}


def refinement_lines(
    event: r.RemediationStarted | r.RemediationEnded | r.Exhausted | r.Withdrawn, prefix: str
) -> Iterator[str]:
    match event:
        case r.RemediationStarted(cycle=cycle, score=score, threshold=target, flag=flag):
            about = f" -- {shorten(event.deficiency, SHOWN_CHARS)}" if event.deficiency else ""
            yield f"{prefix} {NOUNS[flag]} {cycle}: {in_words(score)}, target {target}{about}"
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new, threshold=target, flag=flag):
            reached = "reached" if new is not None and new >= target else "not reached"
            untried = f"{plural(event.left, 'gap')} not tried yet" if event.left else "every gap was tried"
            left = f", {untried}" if flag == "gaps" else ""
            change = f"{in_words(old)} -> {in_words(new)}"
            yield f"{prefix} {NOUNS[flag]} {cycle} complete. Score: {change}, target {target} {reached}{left}"
        case r.Exhausted(flag=flag, score=score, target=target, cycles=cycles):
            spent = plural(cycles, NOUNS[flag].split()[1])
            counts = "the phase keeps its current result"
            yield f"{prefix} {flag}_exhausted after {spent}: {in_words(score)} of {target}; {counts}"
        case r.Withdrawn(reason=reason):
            yield f"{prefix} Refinement withdrawn: {reason}; the phase keeps its earlier result"
