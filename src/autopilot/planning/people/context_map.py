"""``.autopilot/context-map.json``: what users answered about phases, kept from run to run and open to any editor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from autopilot.model.human import same_words
from autopilot.model.intent import ContextAnswer
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import parse_phase_id

PATH = ".autopilot/context-map.json"

Context = Mapping[PhaseId, tuple[ContextAnswer, ...]]


def read_context_map(text: str, names: Mapping[PhaseId, str] | None = None) -> tuple[Context, tuple[Complaint, ...]]:
    """The answers in it, by phase. An entry that is not understood is reported, and the rest counts.

    ``names`` are those of the phases today: what was answered about another phase of the same number is left out.
    """
    document = load_context_map(text)
    if isinstance(document, Complaint):
        return {}, (document,)
    answers: dict[PhaseId, tuple[ContextAnswer, ...]] = {}
    complaints: list[Complaint] = []
    for key, entry in document["phases"].items():
        phase = PhaseId(key) if key in (names or {}) else parse_phase_id(key)
        if phase is None and parse_phase_id(key.partition(" (")[0]):
            continue  # "3 (Search)": a phase of an earlier roadmap, put aside when its number was used again
        if phase is None:
            complaints.append(Complaint(PATH, 0, f"{key[:40]!r} is not a phase number: its answers are ignored"))
        elif _is_it(entry, (names or {}).get(phase, "")) and (found := tuple(_answers(entry))):
            answers[phase] = (*answers.get(phase, ()), *found)
    return answers, tuple(complaints)


def load_context_map(text: str) -> dict[str, Any] | Complaint:
    """The whole file, its phases and their questions in the shape they must have; or why it is none."""
    try:
        document = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return Complaint(PATH, 0, f"not valid JSON: {error}")
    if not isinstance(document, dict) or not isinstance(document.setdefault("phases", {}), dict):
        return Complaint(PATH, 0, "not an object with phases")
    odd = [key for key, entry in document["phases"].items() if not _has_shape(entry)]
    return Complaint(PATH, 0, f"phase {odd[0][:40]} has no list of questions") if odd else document


def join_context(journal: Context, file: Context) -> Context:
    """What earlier runs recorded, with what only the file holds. Of two answers to one question the file's counts:

    no question is asked twice, so the user has corrected it there.
    """
    return {
        phase: _join(journal.get(phase, ()), file.get(phase, ()))
        for phase in dict.fromkeys((*journal, *file))
        if journal.get(phase) or file.get(phase)
    }


def _join(recorded: tuple[ContextAnswer, ...], written: tuple[ContextAnswer, ...]) -> tuple[ContextAnswer, ...]:
    by_words = {same_words(answer.question): answer for answer in recorded}
    by_words |= {same_words(answer.question): answer for answer in written}
    return tuple(by_words.values())


def _is_it(entry: Mapping[str, Any], name: str) -> bool:
    written = _text(entry.get("phase_name"))
    return not name or not written or same_words(written) == same_words(name)


def _has_shape(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    questions = entry.setdefault("questions", [])
    return isinstance(questions, list) and all(isinstance(question, dict) for question in questions)


def _answers(entry: Mapping[str, Any]) -> Iterator[ContextAnswer]:
    for record in entry["questions"]:
        question, answer, category = (_text(record.get(name)) for name in ("question", "answer", "category"))
        if question and answer:
            yield ContextAnswer(question, answer, category)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
