"""What is wrong with a drafted roadmap is found by rule, before anybody is shown it. covers: PLAN-DRAFT"""

from __future__ import annotations

import pytest

from autopilot.model.policy import Commands
from autopilot.planning.drafting import MOST_PHASES, find_faults, new_phases
from autopilot.planning.roadmap.roadmap import parse_roadmap

PATH = ".planning/ROADMAP.md"
GREET = """### Phase 1: Greet
**Goal**: It greets
**Depends on**: Nothing
**Success Criteria** (what must be TRUE):
  1. It greets -- verified by: `sh hello.sh Ann` (contains "hello Ann")
"""
BYE = GREET.replace("Phase 1: Greet", "Phase 2: Bye").replace("Nothing", "Phase 1")
HEAD = "# Roadmap\n\n"


def faults(after: str, before: str = "") -> list[str]:
    return list(find_faults(before, after, PATH, Commands()))


def test_what_no_diff_shows_is_no_part_of_a_draft() -> None:
    tag, mark = "\U000e0041", "\ufeff"
    assert any("invisible" in fault for fault in faults(f"{HEAD}{GREET}".replace("It greets", f"It{tag} greets")))
    assert faults(f"{mark}{HEAD}{GREET}\n{BYE}", f"{mark}{HEAD}{GREET}") == [], "what the user wrote stays"


def test_a_roadmap_with_goals_and_checks_that_can_fail_has_no_fault() -> None:
    assert faults(f"{HEAD}{GREET}\n{BYE}") == []


@pytest.mark.parametrize(
    ("draft", "fault"),
    [
        (HEAD, "the file contains no phase"),
        (HEAD + GREET.replace("**Goal**: It greets\n", ""), "phase 1 (Greet) has no goal"),
        (
            HEAD + GREET.replace(' -- verified by: `sh hello.sh Ann` (contains "hello Ann")', ""),
            "that a command decides",
        ),
        (
            HEAD + GREET.replace("sh hello.sh Ann", "sh hello.sh || true").replace(' (contains "hello Ann")', ""),
            "cannot fail",
        ),
        (HEAD + GREET.replace("Nothing", "Phase 7"), "7, which this roadmap does not have"),
        (HEAD + GREET.replace("Nothing", "Phase 2") + BYE, "depend on each other in a circle"),
        (HEAD + GREET.replace("Phase 1: Greet", "Phase 1: Greet ✅"), "a drafted phase is open"),
        (HEAD + GREET.replace("It greets\n", "It greets \x1b[8m\n"), "control characters"),
        (HEAD + "".join(GREET.replace("Phase 1", f"Phase {n}") for n in range(1, MOST_PHASES + 2)), "40 at most"),
    ],
)
def test_each_fault_is_named(draft: str, fault: str) -> None:
    assert any(fault in found for found in faults(draft)), faults(draft)


def test_what_is_there_already_stays_as_it_is() -> None:
    before = f"{HEAD}Ours.\n\n{GREET}"
    assert faults(f"{before}\n{BYE}", before) == []
    assert [phase.id for phase in new_phases(before, parse_roadmap(f"{before}\n{BYE}", PATH), Commands())] == ["2"]
    changed = f"{before}\n{BYE}".replace("Ours.", "Mine.")
    assert any("the line `Ours.` was changed" in fault for fault in faults(changed, before))
    reworded = f"{before}\n{BYE}".replace("**Goal**: It greets", "**Goal**: It greets all", 1)
    assert any("phase 1 would be read otherwise" in fault for fault in faults(reworded, before))
    assert "it has no new phase" in faults(before, before)


def test_a_line_that_is_added_to_an_old_phase_is_a_change_of_it() -> None:
    before = f"{HEAD}{GREET}"
    more = before + "  2. It shouts -- verified by: `sh hello.sh ANN`\n\n" + BYE
    assert any("phase 1 would be read otherwise" in fault for fault in faults(more, before))
