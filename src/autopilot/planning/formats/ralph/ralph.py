"""Ralph's ``prd.json`` as a planning format: a story is a phase, and ``passes`` is what is written back."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.outline import Outline, Proven, SpanEdit
from autopilot.model.policy import Commands
from autopilot.planning.formats.format import Format, Texts
from autopilot.planning.formats.found import Piece, Promise, Reading
from autopilot.planning.formats.outlining import make_outline
from autopilot.planning.formats.ralph.stories import (
    DONE_WORDS,
    STATUS,
    File,
    Story,
    parse_stories,
    story_members,
    without_progress,
)
from autopilot.planning.roadmap.phase_id import carry_id, slugify
from autopilot.text.json_span import insert_member

PLACES = ("prd.json", "scripts/ralph/prd.json", "ralph/prd.json", ".ralph/prd.json")
_PRIORITIES = {"critical": 0.0, "high": 1.0, "medium": 2.0, "low": 3.0}
_NAME, _GOAL = 100, 1_500  # characters


def find(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(place for place in PLACES if place in paths)


def read(texts: Texts, commands: Commands) -> Outline:
    return make_outline(read_prd(texts), commands)


def mark(texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    path, file = _file(texts)
    story = next((story for story in file.stories if carry_id(_key(story)) == proven.phase), None)
    return _passing(path, file, story) if story and not story.is_done else ()


def neutral(_path: str, text: str) -> str:
    return without_progress(text)


def read_prd(texts: Texts) -> Reading:
    path, file = _file(texts)
    complaints = [*file.complaints]
    others = [place for place in PLACES if place in texts and place != path]
    complaints += [Complaint(place, 0, f"{path} is read instead of it", Severity.INFO) for place in others]
    keys = {_key(story) for story in file.stories}
    placed = sorted(enumerate(file.stories), key=lambda pair: (_priority(pair[1]), pair[0]))
    pieces = tuple(_piece(story, path, keys, complaints) for _, story in placed)
    return Reading(path, pieces, tuple(complaints), spec=path if pieces else "")


def _file(texts: Texts) -> tuple[str, File]:
    path = next((place for place in PLACES if place in texts), PLACES[0])
    return path, parse_stories(texts[path], path) if path in texts else File("")


def _key(story: Story) -> str:
    """Its own id; where it has none the words of its name, which stay when stories are added."""
    id = story.values.get("id")
    if isinstance(id, int) and not isinstance(id, bool):
        return str(id)[:40]
    return story.text_of("id") or slugify(_name(story))[:40].strip("-")


def _name(story: Story) -> str:
    return story.text_of("title", "name", "description", "category", "id")[:_NAME] or "a story without a name"


def _piece(story: Story, path: str, keys: set[str], complaints: list[Complaint]) -> Piece:
    key = _key(story)
    needs = story.texts_of("dependencies", "dependsOn", "depends_on", "blockedBy")
    for unknown in [need for need in needs if need not in keys]:
        message = f"{key[:60]} depends on {unknown[:40]}, which is not there: ignored"
        complaints.append(Complaint(path, story.line, message))
    if not story.flag and not story.status:
        message = f"{key[:60]} does not say whether it passes: taken as open"
        complaints.append(Complaint(path, story.line, message))
    return Piece(
        key=key,
        name=_name(story),
        goal=story.text_of("description")[:_GOAL],
        stand=story.stand,
        because=f'"{story.flag}": {json.dumps(story.values[story.flag])}' if story.flag else story.status[:40],
        needs=tuple(need for need in needs if need in keys),
        criteria=tuple(
            Promise(path, story.line, text)
            for text in story.texts_of("acceptanceCriteria", "acceptance_criteria", "criteria", "steps")
        ),
        path=path,
        line=story.line,
        specs=(path,),
    )


def _priority(story: Story) -> float:
    value = story.values.get("priority")
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9 and not math.isnan(value):
        return float(value)
    word = value.strip().lower() if isinstance(value, str) else ""
    digits = word.removeprefix("p")
    return (
        float(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else _PRIORITIES.get(word, math.inf)
    )


def _passing(path: str, file: File, story: Story) -> tuple[SpanEdit, ...]:
    held = story_members(file, story)
    if story.flag:
        member = held[story.flag]
        return (SpanEdit(path, member.start, member.end, "true"),)
    if story.status:
        word = next((other.status for other in file.stories if other.status.lower() in DONE_WORDS), DONE_WORDS[0])
        return (SpanEdit(path, held[STATUS].start, held[STATUS].end, json.dumps(word, ensure_ascii=False)),)
    if not held:
        return ()
    place = max(member.end for member in held.values())
    longer = insert_member(file.text, story.start, "passes", "true")
    return (SpanEdit(path, place, place, longer[place : place + len(longer) - len(file.text)]),)


RALPH = Format("ralph", "Ralph (prd.json)", PLACES, find, read, mark, neutral)
