"""Kiro as a planning format: a feature is a phase, and the boxes of its ``tasks.md`` are what is written back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.outline import Outline, Proven, SpanEdit
from autopilot.model.planning.standing import Stand
from autopilot.model.policy import Commands
from autopilot.planning.formats.box_marks import neutral_boxes, tick_steps
from autopilot.planning.formats.boxes import find_boxes
from autopilot.planning.formats.format import Format, Texts
from autopilot.planning.formats.found import Piece, Reading, Step
from autopilot.planning.formats.kiro.requirements import Requirements, parse_bugfix, parse_requirements
from autopilot.planning.formats.kiro.tasks import holder_lines, parse_tasks
from autopilot.planning.formats.marking import apply_edits, tick_boxes
from autopilot.planning.formats.outlining import make_outline
from autopilot.text.lines import scan_lines

SPECS = ".kiro/specs"
REQUIREMENTS, BUGFIX, DESIGN, TASKS = "requirements.md", "bugfix.md", "design.md", "tasks.md"
_FILE = re.compile(r"\.kiro/specs/[^/]{1,255}/(?:requirements|bugfix|design|tasks)\.md\Z")
_DIGITS = re.compile(r"[0-9]{1,9}")


def find(paths: Sequence[str]) -> tuple[str, ...]:
    """Of features that have requirements or tasks: a design alone says nothing to do."""
    mine = sorted(path for path in paths if _FILE.match(path))
    usable = {_feature(path) for path in mine if not path.endswith(DESIGN)}
    return tuple(path for path in mine if _feature(path) in usable)


def read(texts: Texts, commands: Commands) -> Outline:
    return make_outline(read_kiro(texts), commands)


def mark(texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    edits = tick_steps(texts, read_kiro(texts), proven)
    return (*edits, *(edit for path, text in apply_edits(texts, edits).items() for edit in _holders(path, text, texts)))


def read_kiro(texts: Texts) -> Reading:
    complaints: list[Complaint] = []
    features = sorted({_feature(path) for path in texts if _FILE.match(path)}, key=_in_order)
    pieces = tuple(_piece(feature, texts, complaints) for feature in features)
    return Reading(SPECS, pieces, tuple(complaints))


def _holders(path: str, ticked: str, texts: Texts) -> tuple[SpanEdit, ...]:
    """Boxes whose parts are all done now; one has no more characters for being ticked, or the places would differ."""
    done = {box.line for box in find_boxes(scan_lines(ticked)) if box.is_done}
    complete: set[int] = set()
    for line, parts in holder_lines(ticked):
        if line not in done and all(part in done for part in parts):
            complete.add(line)
            done.add(line)
    return tick_boxes(path, texts[path], complete)


def _feature(path: str) -> str:
    return path.split("/")[2]


def _in_order(feature: str) -> tuple[tuple[int, str], ...]:
    """ "2-list" before "10-editor"; without numbers by name."""
    message = re.split(r"([0-9]{1,9})", feature)
    return tuple((int(word), "") if _DIGITS.fullmatch(word) else (10**9, word) for word in message if word)


def _piece(feature: str, texts: Mapping[str, str], complaints: list[Complaint]) -> Piece:
    folder = f"{SPECS}/{feature}"
    requirements = _requirements(folder, texts)
    path = f"{folder}/{TASKS}"
    steps = parse_tasks(texts.get(path, ""), path, requirements)
    complaints += _doubts(folder, texts, requirements, steps)
    stand, because = _standing(steps)
    named = (REQUIREMENTS, BUGFIX, DESIGN)
    return Piece(
        key=feature,
        name=feature,
        goal=requirements.goal,
        stand=stand,
        because=because,
        criteria=tuple(promise for _, promise in requirements.promises),
        steps=steps,
        path=path if path in texts else f"{folder}/{REQUIREMENTS}",
        line=1,
        specs=tuple(place for name in named if (place := f"{folder}/{name}") in texts),
    )


def _requirements(folder: str, texts: Mapping[str, str]) -> Requirements:
    if (path := f"{folder}/{REQUIREMENTS}") in texts:
        return parse_requirements(texts[path], path)
    path = f"{folder}/{BUGFIX}"
    return parse_bugfix(texts[path], path) if path in texts else Requirements()


def _standing(steps: Sequence[Step]) -> tuple[Stand, str]:
    """Optional tasks do not count."""
    wanted = [step for step in steps if not step.held]
    done = sum(step.done for step in wanted)
    if steps and done == len(wanted):
        return Stand.DONE, "every task is ticked" if wanted else "every task is optional"
    return Stand.OPEN, f"{done} of {len(wanted)} tasks are ticked" if steps else "it lists no task"


def _doubts(
    folder: str, texts: Mapping[str, str], requirements: Requirements, steps: Sequence[Step]
) -> list[Complaint]:
    found = []
    if f"{folder}/{TASKS}" not in texts:
        found.append(Complaint(folder, 0, "has no tasks.md yet: an agent plans it", Severity.INFO))
    elif not steps:
        found.append(Complaint(f"{folder}/{TASKS}", 1, "no box was found: an agent plans it"))
    for name in (REQUIREMENTS, BUGFIX):
        if (path := f"{folder}/{name}") in texts and not requirements.promises:
            found.append(Complaint(path, 1, "no acceptance criterion was found"))
    return found


KIRO = Format("kiro", "Kiro (.kiro/specs/)", (SPECS,), find, read, mark, neutral_boxes)
