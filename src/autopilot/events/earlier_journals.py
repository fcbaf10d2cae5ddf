"""What journals of earlier versions record as prose only, parsed here and nowhere else.

A field that was added later is UNSET in such a journal. A journal of today always has the field, so no text that an
agent or a command wrote is ever read here for it.
"""

from __future__ import annotations

import re

from msgspec import UNSET

from autopilot.events.happened import LandingDeferred, PhaseSkipped, RunStopped, StepEnded
from autopilot.model.agent import Ending
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.git import LandingState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import StopKind

_ENDED_AS = re.compile(rf"the \w+ ended as ({'|'.join(Ending)})\b")
_BLOCKED_BY = "blocked_by_phase_"
_MOVED = (", not at ", "the branch moved")
_CAP, _UNPROVEN = 4, 5


def ending_of(event: StepEnded) -> Ending | None:
    if event.ending is not UNSET:
        return event.ending
    found = _ENDED_AS.match(event.detail)
    return Ending(found[1]) if found else None


def stop_kind_of(event: RunStopped) -> StopKind | None:
    if event.kind is not UNSET:
        return event.kind
    if event.exit_status != _CAP:
        return StopKind.PROBLEM if event.exit_status == _UNPROVEN else None
    is_limited = " ended as " in event.reason if event.limited is UNSET else event.limited
    return StopKind.LIMIT if is_limited else StopKind.CAP


def blocked_by(event: PhaseSkipped) -> PhaseId:
    if event.blocked_by is not UNSET:
        return event.blocked_by
    is_blocked = event.reason.startswith(_BLOCKED_BY)
    return PhaseId(event.reason.removeprefix(_BLOCKED_BY)) if is_blocked else PhaseId("")


def obstacle_of(event: LandingDeferred) -> LandingState:
    if event.obstacle is not UNSET:
        return event.obstacle
    if any(phrase in event.because for phrase in _MOVED):
        return LandingState.BRANCH_MOVED
    if "HEAD is on no branch" in event.because:
        return LandingState.DETACHED
    return LandingState.OTHER_BRANCH if "the checkout is on " in event.because else LandingState.NOT_CLEAN


def trouble_of(seen: Observation) -> Trouble | None:
    if seen.trouble is not UNSET:
        return seen.trouble
    is_violation = seen.seen is not Seen.PASSED and seen.reason.startswith("violation")
    return Trouble.VIOLATION if is_violation else None
