"""A debug session, in the words of ``state.json``'s event log."""

from __future__ import annotations

from typing import Any

from autopilot.events import happened as h
from autopilot.events.debugging import happened as d
from autopilot.model.run import Step
from autopilot.reports.event_log.refinement import Named


def session_named(event: h.Event) -> list[Named]:
    match event:
        case d.SessionOpened() | d.SessionContinued() | d.SessionClosed():
            return [_session(event)]
        case d.SymptomsGathered() | d.GatheringRefused() | d.ReproductionSeen():
            return [_gathering(event)]
        case d.BisectionBegun() | d.CommitTested():
            return [_bisection(event)]
        case d.HypothesisStated() | d.HypothesisRefused() | d.HypothesisTested():
            return [_hypothesis(event)]
        case d.FixTaken(round=round_, commit=commit, refusal=refusal):
            name = "fix_taken" if commit else "fix_refused"
            return [(Step.FIX, name, {"round": round_, "commit": commit or None, "reason": refusal})]
        case d.FixJudged(round=round_, commit=commit, proven=proven, repeats=repeats):
            details: dict[str, Any] = {"round": round_, "commit": commit, "proven": proven}
            details |= {"runs": repeats.runs, "failures": repeats.failures, "findings": len(event.findings)}
            return [(Step.PROVE, "fix_judged", details)]
        case _:
            return []


def _session(event: d.SessionOpened | d.SessionContinued | d.SessionClosed) -> Named:
    match event:
        case d.SessionOpened(brief=brief):
            details: dict[str, Any] = {"session": brief.slug, "text": brief.text, "find_only": brief.find_only}
            return "", "session_opened", {**details, "good": brief.good or None}
        case d.SessionContinued(remark=remark, find_only=find_only):
            return "", "session_continued", {"remark": remark, "find_only": find_only}
        case d.SessionClosed(status=status, because=because, by=by):
            return "", "session_closed", {"status": status.value, "reason": because, "by": by or None}


def _gathering(event: d.SymptomsGathered | d.GatheringRefused | d.ReproductionSeen) -> Named:
    match event:
        case d.SymptomsGathered(symptoms=symptoms, commit=commit, files=files):
            details: dict[str, Any] = {"reproduction": symptoms.reproduction, "commit": commit, "files": list(files)}
            return Step.GATHER, "symptoms_gathered", details
        case d.GatheringRefused(reason=reason):
            return Step.GATHER, "gathering_refused", {"reason": reason}
        case d.ReproductionSeen(commit=commit, repeats=repeats, problem=problem):
            details = {"commit": commit, "runs": repeats.runs, "failures": repeats.failures, "problem": problem or None}
            return Step.REPRODUCE, "reproduction_seen", details


def _bisection(event: d.BisectionBegun | d.CommitTested) -> Named:
    match event:
        case d.BisectionBegun(good=good, count=count, problem=problem):
            return Step.BISECT, "bisection_begun", {"good": good, "commits": count, "problem": problem or None}
        case d.CommitTested(commit=commit, result=result):
            return Step.BISECT, "commit_tested", {"commit": commit, "result": result.value}


def _hypothesis(event: d.HypothesisStated | d.HypothesisRefused | d.HypothesisTested) -> Named:
    match event:
        case d.HypothesisStated(hypothesis=idea):
            details: dict[str, Any] = {"number": idea.number, "hypothesis": idea.statement, "test": idea.test}
            return Step.HYPOTHESIZE, "hypothesis_stated", {**details, "predicts": idea.predicts.value}
        case d.HypothesisRefused(hypothesis=idea, reason=reason):
            details = {"number": idea.number, "hypothesis": idea.statement, "reason": reason}
            return Step.HYPOTHESIZE, "hypothesis_refused", details
        case d.HypothesisTested(number=number, result=result, because=because):
            return Step.REFUTE, "hypothesis_tested", {"number": number, "result": result.value, "reason": because}
