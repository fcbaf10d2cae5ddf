"""What a debug session has shown, in the form in which every report speaks of evidence: no gate judged it."""

from __future__ import annotations

from autopilot.events.debugging.state import DebugState
from autopilot.events.state import RunState
from autopilot.model.debugging.session import REPRODUCTION
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Form
from autopilot.model.policy import CHECKS
from autopilot.reports.debugging.session_file import verification

AS_BEFORE = "all that passed in it before the fix still passes"


def session_criteria(state: RunState) -> dict[str, Criterion]:
    """The one thing that is asked of a fix."""
    symptoms = state.debugging.symptoms if state.debugging else None
    if symptoms is None:
        return {}
    asked = Criterion(REPRODUCTION, "the reproduction passes", Form.COMMAND, symptoms.reproduction)
    return {REPRODUCTION: asked}


def session_verdicts(state: RunState) -> tuple[Verdict, ...]:
    """() where the bug was not seen yet."""
    session = state.debugging
    if session is None or session.red is None:
        return ()
    judged = session.judged
    if judged is None:
        return (Verdict(REPRODUCTION, Outcome.FAIL, f"failed in {session.repeats.text}; no fix of it was judged yet"),)
    checks = (seen for seen in judged.observations if seen.subject in CHECKS and not seen.never_ran)
    return (_of_reproduction(session), *(_of_check(seen, judged.findings) for seen in checks))


def _of_reproduction(session: DebugState) -> Verdict:
    judged = session.judged
    assert judged is not None, "a fix was judged"
    if judged.proven:
        return Verdict(REPRODUCTION, Outcome.PASS, verification(judged, session))
    against = [finding for finding in judged.findings if judged.repeats.failures or "reproduction" in finding]
    if against:
        return Verdict(REPRODUCTION, Outcome.FAIL, f"fix {judged.round} does not hold: {against[0]}")
    return Verdict(REPRODUCTION, Outcome.PASS, f"passed with fix {judged.round}, which broke something else")


def _of_check(seen: Observation, findings: tuple[str, ...]) -> Verdict:
    against = next((finding for finding in findings if finding.startswith(f"{seen.subject}: ")), "")
    if against:
        return Verdict(seen.subject, Outcome.FAIL, against.removeprefix(f"{seen.subject}: "))
    return Verdict(seen.subject, Outcome.PASS, AS_BEFORE)
