"""The confidence diagnostic: why a phase scored below 9.0 and what would raise it (CENF-02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.events.pieces import Cycle, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.policy import CHECKS
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.path_to_nine import left_out, path_items
from autopilot.reports.documents.shortfalls import describe_result
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.evidence.criterion_rows import criterion_rows
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets, shorten, table
from autopilot.reports.status.pipeline import mean_of_parts
from autopilot.reports.status.scores import stands_as_before

CRITERIA_HEAD = ("Criterion", "Status", "Evidence", "Gap")
CHECK_HEAD = ("Check", "Result", "Details")
HISTORY_HEAD = ("Cycle", "Score", "Changes Made", "Remaining Issues")
STATUS = {Outcome.PASS: "verified", Outcome.FAIL: "failed", Outcome.UNPROVEN: "unproven"}


def render_diagnostic(state: RunState, phase: PhaseState) -> str:
    """Of a split phase with what its parts lack: their reviews are all there are."""
    homes = (phase, *parts_of(state, phase))
    items = [item for home in homes for item in path_items(home)]
    numbered = "\n".join(f"{n}. {' '.join(str(item).split())}" for n, item in enumerate(items, 1))
    concerns = [concern for home in homes if home.reviews.judgement for concern in home.reviews.judgement.concerns]
    unplaced = [f"scorecard, no file is known for it: {deduction}" for home in homes for deduction in left_out(home)]
    score = phase.reviews.score if phase.reviews.score is not None else mean_of_parts(state, phase)
    status = ", ".join((_status(phase, score), *(f"{flag}_exhausted" for flag in phase.remediation.exhausted)))
    parts = [
        f"# Phase {phase.id} Confidence Diagnostic\n",
        f"**Score:** {score}/10\n**Threshold:** {state.policy.pass_threshold}/10\n**Status:** {status}\n",
        f"## Judge Concerns\n\n{bullets([*concerns, *unplaced])}\n",
        f"## Acceptance Criteria Status\n\n{_criteria(homes)}",
        f"## Automated Check Results\n\n{_checks(state, phase)}",
        f"## Path to 9.0/10\n\n{numbered or 'No finding is precise enough to act on.'}\n",
        f"## Remediation History\n\n{_history(phase)}" if phase.remediation.cycles else "",
    ]
    return make_inert("\n".join(part for part in parts if part))


def _status(phase: PhaseState, score: float | None) -> str:
    if phase.remediation.incomplete:
        return "force_incomplete"
    if stands_as_before(phase):
        return "passed"
    if phase.ruling.outcome is Outcome.PASS:
        return f"remediated_to_{score}" if phase.remediation.cycles else "passed"
    return "failed" if phase.status is PhaseStatus.FAILED else "below_threshold"


def _criteria(homes: Sequence[PhaseState]) -> str:
    rows = dict(row for home in reversed(homes) for row in _criterion_rows(home))
    return table(CRITERIA_HEAD, ((text, *row) for text, row in rows.items()))


def _criterion_rows(phase: PhaseState) -> Iterator[tuple[str, tuple[str, ...]]]:
    """By what was judged; where nothing was run, by the verifier's reading, and the table says which."""
    for row in criterion_rows(phase):
        verdict, reading, lost = row.verdict, row.reading, row.deduction
        read = f"{reading.status} (read, not run)" if reading else "not checked"
        gap = verdict.because if verdict and verdict.outcome is not Outcome.PASS else lost.why if lost else ""
        evidence = reading.evidence if reading else _shown(row.seen)
        yield row.criterion.text, (STATUS[verdict.outcome] if verdict else read, evidence, gap or "-")


def _shown(observation: Observation | None) -> str:
    return f"`{observation.command}` {describe_result(observation)}" if observation else "-"


def _checks(state: RunState, phase: PhaseState) -> str:
    seen = {observation.subject: observation for observation in phase.observed.observations or ()}
    rows = []
    for name in CHECKS:
        observation = seen.get(name)
        if observation is None or observation.seen is Seen.NOTHING or observation.never_ran:
            configured = bool(getattr(state.policy.commands, name))
            rows.append((name, "not run" if configured else "n/a", observation.reason if observation else "-"))
        else:
            rows.append((name, "pass" if observation.seen is Seen.PASSED else "fail", _shown(observation)))
    return table(CHECK_HEAD, rows)


def _history(phase: PhaseState) -> str:
    cycles = phase.remediation.cycles
    first = cycles[0].old_score
    rows = [("0 (initial)", _points(first), "-", _asked(phase, cycles[0]))]
    for number, cycle in enumerate(cycles):
        after = _asked(phase, cycles[number + 1]) if number + 1 < len(cycles) else _left(phase)
        remaining = after if cycle.ended else "in progress"
        rows.append((str(cycle.number), _points(cycle.new_score), _changes(_tasks(phase, cycle)), remaining))
    return table(HISTORY_HEAD, rows)


def _points(score: float | None) -> str:
    return "-" if score is None else f"{score}"


def _tasks(phase: PhaseState, cycle: Cycle) -> list[TaskState]:
    return [phase.tasks[name] for name in cycle.tasks if name in phase.tasks]


def _asked(phase: PhaseState, cycle: Cycle) -> str:
    """What a cycle set out to mend is what was wrong before it."""
    lines = [line.removeprefix("- ") for task in _tasks(phase, cycle) for line in task.task.action.splitlines()]
    return shorten("; ".join(line for line in lines if line.strip()), 400) or "-"


def _changes(tasks: Sequence[TaskState]) -> str:
    made = [
        f"{task.task.id} {', '.join(task.files) or 'nothing'} ({task.commit[:12] or 'no commit'})" for task in tasks
    ]
    return shorten("; ".join(made), 400) or "-"


def _left(phase: PhaseState) -> str:
    return shorten("; ".join(f"{item.file}: {item.deficiency}" for item in path_items(phase)), 400) or "none"
