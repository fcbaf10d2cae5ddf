"""The phases of a run as a graph: what builds on what, how each stands; drawn as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.html.markup import Markup, el
from autopilot.reports.html.pieces import TONES
from autopilot.reports.markdown import shorten

WIDTH, HEIGHT, ACROSS, DOWN, EDGE = 190.0, 44.0, 240.0, 58.0, 8.0
NAME_CHARS = 22
# Beside its colour every node has a sign.
SIGNS = {
    "completed": "✓",
    "failed": "✗",
    "in_progress": "▶",
    "needs_human_verification": "?",
    "skipped": "–",
    "not_started": "○",
    "split": "⋔",
}

SHORT = {"needs_human_verification": "waits for you"}  # what fits into a box


class Node(Struct, frozen=True):
    phase: PhaseState
    x: float
    y: float


def render_graph(state: RunState, root: str) -> Markup:
    """An empty text where there is nothing to see: a single phase. ``root``: where the page of a phase lies."""
    phases = [home for phase in state.phases.values() for home in (phase, *parts_of(state, phase))]
    if len(phases) < 2:
        return Markup("")
    nodes = place_nodes(phases)
    edges = [_edge(nodes[before], node) for node in nodes.values() for before in _before(node.phase) if before in nodes]
    width = max(node.x for node in nodes.values()) + WIDTH + EDGE
    height = max(node.y for node in nodes.values()) + HEIGHT + EDGE
    drawn = [*edges, *(_node(node, root) for node in nodes.values())]
    title = el("title", f"Phases of {state.run}: what builds on what")
    box = f"0 0 {width:g} {height:g}"
    return el("svg", title, *drawn, viewBox=box, width=f"{width:g}", class_="graph", xmlns="http://www.w3.org/2000/svg")


def place_nodes(phases: Sequence[PhaseState]) -> dict[PhaseId, Node]:
    """A column for each step of the longest way there, so that every line leads to the right."""
    columns = find_columns({phase.id: _before(phase) for phase in phases})
    rows: dict[int, int] = {}
    nodes = {}
    for phase in phases:
        column = columns[phase.id]
        row = rows[column] = rows.get(column, -1) + 1
        nodes[phase.id] = Node(phase, EDGE + column * ACROSS, EDGE + row * DOWN)
    return nodes


def find_columns(before: Mapping[PhaseId, Sequence[PhaseId]]) -> dict[PhaseId, int]:
    """The roadmap has no cycle; should a record say otherwise, the search still ends."""
    columns = dict.fromkeys(before, 0)
    for _ in before:
        moved = False
        for name, needed in before.items():
            column = max((columns[other] + 1 for other in needed if other in columns), default=0)
            if column > columns[name] and column < len(before):
                columns[name], moved = column, True
        if not moved:
            break
    return columns


def _before(phase: PhaseState) -> tuple[PhaseId, ...]:
    """What it builds on; a part on the phase that was split."""
    return (phase.parent,) if phase.parent else phase.brief.depends_on


def _edge(before: Node, after: Node) -> Markup:
    x1, y1, x2, y2 = before.x + WIDTH, before.y + HEIGHT / 2, after.x, after.y + HEIGHT / 2
    bend = max(24.0, (x2 - x1) / 2)
    return el("path", d=f"M{x1:g},{y1:g} C{x1 + bend:g},{y1:g} {x2 - bend:g},{y2:g} {x2:g},{y2:g}", class_="edge")


def _node(node: Node, root: str) -> Markup:
    phase, status = node.phase, node.phase.status.value
    shown = SHORT.get(status) or status.replace("_", " ")
    box = el("rect", x=node.x, y=node.y, width=WIDTH, height=HEIGHT, rx=8, class_=f"node {TONES.get(status, status)}")
    first = el("text", f"{SIGNS.get(status, '')} {phase.id}  {shown}", x=node.x + 12, y=node.y + 18, class_="state")
    second = el("text", shorten(phase.brief.name, NAME_CHARS), x=node.x + 12, y=node.y + 35)
    title = el("title", f"Phase {phase.id}, {phase.brief.name}: {shown}")
    return el("a", title, box, first, second, href=f"{root}/{quote(phase.id, safe='')}")
