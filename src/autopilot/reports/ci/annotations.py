"""Workflow commands of GitHub: a run's remarks shown beside the code. Foreign text in them stays text."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.events.state import RunState
from autopilot.reports.ci.remarks import Level, Remark, remarks_of

MOST = 10  # of a level: GitHub shows no more of one step
COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
# Of GitHub's own toolkit: what ends a command, a property or a line.
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def render_annotations(state: RunState) -> str:
    remarks = remarks_of(state)
    lines = []
    for level in Level:
        of_level = [remark for remark in remarks if remark.level is level]
        lines += [_annotation(remark) for remark in of_level[:MOST]]
        if len(of_level) > MOST:
            more = f"{len(of_level) - MOST} more of this kind are in the report"
            lines.append(f"::{COMMANDS[level]} title=Autopilot::{more}")
    return "".join(f"{line}\n" for line in lines)


def _annotation(remark: Remark) -> str:
    place = {"file": remark.path, "line": str(remark.line) if remark.path and remark.line else ""}
    title = f"Autopilot phase {remark.phase}: {remark.rule}" if remark.phase else f"Autopilot: {remark.rule}"
    named = {**{name: value for name, value in place.items() if value}, "title": title}
    properties = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in named.items())
    return f"::{COMMANDS[remark.level]} {properties}::{_escaped(remark.text, _DATA)}"


def _escaped(text: str, signs: Mapping[str, str]) -> str:
    """Sign by sign, so that no escape is escaped again."""
    return "".join(signs.get(sign, sign) for sign in text)
