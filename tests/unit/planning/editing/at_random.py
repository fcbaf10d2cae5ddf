"""Phases of roadmaps added, inserted, removed and moved at random: is only the intended change made, and undone whole?

``python -m tests.unit.planning.editing.at_random FOLDER [--count 2000] [--seed 1]`` takes every ROADMAP.md below a
folder, changes none of them, and prints what each kind of edit came to. Every edit is checked by reading the roadmap
before and after; an add, insert or move is taken back, and every byte must be as it was; a removal may only take lines
out and rewrite those that named the phase.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.carrying import Journey
from autopilot.planning.editing.checking import Intended, differences
from autopilot.planning.editing.dependents import dependents_of
from autopilot.planning.editing.new_phase import NewPhase
from autopilot.planning.editing.renumbering import (
    Renumbering,
    close_gap,
    inserted_after,
    next_decimal,
    next_integer,
    ranked,
    reorder,
)
from autopilot.planning.editing.roadmap_text import (
    RoadmapText,
    crosses_border,
    mentions_in,
    with_phase,
    with_phases_moved,
    without_phase,
)
from autopilot.planning.roadmap.roadmap import parse_roadmap

PATH = ".planning/ROADMAP.md"
NOTHING = "nothing to do"


class Wrong(Exception):
    """An edit did something else than what was asked for."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    paths = sorted(path for path in options.folder.rglob("*.md") if path.name.endswith("ROADMAP.md"))
    texts = {path: path.read_bytes().decode("utf-8", "surrogateescape") for path in paths}
    chance = random.Random(options.seed)
    tally: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for _ in range(options.count if paths else 0):
        path = chance.choice(paths)
        kind, edit = chance.choice(list(EDITS.items()))
        try:
            came_to = edit(RoadmapText(texts[path], PATH), chance)
        except UsageError as refusal:
            came_to = f"refused: {_kind(str(refusal))}"
        except Wrong as found:
            wrong += 1
            came_to = "WRONG"
            print(f"WRONG {kind} {path}: {found}")
        tally[kind, came_to] += 1
    for (kind, came_to), count in sorted(tally.items()):
        print(f"{kind:8}{count:6}  {came_to}")
    print(f"{len(paths)} roadmaps, {sum(tally.values())} edits, {wrong} wrong")
    return 1 if wrong else 0


def _kind(message: str) -> str:
    """A refusal without its numbers and names."""
    return re.sub(r'"[^"]*"|[0-9][0-9.]*', "…", message.split(": ", 1)[-1])[:70]


def _ids(roadmap: RoadmapText) -> list[PhaseId]:
    return [phase.id for phase in parse_roadmap(roadmap.text, PATH).phases]


def _add(roadmap: RoadmapText, _: random.Random) -> str:
    parsed = parse_roadmap(roadmap.text, PATH)
    new = next_integer([phase.id for phase in parsed.phases], parsed.archived)
    return _with(roadmap, NewPhase(new, "Teapot", "It pours", "Nothing"))


def _insert(roadmap: RoadmapText, chance: random.Random) -> str:
    parsed = parse_roadmap(roadmap.text, PATH)
    known = [phase.id for phase in parsed.phases]
    if not known:
        return NOTHING
    target = chance.choice(known)
    new = next_decimal((*known, *parsed.archived), target)
    return _with(roadmap, NewPhase(new, "Teapot", "It pours", f"Phase {target}", inserted=True))


def _with(roadmap: RoadmapText, new: NewPhase) -> str:
    after = with_phase(roadmap, new)
    _check(roadmap, after, Intended(mentions_in(roadmap, Renumbering()), frozenset({new.id})))
    gone = Renumbering({}, frozenset({new.id}))
    if without_phase(RoadmapText(after, PATH), gone).text != roadmap.text:
        raise Wrong(f"phase {new.id}, removed again, leaves other bytes")
    return "done and undone"


def _remove(roadmap: RoadmapText, chance: random.Random) -> str:
    known = _ids(roadmap)
    free = [id for id in known if not dependents_of(id, roadmap.layout) and not inserted_after(known, id)]
    if not free:
        return NOTHING
    phase = chance.choice(free)
    closed = close_gap(known, phase) if chance.random() < 0.5 else Renumbering({}, frozenset({phase}))
    after = without_phase(roadmap, closed).text
    _check(roadmap, after, Intended(mentions_in(roadmap, closed)))
    if not closed.new:
        must_keep_lines(roadmap.text.split("\n"), after.split("\n"), phase)
    return "done"


def must_keep_lines(before: list[str], after: list[str], phase: PhaseId) -> None:
    """Lines are gone, or written without the number that they had."""
    for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind in ("insert", "replace") and phase not in "".join(before[start:end]):
            raise Wrong(f"phase {phase} removed: {after[first:last][0]!r} is no line of before")


def _move(roadmap: RoadmapText, chance: random.Random) -> str:
    known = _ids(roadmap)
    if not known:
        return NOTHING
    phase = chance.choice(known)
    others = [id for id in ranked(known, phase) if id != phase]
    if not others:
        return NOTHING
    journey = Journey(phase, chance.choice(others), chance.random() < 0.5)
    renumbering = reorder(known, phase, journey.target, before=journey.before)
    if renumbering.is_empty and not crosses_border(roadmap, journey):
        return NOTHING
    after = with_phases_moved(roadmap, renumbering, journey).text
    _check(roadmap, after, Intended(mentions_in(roadmap, renumbering)))
    back = Renumbering({new: old for old, new in renumbering.new.items()})
    home = _journey_home(roadmap, ranked(known, phase), journey, renumbering)
    if home is None:
        return "done"
    if with_phases_moved(RoadmapText(after, PATH), back, home).text != roadmap.text:
        raise Wrong(f"phase {phase}, moved there and back, leaves other bytes")
    return "carried over a heading and back" if crosses_border(roadmap, journey) else "done and undone"


def _journey_home(roadmap: RoadmapText, rank: list[PhaseId], out: Journey, renumbering: Renumbering) -> Journey | None:
    """Beside a neighbour that stands below the same heading; None where there is none."""
    place = rank.index(out.phase)
    for index, before in ((place - 1, False), (place + 1, True)):
        beside = rank[index] if 0 <= index < len(rank) else None
        if beside and not crosses_border(roadmap, Journey(out.phase, beside, before)):
            return Journey(renumbering.of(out.phase), renumbering.of(beside), before)
    return None


def _check(roadmap: RoadmapText, after: str, intended: Intended) -> None:
    for difference in differences(roadmap.text, after, PATH, intended):
        raise Wrong(difference)


EDITS: dict[str, Callable[[RoadmapText, random.Random], str]] = {
    "add": _add,
    "insert": _insert,
    "remove": _remove,
    "move": _move,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
