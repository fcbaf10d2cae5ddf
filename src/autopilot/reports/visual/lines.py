"""A visual check as lines of the terminal and as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.finding import Compared, Finding, State
from autopilot.text.naming import plural

_STATES = {
    State.SAME: "same",
    State.NEW: "no baseline",
    State.LOST: "not compared: the picture of its baseline is not on this machine, and could not be shot again",
    State.UNSTEADY: "unsteady: two pictures of it differ, so it was not compared",
}
ACCEPT = "`autopilot visual accept` makes what was seen the baseline"


def render_check(check: VisualCheck, folder: str) -> Iterator[str]:
    for pair in check.compared:
        yield f"{pair.shot}: {describe_state(pair)}"
        for finding in check.findings:
            if finding.shot == pair.shot:
                yield f"  {describe_finding(finding)}"
    if blocked := sorted({host for seen in check.seen for host in seen.facts.blocked}):
        yield f"not loaded, since only the app itself can be reached: {', '.join(blocked)}"
    yield summarize(check)
    if any(pair.state is State.CHANGED for pair in check.compared):
        yield f"before, after and what differs: {folder}/; {ACCEPT}"
    elif any(pair.state is State.NEW for pair in check.compared):
        yield f"the pictures: {folder}/; {ACCEPT}"


def describe_state(pair: Compared) -> str:
    if pair.state is State.CHANGED:
        return f"changed, {pair.changed} pixels ({pair.share:.2%})" if pair.changed else "changed"
    if pair.state is State.UNSTEADY:
        return f"{_STATES[pair.state]} ({plural(pair.moving, 'pixel')})"
    return _STATES[pair.state]


def describe_finding(finding: Finding) -> str:
    known = "known " if finding.is_known else ""
    where = f" [{finding.where}]" if finding.where else ""
    return f"{known}{finding.severity} {finding.kind}: {finding.text}{where}"


def summarize(check: VisualCheck) -> str:
    new, known = len(check.new), len(check.findings) - len(check.new)
    counts = [f"{plural(len(check.compared), 'shot')} at {check.commit[:12]}", f"{plural(new, 'new finding')}"]
    counts += [f"{known} known since the baseline"] if known else []
    counts += [f"{len(check.uncompared)} not compared"] if check.uncompared else []
    return ", ".join(counts)


def check_document(check: VisualCheck, folder: str) -> Mapping[str, Any]:
    """The facts without the boxes, which are thousands."""
    plain: dict[str, Any] = msgspec.to_builtins(check)
    for seen in plain["seen"]:
        seen["facts"].pop("boxes", None)
    return {**plain, "pictures": folder, "new": len(check.new)}
