"""The frozen spec and the tick that must not break it. covers: INV-4, T4"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.config.config import Config
from autopilot.planning.roadmap.edits import tick_phase
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.spec.spec import choose_spec, neutralise, parse_requirements, spec_hash

ROADMAP = (
    "# Tea\n\n- [ ] **Phase 1: Kettle** - boil [ ] water  \r\n- [ ] **Phase 2: Pot**\n\n"
    "### Phase 1: Kettle\n**Goal**: g\n"
    "- [ ] **Phase 1** is a task here\n\n## Progress\n\n"
    "| Phase             | Milestone | Plans Complete | Status      | Completed  |\n|---|---|---|---|---|\n"
    "| 1. Kettle         | v1        | 1/3            | In progress | -          |\n"
    "| 2. Pot | v1 | 0/TBD | Not started | - |"
)
DAY = "2026-11-15"


def changed(before: str, after: str) -> dict[int, str]:
    pairs = zip(before.split("\n"), after.split("\n"), strict=True)
    return {number: new for number, (old, new) in enumerate(pairs, start=1) if old != new}


def test_a_tick_touches_the_box_and_the_row_and_nothing_else() -> None:
    assert changed(ROADMAP, tick_phase(ROADMAP, PhaseId("1"), DAY)) == {
        3: "- [x] **Phase 1: Kettle** - boil [ ] water (completed 2026-11-15)  \r",
        14: "| 1. Kettle         | v1        | 3/3            | Complete    | 2026-11-15 |",
    }


def test_a_count_that_is_not_known_is_left_and_short_cells_grow() -> None:
    assert changed(ROADMAP, tick_phase(ROADMAP, PhaseId("2"), DAY)) == {
        4: "- [x] **Phase 2: Pot** (completed 2026-11-15)",
        15: "| 2. Pot | v1 | 0/TBD | Complete    | 2026-11-15 |",
    }


def test_a_line_that_carries_its_date_keeps_it() -> None:
    text = "- [x] Phase 1: A [ ] (2/2 plans) — completed 2026-01-01\n"
    assert tick_phase(text, PhaseId("1"), DAY) == text


def test_an_open_box_in_an_archive_is_ticked_where_it_is_the_only_one_of_its_phase() -> None:
    text = "<details>\n- [ ] Phase 1: A\n- [ ] Phase 2: B\n</details>\n"
    assert tick_phase(text, PhaseId("1"), DAY) == text.replace("[ ] Phase 1: A", f"[x] Phase 1: A (completed {DAY})")


def test_archives_fences_and_unknown_phases_are_not_touched() -> None:
    text = "<details>\n- [x] Phase 1: A\n- [ ] Phase 2: B\n</details>\n```\n- [ ] Phase 1: A\n```\n"
    assert tick_phase(text, PhaseId("1"), DAY) == text
    old = "<details>\n- [ ] Phase 1: A\n</details>\n"
    assert tick_phase(f"{old}- [x] Phase 1: B (completed 2026-01-01)\n", PhaseId("1"), DAY).startswith(old)
    assert tick_phase(ROADMAP, PhaseId("7"), DAY) == ROADMAP


PIECES = [
    "- [ ] **Phase 1: A** - x",
    "- [x] Phase 1: A",
    "* [ ] Phase 2: B  ",
    "### Phase 1: A",
    "## Progress",
    "| Phase | Plans | Status |",
]
PIECES += [
    "|---|---|---|",
    "| 1. A | 0/2 | Not started |",
    "| Phase 2 | - | Planned |",
    "```",
    "<details>",
    "</details>",
    "",
    "\r",
    "|",
]
PIECES += ["| Phase | Status | Completed |", "| 1 | x \\| y | - |"]
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES) | st.text(max_size=12), st.sampled_from(["\n", "\r\n"]))).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)


@given(TEXTS, st.sampled_from(["1", "2", "3"]))
def test_every_other_line_is_byte_identical_and_ticking_twice_is_ticking_once(text: str, id: str) -> None:
    phase = PhaseId(id)
    ticked = tick_phase(text, phase, DAY)
    for line in changed(text, ticked).values():
        assert id in line and ("[x]" in line or "Complete" in line)
    assert tick_phase(ticked, phase, "2027-01-01") == ticked
    assert ticked.count("\r") == text.count("\r")


@given(TEXTS, st.sampled_from(["1", "2"]))
def test_our_own_tick_never_breaks_the_spec_lock(text: str, id: str) -> None:
    assert spec_hash(tick_phase(text, PhaseId(id), DAY)) == spec_hash(text)


@given(TEXTS)
def test_a_tick_is_read_back_as_ticked(text: str) -> None:
    boxed = text + "\n- [ ] **Phase 41: Z**\n"
    if all(phase.id != "41" for phase in parse_roadmap(boxed, "R").phases):
        return  # the generated text put the line inside a fence, an archive or another phase
    assert {p.id: p.ticked for p in parse_roadmap(tick_phase(boxed, PhaseId("41"), DAY), "R").phases}["41"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- [ ] a\n", "- [x] a\n"),
        ("1. [X] a", "1. [ ] a"),
        ("- a", "- a (completed 2026-01-01)"),
        ("a\r\nb  \r\n", "a\nb\n"),
        (
            "| Requirement | Phase | Status |\n|-|-|-|\n| A-1 | Phase 1 | Pending |",
            "| Requirement | Phase | Status |\n|-|-|-|\n| A-1 | Phase 1 | Complete |",
        ),
    ],
)
def test_progress_does_not_change_the_hash(one: str, other: str) -> None:
    assert spec_hash(one) == spec_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- [ ] a", "- [ ] b"),
        ("x[x]", "x[ ]"),
        (
            "| Requirement | Phase | Status |\n|-|-|-|\n| A-1 | Phase 1 | x |",
            "| Requirement | Phase | Status |\n|-|-|-|\n| A-1 | Phase 2 | x |",
        ),
    ],
)
def test_words_do_change_the_hash(one: str, other: str) -> None:
    assert spec_hash(one) != spec_hash(other)


@given(st.text())
def test_neutralising_twice_is_neutralising_once(text: str) -> None:
    assert neutralise(neutralise(text)) == neutralise(text)
    assert len(spec_hash(text)) == 64


def test_the_repositorys_own_list_of_specs_comes_first() -> None:
    there = {"docs/b.md", ".planning/PROJECT.md", ".planning/ROADMAP.md"}
    assert choose_spec(Config(spec_paths=("docs/a.md", "docs/b.md")), there.__contains__) == "docs/b.md"
    assert choose_spec(Config(spec_paths=("docs/a.md",)), there.__contains__) == ".planning/PROJECT.md"
    with pytest.raises(UsageError):
        choose_spec(Config(), lambda _: False)


def test_requirements_are_read_with_their_box_and_line() -> None:
    found = parse_requirements(
        "# R\n- [x] **AUTH-01**: Log in\r\n- [ ] **UI-2b**: See\n- **DATA-3**: Keep\n- **Bold**: no\n"
        "```\n- [ ] **X-1**: no\n```"
    )
    assert [(one.id, one.text, one.ticked, one.line) for one in found] == [
        ("AUTH-01", "Log in", True, 2),
        ("UI-2b", "See", False, 3),
        ("DATA-3", "Keep", False, 4),
    ]
