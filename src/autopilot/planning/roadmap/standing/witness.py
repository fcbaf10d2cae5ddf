"""What each witness says of how a phase stands, most trusted first, and what follows from all of them together.

Our own journal comes before all of them; the choice of phases asks it. Then STATE.md, the phase's box and heading,
the boxes of its plans, progress tables, SUMMARY files on disk, dates. A tick that is missing proves nothing: people
forget to set it. So who says done is believed over who merely does not, and the difference is shown in one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from autopilot.model.planning.standing import Stand, Standing


class Says(StrEnum):
    DONE = "done"
    DROPPED = "dropped"
    HELD = "held"  # not before a person has settled something
    REFUSED = "refused"  # somebody judged the phase and found it not done
    OPEN = "open"  # nobody has said that it is done


class Witness(Struct, frozen=True):
    says: Says
    text: str
    of_phase: bool = True  # of the phase as a whole; False where it is concluded from its plans
    quiet: bool = False  # not worth a word where two others agree


def judge_standing(witnesses: Sequence[Witness]) -> Standing:
    done = [witness for witness in witnesses if witness.says is Says.DONE]
    decided = any(witness.of_phase for witness in done)
    for says, stand in ((Says.DROPPED, Stand.DROPPED), (Says.HELD, Stand.HELD), (Says.REFUSED, Stand.OPEN)):
        reason = next((witness.text for witness in witnesses if witness.says is says), "")
        if reason and not decided:
            return Standing(stand, reason, tuple(witness.text for witness in done))
    if not done:
        return Standing()
    sure = len(done) > 1
    against = (other for other in witnesses if other.says is not Says.DONE and not (other.quiet and sure))
    first = next((witness for witness in done if witness.of_phase), done[0])
    return Standing(Stand.DONE, first.text, tuple(other.text for other in against))
