"""The context map: how much was known of each phase, what was asked and answered; a file that outlives runs (CMAP-03).

Merging: entries of other phases stay as they are; of a phase that was mapped, every answered question stays, also
answers from other tools, new ones are added, and the scores are the latest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from autopilot.events.state import RunState
from autopilot.events.talk import Mapped
from autopilot.model.human import HumanQuestion, same_words
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.roadmap import PhaseId
from autopilot.reports.markdown import stamp
from autopilot.reports.status.files import CONTEXT_MAP
from autopilot.text.naming import plural

VERSION = "1.0"


def merge_context_map(before: Mapping[str, Any], runs: Iterable[RunState]) -> dict[str, Any]:
    """``before`` is the file as it is, in its shape; ``runs`` are all runs of the journal, oldest first."""
    histories: dict[PhaseId, list[tuple[str, Mapped]]] = {}
    for run in runs:
        names = {brief.id: brief.name for brief in run.inputs.outline}
        for phase, mapped in run.people.mapping.items():
            histories.setdefault(phase, []).append((names.get(phase, ""), mapped))
    phases = dict(before.get("phases", {}))
    for phase, history in histories.items():
        _archive_old_phase(phases, phase, history[-1][0])
        for name in dict.fromkeys(name for name, _ in history):
            key = phase if _same(name, history[-1][0]) else f"{phase} ({name})"
            looks = [mapped for known, mapped in history if _same(known, name)]
            phases[key] = _entry(phases.get(key, {}), name, looks)
    times = [moment for history in histories.values() for _, mapped in history for moment in _times(mapped)]
    updated = max((*map(stamp, times), _text(before.get("last_updated"))), default="")
    return {**before, "version": VERSION, "last_updated": updated, "phases": phases}


def _archive_old_phase(phases: dict[str, Any], phase: PhaseId, name: str) -> None:
    """A new roadmap may use a number again: what was said about the old phase stays, and is not taken for the new."""
    current = phases.get(phase, {})
    old = _text(current.get("phase_name"))
    if not old or not name or _same(old, name):
        return
    archived = phases.get(f"{phase} ({old})", {})
    questions = _merge_questions(archived.get("questions", []), current.get("questions", []), set())
    phases[f"{phase} ({old})"] = {**current, **archived, "questions": questions}
    del phases[phase]


def answers_about(state: RunState, phase: PhaseId) -> tuple[ContextAnswer, ...]:
    """What the user answered about a phase, earlier runs first; of two answers to one question the later counts."""
    mapped = state.people.mapping.get(phase)
    now = mapped.answers.values() if mapped else ()
    answers = (
        *state.inputs.context.get(phase, ()),
        *(ContextAnswer(a.question.text, a.answer, a.question.category) for a in now),
    )
    return tuple({same_words(answer.question): answer for answer in answers}.values())


def render_answers(answers: Iterable[ContextAnswer]) -> str:
    """A paper for those who research, plan and build."""
    parts = [f"## {' '.join(answer.question.split())}\n\n{answer.answer.strip()}\n" for answer in answers]
    opening = "These answers are the user's own and override assumptions. The phase's CONTEXT.md overrides them."
    return "\n".join(("# What the user answered about this phase\n", f"{opening}\n", *parts))


def map_lines(state: RunState) -> Iterator[str]:
    """Before and after, for the end of a run that asked."""
    if not state.people.mapping:
        return
    yield "  context of the phases (out of 10):"
    width = max(len(phase) for phase in state.people.mapping)
    for phase, mapped in state.people.mapping.items():
        after = mapped.after.score if mapped.after else None
        scores = f"{mapped.before.score:>2} -> {after if after is not None else '?':>2}"
        yield f"    phase {phase:<{width}}  {scores}  {_answered_words(mapped)}".rstrip()
    if any(mapped.questions for mapped in state.people.mapping.values()):
        yield f"  questions and answers: {CONTEXT_MAP}"


def _answered_words(mapped: Mapped) -> str:
    if mapped.problem:
        return f"no questions could be generated: {mapped.problem}"
    if not mapped.questions:
        return ""
    return f"{len(mapped.answers)} of {plural(len(mapped.questions), 'question')} answered"


def _entry(before: Mapping[str, Any], name: str, looks: list[Mapped]) -> dict[str, Any]:
    last = looks[-1]
    ours = [row for mapped in looks for row in _rows(mapped, only_answered=mapped is not last)]
    asked = {same_words(q.text) for mapped in looks for q in mapped.questions}
    return {
        **before,
        "phase_name": name or before.get("phase_name", ""),
        "context_score": last.before.score,
        "score_after": last.after.score if last.after else None,
        "questions": _merge_questions(before.get("questions", []), ours, asked),
        "mapped_at": stamp(last.mapped_at),
    }


def _merge_questions(
    stored: Iterable[Mapping[str, Any]], ours: Iterable[Mapping[str, Any]], asked: set[str]
) -> list[dict[str, Any]]:
    """Questions in the file come first. Only a question of ours without an answer is replaced: by its answer, or by the
    questions of a later mapping of the phase."""
    kept = [dict(row) for row in stored if row.get("answer") or same_words(_text(row.get("question"))) not in asked]
    positions = {same_words(_text(row.get("question"))): index for index, row in reversed(list(enumerate(kept)))}
    for row in ours:
        key = same_words(_text(row.get("question")))
        if key not in positions:
            positions[key] = len(kept)
            kept.append(dict(row))
        elif not kept[positions[key]].get("answer"):
            kept[positions[key]] |= row
    return kept


def _rows(mapped: Mapped, *, only_answered: bool) -> Iterator[dict[str, Any]]:
    for question in mapped.questions:
        answer = mapped.answers.get(question.id)
        if answer is not None or not only_answered:
            yield _row(question, answer.answer if answer else None, answer.answered_at if answer else None)


def _row(question: HumanQuestion, answer: str | None, answered_at: datetime | None) -> dict[str, Any]:
    return {
        "question": question.text,
        "category": question.category,
        "why_needed": question.why,
        "answer": answer,
        "answered_at": stamp(answered_at) or None,
    }


def _times(mapped: Mapped) -> Iterator[datetime]:
    yield mapped.mapped_at
    yield from (answer.answered_at for answer in mapped.answers.values())


def _same(name: str, other: str) -> bool:
    return same_words(name) == same_words(other)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
