"""What a phase aims at: a bar, how many cycles it has to reach it, and when another cycle is pointless.

================  ======================  ==========================  ====================  =========================
                  bar                     cycles                      ends early            falling short means
================  ======================  ==========================  ====================  =========================
no flag           the threshold           those of the policy         never                 incomplete
`--quality`       9.5 (the threshold)     3 (those of the policy)     a cycle raised none   quality_exhausted
`--gaps`          9.5, from 9.5 on 9.8    5, one deficiency each      no deficiency left    gaps_exhausted
both              9.5, once there 9.8     those of each               as each does          that of the current one
`--gaps`, unproven  as no flag until it passed, then as `--gaps`
================  ======================  ==========================  ====================  =========================

Neither flag ever fails a phase: a user who asks for more than enough does not lose what was enough.
"""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.intent import GAP_ITERATIONS, NEAR_PERFECT, Intent, Purpose
from autopilot.model.intent import QUALITY as GAP_TARGET
from autopilot.model.policy import Policy
from autopilot.model.ruling import Attempts
from autopilot.model.run import PhaseBrief

QUALITY, GAPS = "quality", "gaps"


class Aim(Struct, frozen=True):
    target: float
    most: int  # cycles
    flag: str = ""  # quality or gaps; "" for the threshold alone
    stops_when_flat: bool = False  # a cycle that raised nothing is the last
    one_at_a_time: bool = False  # a deficiency a cycle, none of them twice

    def cycles(self, attempts: Attempts) -> int:
        """How many were made for this aim."""
        return sum(flag == self.flag for flag, _ in attempts.aimed) if self.flag else attempts.remediations


def aim_of(brief: PhaseBrief, intent: Intent, policy: Policy, attempts: Attempts, score: float | None) -> Aim:
    """``score`` is where the phase stands now. With both flags the gaps come once the quality was reached."""
    if brief.purpose is Purpose.GAPS:
        return _gaps(target_of(GAPS, brief, policy))
    if intent.gaps and not intent.quality and _is_proven(policy, attempts, score):
        return _gaps(target_of(GAPS, brief, policy))
    if not (intent.quality or brief.purpose is Purpose.REFINE):
        return plain_aim(policy)
    reached = score is not None and score >= policy.pass_threshold
    if intent.gaps and (reached or any(flag == GAPS for flag, _ in attempts.aimed)):
        return _gaps(target_of(GAPS, brief, policy))
    return Aim(policy.pass_threshold, policy.attempts.remediations, QUALITY, stops_when_flat=True)


def _is_proven(policy: Policy, attempts: Attempts, score: float | None) -> bool:
    """A phase that was done by a claim has passed by our own evidence, or had a gap closed since."""
    return (score is not None and score >= policy.pass_threshold) or any(flag == GAPS for flag, _ in attempts.aimed)


def plain_aim(policy: Policy) -> Aim:
    return Aim(policy.pass_threshold, policy.attempts.remediations)


def target_of(flag: str, brief: PhaseBrief, policy: Policy) -> float:
    """The bar of a cycle with this flag. A phase that stood at 9.5 already, or got there in this run, aims higher."""
    if flag != GAPS:
        return policy.pass_threshold
    before = brief.earlier.score if brief.earlier else None
    low = (brief.purpose is Purpose.GAPS or policy.pass_threshold < GAP_TARGET) and (
        before is None or before < GAP_TARGET
    )
    return GAP_TARGET if low else NEAR_PERFECT


def goes_on(aim: Aim, attempts: Attempts, score: float, left: int) -> bool:
    """Whether one more cycle is worth it, for a phase that has not reached what it aims at."""
    if aim.cycles(attempts) >= aim.most or (aim.one_at_a_time and not left):
        return False
    before = [old for flag, old in attempts.aimed if flag == aim.flag][-1:]
    flat = any(old is not None and score <= old for old in before)
    return not (aim.stops_when_flat and flat)


def is_exhausted(aim: Aim, attempts: Attempts, score: float | None) -> bool:
    """Aimed at more, tried, and did not get there. Where there was nothing to try, nothing was used up."""
    short = score is None or score < aim.target
    return bool(aim.flag) and short and aim.cycles(attempts) > 0


def _gaps(target: float) -> Aim:
    return Aim(target, GAP_ITERATIONS, GAPS, one_at_a_time=True)
