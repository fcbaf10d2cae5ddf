"""A small plot of one figure over runs, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from autopilot.reports.html.markup import Markup, el

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340.0, 150.0, 52.0, 14.0, 14.0, 20.0


class Point(Struct, frozen=True):
    name: str  # of the run
    value: float | None


def render_lines(title: str, points: Sequence[Point], say: Callable[[float], str], top: float | None = None) -> Markup:
    """A run without the figure leaves a gap. ``top`` is the highest value there can be; without it, the highest."""
    known = [(place, point.name, point.value) for place, point in enumerate(points) if point.value is not None]
    highest = top if top is not None else max((value for *_, value in known), default=1.0) or 1.0
    steps = max(1, len(points) - 1)

    def x(place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (place / steps if len(points) > 1 else 0.5)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - max(0.0, min(value, highest)) / highest)

    pairs = [(left, right) for left, right in pairwise(known) if right[0] == left[0] + 1]
    lines = [
        el("line", x1=f"{x(a):.1f}", y1=f"{y(low):.1f}", x2=f"{x(b):.1f}", y2=f"{y(high):.1f}", class_="line")
        for (a, _, low), (b, _, high) in pairs
    ]
    dots = [
        el("circle", el("title", f"{name}: {say(value)}"), cx=f"{x(place):.1f}", cy=f"{y(value):.1f}", r=3.5)
        for place, name, value in known
    ]
    return el(
        "svg",
        el("title", f"{title} over {len(points)} runs"),
        *(_level(y(value), say(value)) for value in (0.0, highest / 2, highest)),
        *lines,
        *dots,
        el(
            "text", f"{len(points)} runs, newest right", x=WIDTH - RIGHT, y=HEIGHT - 4, text_anchor="end", class_="axis"
        ),
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        class_="plot",
        xmlns="http://www.w3.org/2000/svg",
    )


def _level(y: float, label: str) -> Markup:
    line = el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="row")
    return el("g", line, el("text", label, x=LEFT - 6, y=f"{y + 4:.1f}", text_anchor="end", class_="axis"))


def say_percent(value: float) -> str:
    return f"{value:.0%}"


def say_score(value: float) -> str:
    return f"{value:.1f}"


def say_count(value: float) -> str:
    """Short enough for the edge of a plot: 950, 118k, 1.25M."""
    if value < 1000:
        return f"{value:.0f}"
    return f"{value / 1000:.0f}k" if value < 1_000_000 else f"{value / 1_000_000:.2f}M"
