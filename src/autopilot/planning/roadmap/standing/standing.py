"""How each phase of a roadmap stands: its witnesses, called one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.other_run import COMPLETED, FAILED, OtherPhase
from autopilot.model.planning.roadmap import Phase
from autopilot.model.planning.standing import Stand, Standing
from autopilot.planning.plan.folders import find_folder
from autopilot.planning.roadmap.checklist import Box, all_boxes, plan_boxes
from autopilot.planning.roadmap.fields import read_fields
from autopilot.planning.roadmap.phase_id import are_unrelated, sort_key
from autopilot.planning.roadmap.scan import Scan
from autopilot.planning.roadmap.section import Section
from autopilot.planning.roadmap.standing.disk import GAPS, Disk, inspect_folder, put_away_with
from autopilot.planning.roadmap.standing.milestone import find_dropped, is_shipped
from autopilot.planning.roadmap.standing.position import STATE, Position
from autopilot.planning.roadmap.standing.progress import ProgressRow
from autopilot.planning.roadmap.standing.status_words import (
    given_up,
    given_up_mark,
    held_mark,
    marked_done,
    says_complete,
    says_refused,
)
from autopilot.planning.roadmap.standing.witness import Says, Witness, judge_standing

TICKED = "ticked in the roadmap"
# What VERIFICATION.md says of a phase that is not through, though all its plans may have been carried out.
_NOT_THROUGH = {GAPS: "its verification found gaps", "human_needed": "its verification waits for a person"}
_DATED = ("completed", "completed on", "shipped")
_PLANS_OVER = re.compile(r"(?:[(–—]|\s--?\s)\s?(?:all\s)?completed?\b", re.IGNORECASE)
_PLANS_COUNT = re.compile(r"\s*([0-9]{1,4})\s?(?:/|of)\s?([0-9]{1,4})\b")
_PLANS_MEANT = re.compile(r"\s*([0-9]{1,4})\s{1,3}plans?\b", re.IGNORECASE)


def _no_folders(_: Phase) -> Collection[str]:
    return ()


def _no_file(_: str) -> str:
    return ""


def _no_other(_: Phase) -> OtherPhase | None:
    return None


class Surroundings(Struct, frozen=True):
    """What lies beside a roadmap, read at the same time as it."""

    position: Position = Position()
    files: tuple[str, ...] = ()  # below .planning/phases and .planning/milestones
    read: Callable[[str], str] = _no_file
    taken: Callable[[Phase], Collection[str]] = _no_folders  # folders of earlier phases with the same number
    other: Callable[[Phase], OtherPhase | None] = _no_other  # what another program's run says of a phase


def find_standing(
    phase: Phase, section: Section | None, scan: Scan, around: Surroundings, *, counted: bool = False
) -> Standing:
    """``counted``: the progress in STATE.md counts it among the complete ones."""
    box, row = scan.boxes.get(phase.id), scan.rows.get(phase.id)
    disk = _own_folder(phase, around)
    ticked, listed = plan_boxes(section.body) if section else (0, 0)
    begun = bool(ticked or disk.plans or disk.summaries or (row and row.done))
    other = around.other(phase)
    standing = judge_standing(
        [
            *_by_other_run(other),
            *_by_position(phase, around.position, counted=counted, begun=begun),
            *_by_box(box),
            *(_by_section(section) if section else ()),
            *_by_table(row),
            *_by_milestone(phase, scan, around.position),
            *_by_files(disk, listed),
            *_by_archive(phase, around),
            *_by_date(box),
        ]
    )
    claimed = other.score if other and other.status == COMPLETED else None
    return replace(standing, score=claimed) if standing.stand is Stand.DONE else standing


def _own_folder(phase: Phase, around: Surroundings) -> Disk:
    """An earlier milestone had this number too: its folder has another name, or our journal knows whose it is."""
    taken = around.taken(phase)
    folder = find_folder(around.files, phase, taken)
    is_other = folder in taken or are_unrelated(PurePosixPath(folder).name, phase.slug)
    return Disk() if is_other else inspect_folder(folder, around.files, around.read)


def _by_other_run(other: OtherPhase | None) -> Iterator[Witness]:
    if other is not None and other.status == COMPLETED:
        score = f" with {other.score}/10" if other.score is not None else ""
        yield Witness(Says.DONE, f"completed{score} in {other.run}")
    elif other is not None and other.status == FAILED:
        yield Witness(Says.REFUSED, f"failed in {other.run}")


def _by_position(phase: Phase, position: Position, *, counted: bool, begun: bool) -> Iterator[Witness]:
    """Work that was begun and left behind on the way to the end was finished; what never began is still open."""
    if position.calls_complete(phase.id):
        yield Witness(Says.DONE, f"complete in {STATE}")
    elif counted:
        yield Witness(Says.DONE, f"counted as complete in {STATE}", of_phase=False)
    elif begun and position.has_passed(phase.id):
        yield Witness(Says.DONE, f"{STATE} is at the end, past it", of_phase=False)
    elif position.phase == phase.id:
        doing = f" ({position.doing})" if position.doing else ""
        yield Witness(Says.OPEN, f"{STATE} is at it{doing}")


def _by_box(box: Box | None) -> Iterator[Witness]:
    if box is None:
        return
    if box.ticked:
        yield Witness(Says.DONE, TICKED)
    elif why := held_mark(box.line.text):
        yield Witness(Says.HELD, why)
    elif word := given_up_mark(box.line.text):
        yield Witness(Says.DROPPED, f"{word} in the roadmap")
    else:
        yield Witness(Says.OPEN, "its box is open")


def _by_section(section: Section) -> Iterator[Witness]:
    """The heading and the fields of the phase itself, and the boxes below them."""
    fields = read_fields(section.body)
    status, plans = (fields.get(name, (0, ""))[1] for name in ("status", "plans"))
    if section.mark:
        yield Witness(Says.DONE, "marked as done in its heading")
    elif says_complete(status) or any(re.match(r"\W{0,4}[0-9]{4}-", fields.get(name, (0, ""))[1]) for name in _DATED):
        yield Witness(Says.DONE, "complete by its status")
    elif word := given_up_mark(section.start.text) or given_up(status):
        yield Witness(Says.DROPPED, f"{word} in the roadmap")
    elif says_refused(status):
        yield Witness(Says.REFUSED, f"its status is {_short(status)}")
    yield from _by_plans(section, plans)
    counted = _PLANS_COUNT.match(plans)
    if _PLANS_OVER.search(plans) or (counted and 0 < int(counted[2]) <= int(counted[1])):
        yield Witness(Says.DONE, "all of its plans are counted as complete", of_phase=False)


def _by_plans(section: Section, plans: str) -> Iterator[Witness]:
    ticked, listed = plan_boxes(section.body)
    meant = _PLANS_MEANT.match(plans)
    total = max(listed, int(meant[1]) if meant and listed else 0)
    if total and ticked == total:
        yield Witness(Says.DONE, f"{_every(total)} ticked", of_phase=False)
    elif ticked:  # a list without a single tick is one that nobody keeps
        yield Witness(Says.OPEN, f"only {ticked} of its {total} plans are ticked", quiet=True)
    elif not total and (boxes := all_boxes(section.body))[1] > 1 and boxes[0] == boxes[1]:
        yield Witness(Says.DONE, f"all of the {boxes[1]} boxes below it are ticked", of_phase=False)


def _by_table(row: ProgressRow | None) -> Iterator[Witness]:
    if row is None:
        return
    if row.complete:
        yield Witness(Says.DONE, "complete in the progress table")
    elif word := given_up(row.status):
        yield Witness(Says.DROPPED, f"{word} in the progress table")
    elif row.status:
        says = Says.REFUSED if says_refused(row.status) else Says.OPEN
        yield Witness(says, f"the progress table says {_short(row.status)}")


def _by_milestone(phase: Phase, scan: Scan, position: Position) -> Iterator[Witness]:
    """The headings above its section, or above its box where it has no section; or the milestone of all phases."""
    headings = scan.above.get(phase.line, ())
    if is_shipped(headings):
        yield Witness(Says.DONE, "its milestone is marked as shipped")
    elif word := find_dropped(headings):
        yield Witness(Says.DROPPED, f"{word} in the roadmap")
    if position.phase is None and scan.version in position.shipped:
        yield Witness(Says.DONE, f"milestone {scan.version} is complete in {STATE}")


def _by_files(disk: Disk, listed: int) -> Iterator[Witness]:
    """A plan that the roadmap lists and that is not written yet is not carried out either."""
    if disk.verified in _NOT_THROUGH:
        yield Witness(Says.REFUSED, _NOT_THROUGH[disk.verified])
    if disk.finished and disk.plans >= listed:
        yield Witness(Says.DONE, f"{_every(disk.plans)} followed by a summary", of_phase=False)


def _by_archive(phase: Phase, around: Surroundings) -> Iterator[Witness]:
    """Only of a phase that STATE.md has left behind: a later milestone may count from one again, and name alike."""
    here = around.position.phase
    if here is None or sort_key(phase.id) >= sort_key(here):
        return
    if milestone := put_away_with(phase, around.files):
        yield Witness(Says.DONE, f"its folder was put away with milestone {milestone}", of_phase=False)


def _by_date(box: Box | None) -> Iterator[Witness]:
    if box is not None and not box.ticked and marked_done(box.line.text):
        yield Witness(Says.DONE, "marked as completed beside its box")


def _every(plans: int) -> str:
    return f"all of its {plans} plans are" if plans > 1 else "its only plan is"


def _short(status: str) -> str:
    return " ".join(status.replace("*", "").split())[:40].strip()
