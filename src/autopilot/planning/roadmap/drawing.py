"""Dependencies drawn with lines and arrows, as text.

A tree (``├── Phase 2`` below ``Phase 1``), or rows of phases with lines between them: a line that touches a phase above
and one below joins the two. Whatever else a drawing shows is passed over, and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line

_PHASE = lazy_regex(rf"\bPhase\s+({ID})(?!\w|\.[0-9])(?:[^\s│|┃]|\s(?=[^\s│|┃─━]))*", re.IGNORECASE)
_BRANCH = lazy_regex(rf"^[\s│|┃]*[├└┣┗+\\`|][─━-]{{1,4}}[>►▶→]?\s*\*{{0,2}}Phase\s+({ID})(?!\w|\.[0-9])", re.IGNORECASE)
_LINES = lazy_regex(r"[\s│|┃↓▼⇩v─━┌┐└┘├┤┬┴┼╭╮╰╯▲►◄→←/\\+-]+\Z")
_RUN = lazy_regex(r"\S+")
_SLACK = 2  # columns by which a line may miss the words it belongs to

Edge = tuple[PhaseId, PhaseId, int]
Span = tuple[int, int]


class _Place(Struct, frozen=True):
    phase: PhaseId
    span: Span


def drawn_edges(lines: Sequence[Line]) -> tuple[list[Edge], list[int]]:
    """Pairs of an earlier and a later phase with their line, and the lines that show phases in a way not understood."""
    edges: list[Edge] = []
    missed: list[int] = []
    tree: list[tuple[int, PhaseId]] = []
    above: tuple[_Place, ...] = ()
    between: list[str] = []
    for line in lines:
        text = line.text[:400]
        branch = _BRANCH.match(text)
        places = tuple(_Place(normalise(found[1]), found.span()) for found in _PHASE.finditer(text))
        if branch:
            tree = [(column, phase) for column, phase in tree if column < branch.start(1)]
            edges += [(tree[-1][1], normalise(branch[1]), line.number)] if tree else []
            missed += [] if tree else [line.number]
            tree.append((branch.start(1), normalise(branch[1])))
            above, between = (), []
        elif places:
            is_odd = re.search(r"[→←◄►]", text) or len({place.phase for place in places}) < len(places)
            missed += [line.number] if is_odd else []
            edges += [] if is_odd else [(a, b, line.number) for a, b in _joined(above, between, places)]
            tree, above, between = [(places[0].span[0], places[0].phase)], () if is_odd else places, []
        elif text.strip() and not _LINES.match(text):
            above, between, tree = (), [], []
        else:
            between.append(text)
    return edges, missed


def _joined(
    above: Sequence[_Place], between: Sequence[str], below: Sequence[_Place]
) -> Iterator[tuple[PhaseId, PhaseId]]:
    """Follow each line downwards: what it touches in the next row belongs to it."""
    rows = [[found.span() for found in _RUN.finditer(text)] for text in between if text.strip()]
    if not rows:
        return
    for place in above:
        reached = [place.span]
        for row in rows:
            reached = [span for span in row if any(_touch(span, other) for other in reached)]
        for later in below:
            if any(_touch(later.span, span) for span in reached):
                yield place.phase, later.phase


def _touch(first: Span, other: Span) -> bool:
    return first[0] - _SLACK < other[1] and other[0] - _SLACK < first[1]
