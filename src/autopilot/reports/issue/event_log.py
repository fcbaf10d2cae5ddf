"""An issue on its way, in the words of ``state.json``'s event log."""

from __future__ import annotations

from typing import Any

from autopilot.events import happened as h
from autopilot.events.issue import happened as i
from autopilot.model.run import Step
from autopilot.reports.event_log.refinement import Named


def issue_named(event: h.Event) -> list[Named]:
    match event:
        case i.IssueOpened() | i.IssueReentered() | i.RouteTaken() | i.RequirementsApproved() | i.DesignApproved():
            return [_run_named(event)]
        case i.SentBack() | i.Defined() | i.AnchorPinned() | i.Presented() | i.HandedOff():
            return [_gate_named(event)]
        case i.WorkTaken() | i.OracleJudged() | i.RateMeasured() | i.IterationRecorded():
            return [_round_named(event)]
        case i.ConvergenceHalted(step=step, reason=reason, findings=findings, detail=detail):
            details = {"convergence_step": step, "reason": reason.value, "findings": len(findings), "detail": detail}
            return [(Step.HALT, "convergence_halted", details)]
        case i.Converged(steps=steps, commit=commit):
            return [("", "phase_converged", {"convergence_steps": list(steps), "commit": commit})]
        case _:
            return []


def _run_named(event: i.IssueRunEvent) -> Named:
    match event:
        case i.IssueOpened(brief=brief, recommended=recommended, reasons=reasons):
            details = {"issue": brief.number, "title": brief.title, "folder": brief.folder}
            return "", "issue_opened", {**details, "recommended": recommended, "reasons": list(reasons)}
        case i.IssueReentered(findings=findings):
            return "", "issue_reentered", {"findings": len(findings)}
        case i.RouteTaken(route=route, by=by):
            return "", "route_taken", {"route": route.value, "by": by}
        case i.RequirementsApproved(by=by):
            return "", "requirements_approved", {"by": by}
        case i.DesignApproved(by=by, cause=cause):
            return "", "design_approved", {"by": by, "cause": cause.kind if cause else None}


def _gate_named(event: i.SentBack | i.Defined | i.AnchorPinned | i.Presented | i.HandedOff) -> Named:
    match event:
        case i.SentBack(gate=gate, findings=findings):
            return "", "gate_sent_back", {"gate": gate, "findings": [finding.evidence_ref for finding in findings]}
        case i.Defined(commit=commit, questions=questions):
            return Step.DEFINE, "requirements_drafted", {"commit": commit, "questions": len(questions)}
        case i.AnchorPinned(pin=pin, files=files, sha256=sha256, verified=verified):
            details = {"pin": pin, "files": list(files), "fingerprint": sha256, "verified": verified}
            return Step.FREEZE, "anchor_pinned", details
        case i.Presented(number=number, branch=branch, commit=commit, url=url):
            details = {"number": number, "branch": branch, "commit": commit, "url": url or None}
            return Step.PRESENT, "design_presented", details
        case i.HandedOff(branch=branch, commit=commit, url=url, labelled=labelled):
            details = {"branch": branch, "commit": commit, "url": url or None, "labelled": labelled}
            return Step.HAND_OFF, "issue_handed_off", details


def _round_named(event: i.WorkTaken | i.OracleJudged | i.RateMeasured | i.IterationRecorded) -> Named:
    match event:
        case i.WorkTaken(step=step, iteration=iteration, commit=commit):
            refusal = event.refusal or ", ".join((*event.drift, *event.tampered))
            details = {"convergence_step": step, "iteration": iteration, "commit": commit or None}
            return "", "work_taken" if commit else "work_refused", {**details, "reason": refusal or None}
        case i.OracleJudged(step=step, iteration=iteration, commit=commit, findings=findings):
            details = {"convergence_step": step, "iteration": iteration, "commit": commit, "findings": len(findings)}
            return Step.ORACLE, "oracle_judged", {**details, **_terms(event)}
        case i.RateMeasured(rate=rate):
            return (
                Step.ORACLE,
                "failure_rate_measured",
                {"test": rate.test, "runs": rate.runs, "failures": rate.failures},
            )
        case i.IterationRecorded(step=step, row=row, commit=commit):
            details = {"convergence_step": step, "iteration": row.iteration, "verdict": row.verdict}
            return Step.RECORD, "iteration_recorded", {**details, "fingerprint": row.fingerprint, "commit": commit}


def _terms(event: i.OracleJudged) -> dict[str, Any]:
    state = event.state
    terms = {"red_observed": state.red_observed, "at_green": state.at_green, "coverage_ok": state.coverage_ok}
    return {**terms, "uncovered": list(state.uncovered)}
