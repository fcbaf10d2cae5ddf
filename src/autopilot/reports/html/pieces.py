"""The small parts every section of the HTML report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autopilot.events.state import PhaseState, RunState
from autopilot.reports.html.markup import Markup, el, join, text
from autopilot.reports.status.scores import in_words, is_unsatisfied, score_of

TONES = {
    "completed": "good",
    "failed": "bad",
    "skipped": "warn",
    "paused": "warn",
    "waiting": "warn",
    "needs_human_verification": "warn",
}


def tag(label: str, tone: str) -> Markup:
    return el("span", label, class_=f"tag {tone}".strip())


def status_tag(status: str) -> Markup:
    return tag(status.replace("_", " "), TONES.get(status, ""))


def score_tag(state: RunState, phase: PhaseState) -> Markup:
    score = score_of(state, phase)
    if score is None:
        return Markup("")
    return tag(in_words(score), "warn" if phase.remediation.incomplete or is_unsatisfied(score) else "good")


def meter(score: float) -> Markup:
    """A bar from 0 to 10."""
    share = max(0.0, min(score, 10.0)) * 10
    tone = "" if score >= 9 else "warn" if score >= 7 else "bad"
    return el("div", el("i", "", class_=tone, style=f"width:{share:.0f}%"), class_="meter")


def table_of(
    head: Sequence[str], rows: Iterable[Sequence[str]], wide: Sequence[int] = (), numbers: Sequence[int] = ()
) -> Markup:
    """It scrolls by itself where the page is too narrow for it."""

    def cell(kind: str, place: int, shown: str) -> Markup:
        tone = "number" if place in numbers else "wide" if place in wide and kind == "td" else ""
        return el(kind, shown, class_=tone) if tone else el(kind, shown)

    top = el("tr", *(cell("th", place, name) for place, name in enumerate(head)))
    body = [el("tr", *(cell("td", place, shown) for place, shown in enumerate(row))) for row in rows]
    return el("div", el("table", el("thead", top), el("tbody", *body)), class_="scroll")


def bullet_list(lines: Iterable[str], none: str = "None.") -> Markup:
    items = [el("li", line) for line in lines]
    return el("ul", *items) if items else el("p", none, class_="quiet")


def with_code(line: str) -> Markup:
    """What stands between backquotes is shown as code."""
    pieces = line.split("`")
    if len(pieces) % 2 == 0:
        return text(line)
    return join([el("code", piece) if place % 2 else piece for place, piece in enumerate(pieces)])


def section(name: str, title: str, *body: str) -> Markup:
    return el("section", el("h2", title), *body, id=name)


def figure(value: str, name: str) -> Markup:
    return el("div", el("b", value), el("span", text(name)), class_="figure")
