"""The post-mortem of a failed phase: root cause, timeline, evidence, attempted fixes, prevention rule (OBSV-03)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from autopilot.events.entry import Stored
from autopilot.events.happened import PhaseStarted
from autopilot.events.pieces import PhaseDebug, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Seen
from autopilot.model.failure import WORDS, Category
from autopilot.model.run import TaskStatus
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.documents.prevention import rule_of
from autopilot.reports.documents.result_lines import commands_run, files_checked
from autopilot.reports.documents.shortfalls import shortfalls
from autopilot.reports.documents.tasks import is_done, parts_of, tasks_of
from autopilot.reports.documents.timeline import RUNNER, Moment, first_seen, moments, most_relevant
from autopilot.reports.markdown import stamp

SHOWN = 40  # lines of evidence of each kind


def render_postmortem(state: RunState, phase: PhaseState, entries: Iterable[Stored]) -> str:
    mine = _of_this_attempt(phase, entries)
    all_moments = [moment for stored in mine for moment in moments(stored)]
    document = {
        "phase_id": phase.id,
        "phase_name": phase.brief.name,
        "timestamp": stamp(phase.ending.completed_at or state.now),
        "status": "failed",
        "root_cause": _root_cause(state, phase, mine, all_moments),
        "timeline": [moment.shown() for moment in most_relevant(all_moments)],
        "evidence": {
            "commands_run": _failed_first(state, phase)[:SHOWN],
            "files_checked": [line for home in (phase, *parts_of(state, phase)) for line in files_checked(home)][
                :SHOWN
            ],
        },
        "attempted_fixes": list(_fixes(state, phase)),
        "prevention_rule": rule_of(state, phase),
    }
    return json.dumps(_clean(document), indent=2, ensure_ascii=False) + "\n"


def _of_this_attempt(phase: PhaseState, entries: Iterable[Stored]) -> list[Stored]:
    """What happened to the phase and its parts since it was last begun."""
    names = {phase.id, *phase.split.parts}
    mine = [stored for stored in entries if getattr(stored.event, "phase", None) in names]
    begun = [n for n, s in enumerate(mine) if isinstance(s.event, PhaseStarted) and s.event.phase == phase.id]
    return mine[begun[-1] :] if begun else mine


def _root_cause(state: RunState, phase: PhaseState, mine: list[Stored], all_moments: list[Moment]) -> dict[str, Any]:
    """The category is the gate's; when and where it was first seen is looked up by what did not hold in the end."""
    subjects = {found.subject for home in (phase, *parts_of(state, phase)) for found in shortfalls(home)}
    found = first_seen(mine, subjects) or next((moment for moment in all_moments if moment.status == "failure"), None)
    return {
        "category": category_of(phase),
        "description": phase.ending.failure or phase.gate.reason or "no reason was recorded",
        "first_observed_at": stamp(found.time if found else phase.ending.completed_at or state.now),
        "step": found.step if found and found.step != RUNNER else phase.ending.failure_step or RUNNER,
    }


def category_of(phase: PhaseState) -> str:
    """Always a word of the taxonomy: the recorded one, else the first a reviewer or debugger gave."""
    categories = (
        [failure.category for failure in phase.reviews.verification.failures] if phase.reviews.verification else []
    )
    categories += [category for fix in reversed(phase.retries.debug_rounds) for category in fix.categories]
    known = (word for word in (phase.ending.failure_category, *categories) if word in WORDS)
    return next(known, Category.COORDINATION_FAILURE.value)


def _failed_first(state: RunState, phase: PhaseState) -> list[str]:
    lines = [line for home in (phase, *parts_of(state, phase)) for line in commands_run(home)]
    good = f"-> {Seen.PASSED.text}"
    return [*(line for line in lines if good not in line), *(line for line in lines if good in line)]


def _fixes(state: RunState, phase: PhaseState) -> Iterator[dict[str, Any]]:
    """Debug rounds of tasks came first, then those of the whole phase; numbered in that order."""
    number = 0
    for task in tasks_of(state, phase).values():
        for task_fix in _task_fixes(phase, task):
            number += 1
            yield {"attempt": number, **task_fix}
    for home in (phase, *parts_of(state, phase)):
        for nth, fix in enumerate(home.retries.debug_rounds):
            number += 1
            after = home.retries.debug_rounds[nth + 1].findings if nth + 1 < len(home.retries.debug_rounds) else None
            yield {"attempt": number, **_fix(home, fix, after)}


def _task_fixes(phase: PhaseState, task: TaskState) -> Iterator[dict[str, Any]]:
    """Each round answers the refusal before it; the refusal after it, if any, is what it left."""
    for nth in range(task.debugs):
        before, after = task.caught[nth : nth + 1], task.caught[nth + 1 : nth + 2]
        last = nth == task.debugs - 1
        held = not after and (task.status == TaskStatus.VERIFIED or is_done(task, phase))
        yield {
            "description": f"task {task.task.id}, debug round {nth + 1}: {before[0] if before else 'its check failed'}",
            "commit_sha": (task.commit or None) if last else None,
            "resolved": list(before) if held else [],
            "remaining": list(after),
        }


def _fix(phase: PhaseState, fix: PhaseDebug, after: tuple[str, ...] | None) -> dict[str, Any]:
    """What is resolved is what was not found again: by the next findings, or by what does not hold now."""
    now = after if after is not None else tuple(found.text for found in shortfalls(phase))
    repeated = [finding for finding in fix.findings if any(_same(finding, other) for other in now)]
    changed = bool(fix.commit)
    return {
        "description": "; ".join(fix.changes)
        or (f"refused: {fix.refusal}" if fix.refusal else "the debugger reported no change"),
        "commit_sha": fix.commit or None,
        "resolved": [finding for finding in fix.findings if finding not in repeated] if changed else [],
        "remaining": repeated if changed else list(fix.findings),
    }


def _same(finding: str, other: str) -> bool:
    """Findings begin with the criterion's words; what was printed beside them may differ from time to time."""
    return finding == other or finding.partition(": ")[0] == other.partition(": ")[0]


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return strip_controls(value)
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value
