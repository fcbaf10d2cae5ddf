"""The way to a better score: what to mend in which file, and what that is worth (CENF-05)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.events.state import PhaseState
from autopilot.model.planning.criterion import identity
from autopilot.model.ruling import Deduction
from autopilot.reports.documents.shortfalls import shortfalls
from autopilot.reports.documents.vagueness import is_vague
from autopilot.reports.evidence.criterion_rows import rows_named
from autopilot.reports.markdown import shorten
from autopilot.reports.places import file_in
from autopilot.reports.status.scores import stands_as_before

TARGET = 9.0
LONGEST = 300


class PathItem(Struct, frozen=True):
    file: str
    deficiency: str
    impact: str

    def __str__(self) -> str:
        return f"**{self.file}**: {self.deficiency} -- {self.impact}"


def path_items(phase: PhaseState) -> tuple[PathItem, ...]:
    """Every item names a file, what is wrong there, and what mending it is worth; the dearest first."""
    if stands_as_before(phase):
        return tuple(_known_before(phase))
    lost = [item for deduction in _costly(phase) if (item := _of_deduction(phase, deduction)) is not None]
    return (*lost, *_of_concerns(phase, lost))


def left_out(phase: PhaseState) -> tuple[str, ...]:
    """Deductions that cannot be turned into an item: no file is known for them, or nothing precise was said."""
    return tuple(
        f"{deduction.criterion} (scored {deduction.score:.1f}): {deduction.why}"
        for deduction in _costly(phase)
        if _of_deduction(phase, deduction) is None
    )


def _known_before(phase: PhaseState) -> Iterator[PathItem]:
    """What earlier runs found, where a refinement changed nothing of it."""
    earlier = phase.brief.earlier
    for found in earlier.deficiencies if earlier else ():
        if found.file and not is_vague(found.text):
            named = f'settles "{shorten(found.criterion, 120)}"' if found.criterion else "addresses 1 concern"
            scored = f", scored {found.score:.1f}" if found.score is not None else ""
            yield PathItem(found.file, shorten(found.text, LONGEST), f"{named}{scored}")


def _costly(phase: PhaseState) -> list[Deduction]:
    return [d for d in phase.reviews.deductions if d.score < TARGET] or list(phase.reviews.deductions)


def _of_deduction(phase: PhaseState, deduction: Deduction) -> PathItem | None:
    named = "" if _is_paper(deduction.file) else deduction.file
    file = named or _file_of_criterion(phase, deduction.criterion) or deduction.file
    deficiency = _precise(phase, deduction)
    if not file or not deficiency:
        return None
    total = len(_costly(phase))
    impact = f'worth up to {deduction.impact:.2f} of the score; settles "{shorten(deduction.criterion, 120)}"'
    place = f"below {TARGET}" if deduction.score < TARGET else "with deductions"
    return PathItem(file, shorten(deficiency, LONGEST), f"{impact}, 1 of {total} criteria {place}")


def _file_of_criterion(phase: PhaseState, text: str) -> str:
    """The first file of the task that promised it: of what it changed, else of what it was to change."""
    meant = [row.criterion.task for row in rows_named(phase, text)]
    owners = [phase.tasks[task] for task in meant if task in phase.tasks]
    files = [file for owner in owners for file in (*owner.files, *owner.task.files)]
    return next((file for file in files if not _is_paper(file)), "")


def _is_paper(file: str) -> bool:
    """Plans and reports: no fix changes them."""
    return file.startswith(".planning/")


def _precise(phase: PhaseState, deduction: Deduction) -> str:
    """What was said, or where that is vague, what was seen or read of the same criterion."""
    known = identity(deduction.criterion)
    seen = [str(found) for found in shortfalls(phase) if identity(found.text) == known]
    results = phase.reviews.verification.criteria_results if phase.reviews.verification else ()
    read = [r.evidence for r in results if identity(r.criterion) == known and r.status == "failed"]
    return next((text for text in (deduction.why, *seen, *read) if not is_vague(text)), "")


def _of_concerns(phase: PhaseState, lost: list[PathItem]) -> Iterator[PathItem]:
    """Of the judge's concerns those that name a file and say something; one that is covered already is not repeated."""
    concerns = (
        (*phase.reviews.judgement.concerns, *phase.reviews.judgement.verifier_missed) if phase.reviews.judgement else ()
    )
    covered = " ".join(identity(item.deficiency) for item in lost)
    for concern in dict.fromkeys(concerns):
        file = file_in(concern)
        if file and not is_vague(concern) and identity(concern) not in covered:
            yield PathItem(file, shorten(concern, LONGEST), f"addresses 1 of {len(concerns)} concerns of the judge")
