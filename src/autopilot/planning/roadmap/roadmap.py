"""A roadmap file to phases: read many forms, report what was not understood, never guess.

Where a phase stands: its section ``### Phase 3: Name``; a checklist line alone also makes a phase (with a warning,
its one line as the goal). Order is the order of the file, checklist-only phases placed by number.

Done: a witness that says so is believed (``standing.py``, ``witness.py``), and it is only "done, unproven".

Archived: what stands in ``<details>`` is shipped history. It is listed in ``Roadmap.archived``, is never selected, and
a dependency on it is settled. So is one on a phase that was given up. A roadmap in which everything is shipped is a
roadmap; it has nothing open.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import ROADMAP_OWNER, Criterion, criterion_id
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.policy import Commands
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.roadmap.checklist import Box
from autopilot.planning.roadmap.criteria import criteria_items, unread_criteria
from autopilot.planning.roadmap.dependency import Places, Wait, find_places, parse_depends, resolve
from autopilot.planning.roadmap.doubt import doubts
from autopilot.planning.roadmap.elsewhere import UNREAD_DRAWING, Elsewhere, drop_circles, waits_elsewhere
from autopilot.planning.roadmap.fields import DEPENDS, GOAL, first_field, read_fields
from autopilot.planning.roadmap.language import roadmap_lines
from autopilot.planning.roadmap.milestones import find_milestones
from autopilot.planning.roadmap.phase_id import slugify, sort_key
from autopilot.planning.roadmap.requirements import read_requirements
from autopilot.planning.roadmap.scan import Scan, lines_in_use, scan_roadmap
from autopilot.planning.roadmap.section import Section
from autopilot.planning.roadmap.shipped import shipped_spans
from autopilot.planning.roadmap.standing.holding import hold_dependents
from autopilot.planning.roadmap.standing.settling import settle_standings
from autopilot.planning.roadmap.standing.standing import Surroundings

_NO_COMMANDS = Commands()
_ALONE = Surroundings()
_TELLING = 6  # letters of a phase's name that a dependency may be known by
# "- ✅ **v1.2 Name** — Phases 3-7 (shipped 2026-01-01)": a list of milestones is what remains of a roadmap at its end.
_SHIPPED = re.compile(
    r"^\s{0,3}(?:[-*+]|#{2,4}|<summary>)[^\n]{0,80}?\bv[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}\b[^\n]{0,200}?(?:✅|\bshipped\b|\bcompleted?\b)"
    r"|^\s{0,3}[-*+][^\n\w]{0,6}✅[^\n]{0,20}\bv[0-9]",
    re.IGNORECASE | re.MULTILINE,
)
# What a finished one may be cut down to: "## Completed Milestones" with a paragraph for each.
_HISTORY = re.compile(
    r"^#{1,4}[^\S\n]+(?:[^\w\s]{1,4}[^\S\n]+)?(?:completed|shipped|archived|finished|past|previous)[^\S\n]+(?:milestones?|releases?|versions?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_OPEN_BOX = re.compile(r"^[^\S\n]{0,12}[-*+] \[ \] \S", re.MULTILINE)
_UNNUMBERED = re.compile(
    r"^#{1,6}[^\S\n]+(Phase(?:[^\S\n]+[^\W\d]\w{0,39}|:[^\S\n]{1,9}\w[^\n]{0,39}))(?::|[^\S\n]*$)", re.MULTILINE
)


def read_roadmap(text: str, path: str, commands: Commands = _NO_COMMANDS, around: Surroundings = _ALONE) -> Roadmap:
    """The roadmap, or UsageError with the reason why this file is none."""
    roadmap = parse_roadmap(text, path, commands, around)
    if reason := refusal(roadmap, text):
        raise UsageError(f"{path}: {reason}", hint="a roadmap has sections like `### Phase 1: Name` with a **Goal**")
    return roadmap


def parse_roadmap(text: str, path: str, commands: Commands = _NO_COMMANDS, around: Surroundings = _ALONE) -> Roadmap:
    """Read whatever is there; an empty result is not an error here (see ``refusal``)."""
    position = around.position
    here = None if position.over else position.phase
    scan = scan_roadmap(text, here)
    lines = roadmap_lines(text)
    elsewhere = waits_elsewhere(lines, scan.sections)
    drafts = _in_order(
        [_read_section(section, path, commands) for section in scan.sections],
        [_read_box(box) for box in scan.alone()],
    )
    history = (*((id, id) for id in scan.archived), *shipped_spans(lines, scan.sections))
    drafts = [_with_wait(draft, elsewhere, drafts) for draft in drafts]
    places = find_places([draft.phase.id for draft in drafts], history)
    settled = [_settle(draft, places, path) for draft in drafts]
    soft = {draft.phase.id for draft in drafts if draft.wait_line and not draft.wait_text}
    settled = drop_circles(settled, soft, path)
    stands = settle_standings([phase for phase, _ in settled], scan, around, path)
    complaints = [complaint for draft in drafts for complaint in draft.complaints]
    complaints += [complaint for _, more in settled for complaint in more]
    complaints += doubts(scan, path)
    complaints += [Complaint(path, line, UNREAD_DRAWING, Severity.INFO) for line in elsewhere.unread]
    ordered = tuple(sorted(complaints, key=lambda complaint: complaint.line))
    return Roadmap(
        path,
        hold_dependents(stands.phases),
        scan.archived,
        ordered,
        current=stands.current,
        disagreements=stands.disagreements,
        subjects=_subjects(ordered, drafts, scan),
        milestones=find_milestones(lines_in_use(text, here), scan, [phase.id for phase in stands.phases]),
        milestone=position.milestone,
    )


def refusal(roadmap: Roadmap, text: str = "") -> str:
    """Why this file cannot be run as a roadmap; "" when it can. Look-alikes are named.

    spec-kit is recognised by its path and its task numbers: its ``## Phase 1: Setup`` would read like ours.
    """
    parts = PurePosixPath(roadmap.path).parts
    if text.lstrip().startswith(("{", "[")) and _is_json(text):
        return "this is JSON, not a Markdown roadmap; Task Master's tasks are read from .taskmaster/tasks/tasks.json"
    if "specs" in parts or ".specify" in parts or re.search(r"^[^\S\n]*- \[[ xX]\] T[0-9]{3}\b", text, re.MULTILINE):
        return "this is a spec-kit task list, not a roadmap; spec-kit's are read from specs/NNN-name/tasks.md"
    if roadmap.phases or roadmap.archived:
        return ""
    if odd := scan_roadmap(text).oddities:
        return f"no phase was understood; line {odd[0].line.number}: {odd[0].describe()}"
    if unnumbered := _UNNUMBERED.search(text):
        line = text.count("\n", 0, unnumbered.start()) + 1
        return f'no phase was understood; line {line}: "{unnumbered[1]}" has no number'
    is_over = (_SHIPPED.search(text) or _HISTORY.search(text)) and not _OPEN_BOX.search(text)
    return "" if is_over else "the file contains no phase"


def _subjects(complaints: Sequence[Complaint], drafts: Sequence[_Draft], scan: Scan) -> dict[int, PhaseId]:
    """Which phase each line with a complaint is about: the line of its section, box, dependency or table row."""
    about = {line.number: section.phase for section in scan.sections for line in (section.start, *section.body)}
    about |= {row.line: id for id, row in scan.rows.items()}
    about |= {box.line.number: id for id, box in scan.boxes.items()}
    about |= {draft.wait_line: draft.phase.id for draft in drafts if draft.wait_line}
    return {complaint.line: about[complaint.line] for complaint in complaints if complaint.line in about}


class _Draft(Struct, frozen=True):
    """A phase before its dependencies are looked up."""

    phase: Phase
    wait: Wait = Wait()
    wait_line: int = 0
    wait_text: str = ""
    complaints: tuple[Complaint, ...] = ()


def _read_section(section: Section, path: str, commands: Commands) -> _Draft:
    fields = read_fields(section.body)
    line, depends = first_field(fields, DEPENDS)
    goal = first_field(fields, GOAL)[1]
    criteria, complaints = _read_criteria(section, path, commands)
    requirements, unread = read_requirements(section.body)
    complaints += tuple(Complaint(path, number, text, Severity.INFO) for number, text in unread)
    if not goal and not criteria:
        message = f"phase {section.phase} has neither a goal nor success criteria"
        complaints = (*complaints, Complaint(path, section.start.number, message))
    phase = Phase(
        section.phase,
        section.name,
        goal=goal,
        requirements=requirements,
        criteria=criteria,
        line=section.start.number,
        slug=slugify(section.name),
    )
    return _Draft(phase, parse_depends(depends) if depends else Wait(), line, depends, complaints)


def _read_criteria(
    section: Section, path: str, commands: Commands
) -> tuple[tuple[Criterion, ...], tuple[Complaint, ...]]:
    read = [
        parse_criterion(text, criterion_id(ROADMAP_OWNER, number), line.number, commands, path)
        for number, (line, text) in enumerate(criteria_items(section.body), start=1)
    ]
    complaints = [complaint for _, found in read for complaint in found]
    complaints += [Complaint(path, line.number, why) for line, why in unread_criteria(section.body)]
    return tuple(criterion for criterion, _ in read), tuple(complaints)


def _read_box(box: Box) -> _Draft:
    name = box.name or f"Phase {box.phase}"
    return _Draft(Phase(box.phase, name, goal=box.summary, line=box.line.number, slug=slugify(name)))


def _with_wait(draft: _Draft, elsewhere: Elsewhere, drafts: Sequence[_Draft]) -> _Draft:
    """What its own field does not say is said elsewhere, or the field names phases by their names."""
    if not draft.wait_line and draft.phase.id in elsewhere.waits:
        line, wait = elsewhere.waits[draft.phase.id]
        return replace(draft, wait=wait, wait_line=line)
    if draft.wait.understood:
        return draft
    text = draft.wait_text.casefold()
    others = (other.phase for other in drafts if other.phase.id != draft.phase.id)
    named = tuple(other.id for other in others if len(other.name) >= _TELLING and other.name.casefold() in text)
    return replace(draft, wait=Wait(named)) if named else draft


def _settle(draft: _Draft, places: Places, path: str) -> tuple[Phase, list[Complaint]]:
    """Dependencies as phases of this roadmap; unknown ones are dropped and reported.

    Roadmaps go on over milestones, so a first phase often names the last one of a file that is not here.
    """
    id = draft.phase.id
    found = resolve(draft.wait, id, places)
    messages = []
    notes = [f"phase {id} depends on {name}, before this roadmap: taken as shipped" for name in found.earlier]
    if draft.wait.milestone:
        notes.append(f"phase {id} depends on a milestone, taken as shipped: {draft.wait_text[:80]}")
    if not draft.wait.understood:
        messages.append(f"phase {id}: dependency not understood: {draft.wait_text[:80]}")
    if found.unknown:
        messages.append(f"phase {id} depends on {', '.join(found.unknown)}, which this roadmap does not have: ignored")
    if found.itself:
        messages.append(f"phase {id} depends on itself: ignored")
    levels = [(text, Severity.WARNING) for text in messages] + [(text, Severity.INFO) for text in notes]
    complaints = [Complaint(path, draft.wait_line, text, severity) for text, severity in levels]
    return replace(draft.phase, depends_on=found.known), complaints


def _in_order(read: Sequence[_Draft], alone: Sequence[_Draft]) -> list[_Draft]:
    """File order; a phase without a section goes before the first later number."""
    waiting = deque(sorted(alone, key=lambda draft: sort_key(draft.phase.id)))
    ordered: list[_Draft] = []
    for draft in read:
        key = sort_key(draft.phase.id)
        while waiting and sort_key(waiting[0].phase.id) < key:
            ordered.append(waiting.popleft())
        ordered.append(draft)
    return [*ordered, *waiting]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
