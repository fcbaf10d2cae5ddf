"""What earlier runs have to say about a phase they completed: its score, how it came to it, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.engine.past import Named, named
from autopilot.events.state import PhaseState, RunState
from autopilot.model.intent import Deficiency, Earlier, Purpose, Scored
from autopilot.model.run import PhaseStatus
from autopilot.planning.gaps.deficiencies import (
    Documents,
    by_gap,
    find_deficiencies,
    of_deduction,
    of_failure,
    of_worry,
    target_for,
)
from autopilot.ports.git import Checkout
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.status.files import DIAGNOSTICS, confidence_path
from autopilot.reports.status.scores import score_of

MOST_BYTES = 1_000_000  # of one report


def find_earlier(runs: Iterable[RunState], checkout: Checkout) -> Mapping[Named, Earlier]:
    """Of every phase that was completed, as the last run that completed it left it. Runs are given oldest first."""
    found: dict[Named, Earlier] = {}
    left: dict[Named, tuple[RunState, PhaseState]] = {}
    for run in runs:
        for phase in (phase for phase in run.phases.values() if phase.status is PhaseStatus.COMPLETED):
            name = named(phase.brief)
            before = found.get(name)
            found[name] = _after(before, run, phase)
            if before is None or _left_something(phase):
                left[name] = run, phase
    return {
        name: replace(earlier, deficiencies=_deficiencies(earlier.score, *left[name], checkout))
        for name, earlier in found.items()
    }


def _left_something(phase: PhaseState) -> bool:
    """A refinement that was withdrawn, or changed nothing, left the phase as it was."""
    return not phase.brief.purpose.refines or bool(phase.landing.state)


def _after(before: Earlier | None, run: RunState, phase: PhaseState) -> Earlier:
    """What it scored on the way is history even where it was withdrawn."""
    score, completed_at = score_of(run, phase), phase.ending.completed_at or run.now
    known = phase.brief.earlier.history if phase.brief.earlier else ()
    history = phase.totals.history
    if score is not None and len(history) == len(known):
        # Nobody rated it as a whole: it was put together of parts, or its journal is of an older kind.
        flag = "force" if phase.brief.purpose is Purpose.REDO else "initial"
        history = (*history, Scored(score, completed_at, flag)) if _left_something(phase) else history
    if before is not None and not _left_something(phase):
        return replace(before, history=history or before.history)
    own = phase.plan.documents if phase.plan.ours else ()
    plans = (*(before.plans if before else ()), *own)
    return Earlier(
        run.run, completed_at, score, phase.remediation.incomplete, history, plans=tuple(dict.fromkeys(plans))
    )


def _deficiencies(score: float | None, run: RunState, phase: PhaseState, checkout: Checkout) -> tuple[Deficiency, ...]:
    """By what lies in the checkout, for the user may have written there; else by the record itself."""
    target = target_for(score)
    return find_deficiencies(_documents(phase, checkout), target) or by_gap(_recorded(run, phase, target))


def _documents(phase: PhaseState, checkout: Checkout) -> Documents:
    """`SCORECARD.md`, as other tools name it `03-SCORECARD.md`, and those of the parts of a split phase."""
    paths = checkout.list(phase.brief.folder)
    diagnostic = confidence_path(phase.id)

    def texts(kind: str) -> tuple[str, ...]:
        meant = (path for path in paths if _is(path, phase.brief.folder, kind))
        return tuple(text for path in meant if (text := _text(checkout, path)))

    return Documents(
        scorecards=texts("SCORECARD.md"),
        diagnostic=_text(checkout, diagnostic) if diagnostic in checkout.list(DIAGNOSTICS) else "",
        judge_reports=texts("JUDGE-REPORT.md"),
        verifications=texts("VERIFICATION.md"),
    )


def _is(path: str, folder: str, kind: str) -> bool:
    inside = PurePosixPath(path)
    return str(inside.parent) == folder and (inside.name == kind or inside.name.endswith(f"-{kind}"))


def _text(checkout: Checkout, path: str) -> str:
    return (checkout.read(path) or b"")[:MOST_BYTES].decode("utf-8", "replace")


def _recorded(run: RunState, phase: PhaseState, target: float) -> Iterator[Deficiency]:
    for home in (phase, *parts_of(run, phase)):
        yield from (of_deduction(lost) for lost in home.reviews.deductions if lost.score < target)
        if home.reviews.judgement is not None:
            worries = (*home.reviews.judgement.concerns, *home.reviews.judgement.verifier_missed)
            yield from (of_worry(worry, "judge_report") for worry in worries)
        if home.reviews.verification is not None:
            yield from (of_failure(failure.failure) for failure in home.reviews.verification.failures)
        yield from (of_deduction(lost) for lost in home.reviews.deductions if lost.score >= target)
