"""Debug sessions as a list, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from autopilot.events.debugging.state import DebugState
from autopilot.events.state import RunState
from autopilot.model.debugging.session import SESSION, DebugBrief, HypothesisResult, Status
from autopilot.model.run import LandingStage
from autopilot.reports.debugging.session_file import first_bad, next_action, verification
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import stamp
from autopilot.reports.status.gates import find_waiting, resume_command

LEFT = "left_by_phase"  # the status of what nobody took up yet
WAITS = "waits_to_land"  # of what is resolved and not in the user's branch yet


def waits_to_land(run: RunState) -> bool:
    """Whether a fix of it is proven and not in the user's branch: something is left to do, although it is resolved."""
    session = run.debugging
    is_resolved = session is not None and session.is_proven and session.status is Status.RESOLVED
    return is_resolved and run.phase(SESSION).landing.state != LandingStage.LANDED


def render_list(sessions: Sequence[tuple[DebugBrief, RunState | None]], *, with_settled: bool) -> str:
    if not sessions:
        more = "" if with_settled else "; `autopilot debug list --all` lists those that are done"
        return f"no debug session is open{more}\n"
    return "".join(f"{line}\n" for brief, run in sessions for line in _lines(brief, run))


def _lines(brief: DebugBrief, run: RunState | None) -> Sequence[str]:
    text = " ".join(brief.text.split())
    return f"{brief.slug}  [{_status(run)}]  {text[:100]}", f"  {_next(brief, run)}"


def _status(run: RunState | None) -> str:
    if run is None or run.debugging is None:
        return LEFT
    return WAITS if waits_to_land(run) else run.debugging.status.value


def _next(brief: DebugBrief, run: RunState | None) -> str:
    if run is None or run.debugging is None:
        return f"`autopilot debug continue {brief.slug}` continues it"
    if not waits_to_land(run):
        return next_action(run.debugging)[:160]
    waiting = next(iter(find_waiting(run)), None)
    return f"{waiting.title}: `{waiting.command}`" if waiting else f"to land it: `{resume_command(run)}`"


def render_left(brief: DebugBrief) -> str:
    """What a failed phase leaves for a person to find, before anybody took it up."""
    origin = brief.origin
    assert origin is not None, "only what a phase left has no session"
    lines = ["---", f"status: {LEFT}", f'trigger: "phase {origin.phase} of {origin.run}"', "---", ""]
    lines += ["## Symptoms", "", f"actual: {' '.join(brief.text.split())}", f"reproduction: `{origin.command}`", ""]
    lines += ["## Eliminated", ""]
    for tried in origin.tried:
        lines += [
            f"- hypothesis: {' '.join(tried.description.split())}",
            f"  evidence: {' '.join(tried.result.split())}",
        ]
    lines += ["", "## Resolution", "", f"`autopilot debug continue {brief.slug}` continues it."]
    return make_inert("\n".join(lines) + "\n")


def left_document(brief: DebugBrief) -> dict[str, Any]:
    return {"session": brief.slug, "status": LEFT, "text": brief.text, "origin": msgspec.to_builtins(brief.origin)}


def session_document(session: DebugState, run: RunState, *, whole: bool = False) -> dict[str, Any]:
    brief, cause = session.brief, session.cause
    short = {
        "session": brief.slug,
        "status": _status(run),
        "text": brief.text,
        "run": run.run,
        "created": stamp(session.opened_at),
        "updated": stamp(session.updated_at),
        "next_action": _next(brief, run),
        "root_cause": cause.statement if cause else None,
        "file": brief.archived_path if session.status.is_settled and not waits_to_land(run) else brief.path,
    }
    return {**short, **_details(session)} if whole else short


def _details(session: DebugState) -> dict[str, Any]:
    fix = session.fix if session.is_proven else None
    ideas = [
        {
            **msgspec.to_builtins(idea.hypothesis),
            "result": idea.tested.result.value if idea.tested else "refused" if idea.refused else None,
            "because": idea.tested.because if idea.tested else idea.refused or None,
        }
        for idea in session.ideas
    ]
    return {
        "symptoms": msgspec.to_builtins(session.symptoms),
        "reproduced": msgspec.to_builtins(session.repeats),
        "hypotheses": ideas,
        "eliminated": sum(idea["result"] == HypothesisResult.ELIMINATED.value for idea in ideas),
        "evidence": [{**msgspec.to_builtins(fact), "time": stamp(fact.time)} for fact in session.facts],
        "first_bad_commit": first_bad(session) or None,
        "fix": fix.commit if fix else None,
        "files_changed": list(fix.files) if fix else [],
        "verification": verification(session.judged, session) if fix else None,
        "prevention_rule": fix.rule if fix else None,
        "outcome": session.ending.closed.because if session.ending else None,
    }
