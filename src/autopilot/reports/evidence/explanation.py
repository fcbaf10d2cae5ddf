"""Why a run did not get on: what does not hold in each phase, what was refused on the way, how to repeat it by hand."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.entry import Stored
from autopilot.events.happened import TaskRefused, TaskVerified
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import identity
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.model.step import Step, that_ask
from autopilot.reports.evidence.failure_text import failure_document, failure_lines, head_line
from autopilot.reports.evidence.failures import Failure, failures_in, failures_of, is_refused_by_evidence
from autopilot.reports.status.brief import failure_words, stop_words

_ASKING = frozenset(step.value for step in that_ask(Step))


class Refused(Struct, frozen=True):
    """A try at a task that was not taken in; another try may have been."""

    task: str
    failures: tuple[Failure, ...]
    times: int = 1


class PhaseReasons(Struct, frozen=True):
    phase: str
    name: str
    status: PhaseStatus
    step: str = ""  # in which it failed
    because: str = ""  # where the failures do not say all of it
    branch: str = ""  # with the attempt
    commit: str = ""  # the tree that a shell shows
    failures: tuple[Failure, ...] = ()
    refused: tuple[Refused, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.failures or self.refused or self.because)


class Explanation(Struct, frozen=True):
    run: str
    status: RunStatus
    reason: str
    phases: tuple[PhaseReasons, ...]
    note: str = ""  # of one criterion that was asked for and holds


def explain(state: RunState, entries: Iterable[Stored], phases: Sequence[PhaseState]) -> Explanation:
    """Of these phases, in their order."""
    tries = _tries(state, entries)
    reasons = [_of_phase(state, phase, tries.get(phase.id, [])) for phase in phases]
    return Explanation(state.run, state.status, stop_words(state), tuple(reasons))


def only_about(explanation: Explanation, name: str) -> Explanation:
    """What concerns one criterion, check or task."""
    phases = (
        replace(
            reasons,
            because="",
            failures=_named(reasons.failures, name),
            refused=tuple(
                replace(tried, failures=kept) for tried in reasons.refused if (kept := _named(tried.failures, name))
            ),
        )
        for reasons in explanation.phases
    )
    return replace(explanation, phases=tuple(reasons for reasons in phases if not reasons.is_empty))


def shown_commit(phase: PhaseState) -> str:
    """The tree that was judged last: of the whole phase, else of its last task; before any work, its base."""
    commits = [task.commit for task in phase.tasks.values() if task.commit]
    return phase.observed.commit or (commits[-1] if commits else phase.line.base)


def _named(failures: Sequence[Failure], name: str) -> tuple[Failure, ...]:
    return tuple(
        failure
        for failure in failures
        if name in (own.removeprefix("task ") for own in failure.names)
        or identity(name) == identity(failure.text)
        or any(own.removeprefix("script:").rpartition(".")[0] == name for own in failure.names)
    )


def _tries(state: RunState, entries: Iterable[Stored]) -> dict[str, list[Refused]]:
    found: dict[str, list[Refused]] = {}
    for event in (stored.event for stored in entries):
        match event:
            case TaskVerified(phase=id, task=task, outcome=outcome) if outcome is not Outcome.PASS:
                failures = failures_in(state.phase(id), event.verdicts, event.observations)
            case TaskRefused(phase=id, task=task, reason=reason):
                failures = (Failure(f"task {task}", "its commit", Outcome.FAIL, reason),)
            case _:
                continue
        owner = state.phase(id).parent or id
        found.setdefault(owner, []).append(Refused(task, failures))
    return found


def _of_phase(state: RunState, phase: PhaseState, tries: Sequence[Refused]) -> PhaseReasons:
    failed = phase.status is PhaseStatus.FAILED
    rests = state.halted and phase.status is PhaseStatus.IN_PROGRESS
    failures = failures_of(state, phase) if failed or rests else ()
    is_shown = bool(failures) and is_refused_by_evidence(phase)
    return PhaseReasons(
        phase=phase.id,
        name=phase.brief.name,
        status=phase.status,
        step=phase.ending.failure_step if failed else "",
        because="" if is_shown else _because(state, phase),
        branch=phase.line.diagnostic_branch or (phase.deferral.branch if phase.deferral else ""),
        commit=shown_commit(phase),
        failures=failures,
        refused=_each_once(tries, {name for failure in failures for name in failure.names}),
    )


def _because(state: RunState, phase: PhaseState) -> str:
    """The cause, with the command that says more where it is not to be found here."""
    if phase.ending.blocked_by:
        return f"{failure_words(phase)}: `autopilot why {phase.ending.blocked_by}`"
    if state.issue is not None and state.issue.ending.halted is not None and phase.status is PhaseStatus.FAILED:
        return f"{stop_words(state)}; what to do: `autopilot status`"
    return phase.ending.failure


def _each_once(tries: Sequence[Refused], known: set[str]) -> tuple[Refused, ...]:
    """Without what the phase itself failed by: that is shown already."""
    found: dict[object, Refused] = {}
    for tried in tries:
        new = tuple(failure for failure in tried.failures if not known.intersection(failure.names))
        cause = tried.task, tuple((failure.name, failure.because) for failure in new)
        if new:
            times = found[cause].times + 1 if cause in found else 1
            found[cause] = Refused(tried.task, new, times)  # the last of equal ones
    return tuple(found.values())


def by_hand(phase: PhaseReasons, failure: Failure) -> str:
    """The command that runs the check again, on the tree on which it failed."""
    tree = f" --at {failure.commit[:12]}" if failure.commit and failure.commit != phase.commit else ""
    return f"autopilot shell {phase.phase}{tree} -- {shlex.quote(failure.command)}"


def render_explanation(explanation: Explanation) -> Iterator[str]:
    reason = f", {explanation.reason}" if explanation.reason else ""
    yield f"{explanation.run}: {explanation.status.value}{reason}"
    if explanation.note:
        yield explanation.note
    shown = [reasons for reasons in explanation.phases if not reasons.is_empty]
    for reasons in shown:
        yield ""
        yield from _phase_lines(reasons)
    if not shown and not explanation.note:
        of_one = f"phase {explanation.phases[0].phase} of " if len(explanation.phases) == 1 else ""
        yield f"no check failed in {of_one}{explanation.run}"


def _phase_lines(reasons: PhaseReasons) -> Iterator[str]:
    step = f" in {reasons.step}" if reasons.step else ""
    branch = f"; the attempt is on branch {reasons.branch}" if reasons.branch else ""
    yield f"phase {reasons.phase}, {reasons.name}: {reasons.status.value.replace('_', ' ')}{step}{branch}"
    if reasons.because:
        yield f"  {reasons.because}"
    if reasons.because and not reasons.failures and reasons.step in _ASKING:
        yield f"  what agents said: autopilot transcript {reasons.phase}"
    for failure in reasons.failures:
        yield from _failure(reasons, failure)
    for tried in reasons.refused:
        times = f" {tried.times} times" if tried.times > 1 else ""
        yield f"  task {tried.task} was refused{times}:"
        for failure in tried.failures:
            yield from (f"  {line}" for line in _failure(reasons, failure))


def _failure(reasons: PhaseReasons, failure: Failure) -> Iterator[str]:
    yield f"  {head_line(failure)}"
    yield from (f"    {line}" for line in failure_lines(failure))
    if failure.command:
        yield f"    by hand, the same tree in the same sandbox: {by_hand(reasons, failure)}"


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    return {
        "run": explanation.run,
        "status": explanation.status.value,
        "reason": explanation.reason,
        "note": explanation.note or None,
        "phases": [_phase_document(reasons) for reasons in explanation.phases],
    }


def _phase_document(reasons: PhaseReasons) -> dict[str, Any]:
    return {
        "phase": reasons.phase,
        "name": reasons.name,
        "status": reasons.status.value,
        "step": reasons.step or None,
        "because": reasons.because or None,
        "branch": reasons.branch or None,
        "commit": reasons.commit or None,
        "failures": [_failure_document(reasons, failure) for failure in reasons.failures],
        "refused": [
            {
                "task": tried.task,
                "times": tried.times,
                "failures": [_failure_document(reasons, failure) for failure in tried.failures],
            }
            for tried in reasons.refused
        ],
    }


def _failure_document(reasons: PhaseReasons, failure: Failure) -> dict[str, Any]:
    hand = by_hand(reasons, failure) if failure.command else None
    return {**failure_document(failure), "by_hand": hand}
