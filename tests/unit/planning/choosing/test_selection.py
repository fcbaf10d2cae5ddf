"""Order and selection of phases. covers: INV-1, CMPL-01, CMPL-03"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.choosing.selection import Done, select_phases, skipped_lines
from autopilot.planning.roadmap.graph import topological_order


def phase(id: str, *waits: str, ticked: bool = False) -> Phase:
    return Phase(PhaseId(id), f"P{id}", depends_on=tuple(PhaseId(one) for one in waits), ticked=ticked)


TEN = Roadmap(
    "R.md", tuple(phase(id) for id in ("1", "2", "3", "4", "5", "6", "6.1", "7", "20A", "2.1")), (PhaseId("0"),)
)


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["3"], ["3"]),
        (["5-7"], ["5", "6", "6.1", "7"]),
        (["2-3"], ["2", "3", "2.1"]),
        (["3,5,7"], ["3", "5", "7"]),
        (["7", "6.1", "3"], ["3", "6.1", "7"]),
        (["20a"], ["20A"]),
        (["02.1"], ["2.1"]),
        (["1", "1-2"], ["1", "2"]),
        (["all"], [one.id for one in TEN.phases]),
        ([], [one.id for one in TEN.phases]),
        (["NEXT"], ["1"]),
        (["3-3"], ["3"]),
        (["3, 5"], ["3", "5"]),
    ],
)
def test_words_select_phases_in_roadmap_order(words: list[str], ids: list[str]) -> None:
    assert list(select_phases(words, TEN, set()).phases) == ids


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["9"], "there is no phase 9 in R.md", "1, 2, 3"),
        (["1-9"], "there is no phase 9", "1, 2"),
        (["9" * 20], f"there is no phase {'9' * 20} in R.md", "1, 2, 3"),
        (["7-3"], "the range 7-3 runs backwards", "autopilot run 3-7"),
        (["x"], "`x` is not a phase", "3-7"),
        (["all", "3"], "`all` cannot be combined with other phases", "autopilot run all"),
        (["0"], "phase 0 is archived", "<details>"),
    ],
)
def test_a_wrong_selection_is_one_clear_line_with_a_hint(words: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        select_phases(words, TEN, set())
    assert message in str(raised.value) and "\n" not in str(raised.value) and hint in raised.value.hint


def test_proven_and_ticked_phases_are_skipped_with_their_reason() -> None:
    roadmap = Roadmap("R.md", (phase("1", ticked=True), phase("2"), phase("3", ticked=True), phase("4", "3")))
    selection = select_phases(["all"], roadmap, {PhaseId("1")})
    assert selection.phases == ("2", "4")
    assert selection.skipped == (("1", Done.PROVEN), ("3", Done.UNPROVEN))
    assert select_phases(["next"], roadmap, {PhaseId("2")}).phases == ("4",)


def test_a_ticked_phase_named_alone_is_not_run_and_the_hint_says_how() -> None:
    roadmap = Roadmap("R.md", (phase("1", ticked=True), phase("2")))
    with pytest.raises(UsageError, match=r"phase 1 is skipped: ticked in the roadmap \(done, unproven\)") as raised:
        select_phases(["1"], roadmap, set())
    assert raised.value.exit_status == 2
    assert raised.value.hint == "add a phase to R.md, or build it again: `autopilot run --force 1`"


@pytest.mark.parametrize("words", [[], ["all"], ["next"]])
def test_a_roadmap_at_its_end_is_news_and_no_error(words: list[str]) -> None:
    roadmap = Roadmap("R.md", (phase("1", ticked=True), phase("2", ticked=True)))
    with pytest.raises(NothingOpen, match=r"^nothing is open in R\.md: phases 1, 2 are done$") as raised:
        select_phases(words, roadmap, set())
    assert raised.value.exit_status == 0
    assert "add a phase to R.md, or start a milestone; `autopilot run --force 2`" in raised.value.hint
    with pytest.raises(NothingOpen, match=r"^nothing is open in R\.md$"):
        select_phases(words, Roadmap("R.md", (), (PhaseId("1"),)), set())


def test_phases_that_are_all_named_and_all_done_are_a_wrong_request() -> None:
    roadmap = Roadmap("R.md", (phase("1", ticked=True), phase("2", ticked=True), phase("3")))
    with pytest.raises(UsageError, match="no open phase among 1, 2") as raised:
        select_phases(["1-2"], roadmap, set())
    assert raised.value.exit_status == 2


def test_dependencies_come_first_even_through_phases_not_selected() -> None:
    roadmap = Roadmap("R.md", (phase("1", "2"), phase("2", "3"), phase("3")))
    assert select_phases(["1", "3"], roadmap, set()).phases == ("3", "1")


@pytest.mark.parametrize(
    ("phases", "cycle"),
    [
        ([phase("1", "2"), phase("2", "1")], "1 -> 2 -> 1"),
        ([phase("0"), phase("1", "3"), phase("2", "1"), phase("3", "2")], "1 -> 3 -> 2 -> 1"),
        ([phase("5", "1"), phase("1", "2"), phase("2", "1")], "1 -> 2 -> 1"),
    ],
)
def test_a_cycle_is_named(phases: list[Phase], cycle: str) -> None:
    with pytest.raises(UsageError, match=f": {cycle}$"):
        topological_order(phases)


@st.composite
def acyclic(draw: st.DrawFn) -> list[Phase]:
    count = draw(st.integers(0, 12))
    phases = [
        phase(str(n), *(str(m) for m in draw(st.sets(st.integers(0, n - 1))) if n)) if n else phase("0")
        for n in range(count)
    ]
    return draw(st.permutations(phases))


@given(acyclic())
def test_an_order_respects_every_dependency_and_keeps_the_rest_in_place(phases: list[Phase]) -> None:
    order = topological_order(phases)
    assert sorted(order) == sorted(one.id for one in phases)
    for one in phases:
        assert all(order.index(wait) < order.index(one.id) for wait in one.depends_on)
    free = [Phase(one.id, one.name) for one in phases]
    assert topological_order(free) == tuple(one.id for one in phases)


@given(st.lists(st.text(alphabet="0123456789.-,a lnext–", max_size=8)))
def test_any_words_give_a_selection_or_a_usage_error(words: list[str]) -> None:
    try:
        selection = select_phases(words, TEN, set())
    except UsageError as error:
        assert str(error) and error.hint
    else:
        assert selection.phases


def test_phases_that_are_skipped_for_one_reason_share_a_line() -> None:
    one, two, three = (PhaseId(id) for id in ("1", "2", "3"))
    assert skipped_lines([(one, "ticked"), (two, "given up"), (three, "ticked")]) == [
        "phases 1, 3 are skipped: ticked",
        "phase 2 is skipped: given up",
    ]
    assert skipped_lines([]) == []
    ticked, summed = "ticked in the roadmap (done, unproven)", "all of its 2 plans are ticked (done, unproven)"
    assert skipped_lines([(one, ticked), (two, f"{ticked}, though its box is open"), (three, summed)]) == [
        "phases 1, 3 are skipped: done, unproven, by the planning files",
        "phase 2 is skipped: ticked in the roadmap (done, unproven), though its box is open",
    ]
    assert skipped_lines([(one, ticked)]) == ["phase 1 is skipped: ticked in the roadmap (done, unproven)"]
