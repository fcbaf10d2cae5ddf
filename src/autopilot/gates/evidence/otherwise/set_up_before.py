"""Does the product do it, or the set-up that the work changed? What set-up makes, product and checks read alike."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen


def judge_set_up_before(subject: str, changed: Sequence[str], seen: Sequence[Observation]) -> tuple[Objection, ...]:
    """``seen``: green criteria with the set-up as it was. The work may rightly need more than that installed."""
    failed = [run for run in seen if run.seen is Seen.FAILED]
    if not failed:
        return ()
    description = f"with {', '.join(changed[:3])} as it was before the work, {failed[0].command} fails"
    satisfy = "look whether the set-up does what the product should; a set-up that installs more is fine"
    return (Objection(Layer.HELD_OUT, subject, description, changed[0], satisfy, Weight.FLAG),)
