"""Issues of a forge as a plan: an issue is a phase, its number the phase's.

Anybody may have written their text. No command is taken from it, nothing hidden in it comes along, and what is imported
is a file that the user has seen: what is changed on the forge afterwards changes nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.forge import PlannedIssue
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.outline import Outline
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.standing import Stand
from autopilot.model.policy import Commands
from autopilot.model.secrecy.terminal import strip_controls, strip_unseen
from autopilot.planning.formats.boxes import find_boxes
from autopilot.planning.formats.found import Piece, Promise, Reading, Step
from autopilot.planning.formats.outlining import make_outline
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.roadmap.criteria import criteria_items
from autopilot.text.lines import Line, heading, scan_lines

ISSUES = "GitHub issues"
LONGEST = 66_000  # characters of a body; GitHub takes 65,536
_GOAL = 1_500
# A comment of HTML, or one of Markdown: "[//]: # (…)", "[comment]: <> (…)".
_HIDDEN = re.compile(
    r"<!--(?s:.*?)(?:-->|\Z)|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}(?:#|<>)(?:[ \t][^\n]*)?$", re.MULTILINE
)
_NEEDS = re.compile(
    r"\b(?:depends on|blocked by|requires|needs|waits for)\b[\s:]{0,4}"
    r"((?:#[0-9]{1,7}(?:\s{0,3}(?:,|and|&)\s{0,3})?){1,20})",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:\bnot|n['’]t|\bnever|\bno longer)(?: (?:yet|really|strictly|actually))? ?\Z", re.IGNORECASE)
_BEFORE = 30  # characters in which a dependency may be denied
_NUMBER = re.compile(r"#([0-9]{1,7})\b")
_OF_ANOTHER = re.compile(r"\s{0,3}#([0-9]{1,7})\b")
# `name` stays code; what has several words between its backticks could be a command that a document states.
_TICKS = re.compile(r"(?<!`)`(?!\./)[^`\s]{1,200}`(?!`)|`")
_VERIFIED = re.compile(r"\s{0,4}(?:--|[–—-])?\s{0,4}\bverified\s{1,4}by\s{0,4}:.*\Z", re.IGNORECASE | re.DOTALL)
NO_COMMAND = "a command in it is not taken over, because anybody may write there: `autopilot phase edit` adds one"


class Issues(Struct, frozen=True):
    outline: Outline
    texts: Mapping[PhaseId, str]  # the whole text of each


def read_issues(issues: Sequence[PlannedIssue], commands: Commands) -> Issues:
    complaints: list[Complaint] = []
    texts = {issue.number: _visible(issue, complaints) for issue in issues}
    pieces = [_piece(issue, texts[issue.number], commands, complaints) for issue in issues]
    known = {piece.key for piece in pieces}
    for piece in pieces:
        missing = [f"#{key}" for key in piece.needs if key not in known]
        if missing:
            text = f"depends on {', '.join(missing)}, which is not imported: ignored"
            complaints.append(Complaint(piece.path, 0, text))
    outline = make_outline(Reading(ISSUES, tuple(pieces), tuple(complaints)), commands)
    phases = tuple(replace(phase, path=f"#{phase.id}") for phase in outline.roadmap.phases)
    bodies = {PhaseId(str(number)): text for number, text in texts.items() if text.strip()}
    return Issues(replace(outline, roadmap=replace(outline.roadmap, phases=phases)), bodies)


def _visible(issue: PlannedIssue, complaints: list[Complaint]) -> str:
    """What a reader of the forge sees."""
    body = strip_controls(issue.body[:LONGEST])
    shown = _HIDDEN.sub("", body)
    if shown != body:
        complaints.append(Complaint(f"#{issue.number}", 0, "a hidden comment is not taken over"))
    seen = strip_unseen(shown)
    if seen != shown:
        complaints.append(Complaint(f"#{issue.number}", 0, "invisible characters are not taken over"))
    return seen.strip()


def _piece(issue: PlannedIssue, text: str, commands: Commands, complaints: list[Complaint]) -> Piece:
    path, lines = f"#{issue.number}", scan_lines(text)
    asked = criteria_items(lines)
    own = _lines_of(asked, lines)
    boxes = [box for box in find_boxes(lines) if box.line not in own and box.parent is None]
    tasks = [box for box in boxes if not _OF_ANOTHER.match(box.text)]
    tracked = [found[1] for box in boxes if (found := _OF_ANOTHER.match(box.text))]
    named = list(_named(lines))
    return Piece(
        key=str(issue.number),
        name=_without_code(" ".join(strip_unseen(strip_controls(issue.title)).split())) or path,
        goal=_without_code(_goal(lines, own)),
        stand=Stand.DROPPED if issue.given_up else Stand.DONE if issue.closed else Stand.OPEN,
        because=f"{path} is closed{' as not planned' if issue.given_up else ''}" if issue.closed else "",
        needs=tuple(number for number in dict.fromkeys((*tracked, *named)) if number != str(issue.number)),
        criteria=tuple(Promise(path, line.number, _harmless(t, path, line, commands, complaints)) for line, t in asked),
        steps=tuple(
            Step("", _harmless(box.text.strip(), path, Line(box.line, ""), commands, complaints), done=box.is_done)
            for box in tasks
            if box.text.strip()
        ),
        path=path,
        line=1,
    )


def _named(lines: Sequence[Line]) -> Iterator[str]:
    """The issues that the text says it waits for; code, quotations and what is denied do not count."""
    text = "\n".join(line.text for line in lines if not line.hidden and not line.text.lstrip().startswith(">"))
    for found in _NEEDS.finditer(text):
        if not _NOT.search(text[max(0, found.start() - _BEFORE) : found.start()]):
            yield from _NUMBER.findall(found[1])


def _lines_of(asked: Sequence[tuple[Line, str]], lines: Sequence[Line]) -> frozenset[int]:
    """The lines of the criteria, with what is indented below each."""
    taken: set[int] = set()
    for start, _ in asked:
        taken.add(start.number)
        for line in lines[start.number :]:
            if not line.text.strip() or line.indent <= start.indent:
                break
            taken.add(line.number)
    return frozenset(taken)


def _goal(lines: Sequence[Line], taken: frozenset[int]) -> str:
    """Its first paragraph."""
    return " ".join(_first_paragraph(lines, taken))[:_GOAL]


def _first_paragraph(lines: Sequence[Line], taken: frozenset[int]) -> Iterator[str]:
    begun = False
    for line in lines:
        is_prose = bool(line.text.strip()) and not line.hidden and not heading(line) and line.number not in taken
        if begun and not is_prose:
            return
        begun = begun or is_prose
        if is_prose:
            yield line.text.strip()


def _harmless(text: str, path: str, line: Line, commands: Commands, complaints: list[Complaint]) -> str:
    """The sentence without a command of its own; one that means a command of this project's own config stays."""
    criterion, _ = parse_criterion(text, "c", line.number, commands)
    if "verified by" not in text.lower() and (not criterion.command or criterion.command in _own(commands)):
        return text if criterion.command else _without_code(text)
    complaints.append(Complaint(path, line.number, NO_COMMAND))
    plain = _VERIFIED.sub("", text).replace("`", "").strip()
    still = parse_criterion(plain, "c", line.number, commands)[0].command
    return plain if plain and not still else f"It is seen that {plain or 'it holds'}"


def _without_code(text: str) -> str:
    return _TICKS.sub(lambda found: found[0] if len(found[0]) > 1 else "'", text)


def _own(commands: Commands) -> frozenset[str]:
    return frozenset(command for _, command in commands.checks())
