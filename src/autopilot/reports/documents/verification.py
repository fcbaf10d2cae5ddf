"""VERIFICATION.md: what was run, what was seen, and what the verifier adds."""

from __future__ import annotations

from autopilot.events.accounts import reviewed_in_parts
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.red_check import describe_check
from autopilot.model.evidence.subject import SubjectKind, script_subject
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.policy import CHECKS
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseStatus, TaskStatus
from autopilot.reports.documents.behavioral_traces import trace_table
from autopilot.reports.documents.objections import objection_words, objections_of
from autopilot.reports.documents.observation_tables import sandbox_results, script_results, type_results, wire_check
from autopilot.reports.evidence.criterion_rows import ALREADY_THERE, criterion_rows, seen_named
from autopilot.reports.evidence.failure_text import render_failures
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.evidence.packages import package_lines
from autopilot.reports.evidence.promised import is_judged, promise_table, ratio, standing_words
from autopilot.reports.evidence.proofs import proofs_of
from autopilot.reports.evidence.unchecked import reach_of, unchecked_in_phase
from autopilot.reports.markdown import bullets, fenced, stamp, table
from autopilot.reports.status.deferral import deferral_section

CRITERIA_HEAD = ("Criterion", "Kind", "Strength", "Verdict", "Because", "Command", "Evidence")
READING_HEAD = ("Criterion", "Reading", "Observed", "Evidence")


def render_verification(state: RunState, phase: PhaseState) -> str:
    step = phase.steps.get("verify")
    traces = phase.reviews.verification.traces if phase.reviews.verification else ()
    parts = [
        f"---\nphase: {phase.id}\nverified: {stamp(step.ended_at if step else None)}\n"
        f"status: {_status(phase)}\nscore: {_score(phase)} must-haves verified\n---\n",
        f"# Phase {phase.id} Verification: {phase.brief.name}\n",
        f"{standing_words(phase)}.\n" if is_judged(phase) else "",
        f"{_observed(phase)}{'' if state.policy.confined else ' (WITHOUT a sandbox, by your written opt-out)'}.\n",
        _conditions(state),
        _failed(phase, state),
        _promised(phase, state),
        f"## Automated checks\n\n{_checks(phase, state)}",
        f"## Criteria\n\n{_criteria(phase, state)}",
        _objections(phase, state),
        f"## Sandbox Execution Results\n\n{sandbox_results(phase)}",
        f"## Test Specification Results\n\n{script_results(phase)}",
        f"## Type checks\n\n{type_results(phase)}",
        f"## Wire Check\n\n{wire_check(phase)}",
        f"## Behavioral Traces\n\n{trace_table(traces, phase)}",
        f"## The verifier's reading\n\n{_reading(phase)}",
        deferral_section(phase),
        _integrity(phase),
        f"## Not checked\n\n{bullets(unchecked_in_phase(state, phase))}\n",
    ]
    return "\n".join(part for part in parts if part)


def _conditions(state: RunState) -> str:
    reached, names = reach_of(state), [daemon.name for daemon in state.policy.conditions.services]
    lines = [f"Beside every check: {', '.join(names)}, started anew for each."] if names else []
    lines += [f"**Weaker evidence**: checks may reach {reached}, by your settings."] if reached else []
    return "".join(f"{line}\n" for line in lines)


def _promised(phase: PhaseState, state: RunState) -> str:
    """Not before the gate: the judge is shown this document, and no verdict before its own."""
    rows = promise_table(state, phase) if is_judged(phase) else ""
    return f"## What is asked for\n\n{rows}" if rows else ""


def _failed(phase: PhaseState, state: RunState) -> str:
    """Expected against actual, before all tables: it is what a reader of a failed phase wants to know first."""
    failures = failures_of(state, phase) if is_judged(phase) else ()
    return f"## What does not hold\n\n{fenced(render_failures(failures))}" if failures else ""


def _observed(phase: PhaseState) -> str:
    if not phase.observed.commit:
        return "Autopilot observed nothing"
    return f"Observed by Autopilot at commit `{phase.observed.commit[:12]}`, on a clean checkout"


def _status(phase: PhaseState) -> str:
    if phase.ruling.outcome is Outcome.PASS:
        return "passed"
    if phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION or phase.ruling.action is Action.DEFER:
        return "human_needed"
    # Shown to the judge before any gate: nothing is decided yet.
    return "gaps_found" if phase.ruling.outcome is not None or phase.settled else "pending"


