"""Progress of single tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.subject import whole_task
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.documents.objections import LAYERS
from autopilot.reports.evidence.failure_text import failure_lines, head_line
from autopilot.reports.evidence.failures import Failure, failures_in
from autopilot.reports.evidence.packages import name_packages
from autopilot.text.naming import plural

MOST_FILES = 12  # one line each; of more their number is enough

Shown = h.TaskEvent | r.TaskRecovery | r.ResolvedAlone


def task_lines(event: Shown, state: RunState) -> Iterator[str]:
    prefix = f"[Phase {event.phase}] Task {event.task}:"
    match event:
        case h.TaskCommitted(files=files):
            yield from modified_lines(prefix, files)
        case h.TaskRefused(reason=reason):
            yield f"{prefix} FAILED -- {reason}"
        case h.TaskVerified():
            yield from _verified(prefix, event, state.phase(event.phase))
        case r.TaskAlreadyThere(unshown=True) if not state.phase(event.phase).tasks[event.task].untouched:
            yield f"{prefix} CARRIED OUT by the summary of its plan, nothing it promises is red -- left to you"
        case r.TaskAlreadyThere(unshown=True):
            yield f"{prefix} NOTHING COMMITTED by two agents, and nothing it promises is red -- left to you"
        case r.TaskAlreadyThere(made_by=commit) if commit:
            made = f"{commit[:12]} of an earlier task made it green"
            yield f"{prefix} NOTHING LEFT TO DO -- what it promises was red, and {made}"
        case r.TaskAlreadyThere():
            yield f"{prefix} ALREADY THERE"
        case r.TaskRead():
            yield f"{prefix} review {_reading(event)}"
        case r.HandedOver(reason=reason):
            yield f"{prefix} HANDED OVER to a fresh agent -- {reason}"
        case r.ResolvedAlone(confidence=confidence):
            yield f"{prefix} resolved without a person (confidence {confidence}/10)"


def modified_lines(prefix: str, files: Sequence[str]) -> Iterator[str]:
    for path in files[:MOST_FILES]:
        yield f"{prefix} modifying {path}"
    if len(files) > MOST_FILES:
        yield f"{prefix} modifying {plural(len(files) - MOST_FILES, 'more file')}"


def _verified(prefix: str, event: h.TaskVerified, phase: PhaseState) -> Iterator[str]:
    """Each failure once, expected against actual, with the tool's own last lines."""
    yield from objection_lines(prefix, [objection for objection in event.objections if objection.weight is Weight.FLAG])
    if event.outcome is Outcome.PASS:
        alone = f" (checks of {name_packages(event.packages)}; the others run with the last task)"
        yield f"{prefix} VERIFIED{alone if event.packages else ''}"
        return
    if phase.tasks[event.task].claimed and event.outcome is Outcome.FAIL:
        yield f"{prefix} CAUGHT -- its agent called it done; Autopilot ran its checks, and it is not"
    for failure in failures_in(phase, event.verdicts, event.observations):
        yield f"{prefix} FAILED -- {_name(failure, event.task)}: {failure.because}"
        if failure.exit_status is not None:
            yield from (f"{prefix}   {line}" for line in failure_lines(failure))


def _name(failure: Failure, task: str) -> str:
    """With the check that objects to it; the task itself is named before it already."""
    if failure.layer and failure.name == whole_task(task):
        return failure.layer
    return ", ".join(filter(None, (head_line(failure), failure.layer)))


def objection_lines(prefix: str, objections: Iterable[Objection]) -> Iterator[str]:
    for objection in objections:
        word = "flag" if objection.weight is Weight.FLAG else "REFUSED"
        yield f"{prefix} {word} -- {LAYERS[objection.layer]}: {objection}"


def _reading(event: r.TaskRead) -> str:
    """A reading is an opinion: it is shown beside what was seen and decides nothing by itself."""
    if event.assessment is None:
        return f"UNPROVEN -- {event.problem}"
    concerns = "; ".join(event.assessment.concerns)
    return ("PASS" if event.assessment.passed else "FAIL") + (f" -- {concerns}" if concerns else "")
