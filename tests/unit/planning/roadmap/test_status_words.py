"""Words for how a phase stands, where they are marks and where they are prose. covers: INV-1"""

from __future__ import annotations

import pytest

from autopilot.planning.roadmap.standing.status_words import (
    given_up,
    given_up_mark,
    is_status,
    marked_done,
    says_complete,
)
from autopilot.planning.roadmap.standing.status_words import says_refused as refused


@pytest.mark.parametrize(
    "status",
    [
        "Complete",
        "complete (2/2)",
        "**DONE** — at last",
        "✅",
        "✅ Shipped",
        "✓ Complete",
        "Completed   ",
        "100%",
        "完成",
        "已完成",
    ],
)
def test_a_status_that_begins_with_the_word_says_complete(status: str) -> None:
    assert says_complete(status) and is_status(status) and not refused(status)


@pytest.mark.parametrize(
    "status",
    [
        "",
        "-",
        "Not started",
        "In progress",
        "Incomplete",
        "Completely open",
        "2026-01-01",
        "3/3",
        "not done",
        "未完成",
        "v1.0",
    ],
)
def test_other_statuses_do_not(status: str) -> None:
    assert not says_complete(status)


@pytest.mark.parametrize(
    "status", ["**GOAL NOT ACHIEVED** (graded twice)", "PHASE NOT CLOSED", "Awaiting operator", "gaps_found", "Blocked"]
)
def test_a_judgement_against_the_phase_is_told_from_one_that_has_not_begun(status: str) -> None:
    assert refused(status)
    assert not any(map(refused, ("Not started", "In progress", "Complete; nothing blocked", "Ready to plan")))


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("Deferred", "deferred"),
        ("**Archived** (superseded)", "archived"),
        ("Moved on (Superseded)", "superseded"),
        ("⏸ Paused", "paused"),
        ("In progress", ""),
        ("Planned: the deferred tests", ""),
    ],
)
def test_a_status_may_say_that_a_phase_was_given_up(status: str, word: str) -> None:
    assert given_up(status) == word


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("### Phase 4: Mail (Superseded)", "superseded"),
        ("### Phase 4: Mail — **DEFERRED to v2**", "deferred"),
        ("- [ ] **Phase 4: Mail** - cancelled", "cancelled"),
        ("- [ ] **Phase 4: Mail** -- dropped 2026-01-01", "dropped"),
        ("### Phase 999.1: Mail (BACKLOG)", "backlog"),
        ("### ~~Phase 4: Mail~~", "struck through"),
        ("- [ ] ~~**Phase 4: Mail**~~ one day", "struck through"),
        ("### Phase 4: ~~Mail~~", "struck through"),
        ("### Phase 4: ~~Post~~ Mail", ""),
        ("### Phase 4: Cancelled orders", ""),
        ("- [ ] **Phase 4: Mail** - Deferred items of phase 3", ""),
        ("- [ ] **Phase 4: Mail** - show removed and archived mail", ""),
    ],
)
def test_in_a_title_only_a_mark_gives_a_phase_up(line: str, word: str) -> None:
    assert given_up_mark(line) == word


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("### Phase 4: Mail ✅", True),
        ("### Phase 4: Mail (completed 2026-01-01)", True),
        ("### Phase 4: Mail — **COMPLETE (2026-01-01)**", True),
        ("### Phase 4: Mail [DONE]", True),
        ("- [ ] **Phase 4: Mail** - done", True),
        ("### Phase 4: Mail - Complete rewrite", False),
        ("### Phase 4: Done list", False),
        ("### ~~Phase 4: Mail~~", False),
    ],
)
def test_in_a_title_only_a_mark_says_done(line: str, done: bool) -> None:
    assert marked_done(line) is done
