"""Phases side by side, to be crashed: graphs with diamonds, and what must be the same whatever the order was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from autopilot.events.entry import Stored
from tests.chaos.ending import Ending
from tests.chaos.record import names
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.ratings import rate
from tests.scenario.kit.world import World, make_world

Graph = Mapping[int, tuple[int, ...]]
AT_ONCE = 3
# Diamonds on diamonds: three rows of two and three between a first and a last phase.
TEN: Graph = {1: (), 2: (1,), 3: (1,), 4: (1,), 5: (2, 3), 6: (3, 4), 7: (2, 4), 8: (5, 6), 9: (6, 7), 10: (8, 9)}
SMALL: Graph = {1: (), 2: (), 3: ()}
SCORES = ("9.0", "9.3", "9.6", "9.9")  # never three alike in a row: that would be noted with whoever is the third


def make_graph(folder: Path, graph: Graph) -> World:
    world = make_world(folder, Plot(phases=len(graph), depends=graph, planned=True))
    world.play(*(rate(n, {f"{n:02}-01": SCORES[n % len(SCORES)]}) for n in world.plot.numbers))
    return world


def by_phase(record: Iterable[Stored]) -> dict[str, list[str]]:
    """What was recorded of each phase, in its order; "" for the run itself."""
    found: dict[str, list[str]] = {}
    for name in names(record):
        phase = name.partition("/")[0]
        found.setdefault(phase if phase.isdecimal() else "", []).append(name)
    return found


def is_on_its_way(record: Mapping[str, list[str]], undisturbed: Mapping[str, list[str]]) -> bool:
    """Whether every phase has come a part of the way it goes undisturbed, and nowhere else."""
    return all(undisturbed.get(phase, [])[: len(way)] == way for phase, way in record.items())


def in_any_order(ending: Ending) -> Ending:
    """Who was the quickest is chance; all that came of it is not.

    So is whether there was anything to merge with: a merge, and what was seen of it, stands in one run and not in the
    other, but never twice.
    """
    documents = {path: _without_joining(path, text) for path, text in ending.documents.items()}
    subjects = sorted(line.partition(" <- ")[0] for line in ending.commits)
    merges = Counter(subject for subject in subjects if ": Merge phase " in subject)
    assert not merges or max(merges.values()) == 1, merges
    return replace(
        ending,
        documents=documents,
        record=sorted(ending.record),
        completed=tuple(sorted(ending.completed)),
        commits=tuple(subject for subject in subjects if subject not in merges),
    )


def _without_joining(path: str, text: str) -> str:
    if not path.lower().endswith("trace.jsonl"):
        return text
    return "\n".join(line for line in text.splitlines() if '"step": "integrate"' not in line)
