"""The lines of evidence of a session: what each event adds to them. Nothing takes one away."""

from __future__ import annotations

from datetime import datetime

from autopilot.events.debugging import happened as d
from autopilot.events.debugging.state import DebugState, Fact
from autopilot.model.debugging.session import Candidate
from autopilot.model.evidence.observation import Observation


def facts_of(event: d.DebugEvent, session: DebugState, time: datetime) -> tuple[Fact, ...]:
    match event:
        case d.SymptomsGathered(left_out=left_out) | d.FixTaken(left_out=left_out) if left_out:
            return (_ignored(time, left_out),)
        case d.GatheringRefused(reason=reason):
            return (Fact(time, "the symptoms as the agent gave them", reason, "gathered again"),)
        case d.ReproductionSeen(repeats=repeats, commit=commit, problem=problem, red=red):
            found = f"failed in {repeats.text} at {commit[:12]}" + (f": {printed(red)}" if red else "")
            return (Fact(time, "the reproduction", found, problem or _steadiness(event)),)
        case d.BisectionBegun(good=good, count=count, problem=problem):
            found = problem or f"{count} commits after {good[:12]} may have brought it"
            return (Fact(time, f"good commit {good[:12]}", found),)
        case d.CommitTested():
            return (_candidate(time, event),)
        case d.HypothesisTested(number=number, result=result, because=because):
            statement = next(i.hypothesis.statement for i in session.ideas if i.hypothesis.number == number)
            return (Fact(time, f"hypothesis {number}: {statement}", because, result.value),)
        case d.FixTaken(round=round_, refusal=refusal) if refusal:
            return (Fact(time, f"fix {round_}", f"refused: {refusal}"),)
        case d.FixJudged(round=round_, proven=proven, findings=findings, repeats=repeats):
            found = f"the reproduction failed in {repeats.text} at {event.commit[:12]}"
            return (Fact(time, f"fix {round_}", "; ".join((found, *findings)), "proven" if proven else "not proven"),)
        case _:
            return ()


def printed(seen: Observation | None) -> str:
    """The last thing a run printed, on one line."""
    if seen is None:
        return ""
    return " ".join((seen.last_lines[-1] if seen.last_lines else seen.excerpt or seen.reason).split())[:200]


def _ignored(time: datetime, paths: tuple[str, ...]) -> Fact:
    found = "the agent changed it; the record of a session is rendered from the journal, so this has no effect"
    return Fact(time, ", ".join(paths), found, "left out")


def _steadiness(event: d.ReproductionSeen) -> str:
    return "it fails every time" if event.repeats.is_steady else "it fails now and then"


def _candidate(time: datetime, event: d.CommitTested) -> Fact:
    meaning = {
        Candidate.GOOD: "the reproduction passes there",
        Candidate.BAD: "the reproduction fails there",
        Candidate.SKIPPED: "the reproduction cannot tell there",
    }
    return Fact(time, f"commit {event.commit[:12]} ({event.subject})", meaning[event.result], event.result.value)
