"""STATE.md as GSD, people and agents write it. covers: INV-1"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.roadmap.standing.position import parse_position

FRONT = "---\ngsd_state_version: 1.0\ncurrent_phase: 07-mail\nstatus: {0}\n---\n\n# State\n"


@pytest.mark.parametrize(
    ("text", "phase", "over"),
    [
        ("Phase: 3 of 9 (Mail)\nPlan: 2 of 4\nStatus: In progress\n", "3", False),
        ("**Phase:** 03.1 of 9 (Mail) — COMPLETE\n", "3.1", True),
        ("- **Current Phase**: Phase 29: Final polish\n- **Status**: Phase 28 complete. More to come\n", "29", False),
        ("Phase: 5 of 8 (Complete the mail)\nStatus: Ready to plan\n", "5", False),
        ("Phase: 5 - Complete the mail\n", "5", False),
        ("Phase: 5 of 8 (Mail)\nStatus: Phase complete — ready for verification\n", "5", True),
        ("Phase: 5 of 8 (Mail)\nStatus: Completed 05-02-PLAN.md\n", "5", False),
        ("Phase: 07 complete (5 plans in 3 waves)\n", "7", True),
        ("Phase: Phase 23 — 完成\n", "23", True),
        ("Phase: 14-mail-and-post\nStatus: not complete\n", "14", False),
        ("Phase: [2] of [5] ([Mail])\n", "2", False),
        ("**Phase**: 3/7 - Mail\n", "3", False),
        ("Phase: --\nStatus: v3.0 milestone complete\n", None, True),
        ("Phase: Milestone v5 complete\nPlan: —\n", None, True),
        ("## Current Phase\n\n**Phase 4: Mail** is next\n", "4", False),
        ("## Current Phase: 4 — Mail\n", "4", False),
        ("| Item | Value |\n|---|---|\n| **Current Phase** | 6 of 8 |\n", "6", False),
        ("**Current focus:** Phase 6 — Mail\n", "6", False),
        ("Phase: 5 of 9 (Mail) — EXECUTING\n**Current Phase:** 06\n**Status:** Ready to plan\n", "6", False),
        ("Phase: 6 of 9 (Mail) — COMPLETE\n**Current Phase:** 06\n**Status:** Verifying\n", "6", True),
        ("Phase: Not started (defining requirements)\nPlan: —\nStatus: Defining requirements\n", None, False),
        ("**Current Phase:** None\n", None, False),
        ("**Current Phase:** 09\n**Status:** Milestone complete\n", "9", True),
        (FRONT.format("executing"), "7", False),
        (FRONT.format("completed"), "7", True),
        (FRONT.format("executing") + "Phase: 8 of 9\n", "8", False),
        ("```\nPhase: 3 of 9\n```\n", None, False),
        ("", None, False),
        ("Nothing of the kind.\n", None, False),
    ],
)
def test_the_current_phase_and_whether_it_is_over(text: str, phase: str | None, over: bool) -> None:
    position = parse_position(text)
    assert (position.phase, position.over) == (phase, over)


@pytest.mark.parametrize(
    ("text", "everything"),
    [
        ("Phase: 9 of 9 (Mail)\nStatus: Phase complete -- ALL PHASES COMPLETE\n", True),
        ("Phase: 9 of 9 (Mail) — ALL MILESTONES COMPLETE\n", True),
        ("Phase: 9 of 9 (milestone v1.2 complete)\nStatus: Ready to plan next milestone\n", True),
        ("Phase: 9 of 9\nStatus: **v1.4 SHIPPED 2026-01-01**\n", True),
        ("Phase: 9 of 9 (Mail) — COMPLETE\nStatus: All plans complete.\n", True),
        ("Phase: 5 of 9 (Mail) — COMPLETE\nStatus: All plans complete.\n", False),
        ("Phase: 5 of 9 (Mail)\nStatus: Milestone v1.0 complete, phase 5 ready to plan\n", False),
        ("**Current focus:** Milestone 2 -- Phase 14 COMPLETE\nPhase: 14 (Mail)\nStatus: Phase complete\n", False),
        ("Phase: 9 of 9\nStatus: In progress\n", False),
    ],
)
def test_everything_up_to_the_current_phase_is_over_only_where_that_is_said(text: str, everything: bool) -> None:
    position = parse_position(text)
    assert position.everything is everything
    assert position.calls_complete(PhaseId("4.1")) is everything
    assert not position.calls_complete(PhaseId("10"))


@pytest.mark.parametrize(
    "said",
    [
        " — plan 1 done, plan 2 open",
        " — plan 1 ✅",
        " - research complete, ready to plan",
        " — context gathering complete, plans pending",
        " — 50% complete",
        " — partially complete",
        " — isn't done.",
        " — never finished.",
        " — to be completed 2026-12-01",
        " — 未完成",
        " — complete 1/3 plans",
        "\nStatus: Verified, gaps found",
        "\nStatus: Complete, 2 plans pending",
        "\nStatus: not all phases complete",
        "\nStatus: All phases are not complete",
        "\nStatus: Before all phases are done we need keys",
        "\nStatus: v1.1 requirements complete",
        "\nCurrent focus: users get a new-milestone badge",
        "\nCurrent focus: new milestone banner",
    ],
)
def test_prose_that_only_holds_such_a_word_ends_nothing(said: str) -> None:
    position = parse_position(f"Phase: 3 of 3 (Mail){said}\n")
    assert (position.phase, position.over, position.everything) == ("3", False, False)


@pytest.mark.parametrize(
    "said",
    [
        " — 100% complete",
        " — Mail ✅",
        " — COMPLETE 2026-01-01",
        " — COMPLETE 4/4 plans, next is 4",
        " (complete)",
        " — All 4 plans done",
        "\nStatus: Phase complete, no gaps",
    ],
)
def test_the_word_by_itself_ends_the_phase(said: str) -> None:
    assert parse_position(f"Phase: 3 of 5 (Mail){said}\n").over


def test_phases_listed_as_complete_are_heard_and_items_of_a_to_do_list_are_not() -> None:
    text = (
        "## Completed Phases\n- ✅ **Phase 3**: Mail\n- **Phase 5–7**: Post ✅\n- **Phase 8**: Later\n"
        "## Pending Todos\n- [x] **Phase 12**: fix the bell\n- ✅ Phase 13: asked\n"
        "## Phase Status\n| Phase | Name | Status |\n|--|--|--|\n| 14 | Bell | ✓ Complete |\n| 15 | Door | Pending |\n"
    )
    position = parse_position(text)
    heard = [id for id in map(str, range(1, 20)) if position.calls_complete(PhaseId(id))]
    assert heard == ["3", "5", "6", "7", "14"]


def test_a_phase_that_another_label_still_calls_complete_is_complete() -> None:
    position = parse_position("Phase: 5 of 9 (Mail) — COMPLETE\n**Current Phase:** 06\n")
    assert (position.phase, position.over, position.complete) == ("6", False, {"5"})


def test_what_is_being_done_is_short() -> None:
    text = "Phase: 3 of 9 (Mail)\nPlan: 2 of 4 in current phase\nStatus: Executing. A long story follows here.\n"
    assert parse_position(text).doing == "plan 2 of 4, executing"


@pytest.mark.parametrize(
    ("name", "fits"), [("Mail and post", True), ("Cellar", False), ("", True), ("第一", True), ("mail", True)]
)
def test_a_state_whose_phase_has_another_name_here_tells_of_another_milestone(name: str, fits: bool) -> None:
    assert parse_position("Phase: 2 of 3 (ready to plan)\n").name == ""
    position = parse_position("Phase: 2 of 3 (Send mail)\n")
    other = Phase(PhaseId("2"), name)
    assert position.misnamed([Phase(PhaseId("1"), "Cellar"), other]) == (None if fits else other)


@given(
    st.lists(
        st.sampled_from(
            ["---", "Phase: 3 of", "Status: ", "| Phase |", "current_phase: x", "- ✅ Phase 2-", "## Current Phase"]
        )
        | st.text(max_size=40)
    ).map("\n".join)
)
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    position = parse_position(text)
    assert position.phase is None or position.phase == position.phase.strip()
    position.calls_complete(PhaseId("1"))


def test_a_line_for_each_phase_that_is_complete_is_read_to_the_last() -> None:
    text = "# State\n\n**Objective complete:** 0 — Table\n**Objective complete:** 02 — Layer\n**Phase:** 3 of 4\n"
    position = parse_position(text)
    assert (position.complete, position.phase) == (frozenset({"0", "2"}), "3")
    assert parse_position("Phase complete: none\n").complete == frozenset()


def test_a_phase_that_is_next_is_not_over_because_the_one_before_it_is() -> None:
    """GSD says "completed" in front when a phase ends, and the body is at the next one already."""
    front = "---\nstatus: completed\nprogress:\n  total_phases: 9\n  completed_phases: 3\n---\n"
    at = parse_position(f"{front}## Current Position\n\nPhase: 8 of 13\nStatus: Phase 7 complete; ready for Phase 8\n")
    assert (at.phase, at.over, at.calls_complete(PhaseId("7"))) == ("8", False, True)
    assert not at.calls_complete(PhaseId("8"))
    # Alone, the same word speaks of the phase that the file is at.
    assert parse_position(f"{front}Phase: 8 of 13\n").calls_complete(PhaseId("8"))
