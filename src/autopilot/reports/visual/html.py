"""What was seen of the interface of a phase, in the HTML report: before, after and what differs, as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.finding import Compared, State
from autopilot.reports.html.markup import Markup, el, picture
from autopilot.reports.html.pieces import bullet_list
from autopilot.reports.visual.lines import describe_state

MOST_SHOTS = 6  # a page with more of them would be too large to send around
NAMES = ("before", "after", "what differs")


def shots_to_show(check: VisualCheck) -> tuple[Compared, ...]:
    """Those with something to decide: a new finding, or a changed look."""
    found = {finding.shot for finding in check.new}
    return tuple(pair for pair in check.compared if pair.shot in found or pair.state is State.CHANGED)[:MOST_SHOTS]


def digests_to_show(check: VisualCheck | None) -> tuple[str, ...]:
    pairs = shots_to_show(check) if check else ()
    return tuple(digest for pair in pairs for digest in _digests(pair) if digest)


def visual_pieces(check: VisualCheck | None, pictures: Mapping[str, bytes]) -> Iterator[Markup]:
    """``pictures`` by digest; those that are not there any more are named all the same."""
    if check is None:
        return
    yield el("h3", "Interface")
    if check.problem:
        yield el("p", f"Not looked at: {check.problem}")
        return
    lines = [f"{found.shot}: {found.severity} {found.kind}: {found.text}" for found in check.new]
    yield bullet_list(lines, "Nothing new was found.")
    for pair in shots_to_show(check):
        yield el("p", f"{pair.shot}: {describe_state(pair)}", class_="quiet")
        shown = zip(NAMES, _digests(pair), strict=True)
        found = [(name, pictures[digest]) for name, digest in shown if digest in pictures]
        yield el(
            "div", *(el("figure", picture(png, name), el("figcaption", name)) for name, png in found), class_="looks"
        )


def _digests(pair: Compared) -> tuple[str, str, str]:
    return pair.before, pair.picture, pair.difference
