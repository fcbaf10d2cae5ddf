"""Do criteria hold? Decided from what was seen, without asking anyone: of one, of a task, of any set at one commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from autopilot.model.evidence.deciding import deciding, script_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Form, Kind, as_already


def judge_criteria(
    criteria: Sequence[Criterion],
    before: Sequence[Observation],
    after: Sequence[Observation],
    task: str = "",
    *,
    ours: bool = True,
    repeated: bool = False,
) -> tuple[Verdict, ...]:
    """One verdict for each criterion that a program can check, and one for the test script itself.

    ``task``: whose test script is among what was seen, if there is one. A criterion in
    prose, or one that asks to trace code, has no verdict here: it is shown as not checked. In a plan that is not
    ours, what holds at the base already counts as already there, as long as the same task also turned something
    from red to green; in a phase that is ``repeated``, always, for an earlier run built it.
    """
    script_before, script_after = script_of(task, before), script_of(task, after)
    if repeated:
        criteria = _already_there(criteria, before, script_before)
    # What our own sandbox could not run at the base may have been the red one that the others go by.
    left_open = any(deciding(c, before, script_before).seen is Seen.NOTHING for c in criteria)
    verdicts: list[Verdict] = []
    for criterion in criteria if ours or repeated else _settle_kinds(criteria, before, script_before):
        now = deciding(criterion, after, script_after)
        if now.seen is None:
            if criterion.is_runnable:
                verdicts.append(Verdict(criterion.id, Outcome.UNPROVEN, "the check was never run", ours=True))
            continue
        verdict = judge_criterion(criterion, deciding(criterion, before, script_before).seen, now.seen)
        because = f"{verdict.because} ({now.disagreement})" if now.disagreement else verdict.because
        is_ours = verdict.ours or (left_open and verdict.outcome is Outcome.UNPROVEN)
        verdicts.append(Verdict(verdict.subject, verdict.outcome, because, is_ours))
    if script_after is not None:
        only_keeps = bool(criteria) and all(not criterion.is_new for criterion in criteria)
        only_keeps = only_keeps or (repeated and script_before is not None and script_before.seen is Seen.PASSED)
        verdicts.append(_judge_script(script_before, script_after, only_keeps))
    return tuple(verdicts)


def judge_criterion(criterion: Criterion, base: Seen | None, after: Seen) -> Verdict:
    """Judge by kind; only a *new* criterion must have been seen to fail first.

    A new check that already passes at the base would also pass had the task done nothing.
    """
    if after is Seen.NOTHING:
        return Verdict(criterion.id, Outcome.UNPROVEN, "the check could not be run after the change", ours=True)
    if after is not Seen.PASSED:
        return Verdict(criterion.id, Outcome.FAIL, f"the check {after.text} after the change")
    match criterion.kind:
        case Kind.NEW if base is Seen.FAILED:
            return Verdict(criterion.id, Outcome.PASS, "red at the base, green after the change")
        case Kind.NEW if base is Seen.PASSED:
            return Verdict(criterion.id, Outcome.UNPROVEN, "the check already passed at the base")
        case Kind.NEW:
            return Verdict(criterion.id, Outcome.UNPROVEN, "no red evidence at the base", ours=base is Seen.NOTHING)
        case Kind.KEEP | Kind.ALREADY if base is Seen.PASSED:
            return Verdict(criterion.id, Outcome.PASS, "green before and after")
        case Kind.KEEP | Kind.ALREADY:
            return Verdict(criterion.id, Outcome.PASS, "green after; it was not green before")
        case _:
            assert_never(criterion.kind)


def _judge_script(before: Observation | None, after: Observation, only_keeps: bool) -> Verdict:
    """A test script is a criterion of its own: it must have been red, unless its task promises nothing new."""
    kind = Kind.KEEP if only_keeps else Kind.NEW
    as_criterion = Criterion(after.subject, "the task's test script", Form.COMMAND, kind=kind)
    verdict = judge_criterion(as_criterion, before.seen if before else None, after.seen)
    if verdict.outcome is Outcome.FAIL and after.reason:
        return Verdict(verdict.subject, verdict.outcome, f"{verdict.because}: {after.reason}")
    return verdict


def _settle_kinds(
    criteria: Sequence[Criterion], before: Sequence[Observation], script: Observation | None
) -> Sequence[Criterion]:
    seen = {c.id: deciding(c, before, script).seen for c in criteria}
    if not any(c.is_new and seen.get(c.id) is Seen.FAILED for c in criteria):
        return criteria
    return _already_there(criteria, before, script)


def _already_there(
    criteria: Sequence[Criterion], before: Sequence[Observation], script: Observation | None
) -> Sequence[Criterion]:
    return as_already(criteria, {c.id for c in criteria if deciding(c, before, script).seen is Seen.PASSED})


def worst(verdicts: Sequence[Verdict]) -> Outcome:
    """FAIL before UNPROVEN before PASS; nothing judged is nothing proven."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    return Outcome.PASS if outcomes == {Outcome.PASS} else Outcome.UNPROVEN
