"""Laws of editing a roadmap, on roadmaps of many forms. covers: PHASE-EDIT"""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.dependents import dependents_of
from autopilot.planning.editing.new_phase import NewPhase
from autopilot.planning.editing.renumbering import (
    Renumbering,
    close_gap,
    inserted_after,
    next_decimal,
    next_integer,
    ranked,
    reorder,
)
from autopilot.planning.editing.roadmap_text import RoadmapText, with_phase, with_phases_moved, without_phase
from autopilot.planning.roadmap.roadmap import parse_roadmap
from tests.unit.planning.editing.roadmaps import roadmaps

PATH = ".planning/ROADMAP.md"
# Roadmaps are large; those in which everything depends on everything cannot be cut and are passed over.
EXAMPLES = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def ids_of(text: str) -> list[PhaseId]:
    return [phase.id for phase in parse_roadmap(text, PATH).phases]


def without(text: str, id: PhaseId) -> str:
    return without_phase(RoadmapText(text, PATH), close_gap(ids_of(text), id)).text


@EXAMPLES
@given(roadmaps())
def test_what_is_added_and_removed_again_leaves_every_byte_as_it_was(text: str) -> None:
    new = next_integer(ids_of(text), ())
    after = with_phase(RoadmapText(text, PATH), NewPhase(new, "Teapot", "It pours", f"Phase {ids_of(text)[-1]}"))
    assert ids_of(after) == [*ids_of(text), new]
    assert without(after, new) == text


@EXAMPLES
@given(roadmaps(), st.data())
def test_what_is_inserted_and_removed_again_leaves_every_byte_as_it_was(text: str, data: st.DataObject) -> None:
    known = ids_of(text)
    target = data.draw(st.sampled_from(known))
    new = next_decimal(known, target)
    phase = NewPhase(new, "Teapot", "It pours", f"Phase {target}", inserted=True)
    after = with_phase(RoadmapText(text, PATH), phase)
    assert set(ids_of(after)) == {*known, new}
    assert without(after, new) == text


@EXAMPLES
@given(roadmaps(), st.data())
def test_a_move_and_its_inverse_leave_every_byte_as_it_was(text: str, data: st.DataObject) -> None:
    known = ids_of(text)
    phase = data.draw(st.sampled_from(known))
    others = [id for id in ranked(known, phase) if id != phase]
    assume(others)
    renumbering = reorder(known, phase, data.draw(st.sampled_from(others)), before=data.draw(st.booleans()))
    assume(not renumbering.is_empty)
    after = with_phases_moved(RoadmapText(text, PATH), renumbering).text
    assert set(ids_of(after)) == {renumbering.of(id) for id in known}
    back = Renumbering({new: old for old, new in renumbering.new.items()})
    assert with_phases_moved(RoadmapText(after, PATH), back).text == text


@EXAMPLES
@given(roadmaps(), st.data())
def test_a_removal_takes_one_phase_and_renumbers_the_rest(text: str, data: st.DataObject) -> None:
    known = ids_of(text)
    phase = data.draw(st.sampled_from(known))
    layout = RoadmapText(text, PATH).layout
    assume(not dependents_of(phase, layout) and not inserted_after(known, phase))
    before = {found.id: found for found in parse_roadmap(text, PATH).phases}
    gap = close_gap(known, phase)
    after = {found.id: found for found in parse_roadmap(without(text, phase), PATH).phases}
    assert set(after) == {gap.of(id) for id in known if id != phase}
    for id in set(known) - {phase}:
        old, new = before[id], after[gap.of(id)]
        assert old.name == new.name
        assert set(new.depends_on) == {gap.of(needed) for needed in old.depends_on}
        assert [criterion.command for criterion in new.criteria] == [criterion.command for criterion in old.criteria]


@EXAMPLES
@given(roadmaps())
def test_dates_versions_and_counts_are_no_numbers_of_phases(text: str) -> None:
    known = ids_of(text)
    first = next(id for id in known if not inserted_after(known, id))
    layout = RoadmapText(text, PATH).layout
    assume(not dependents_of(first, layout))
    assert "Version 1.6 of 2026-06-01 serves 10-20 guests." in without(text, first)
