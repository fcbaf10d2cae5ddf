"""What a roadmap says that does not fit together, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.checklist import Box, plan_boxes
from autopilot.planning.roadmap.scan import Scan


def doubts(scan: Scan, path: str) -> Iterator[Complaint]:
    yield from _structure(scan, path)
    plans = {section.phase: plan_boxes(section.body) for section in scan.sections}
    for box in scan.boxes.values():
        if not box.line.archived:
            yield from _contradictions(box, plans, scan, path)


def _structure(scan: Scan, path: str) -> Iterator[Complaint]:
    for box in scan.alone():
        message = f"malformed_roadmap: phase {box.phase} has a checklist line but no section"
        yield Complaint(path, box.line.number, message)
    for section in scan.repeated:
        yield Complaint(path, section.start.number, f"phase {section.phase} appears twice; the first section counts")
    for section in scan.sections if scan.boxes else ():
        if section.phase not in scan.boxes:
            message = f"phase {section.phase} has a section but no checklist line"
            yield Complaint(path, section.start.number, message, Severity.INFO)
    for box in scan.open_in_archive:
        message = f"phase {box.phase} is open but stands inside <details>: taken as archived"
        yield Complaint(path, box.line.number, message)
    for odd in scan.oddities:
        why = "is not `Phase N: …`: not read as a phase" if odd.foreign else "looks like a phase but was not understood"
        yield Complaint(path, odd.line.number, f"heading `{odd.text}` {why}")


def _contradictions(box: Box, plans: Mapping[PhaseId, tuple[int, int]], scan: Scan, path: str) -> Iterator[Complaint]:
    """A third of real phases contradict themselves; the box decides and the rest is reported."""
    done, total = plans.get(box.phase, (0, 0))
    if total and box.ticked and done < total:
        message = f"phase {box.phase} is ticked, but only {done} of its {total} plans are"
        yield Complaint(path, box.line.number, message)
    if total and not box.ticked and done == total:
        message = f"phase {box.phase} is not ticked, but all of its {total} plans are"
        yield Complaint(path, box.line.number, message)
    standing = scan.standings.get(box.phase)
    if standing and standing.complete != box.ticked:
        message = "complete" if standing.complete else "not complete"
        yield Complaint(path, standing.line, f"phase {box.phase}: the table says {message}, its box says otherwise")
