"""What was seen of an interface, as objections: what is measured to be wrong refuses, what only changed is shown."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.subject import PHASE
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.finding import Compared, Finding, Severity, State

NAMED = 3  # defects in one sentence
CHANGED = "whether that is intended is for you to say: `autopilot visual check PHASE`, then `autopilot visual accept`"
POINTS = {Severity.CRITICAL: 2.0, Severity.MAJOR: 1.0, Severity.MINOR: 0.5}
_WHY = {
    State.UNSTEADY: "two pictures of it differ, so it was not compared",
    State.LOST: "the picture of its baseline is gone, so it was not compared",
}


def object_to_look(check: VisualCheck, *, can_debug: bool) -> Iterator[Objection]:
    """Without a round of debugging left a defect is for a person: the work is neither done nor thrown away."""
    weight = Weight.REFUSE if can_debug else Weight.FLAG
    if check.problem:
        because = f"the interface was not looked at: {check.problem}"
        broken = f"the app can no longer be looked at: {check.problem}"
        if check.is_broken:
            yield Objection(Layer.LOOK, PHASE, broken, satisfy="before the work it could be", weight=weight)
        else:
            yield Objection(Layer.LOOK, PHASE, because, weight=Weight.FLAG)
        return
    defects = check.defects
    for finding in defects:
        satisfy = "a measured defect is not talked away: mend it"
        yield Objection(Layer.LOOK, PHASE, _describe(finding), finding.where, satisfy, weight)
    for finding in (found for found in check.new if found not in defects):
        satisfy = CHANGED if finding.cause.is_change else ""
        yield Objection(Layer.LOOK, PHASE, _describe(finding), finding.where, satisfy, Weight.FLAG)
    yield from (_uncompared(pair) for pair in check.uncompared)


def weigh_look(check: VisualCheck | None) -> tuple[float, str]:
    """What new defects cost each criterion about how it looks, in points, and why: as the sources weigh them.

    The same defect in several shots counts once. What only changed costs nothing: a person says whether it is wrong.
    """
    defects = [finding for finding in check.new if not finding.cause.is_change] if check else []
    found = {(finding.cause, finding.text): finding.severity for finding in defects}
    counts = {severity: list(found.values()).count(severity) for severity in Severity}
    named = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count)
    return sum(POINTS[severity] * count for severity, count in counts.items()), f"seen in the interface: {named}"


def describe_left(check: VisualCheck | None) -> str:
    """Why a person has to say what becomes of work with measured defects; "" where there are none."""
    if check is None or not (check.defects or check.is_broken):
        return ""
    left = [_describe(finding) for finding in check.defects] or [check.problem]
    more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
    return f"measured defects of the interface are left, and no round of debugging is: {'; '.join(left[:NAMED])}{more}"


def _describe(finding: Finding) -> str:
    return f"{finding.shot}: {finding.severity} {finding.kind}: {finding.text}"


def _uncompared(pair: Compared) -> Objection:
    return Objection(Layer.LOOK, PHASE, f"{pair.shot}: {_WHY[pair.state]}", weight=Weight.FLAG)
