"""A declared test file was changed: did the behaviour change, or was the test weakened?"""

from __future__ import annotations

from autopilot.gates.evidence.sabotage import Trial, is_usable
from autopilot.gates.evidence.test_id import around, is_named, name, partners, some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport

SATISFY = "keep what the test required, or make it require behaviour that only the new code has"


def judge_weakened(
    subject: str, pinned: Trial, reverted: Trial | None, changed_ids: frozenset[str]
) -> tuple[Objection, ...]:
    """``pinned``: the file as the plan knew it, on the new code. ``reverted``: the file as it is now, on the old code.

    ``changed_ids`` are the tests that stand in both versions, differ, and passed before the work. What the old
    version refuses and the new one waves through on either code is a test that asks for less.
    """
    for trial in (pinned, reverted):
        if trial is not None and trial.seen is Seen.NOTHING:
            description = f"with {trial.change} it could not be run"
            return (Objection(Layer.RED, subject, description, trial.change, weight=Weight.OURS),)
    refused = _red(pinned, changed_ids)
    if refused is None:
        return ()
    if reverted is None:
        return (_changed(subject, refused, "no implementation changed with it"),)
    if refused and reverted.report is not None and is_usable(reverted.report):
        weak = _passing(refused, reverted.report)
        rest = refused - weak
        return ((_weak(subject, weak),) if weak else ()) + ((_changed(subject, rest),) if rest else ())
    weak_whole = reverted.seen is Seen.PASSED
    return (_weak(subject, refused) if weak_whole else _changed(subject, refused),)


def judge_demands(subject: str, unmet: frozenset[str], text: str) -> tuple[Objection, ...]:
    """``unmet``: tests that were red when the plan was made, were changed, and as they stood then are not met.

    To be red is their purpose: an agent that makes them green by rewriting them has solved another problem. A plan that
    wants that names them in its ``text``.
    """
    refused = [id for id in unmet if not is_named(name(id), text) and not is_named(around(id), text)]
    if not refused:
        return ()
    description = (
        f"tests of the work were changed, and the work fails their versions in the plan's commit: {some(refused)}"
    )
    return (
        Objection(
            Layer.RED,
            subject,
            description,
            min(refused),
            "make the earlier versions pass, or name the tests in the plan",
        ),
    )


def _red(pinned: Trial, changed_ids: frozenset[str]) -> frozenset[str] | None:
    """Ids that the pinned version refuses, none by name where only its exit status is known; None: it refuses none."""
    if pinned.seen is Seen.PASSED:
        return None
    report = pinned.report
    if report is None or not is_usable(report):
        return frozenset()
    red = frozenset(partners(sorted(changed_ids), sorted(report.of(Ended.FAILED))))
    if report.loading:
        # What could not be loaded on the new code is refused as a whole.
        known = partners(sorted(changed_ids), sorted({result.id for result in report.results}))
        red |= changed_ids - frozenset(known)
    return red or None


def _passing(ids: frozenset[str], report: TestReport) -> frozenset[str]:
    good = report.of(Ended.PASSED) - report.of(Ended.FAILED)
    return frozenset(partners(sorted(ids), sorted(good)))


def _weak(subject: str, ids: frozenset[str]) -> Objection:
    names = f": {some(ids)}" if ids else ""
    planned, current = "its planned version fails on the new code", "its current version passes on the old code"
    description = f"the test was weakened: {planned}, {current}{names}"
    return Objection(Layer.RED, subject, description, min(ids, default=""), SATISFY)


def _changed(subject: str, ids: frozenset[str], more: str = "") -> Objection:
    names = f": {some(ids)}" if ids else ""
    description = f"declared tests require other behaviour than before{names}" + (f" ({more})" if more else "")
    return Objection(Layer.RED, subject, description, min(ids, default=""), weight=Weight.FLAG)
