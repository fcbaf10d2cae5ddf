"""The run as bars over time, one row a phase: drawn from the record, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from msgspec import Struct

from autopilot.events.entry import Stored
from autopilot.events.state import PhaseState, RunState
from autopilot.model.step import Step, StepKind
from autopilot.reports.documents.span_trace import Span, step_spans
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.html.markup import Markup, el, join
from autopilot.reports.markdown import how_long, shorten

WIDTH, LABEL, RIGHT, ROW, BAR, TOP = 1000.0, 190.0, 12.0, 30.0, 18.0, 30.0
NARROWEST = 1.5  # a step that took no time is still seen
NAME_CHARS = 24
# Every kind of step has a colour, so that a new step has one too.
COLOURS = {
    "preparing": (StepKind.INTAKE, StepKind.PLANNING, StepKind.PREPARING, StepKind.DRAFTING),
    "building": (StepKind.WORK, StepKind.SPLITTING, StepKind.ISSUE, StepKind.DEBUGGING),
    "reviewing": (StepKind.REVIEW, StepKind.RULING, StepKind.CLOSING),
    "landing": (StepKind.ENDING,),
}
COLOUR_OF = {kind: colour for colour, kinds in COLOURS.items() for kind in kinds}
# A rest of a day between two sessions must not press everything else into a corner.
LONG_REST, REST_SHARE = 0.15, 0.03


class Piece(Struct, frozen=True):
    start: datetime
    end: datetime
    x: float
    width: float


class Scale(Struct, frozen=True):
    """Time to place. Rests are cut out: each is a narrow gap, marked."""

    pieces: tuple[Piece, ...]

    def place(self, moment: datetime) -> float:
        for piece in self.pieces:
            if moment <= piece.end:
                share = (max(moment, piece.start) - piece.start) / max(
                    piece.end - piece.start, timedelta(milliseconds=1)
                )
                return piece.x + piece.width * share
        last = self.pieces[-1]
        return last.x + last.width


def render_timeline(state: RunState, entries: Sequence[Stored]) -> Markup:
    """An empty text where no step was taken."""
    spans = [span for span in step_spans(entries) if span.status != "skipped"]
    rows = [phase for phase in _order(state) if any(span.phase == phase.id for span in spans)]
    if not rows:
        return Markup("")
    scale = make_scale(spans)
    height = TOP + ROW * len(rows) + 8
    drawn = [
        *_axis(scale, height),
        *(_row(phase, place, [s for s in spans if s.phase == phase.id], scale) for place, phase in enumerate(rows)),
    ]
    title = el("title", f"Timeline of {state.run}")
    box = f"0 0 {WIDTH:g} {height:g}"
    return el("svg", title, *drawn, viewBox=box, role="img", class_="timeline", xmlns="http://www.w3.org/2000/svg")


def make_scale(spans: Iterable[Span]) -> Scale:
    busy = _union(sorted((span.began_at, _end(span)) for span in spans))
    total = sum(((end - start) for start, end in busy), timedelta()) or timedelta(milliseconds=1)
    groups = [[busy[0]]]
    for start, end in busy[1:]:
        if start - groups[-1][-1][1] > total * LONG_REST:
            groups.append([])
        groups[-1].append((start, end))
    ends = [(group[0][0], group[-1][1]) for group in groups]
    room = WIDTH - LABEL - RIGHT
    gap = min(room * REST_SHARE, room / (2 * len(ends)))
    lengths = [max(end - start, timedelta(milliseconds=1)) for start, end in ends]
    whole, left = sum(lengths, timedelta()), room - gap * (len(ends) - 1)
    pieces, x = [], LABEL
    for (start, end), length in zip(ends, lengths, strict=True):
        width = left * (length / whole)
        pieces.append(Piece(start, end, x, width))
        x += width + gap
    return Scale(tuple(pieces))


def _order(state: RunState) -> list[PhaseState]:
    """Parts stand below their phase, what closes the run below all."""
    phases = [home for phase in state.phases.values() for home in (phase, *parts_of(state, phase))]
    return [*phases, *state.completion.closing.values()]


def _union(intervals: Sequence[tuple[datetime, datetime]]) -> list[tuple[datetime, datetime]]:
    merged: list[tuple[datetime, datetime]] = []
    for start, end in intervals:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _end(span: Span) -> datetime:
    return span.began_at + timedelta(milliseconds=span.duration_ms)


def _axis(scale: Scale, height: float) -> list[Markup]:
    drawn: list[Markup] = []
    for before, after in pairwise(scale.pieces):
        x = (before.x + before.width + after.x) / 2
        rest = f"paused {how_long((after.start - before.end).total_seconds())}"
        drawn.append(el("line", el("title", rest), x1=f"{x:.1f}", x2=f"{x:.1f}", y1=8, y2=height, class_="rest"))
    first, last = scale.pieces[0], scale.pieces[-1]
    drawn.append(el("text", f"{first.start:%Y-%m-%d %H:%M:%S} UTC", x=LABEL, y=16, class_="axis"))
    ended = f"{last.end:%H:%M:%S}" if first.start.date() == last.end.date() else f"{last.end:%Y-%m-%d %H:%M:%S}"
    drawn.append(el("text", ended, x=WIDTH - RIGHT, y=16, text_anchor="end", class_="axis"))
    return drawn


def _row(phase: PhaseState, place: int, spans: Sequence[Span], scale: Scale) -> Markup:
    y = TOP + ROW * place
    numbered = phase.id[:1].isdecimal()  # what closes the run is called by its name alone
    title = shorten(f"{phase.id} {phase.brief.name}" if numbered else phase.brief.name, NAME_CHARS)
    label = el("text", title, x=0, y=y + BAR - 4, class_="name")
    line = el("line", x1=LABEL, x2=WIDTH - RIGHT, y1=y + BAR / 2, y2=y + BAR / 2, class_="row")
    bars = [_bar(span, y, scale) for span in spans]
    return el("g", label, line, *bars)


def _bar(span: Span, y: float, scale: Scale) -> Markup:
    x, end = scale.place(span.began_at), scale.place(_end(span))
    bad = " bad" if span.status == "failure" else ""
    tip = f"{span.input}: {shorten(span.output, 120)} ({how_long(span.duration_ms / 1000)})"
    return el(
        "rect",
        el("title", tip),
        x=f"{x:.1f}",
        y=f"{y:g}",
        width=f"{max(NARROWEST, end - x):.1f}",
        height=f"{BAR:g}",
        class_=f"bar {COLOUR_OF[Step(span.step).kind]}{bad}",
    )


def render_legend() -> Markup:
    items = [el("span", el("i", "", class_=f"swatch {kind}"), kind) for kind in COLOURS]
    return el("p", join([*items, el("span", el("i", "", class_="swatch bad"), "failed")]), class_="legend")
