"""Acceptance criteria and acceptance tests as an issue's files write them down; and the mark of how far a test is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.model.issue.issue import AcceptanceState, AcceptanceTest
from autopilot.model.planning.complaint import Complaint
from autopilot.planning.issue.acceptance_ids import (
    CRITERION,
    TEST,
    ac_id,
    at_id,
    claimed_criteria,
    listed_criteria,
    named_criteria,
)
from autopilot.text.lines import Line, heading
from autopilot.text.visible import visible

LIFECYCLE = tuple(AcceptanceState)
_TICKED = ("green", "regression")
LONGEST = 2_000  # of one line: what is longer names nothing more
_BULLET = r"(?:[-*+]|\d{1,4}[.)])[ \t]++"
_DEFINES = re.compile(
    rf"[> \t]{{0,40}}(?P<lead>#{{1,6}}[ \t]+|{_BULLET}(?:\[[ xX]\][ \t]+)?|\|[ \t]*)?(?P<marks>[*_`\[(]{{0,4}})"
    rf"(?P<id>{CRITERION})(?P<rest>.*)"
)
_SIGNS = re.compile(r"[,\[\]]")
_SEPARATES = re.compile(r"[*_`\])]{0,4}[ \t]*(?::|[–—-][ \t])")
_ENTRY = re.compile(
    rf"(?P<indent>[ \t]*){_BULLET}(?:\[(?P<box>[ xX])\][ \t]+)?(?:[*_`]{{0,2}}\[(?P<state>[A-Za-z][\w -]{{0,30}})\]"
    rf"[*_`]{{0,2}}[ \t]+)?(?P<marks>[*_`\[(]{{0,4}})(?P<id>{TEST})"
    r"[*_`\])]{0,4}[ \t]*+[:.–—-]?[*_`]{0,3}(?P<text>.*)"
)
_ITEM = re.compile(rf"[ \t]*{_BULLET}(?:\[[ xX]\][ \t]++)?(.*)")
_NAMES_TESTS = re.compile(r"[*_`]{0,3}tests?[*_`]{0,3}[ \t]*:[*_`]{0,3}(.*)", re.IGNORECASE)
_COLUMN = "column"  # the place of an id that stands behind the first cell of a row
_STARTS_ANEW = re.compile(rf"[ \t]*(?:{_BULLET}|[#|>]|-{{3,}}|={{3,}})")


class _Entry(Struct, frozen=True):
    found: re.Match[str]
    line: int
    under: tuple[str, ...]  # what the nearest heading that names criteria names
    body: tuple[str, ...]  # the lines that belong to it


def find_criteria(text: str) -> tuple[str, ...]:
    """Ids in the order in which they are defined: by a heading, a list item, a row or a label that begins with one."""
    return tuple(dict.fromkeys(id for id, *_ in _definitions(text)))


def place_criteria(text: str) -> dict[str, tuple[int, str]]:
    """By id the line that defines it first, and its text there."""
    placed: dict[str, tuple[int, str]] = {}
    for id, _, wording, line in _definitions(text):
        placed.setdefault(id, (line, wording))
    return placed


def lint_criteria(text: str, path: str) -> tuple[Complaint, ...]:
    """Ids that are defined twice with different texts, such as an AC-1 below every story: one test would cover both."""
    known: dict[tuple[str, str], str] = {}
    complaints = list[Complaint]()
    for id, kind, wording, line in _definitions(text):
        if kind != _COLUMN and known.setdefault((id, kind), wording) != wording:
            complaints.append(Complaint(path, line, f"{id} is defined a second time, with another text"))
    return tuple(complaints)


def parse_tests(text: str) -> tuple[AcceptanceTest, ...]:
    return tuple(_test(entry) for entry in _entries(text))


def lint_tests(text: str, path: str) -> tuple[Complaint, ...]:
    entries = list(_entries(text))
    seen = set[str]()
    complaints = list[Complaint]()
    for entry in entries:
        id, state = at_id(entry.found["id"]), entry.found["state"]
        if id in seen:
            complaints.append(Complaint(path, entry.line, f"{id} appears twice"))
        if state and state.lower() not in LIFECYCLE:
            complaints.append(Complaint(path, entry.line, f"[{state}] of {id} is not one of {', '.join(LIFECYCLE)}"))
        seen.add(id)
    for line in _lines(visible(text)):
        title = heading(line)
        named = re.match(rf"[*_`\[]{{0,4}}({TEST})", title.text) if title else None
        if named and at_id(named[1]) not in seen:
            message = f"{named[1]} is a heading; an entry is written `- [ ] [planned] {at_id(named[1])}: …`"
            complaints.append(Complaint(path, line.number, message))
    return tuple(complaints)


def mark_tests(text: str, states: Mapping[str, str]) -> str:
    """The lifecycle mark and the box of these entries set anew; every other byte stays as it is.

    A state that is none of the lifecycle's is not written.
    """
    raw = text.split("\n")
    for entry in _entries(text):
        state = states.get(at_id(entry.found["id"]), "")
        if state in LIFECYCLE:
            raw[entry.line - 1] = _marked(raw[entry.line - 1], entry.found, state)
    return "\n".join(raw)


def _definitions(text: str) -> Iterator[tuple[str, str, str, int]]:
    """(id, kind of place, its words, line)."""
    begins = True  # of a paragraph
    for line in _lines(visible(text, closed_only=True)):
        found = _DEFINES.match(line.text[:LONGEST])
        if found and (found["lead"] or _is_label(found, begins)):
            kind = (found["lead"] or found["marks"] or ":").strip()[:1]
            yield ac_id(found["id"]), kind, found["rest"].strip(" \t*_`:.–—-|])"), line.number
        elif line.text.lstrip("> \t").startswith("|"):
            yield from ((id, _COLUMN, wording, line.number) for id, wording in _in_columns(line.text[:LONGEST]))
        begins = not line.text.strip() or heading(line) is not None


def _in_columns(row: str) -> Iterator[tuple[str, str]]:
    """Ids that have a cell of a row to themselves, behind its first. What stands beside a test is what that covers."""
    cells = [cell.strip(" \t*_`[]()") for cell in row.split("|")]
    if any(re.fullmatch(TEST, cell) for cell in cells):
        return
    for index, cell in enumerate(cells):
        if re.fullmatch(CRITERION, cell):
            yield ac_id(cell), " ".join(filter(None, cells[index + 1 :]))


def _is_label(found: re.Match[str], begins: bool) -> bool:
    """``**AC-1**`` at the head of a paragraph, ``AC-1: …`` on any line; "AC-1 says" only goes on with a sentence."""
    is_bold = found["marks"].startswith(("**", "__"))
    return (is_bold and begins) or _SEPARATES.match(found["rest"]) is not None


def _entries(text: str) -> Iterator[_Entry]:
    lines = _lines(visible(text))
    above: list[tuple[int, tuple[str, ...]]] = []  # level and criteria of each heading around the line
    for index, line in enumerate(lines):
        if title := heading(line):
            above = [(level, ids) for level, ids in above if level < title.level]
            above.append((title.level, named_criteria(title.text[:LONGEST])))
        elif found := _ENTRY.fullmatch(line.text[:LONGEST]):
            under = next((ids for _, ids in reversed(above) if ids), ())
            yield _Entry(found, line.number, under, tuple(_body(lines, index + 1, len(found["indent"]))))


def _body(lines: Sequence[Line], first: int, indent: int) -> Iterator[str]:
    """The lines below an entry that are indented further, or that go on with its paragraph."""
    goes_on = True
    for line in map(lines.__getitem__, range(first, len(lines))):
        if not line.text.strip():
            goes_on = False
            continue
        deeper = line.indent > indent
        if _ENTRY.match(line.text[:LONGEST]) or not (deeper or (goes_on and not _STARTS_ANEW.match(line.text))):
            return
        goes_on = True
        yield line.text[:LONGEST]


def _test(entry: _Entry) -> AcceptanceTest:
    found = entry.found
    state = (found["state"] or "").lower()
    covers, _ = claimed_criteria(found["text"])
    below, tests = _read_body(entry.body)
    return AcceptanceTest(
        at_id(found["id"]),
        AcceptanceState(state) if state in LIFECYCLE else AcceptanceState.PLANNED,
        found["text"].strip(),
        tuple(dict.fromkeys([*covers, *below])) or entry.under,
        tests,
        entry.line,
        (found["box"] or " ") != " ",
    )


def _read_body(body: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The criteria it claims and the tests it names, on the line of their label or in a list below it."""
    covers, tests, listing = list[str](), list[str](), ""
    for line in body:
        item = _ITEM.fullmatch(line)
        content = (item[1] if item else line).strip()
        claimed, opens = claimed_criteria(content)
        named = _NAMES_TESTS.fullmatch(content)
        if named:
            tests += _split_tests(named[1])
            listing = "" if named[1].strip() else "tests"
        elif claimed or opens:
            covers += claimed
            listing = "criteria" if opens else ""
        elif item and listing == "tests":
            tests += _split_tests(content)
        elif item and listing == "criteria":
            ids, behind = listed_criteria(content)
            covers += ids if ids and not re.match(r"\w", behind) else ()
        else:
            listing = ""
    return tuple(dict.fromkeys(covers)), tuple(dict.fromkeys(tests))


