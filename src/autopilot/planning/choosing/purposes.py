"""Which phases a call with flags is about, and what is to be done with each.

`--force` and `--gaps` are about completed phases only, `--quality` about all that are not good enough; every other call
is about what is outstanding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.intent import NEAR_PERFECT, QUALITY, Intent, Purpose
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.choosing.flags import spell_call
from autopilot.planning.choosing.selection import (
    Selection,
    Wanted,
    outstanding,
    read_arguments,
    select_phases,
    why_skipped,
    within_milestone,
)
from autopilot.planning.roadmap.graph import topological_order
from autopilot.text.naming import name_phases

Scores = Mapping[PhaseId, float | None]  # of every completed phase; None where only a person settled it
UNSCORED = "the user gave its verdict: it has no score to improve"
REACHED = "/10 already"  # what the call asks for is there


class _Sorted(Struct):
    """Completed phases, by what becomes of them."""

    purposes: dict[PhaseId, Purpose]
    skipped: list[tuple[PhaseId, str]]


def choose_phases(arguments: Sequence[str], roadmap: Roadmap, completed: Scores, intent: Intent) -> Selection:
    if intent.force:
        return _force(arguments, roadmap, completed)
    if intent.quality and not intent.complete:
        return _quality(arguments, roadmap, completed, intent)
    if intent.gaps:
        return _gaps(arguments, roadmap, completed)
    # Everything outstanding is meant by --complete, also of milestones that are still to come.
    return select_phases(arguments or ("all",) if intent.complete else arguments, roadmap, completed.keys())


def _force(arguments: Sequence[str], roadmap: Roadmap, completed: Scores) -> Selection:
    """A phase ticked by hand may be forced too, and so proven: as any other is, for no run of ours has built it."""
    wanted = read_arguments(arguments, roadmap)
    done = [phase for phase in roadmap.phases if phase.id in completed or phase.ticked or _meant(phase, wanted)]
    if not wanted.keyword:
        _must_be_completed(wanted, roadmap, {phase.id for phase in done}, "force", "repeats")
    meant = (phase for phase in done if phase.id in wanted.phases)
    purposes = {phase.id: Purpose.REDO if phase.id in completed else Purpose.BUILD for phase in meant}
    if not purposes:
        raise UsageError("nothing to redo: no phase is completed", "`autopilot run all` builds what is outstanding")
    return _selection(wanted, roadmap, (), _Sorted(purposes, []))


def _meant(phase: Phase, wanted: Wanted) -> bool:
    """A phase that was given up is forced only by its own number."""
    return phase.dropped and not wanted.keyword and phase.id in wanted.phases


def _quality(arguments: Sequence[str], roadmap: Roadmap, completed: Scores, intent: Intent) -> Selection:
    """What is outstanding is built first, then what is completed and not good enough is refined.

    What is claimed to be done is proven first, as an outstanding phase is built, and then has to reach the same.
    """
    wanted = read_arguments(arguments, roadmap)

    def judge(score: float) -> Purpose | str:
        if score < QUALITY:
            return Purpose.REFINE
        if intent.gaps:
            return _gap_purpose(score)
        return f"{score}{REACHED}, and {QUALITY} is what --quality asks for"

    found = _sort(wanted, roadmap, completed, judge)
    unproven = _unproven(wanted, roadmap, completed)
    found.skipped += [
        (phase.id, why_skipped(phase, set()))
        for phase in roadmap.phases
        if phase.id in wanted.phases and (phase.ticked or phase.dropped) and phase.id not in {*completed, *unproven}
    ]
    build, beyond = within_milestone(wanted, roadmap, outstanding(wanted, roadmap, completed.keys(), unproven))
    found.skipped += beyond
    near = sorted(id for id in wanted.phases if QUALITY <= (completed.get(id) or 0) < NEAR_PERFECT)
    hint = f"`{spell_call(Intent(gaps=True), near)}` goes on towards {NEAR_PERFECT}" if near else ""
    return _selection(wanted, roadmap, build, found, hint)


def _gaps(arguments: Sequence[str], roadmap: Roadmap, completed: Scores) -> Selection:
    """What is claimed to be done is proven first; its gaps are then closed in the same run."""
    wanted = read_arguments(arguments, roadmap)
    done = {phase.id for phase in roadmap.phases if phase.ticked}
    if not wanted.keyword:
        _must_be_completed(wanted, roadmap, {*completed, *done}, "gaps", "improves")

    def judge(score: float) -> Purpose | str:
        if wanted.keyword and QUALITY <= score < NEAR_PERFECT:
            return f"{score}{REACHED}; --gaps goes on to {NEAR_PERFECT} only for phases that you name"
        return _gap_purpose(score)

    near = [id for id in wanted.phases if wanted.keyword and QUALITY <= (completed.get(id) or 0) < NEAR_PERFECT]
    hint = f"`{spell_call(Intent(gaps=True), sorted(near))}`" if near else ""
    found = _sort(wanted, roadmap, completed, judge)
    unproven = _unproven(wanted, roadmap, completed)
    proven_first = tuple(topological_order([phase for phase in roadmap.phases if phase.id in unproven]))
    return _selection(wanted, roadmap, proven_first, found, hint)


def _gap_purpose(score: float) -> Purpose | str:
    return Purpose.GAPS if score < NEAR_PERFECT else f"{score}{REACHED}: what is missing is negligible"


def _sort(wanted: Wanted, roadmap: Roadmap, completed: Scores, judge: Callable[[float], Purpose | str]) -> _Sorted:
    found = _Sorted({}, [])
    for phase in roadmap.phases:
        if phase.id not in wanted.phases or phase.id not in completed:
            continue
        score = completed[phase.id]
        verdict = judge(score) if score is not None else UNSCORED
        if isinstance(verdict, Purpose):
            found.purposes[phase.id] = verdict
        else:
            found.skipped.append((phase.id, verdict))
    return found


def _unproven(wanted: Wanted, roadmap: Roadmap, completed: Scores) -> set[PhaseId]:
    """Phases to prove first: claimed to be done and named; without names, those scored low elsewhere."""
    claimed = [
        phase for phase in roadmap.phases if phase.ticked and phase.id in wanted.phases and phase.id not in completed
    ]
    scores = {phase.id: phase.standing.score for phase in claimed}
    return {id for id, score in scores.items() if not wanted.keyword or (score is not None and score < QUALITY)}


def _selection(
    wanted: Wanted, roadmap: Roadmap, build: tuple[PhaseId, ...], found: _Sorted, hint: str = ""
) -> Selection:
    improved = [phase for phase in roadmap.phases if phase.id in found.purposes]
    order = (*build, *topological_order(improved))
    if not order:
        raise _nothing_to_improve(found.skipped, hint)
    kept = order[:1] if wanted.keyword == "next" else order
    purposes = {id: purpose for id, purpose in found.purposes.items() if id in kept}
    return Selection(kept, tuple(found.skipped), purposes)


def _must_be_completed(wanted: Wanted, roadmap: Roadmap, completed: set[PhaseId], flag: str, does: str) -> None:
    for phase in roadmap.phases:
        if phase.id in wanted.phases and phase.id not in completed:
            message = f"--{flag} {does} completed phases, and phase {phase.id} is not completed: {_status(phase)}"
            raise UsageError(message, hint=f"`{_instead(phase)}` builds it")


def _status(phase: Phase) -> str:
    return why_skipped(phase, set()) or "not proven in any run"


def _instead(phase: Phase) -> str:
    return spell_call(Intent(force=phase.ticked or phase.dropped), [phase.id])


def _nothing_to_improve(skipped: Sequence[tuple[PhaseId, str]], hint: str = "") -> UsageError:
    if not skipped:
        return UsageError("nothing to improve: no phase is completed", "`autopilot run all` builds what is outstanding")
    unproven = next((id for id, reason in skipped if "done, unproven" in reason), None)
    if unproven and not hint:
        hint = f"`{spell_call(Intent(force=True), [unproven])}` builds phase {unproven} and proves it"
    hint = hint or "`autopilot status` shows the scores of the last run"
    by_reason: dict[str, list[PhaseId]] = {}
    for id, reason in skipped:
        by_reason.setdefault(reason, []).append(id)
    reasons = "; ".join(f"{name_phases(ids)}: {reason}" for reason, ids in by_reason.items())
    kind = NothingOpen if all(REACHED in reason for reason in by_reason) else UsageError
    return kind(f"nothing to improve: {reasons}", hint)