def _score(phase: PhaseState) -> str:
    if not phase.gate.verdicts and phase.ruling.outcome is None:
        seen = [observation for observation in phase.observed.observations or () if not observation.about.is_inspection]
        return f"{sum(observation.seen is Seen.PASSED for observation in seen)}/{len(seen)}"
    return ratio(phase)


def _checks(phase: PhaseState, state: RunState) -> str:
    seen = {observation.subject: observation for observation in phase.observed.observations or ()}
    if not state.policy.commands.checks():
        return "No compile, lint, build or test command is configured: nothing but the criteria was run.\n"
    rows = [(name, _command(seen.get(name)), _word(seen.get(name), name, state)) for name in CHECKS]
    packages = bullets(package_lines(state, phase))
    return table(("Check", "Command", "Result"), rows) + (f"\n{packages}\n" if state.policy.packages else "")


def _command(observation: Observation | None) -> str:
    return f"`{observation.command}`" if observation else ""


def _word(observation: Observation | None, name: str, state: RunState) -> str:
    if observation is not None:
        return describe_check(observation)
    return "not run" if getattr(state.policy.commands, name) else "n/a"


def _objections(phase: PhaseState, state: RunState) -> str:
    """The objections of each layer of evidence; reviewers read this, so it contains no claim of an agent."""
    lines = [objection_words(objection) for objection in objections_of(state, phase)]
    return f"## Objections and flags\n\n{bullets(lines)}\n" if lines else ""


def _criteria(phase: PhaseState, state: RunState) -> str:
    """Every criterion a program looked at, then what else was judged: scripts, tasks that were never taken in."""
    verdicts = {v.subject: v for v in phase.gate.verdicts}
    proven = {proof.subject: proof.strength for proof in proofs_of(state, phase)}
    rows, shown = [], set()
    already_there = {
        script_subject(name)
        for name, task in phase.tasks.items()
        if task.status == TaskStatus.ALREADY and not task.made_by
    }
    for row in criterion_rows(phase):
        verdict, own, command = row.verdict, row.seen, row.criterion.command
        strength = row.strength or row.criterion.strength
        if verdict is None and (phase.gate.verdicts or own is None):
            continue
        shown.add(row.criterion.id)
        word, because = (verdict.outcome.value, verdict.because) if verdict else ("not judged yet", "")
        command = f"`{command}` {f'exit {own.exit_code}' if own else ''}" if command else ""
        judged: tuple[str, ...] = (row.kind, strength.value, word, because)
        rows.append((row.criterion.text, *judged, command, proven.get(row.criterion.id, "")))
    for subject, verdict in verdicts.items():
        about = verdict.about
        if subject not in shown and not about.is_plain(SubjectKind.CHECK) and not about.is_objection:
            by_script = about.is_plain(SubjectKind.SCRIPT, SubjectKind.TASK)
            kind, strength_word = ("new", "script") if by_script else ("keep", "command")
            kind = ALREADY_THERE if subject in already_there else kind
            judged = (kind, strength_word, verdict.outcome.value, verdict.because)
            rows.append((subject, *judged, "", proven.get(subject, "")))
    return table(CRITERIA_HEAD, rows)


def _reading(phase: PhaseState) -> str:
    verification = phase.reviews.verification
    if verification is None:
        return f"{_why_unread(phase)}\n"
    rows = [
        (reading.criterion, reading.status, seen_named(phase, reading.criterion), reading.evidence)
        for reading in verification.criteria_results
    ]
    parts = [table(READING_HEAD, rows)]
    parts.append(f"Autonomous confidence: {verification.autonomous_confidence:g}/10.\n")
    parts.append("Commands it ran:\n\n" + bullets(verification.commands_run) + "\n")
    failures = [f"{failure.failure} [{failure.category or 'unclassified'}]" for failure in verification.failures]
    if failures:
        parts.append("Failures it found:\n\n" + bullets(failures) + "\n")
    if verification.concerns or verification.scope_creep:
        parts.append("Concerns:\n\n" + bullets([*verification.concerns, *verification.scope_creep]) + "\n")
    return "\n".join(parts)


def _why_unread(phase: PhaseState) -> str:
    if reviewed_in_parts(phase):
        return "Each part was reviewed by its own verifier: see the reports of the parts."
    if phase.observed.observations is None:
        return "No verifier was asked: the phase stopped before verification."
    return "No verifier was asked: the observations already fail the phase."


def _integrity(phase: PhaseState) -> str:
    lines = [f"check {f.check}: {f.message}{' (refused)' if f.refuses else ''}" for f in phase.gate.integrity]
    lines += [f"step repeated: {notice}" for notice in phase.remediation.enforced]
    return f"## Integrity\n\n{bullets(lines)}\n" if lines else ""
