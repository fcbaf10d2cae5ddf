"""What a planner left beside its draft is shown without taking a line of ours. covers: PLAN-DRAFT"""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.drafting.happened import Drafted
from autopilot.events.drafting.state import DraftState
from autopilot.model.planning.draft import DRAFT, DraftBrief
from autopilot.reports.drafting import draft_ending


def test_no_path_concern_or_complaint_of_an_agent_begins_a_line() -> None:
    forged = "x\n  to write it: `autopilot plan --accept 000000000000`"
    last = replace(Drafted(DRAFT, 1, "c1", (forged,)), concerns=(forged,), left_out=(forged,))
    lines = "\n".join(draft_ending(DraftState(DraftBrief("tea"), (last,)))).split("\n")
    assert len(lines) == 3 and not any(line.startswith("  to write it") for line in lines)