def _split_tests(text: str) -> list[str]:
    """At commas outside of brackets. What follows a comma and is a phrase belongs to the name before it."""
    if quoted := re.findall(r"`([^`]+)`", text):
        return [name.strip() for name in quoted if name.strip()]
    names = list[str]()
    for piece in _split_at_commas(text):
        is_phrase = " " in piece.strip() and not re.search(r"::|/|\.\w", piece)
        if names and is_phrase:
            names[-1] += f",{piece.rstrip()}"
        elif piece.strip():
            names.append(piece.strip())
    return names


def _split_at_commas(text: str) -> Iterator[str]:
    """A comma whose next bracket closes stands inside of a pair: ``test_a[1,2]``."""
    cuts, inside = list[int](), False
    for sign in reversed(list(_SIGNS.finditer(text))):
        if sign[0] != ",":
            inside = sign[0] == "]"
        elif not inside:
            cuts.append(sign.start())
    starts = [0, *(cut + 1 for cut in reversed(cuts))]
    yield from (text[start:end] for start, end in zip(starts, [*reversed(cuts), len(text)], strict=True))


def _marked(raw: str, found: re.Match[str], state: str) -> str:
    spans = list[tuple[int, int, str]]()
    if found["box"]:
        ticked = state in _TICKED
        same = (found["box"] != " ") is ticked
        spans.append((*found.span("box"), found["box"] if same else "x" if ticked else " "))
    if found["state"]:
        spans.append((*found.span("state"), state))
    else:
        position = found.start("marks")
        spans.append((position, position, f"[{state}] "))
    for start, end, new in reversed(spans):
        raw = raw[:start] + new + raw[end:]
    return raw


def _lines(text: str) -> tuple[Line, ...]:
    return tuple(Line(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1))
