"""The file of a debug session: rendered from the state, never read. Its sections keep their rules by construction."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.debugging.happened import FixJudged
from autopilot.events.debugging.state import DebugState, Idea
from autopilot.model.debugging.bisection import suspects
from autopilot.model.debugging.repeats import LUCK, luck_of
from autopilot.model.debugging.session import Status
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import stamp

SAME_TEST = "the test of the cause ends as before, so the reproduction alone shows the fix"


def render_session(session: DebugState) -> str:
    """The journal has the session; an edit of this file changes nothing and is written over."""
    return make_inert(session_text(session))


def session_text(session: DebugState) -> str:
    """The same where no viewer of Markdown shows it: at a terminal, or as text of a page."""
    lines = [*_front(session), *_focus(session), *_symptoms(session), *_eliminated(session)]
    lines += [*_evidence(session), *_resolution(session)]
    return "\n".join(lines) + "\n"


def _front(session: DebugState) -> Iterator[str]:
    cause = session.cause
    yield "---"
    yield f"status: {session.status.value}"
    yield f"trigger: {_quoted(trigger_of(session))}"
    yield f"failure_category: {_quoted(cause.category if cause else '')}"
    yield f"created: {stamp(session.opened_at)}"
    yield f"updated: {stamp(session.updated_at)}"
    yield "---"


def trigger_of(session: DebugState) -> str:
    about = f" (phase {session.brief.about})" if session.brief.about else ""
    return f"{session.brief.text}{about}"


def _focus(session: DebugState) -> Iterator[str]:
    now = next((idea.hypothesis for idea in reversed(session.ideas) if idea.is_open), session.cause)
    yield from ("", "## Current Focus", "_Overwritten: what is so now._", "")
    yield f"hypothesis: {_flat(now.statement) if now else ''}"
    yield f"test: {_code(now.test) if now else ''}"
    printing = f" and prints {_code(now.printing)}" if now and now.printing else ""
    yield f"expecting: {f'it {now.predicts.value}{printing} if the hypothesis is right' if now else ''}"
    yield f"next_action: {next_action(session)}"


def next_action(session: DebugState) -> str:
    if session.ending is not None:
        return _flat(session.ending.closed.because)
    match session.status:
        case Status.GATHERING if session.symptoms is None or session.trouble:
            return "gather the symptoms and a command that reproduces them"
        case Status.GATHERING:
            return "run the reproduction"
        case Status.INVESTIGATING if any(idea.is_open for idea in session.ideas):
            return "run the test of the hypothesis"
        case Status.INVESTIGATING:
            return "state the next hypothesis"
        case Status.FIXING:
            return "fix the cause"
        case _:
            return "land the fix" if session.is_proven else "prove the fix"


def _symptoms(session: DebugState) -> Iterator[str]:
    symptoms = session.symptoms
    yield from ("", "## Symptoms", "_Immutable once the reproduction was seen to fail._", "")
    for name in ("expected", "actual", "errors"):
        yield f"{name}: {_flat(getattr(symptoms, name)) if symptoms else ''}"
    yield f"reproduction: {_code(symptoms.reproduction) if symptoms else ''}"
    if session.files:
        yield f"reproduction_files: {', '.join(session.files)}"
    yield f"started: {_flat(symptoms.started) if symptoms else ''}"


def _eliminated(session: DebugState) -> Iterator[str]:
    yield from ("", "## Eliminated", "_Only added to: nothing here is tried again._", "")
    for tried in session.brief.origin.tried if session.brief.origin else ():
        yield f"- hypothesis: {_flat(tried.description)}"
        yield f"  evidence: {_flat(tried.result)}"
    for idea in session.eliminated:
        yield from _idea(idea)


def _idea(idea: Idea) -> Iterator[str]:
    assert idea.tested is not None, "what was not tested is not eliminated"
    yield f"- hypothesis: {_flat(idea.hypothesis.statement)}"
    yield f"  evidence: {_flat(idea.tested.because)}"
    yield f"  timestamp: {stamp(idea.tested_at)}"


def _evidence(session: DebugState) -> Iterator[str]:
    yield from ("", "## Evidence", "_Only added to._", "")
    for fact in session.facts:
        yield f"- timestamp: {stamp(fact.time)}"
        yield f"  checked: {_flat(fact.checked)}"
        yield f"  found: {_flat(fact.found)}"
        if fact.implication:
            yield f"  implication: {_flat(fact.implication)}"


def _resolution(session: DebugState) -> Iterator[str]:
    cause, fix, ending = session.cause, session.fix, session.ending
    yield from ("", "## Resolution", "_Overwritten as understanding grows._", "")
    yield f"root_cause: {_flat(cause.statement) if cause else ''}"
    yield f"failure_category: {cause.category if cause else ''}"
    if bad := first_bad(session):
        yield f"first_bad_commit: {bad}"
    yield f"fix: {fix.commit if fix and session.is_proven else ''}"
    yield f"verification: {verification(session.judged, session) if session.is_proven else ''}"
    yield f"prevention_rule: {_flat(fix.rule) if fix and session.is_proven else ''}"
    yield f"files_changed: [{', '.join(fix.files) if fix and session.is_proven else ''}]"
    if ending is not None:
        by = f" (by {ending.closed.by})" if ending.closed.by else ""
        yield f"outcome: {ending.closed.status.value}: {_flat(ending.closed.because)}{by}"


def verification(judged: FixJudged | None, session: DebugState) -> str:
    """In numbers: how often it failed before, how often it passed since, and how likely that is by luck."""
    if judged is None:
        return ""
    text = f"the reproduction failed in {session.repeats.text} before the fix and in {judged.repeats.text} after it"
    luck = luck_of(session.repeats, judged.repeats.runs)
    if not session.repeats.is_steady:
        text += f" (by luck: {luck:.1%}{'' if luck <= LUCK else ', above the 1.0% aimed at'})"
    if judged.cause_gone is not None:
        text += "; the test of the cause ends otherwise now" if judged.cause_gone else f"; {SAME_TEST}"
    return f"{text}; every other check says what it said before"


def first_bad(session: DebugState) -> str:
    """The first commit with the bug, as far as a bisection could tell; "" before it ended, or without one."""
    bisection = session.bisection
    if bisection is None or bisection.begun.problem:
        return ""
    found = suspects(bisection.begun.count, {i: tested.result for i, tested in bisection.tested.items()})
    named = [bisection.tested[index] for index in found if index in bisection.tested]
    if len(named) != len(found) or not named:
        return ""
    last = f"{named[-1].commit} ({_flat(named[-1].subject)})"
    others = ", ".join(tested.commit[:12] for tested in named[:-1])
    return f"{last}; or one before it that could not be tested: {others}" if others else last


def _flat(text: str) -> str:
    return " ".join(text.split())


def _code(text: str) -> str:
    return f"`{_flat(text)}`"


def _quoted(text: str) -> str:
    return '"' + _flat(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
