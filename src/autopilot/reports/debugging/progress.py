"""A debug session on the screen, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from autopilot.events import happened as h
from autopilot.events.debugging import happened as d
from autopilot.events.debugging.state import DebugState
from autopilot.model.debugging.session import SESSION, Status
from autopilot.reports.debugging.session_file import first_bad, verification
from autopilot.reports.status.brief import brief
from autopilot.text.naming import plural

DEBUG = get_args(d.DebugRunEvent | d.DebugEvent)
PHASE, MARK = f"[Phase {SESSION}]", "[debug]"


def of_session(line: str) -> str:
    """A session has one phase, which has no number."""
    return line.replace(PHASE, MARK, 1)


def session_lines(event: h.Event, session: DebugState) -> Iterator[str]:
    match event:
        case d.SessionOpened(brief=opened):
            yield f"Autopilot: debug session {opened.slug} | {opened.path}"
        case d.SymptomsGathered(symptoms=symptoms, left_out=left_out):
            yield f"{MARK} Reproduction: {symptoms.reproduction}"
            yield from _left_out(left_out)
        case d.GatheringRefused(reason=reason):
            yield f"{MARK} Symptoms refused: {brief(reason)}"
        case d.ReproductionSeen(repeats=repeats, problem=problem):
            yield f"{MARK} Reproduction: {brief(problem) if problem else f'failed in {repeats.text}'}"
        case d.BisectionBegun(count=count, problem=problem):
            yield f"{MARK} Bisection: {problem or f'{count} commits'}"
        case d.CommitTested(commit=commit, result=result, subject=subject):
            yield f"{MARK} {commit[:12]} is {result.value}: {subject}"
        case d.HypothesisStated(hypothesis=idea):
            yield f"{MARK} Hypothesis {idea.number}: {brief(idea.statement)}"
        case d.HypothesisRefused(hypothesis=idea, reason=reason):
            yield f"{MARK} Hypothesis {idea.number} refused: {brief(reason)}"
        case d.HypothesisTested(number=number, result=result, because=because):
            yield f"{MARK} Hypothesis {number} {result.value}: {brief(because)}"
        case d.FixTaken(round=round_, commit=commit, files=files, refusal=refusal, left_out=left_out):
            yield f"{MARK} Fix {round_}: " + (
                f"{commit[:12]}, {plural(len(files), 'file')}" if commit else brief(refusal)
            )
            yield from _left_out(left_out)
        case d.FixJudged(round=round_, proven=proven, findings=findings):
            message = verification(session.judged, session) if proven else "; ".join(map(brief, findings[:3]))
            yield f"{MARK} Fix {round_} {'is proven' if proven else 'does not hold'}: {message}"
        case _:
            return


def _left_out(paths: tuple[str, ...]) -> Iterator[str]:
    if paths:
        yield f"{MARK} the agent changed {', '.join(paths)}: no effect, this file is rendered from the journal"


def session_ending(session: DebugState) -> Iterator[str]:
    """For the person who comes back."""
    yield f"  debug session {session.brief.slug}: {session.status.value.replace('_', ' ')}"
    if session.symptoms is not None:
        yield f"  reproduction: `{session.symptoms.reproduction}`, failed in {session.repeats.text}"
    if bad := first_bad(session):
        yield f"  first bad commit: {bad}"
    for idea in session.eliminated:
        yield f"  eliminated: {brief(idea.hypothesis.statement)}"
    if session.cause is not None:
        yield f"  cause: {session.cause.statement}"
    if session.is_proven and session.fix is not None:
        yield f"  fix: {session.fix.commit[:12]}; {verification(session.judged, session)}"
    if session.status is Status.DIAGNOSED:
        yield f"  to go on to a fix: `autopilot debug continue {session.brief.slug}`"
    yield f"  all of it: `autopilot debug show {session.brief.slug}`"
