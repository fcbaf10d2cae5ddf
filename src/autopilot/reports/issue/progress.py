"""Progress of an issue: what was frozen, what each iteration came to, what you are asked, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never, get_args

from autopilot.events import happened as h
from autopilot.events.issue import happened as i
from autopilot.events.issue.rooms import Round
from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.run import Step, StepStatus
from autopilot.reports.issue.wording import finding_words, merge_of, name_of, oracle_words, position, where
from autopilot.reports.markdown import seconds, shorten
from autopilot.reports.status.files import hand_off_path, presentation_path
from autopilot.text.naming import plural

ISSUE = (*get_args(i.IssueRunEvent), *get_args(i.IssueEvent))
# Their place is told in words: an issue goes round, so there is nothing to count steps by.
DOING = {
    Step.DEFINE: "drafting the requirements",
    Step.FREEZE: "checking that what you approved is unchanged",
    Step.DESIGN: "designing",
    Step.IMPLEMENT: "implementing",
    Step.ORACLE: "checking red, green, coverage",
}
BAD = (StepStatus.ERROR, StepStatus.UNPROVEN, StepStatus.POSTPONED)
REOPENED = "reopened-"  # no gate: an approved design that the user begins anew
SHOWN_CHARS = 160


def issue_lines(event: i.IssueRunEvent | i.IssueEvent, state: RunState) -> Iterator[str]:
    issue = _of(state)
    match event:
        case i.IssueOpened() | i.IssueReentered() | i.RouteTaken() | i.RequirementsApproved() | i.DesignApproved():
            yield from (f"[{_capital(name_of(issue))}] {line}" for line in _run_words(event, state, issue))
        case i.WorkTaken(phase=phase, step=step, iteration=n) | i.OracleJudged(phase=phase, step=step, iteration=n):
            yield from (f"[{_capital(where(issue, phase, step, n))}] {line}" for line in _round_words(event))
        case i.IterationRecorded(phase=phase, step=step, row=row):
            yield f"[{_capital(where(issue, phase, step, row.iteration))}] Checks of this iteration: {_recorded(event)}"
        case i.ConvergenceHalted(phase=phase, step=step):
            position = where(issue, phase, step, issue.convergence.rounds.get(step, Round()).iteration)
            yield f"--- [{_capital(position)}] COMPLETED_WITH_DEBT: {event.reason.value} ---"  # the ending has the rest
        case i.SentBack() | i.Defined() | i.AnchorPinned() | i.RateMeasured():
            yield from (f"[{_capital(where(issue, event.phase))}] {line}" for line in _phase_words(event, issue))
        case i.Converged() | i.Presented() | i.HandedOff():
            yield from (f"[{_capital(where(issue, event.phase))}] {line}" for line in _ending_words(event, issue))
        case _:
            assert_never(event)


def issue_step_lines(event: h.StepStarted | h.StepEnded | h.StepSkipped, state: RunState) -> Iterator[str]:
    """Only steps that take a while are shown as they begin; their results are shown by the events they leave."""
    issue, step = _of(state), event.step
    match event:
        case h.StepStarted(task=task) if step in DOING:
            retry = f" (try {event.number})" if event.number > 1 else ""
            yield f"[{_capital(where(issue, event.phase, task))}] {_capital(DOING[step])}{retry}"
        case h.StepEnded(status=status, detail=detail, task=task) if status in BAD:
            word = {StepStatus.POSTPONED: "postponed", StepStatus.UNPROVEN: "could not run"}.get(status, "failed")
            yield f"[{_capital(where(issue, event.phase, task))}] Step: {step.label} {word} -- {detail}"
        case _:
            return


def issue_phase_lines(event: h.LifeEvent, state: RunState) -> Iterator[str]:
    issue, phase = _of(state), state.phase(event.phase)
    match event:
        case h.PhaseStarted(attempt=attempt):
            retry = f" (attempt {attempt})" if attempt > 1 else ""
            yield f"--- [{_capital(where(issue, event.phase))}] {issue.brief.title}{retry} ---"
        case h.PhaseFailed(reason=reason):
            took = seconds(phase.started_at, phase.ending.completed_at)
            yield f"--- [{_capital(where(issue, event.phase))}] Failed: {reason} | {took}s ---"
        case _:
            return


def of_issue(line: str, issue: IssueState) -> str:
    """A line that phases of both modes share, with the issue's name in place of "Phase"."""
    return line.replace("[Phase ", f"[{_capital(name_of(issue))} · ", 1) if line.startswith("[Phase ") else line


