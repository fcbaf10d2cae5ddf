"""What does not fit together in the form of a roadmap, each with its line; how phases stand: ``standing.py``."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.planning.roadmap.scan import Scan


def doubts(scan: Scan, path: str) -> Iterator[Complaint]:
    for box in scan.alone():
        message = f"the roadmap is malformed: phase {box.phase} has a checklist line but no section"
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
        yield Complaint(path, odd.line.number, odd.describe())
