"""A delta of OpenSpec: the requirements that a change adds, modifies or removes, each scenario a criterion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.planning.formats.found import Promise
from autopilot.text.lines import Line, heading, scan_lines

_SECTION = re.compile(r"(ADDED|MODIFIED|REMOVED|RENAMED)[ \t]+Requirements\Z", re.IGNORECASE)
_REQUIREMENT = re.compile(r"Requirement:[ \t]*+([^\n]++)", re.IGNORECASE)
_SCENARIO = re.compile(r"Scenario:[ \t]*+([^\n]++)", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*+(?:[-*+]|[0-9]{1,3}[.)])[ \t]++")
_LONGEST = 2_000  # characters of a criterion


class _Block(Struct):
    """A requirement, or one of its scenarios, with the lines below it."""

    line: int
    name: str
    body: list[Line]


class Delta(Struct, frozen=True):
    promises: tuple[Promise, ...] = ()
    complaints: tuple[Complaint, ...] = ()


def parse_delta(text: str, path: str) -> Delta:
    promises: list[Promise] = []
    complaints: list[Complaint] = []
    outside: list[int] = []
    for section, blocks in _requirements(scan_lines(text)):
        for requirement, scenarios in blocks:
            if section == "renamed":
                continue
            if not section:
                outside.append(requirement.line)
            elif not scenarios and section != "removed":
                message = f"requirement `{requirement.name[:60]}` has no scenario: its sentence is the criterion"
                complaints.append(Complaint(path, requirement.line, message, Severity.INFO))
            promises += _promises(section, requirement, scenarios, path)
    if outside:
        message = (
            f"{len(outside)} requirements stand below none of ADDED, MODIFIED, REMOVED Requirements: read as added"
        )
        complaints.append(Complaint(path, outside[0], message, Severity.INFO))
    return Delta(tuple(promises), tuple(complaints))


def _requirements(lines: Sequence[Line]) -> Iterator[tuple[str, list[tuple[_Block, list[_Block]]]]]:
    """By section, in the order of the file."""
    section = ""
    blocks: list[tuple[_Block, list[_Block]]] = []
    body: list[Line] | None = None
    for line in lines:
        title = heading(line)
        if title is None:
            if body is not None:
                body.append(line)
        elif title.level <= 2:
            yield section, blocks
            found = _SECTION.match(title.text)
            section, blocks, body = (found[1].lower() if found else ""), [], None
        elif title.level == 3:
            named = _REQUIREMENT.match(title.text)
            body = [] if named else None
            if named and body is not None:
                blocks.append((_Block(line.number, named[1].strip(), body), []))
        elif blocks and body is not None and (scenario := _SCENARIO.match(title.text)):
            body = []
            blocks[-1][1].append(_Block(line.number, scenario[1].strip(), body))
    yield section, blocks


def _promises(section: str, requirement: _Block, scenarios: Sequence[_Block], path: str) -> Iterator[Promise]:
    if section == "removed":
        yield Promise(path, requirement.line, _words(f"Removed: {requirement.name}", requirement.body))
    elif not scenarios:
        yield Promise(path, requirement.line, _words(requirement.name, requirement.body))
    else:
        for scenario in scenarios:
            yield Promise(path, scenario.line, _words(f"{requirement.name}, {scenario.name}", scenario.body))


def _words(name: str, body: Sequence[Line]) -> str:
    """In one line: "Name: WHEN … THEN …"."""
    parts = [_without_bullet(line.text) for line in body if line.text.strip() and not line.hidden]
    text = " ".join(" ".join(parts).replace("**", "").split())
    return (f"{name}: {text}" if text else name)[:_LONGEST]


def _without_bullet(text: str) -> str:
    found = _BULLET.match(text)
    return text[found.end() if found else 0 :].strip()