def begin_lines(state: RunState) -> Iterator[str]:
    """Beside the event that says which issue it is, there is nothing but the model to tell."""
    spec, model = state.inputs.spec, state.inputs.model
    yield f"Autopilot: one issue | Spec: {spec.path} ({spec.sha256[:7]}) | Model profile: {model}"


def _run_words(event: i.IssueRunEvent, state: RunState, issue: IssueState) -> Iterator[str]:
    match event:
        case i.IssueOpened(brief=brief, recommended=recommended, reasons=reasons):
            yield f"{brief.title} | {brief.folder} | branch autopilot/{brief.branch}"
            if recommended is not None and event.options.route is None:
                yield f"Recommended route: {recommended.value} ({'; '.join(reasons)})"
        case i.IssueReentered(findings=findings):
            own = f", {len(findings)} of them yours" if findings else ""
            left = len(issue.convergence.seeds) + len(issue.remarks)
            if left and (findings or position(state)[1]):  # at a gate there is nothing to mend any more
                yield f"Cycle {issue.cycle}: {plural(left, 'finding')} to fix{own}"
        case i.RouteTaken(route=route, by=by):
            yield f"Route: {route.value} ({by})"
        case i.RequirementsApproved(by=by):
            yield f"Gate 1 of 3, requirements: approved ({by})"
        case i.DesignApproved(by=by, cause=cause):
            subject = f"cause {cause.kind}" if cause else "design"
            yield f"Gate 2 of 3, {subject}: approved ({by})"


def _round_words(event: i.WorkTaken | i.OracleJudged) -> Iterator[str]:
    match event:
        case i.WorkTaken(drift=drift, tampered=tampered) if drift or tampered:
            yield f"Rejected: the agent changed {', '.join((*drift, *tampered))}, which it may not change"
        case i.WorkTaken(refusal=refusal) if refusal:
            yield f"Rejected: {shorten(refusal, SHOWN_CHARS)}"
        case i.WorkTaken(commit=commit, files=files, dropped=dropped):
            yield f"Accepted: {plural(len(files), 'file')} at {commit[:12]}"
            if dropped:
                yield f"Left out: {shorten(', '.join(dropped), SHOWN_CHARS)}"
        case i.OracleJudged(state=seen, findings=findings):
            first = f" -- {finding_words(findings[0])}" if findings else ""
            rest = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
            yield f"Oracle: {oracle_words(seen)}{first}{rest}"
            if event.rate is not None:
                yield f"Failures after: {event.rate.text} runs of {event.rate.test}"


def _recorded(event: i.IterationRecorded) -> str:
    wrong = [f"an approved document was changed ({event.drift})"] if event.drift else []
    wrong += [f"the audit log was changed ({event.broken})"] if event.broken else []
    return f"{event.row.verdict}{': ' if wrong else ''}{'; '.join(wrong)}"


def _phase_words(event: i.SentBack | i.Defined | i.AnchorPinned | i.RateMeasured, issue: IssueState) -> Iterator[str]:
    match event:
        case i.SentBack(gate=gate, findings=findings):
            place = f" at {gate}" if not gate.startswith(REOPENED) else ""
            yield f"Sent back{place}: {plural(len(findings), 'finding')}"
            yield from (f"  {finding_words(finding)}" for finding in findings)
        case i.Defined(commit=commit, questions=questions):
            asked = f"; {plural(len(questions), 'question')} for you" if questions else ""
            yield f"Drafted: {issue.brief.path('prd.md')} at {commit[:12]}{asked}"
        case i.AnchorPinned(files=files, sha256=sha256, verified=verified, pin=pin):
            word = "as it was pinned" if verified else f"pinned in {pin}"
            yield f"Frozen: {', '.join(files)} {word} ({sha256[:12]})"
        case i.RateMeasured(rate=rate):
            yield f"Failures before: {rate.text} runs of {rate.test}"


def _ending_words(event: i.Converged | i.Presented | i.HandedOff, issue: IssueState) -> Iterator[str]:
    match event:
        case i.Converged(phase=phase, steps=steps):
            yield f"CONVERGED {{phase: {phase}, steps: {', '.join(steps)}}}"
        case i.Presented(number=number, branch=branch, url=url):
            place = f", {url}" if url else ""
            yield f"Presented ({number}): {presentation_path(issue.brief.number, number)}; branch {branch}{place}"
        case i.HandedOff(branch=branch, labelled=labelled):
            label = ", labelled merge-ready" if labelled else ""
            yield f"Handed off: {hand_off_path(issue.brief.number)}; branch {branch}{label}"
            yield f"Gate 3 of 3, merge (only you can): `{merge_of(issue)}`"


def _of(state: RunState) -> IssueState:
    assert state.issue is not None, "only the run of an issue has such events"
    return state.issue


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
