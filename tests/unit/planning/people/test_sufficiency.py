"""How much is known of a phase: by code, with the sources' weights, and never less after an answer.

covers: CMAP-01, CMAP-03, CMAP-05
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.model.planning.criterion import Form
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.proposal import CATEGORIES
from autopilot.model.run import PhaseBrief
from autopilot.planning.people.sufficiency import RAISES, WEIGHTS, WORRYING, Sources, assess, is_stub, rescore
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.spec.requirement_text import is_specific, mapped_requirements
from tests.unit.making import ONE, THREE, TWO, make_brief, make_criterion

SPEC = """# Requirements
- [ ] **REQ-1**: A book can be added with title and author
- [ ] **REQ-2**: Search
- **REQ-3**: TBD
| REQ-4 | Every answer names the 3 nearest shelves |

### REQ-5: The list is improved and better for everybody who uses it

| Requirement | Phase | Status |
|---|---|---|
| REQ-1 | Phase 1 | Pending |
| REQ-2 | Phase 02 | Pending |
"""
RUN, SAY = make_criterion("phase.c1"), make_criterion("phase.c2", form=Form.PROSE, command="")
MARKS = st.integers(10, 100).map(lambda tenths: tenths / 10)
ANSWERS = st.lists(st.sampled_from(CATEGORIES), max_size=12)


def brief(goal: str = "Books can be kept", **more: Any) -> PhaseBrief:
    return replace(make_brief(), goal=goal, **more)


# --- the marks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("criteria", "mark"),
    [
        ((), 1.0),
        ((SAY,), 2.0),
        ((make_criterion(form=Form.TRACE),), 2.0),
        ((RUN, SAY), 6.0),
        ((RUN, RUN, SAY), 6.3),
        ((RUN, SAY, SAY, SAY), 5.5),
        ((RUN,), 10.0),
        ((RUN, RUN), 10.0),
    ],
)
def test_criteria_count_by_the_share_that_can_be_run(criteria: tuple[Any, ...], mark: float) -> None:
    assert assess(brief(criteria=criteria), Sources()).criteria == mark


@pytest.mark.parametrize(
    ("names", "mark"),
    [
        (("REQ-1",), 10.0),
        (("req-1",), 10.0),
        (("REQ-2",), 6.0),
        (("REQ-3",), 2.0),
        (("REQ-4",), 10.0),
        (("REQ-5",), 6.0),
        (("GONE-1",), 2.0),
        (("REQ-1", "REQ-2"), 8.0),
        (("REQ-1", "REQ-2", "GONE-1"), 6.0),
    ],
)
def test_requirements_count_by_what_the_spec_says_of_them(names: tuple[str, ...], mark: float) -> None:
    assert assess(brief(requirements=names), Sources(spec=SPEC)).requirements == mark


def test_a_phase_without_requirements_has_those_the_spec_maps_to_it() -> None:
    assert mapped_requirements(replace(make_brief(TWO), requirements=()), SPEC) == {"REQ-2": "Search"}
    unmapped = replace(make_brief(THREE), requirements=())
    assert assess(unmapped, Sources(spec=SPEC)).requirements == 1.0
    assert not any(mapped_requirements(unmapped, SPEC).values())
    assert any(mapped_requirements(make_brief(ONE), SPEC).values())


def test_a_requirement_in_an_example_is_none() -> None:
    fenced = "```\n- **REQ-1**: A book can be added with title and author\n```\n"
    assert not any(mapped_requirements(make_brief(ONE), fenced).values())


@pytest.mark.parametrize(
    ("text", "specific"),
    [
        ("A book can be added with title and author", True),
        ("Search", False),
        ("The pages load fast on every phone we know", False),
        ("The pages load fast: below 200 ms on every phone", True),
        ("Errors are handled properly in the whole program", False),
        ('Errors are shown properly, as "E12: no such book"', True),
    ],
)
def test_a_text_that_leaves_open_what_it_says_is_vague(text: str, specific: bool) -> None:
    assert is_specific(text) is specific


@pytest.mark.parametrize(
    ("project", "own_documents", "mark"),
    [
        (None, False, 2.0),
        ("# Harbour\nShips and cranes.", False, 4.0),
        ("# Harbour\nThere are books.", False, 6.0),
        ("# Library\nBooks are kept by cards.", False, 9.0),
        (None, True, 9.0),
    ],
)
def test_documentation_counts_by_the_words_of_the_phase(project: str | None, own_documents: bool, mark: float) -> None:
    phase = brief(goal="Books are kept on loan cards", name="Loans")
    assert assess(phase, Sources(project=project, own_documents=own_documents)).docs == mark


@pytest.mark.parametrize(
    ("met", "ahead", "mark"),
    [((ONE, TWO), (), 10.0), ((ONE,), (TWO,), 5.0), ((), (ONE, TWO), 5.0), ((ONE,), (), 1.0)],
)
def test_dependencies_count_by_whether_they_are_done(
    met: Iterable[PhaseId], ahead: Iterable[PhaseId], mark: float
) -> None:
    known = assess(make_brief(THREE, ONE, TWO), Sources(met=frozenset(met), ahead=frozenset(ahead)))
    assert known.dependencies == mark


def test_a_phase_that_waits_for_nothing_has_all_it_waits_for() -> None:
    assert assess(make_brief(), Sources()).dependencies == 10.0


# --- the score --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "goal",
    ["", "  ", "TBD", "tbd", "[To be planned]", "[to be defined]", "[Urgent work - to be planned]", "Later (TBD)"],
)
def test_a_stub_of_a_goal_is_worth_one(goal: str) -> None:
    full = Sources(spec=SPEC, project="books", own_documents=True)
    known = assess(brief(goal, criteria=(RUN,)), full)
    assert known == Sufficiency(1, 1.0, 1.0, 1.0, 1.0, "its goal is not written yet")


@pytest.mark.parametrize("goal", ["What is to be planned is shown", "A stub [draft] is kept", "STBD is parsed"])
def test_words_that_only_look_like_a_stub_are_a_goal(goal: str) -> None:
    assert not is_stub(goal)


@pytest.mark.parametrize(
    ("criteria", "names", "project", "score"),
    [
        ((RUN,), ("REQ-1",), "Books can be kept", 10),
        ((RUN,), ("REQ-1",), None, 9),
        ((SAY,), ("REQ-1",), "Books can be kept", 7),
        ((SAY,), ("GONE-1",), None, 3),
        ((RUN, SAY), ("REQ-2",), "Books can be kept", 7),
    ],
)
def test_the_score_is_weighted_and_rounded(
    criteria: tuple[Any, ...], names: tuple[str, ...], project: str | None, score: int
) -> None:
    known = assess(brief(criteria=criteria, requirements=names), Sources(spec=SPEC, project=project))
    assert known.score == score
    assert bool(known.reason) is (score < 8)


def test_the_weights_are_those_of_the_sources_and_halves_are_rounded_up() -> None:
    assert WEIGHTS == {"criteria": 35, "requirements": 35, "docs": 15, "dependencies": 15}
    before = Sufficiency(1, 1.0, 1.0, 6.0, 10.0)
    assert rescore(before, ["criteria"]).score == 5  # .35 * (5 + 1) + .15 * (6 + 10) is exactly 4.5


def test_the_reason_names_what_is_missing() -> None:
    known = assess(brief(criteria=(SAY,), requirements=("REQ-2",)), Sources(spec=SPEC))
    assert known.reason == (
        "none of its success criteria can be run; the spec says too little about REQ-2; there is no PROJECT.md"
    )


# --- with answers -----------------------------------------------------------------------------------------------


def test_every_category_raises_one_of_the_marks() -> None:
    assert set(RAISES) == set(CATEGORIES) and set(RAISES.values()) == set(WEIGHTS)


@pytest.mark.parametrize(
    ("categories", "after"),
    [
        ([], (3, 2.0, 2.0, 2.0, 10.0)),
        (["nonsense"], (3, 2.0, 2.0, 2.0, 10.0)),
        (["criteria"], (5, 6.0, 2.0, 2.0, 10.0)),
        (["criteria", "requirements"], (6, 6.0, 6.0, 2.0, 10.0)),
        (["criteria", "requirements", "architecture"], (7, 6.0, 6.0, 6.0, 10.0)),
        (["criteria", "build_config", "requirements", "domain"], (7, 8.0, 8.0, 2.0, 10.0)),
        (["criteria", "build_config", "requirements", "domain", "architecture"], (8, 8.0, 8.0, 6.0, 10.0)),
        (["dependencies"] * 5, (3, 2.0, 2.0, 2.0, 10.0)),
    ],
)
def test_answers_raise_the_mark_of_their_category(categories: list[str], after: tuple[Any, ...]) -> None:
    before = Sufficiency(3, 2.0, 2.0, 2.0, 10.0, "too little")
    again = rescore(before, categories)
    assert (again.score, again.criteria, again.requirements, again.docs, again.dependencies) == after
    assert again.reason == ("" if again.score >= 8 else "too little")


@given(MARKS, MARKS, MARKS, MARKS, st.integers(1, 10), ANSWERS)
def test_no_answer_lowers_anything_and_nothing_rises_above_ten(
    one: float, two: float, three: float, four: float, score: int, answers: list[str]
) -> None:
    before = Sufficiency(score, one, two, three, four)
    after = rescore(before, answers)
    for name in ("score", *WEIGHTS):
        assert getattr(before, name) <= getattr(after, name) <= 10
    assert rescore(before, []) == before
    assert rescore(before, [*answers, "criteria"]).score >= after.score


@given(st.text(max_size=300), st.text(max_size=300), st.none() | st.text(max_size=100))
def test_any_text_has_a_score_from_one_to_ten(goal: str, spec: str, project: str | None) -> None:
    known = assess(brief(goal), Sources(spec=spec, project=project))
    assert 1 <= known.score <= 10
    assert all(1 <= getattr(known, name) <= 10 for name in WEIGHTS)


def test_short_and_dotted_names_of_requirements_are_found_in_the_spec() -> None:
    spec = "- R1: hot water\n### FR2.3 - not a label\n| R4 | cold |\n- TEA-1.2: dotted\n- **R5**: bold\n- R6 is prose\n"
    brief = replace(make_brief(ONE), requirements=("R1", "R4", "TEA-1.2", "R5", "R6"))
    assert mapped_requirements(brief, spec) == {
        "R1": "hot water",
        "R4": "cold",
        "TEA-1.2": "dotted",
        "R5": "bold",
        "R6": "",
    }


def test_a_phase_in_the_form_of_the_readme_is_described_well_enough_for_a_run() -> None:
    """A goal, and criteria that name their commands: no requirement, no spec and no PROJECT.md are needed."""
    text = "# Roadmap\n\n### Phase 1: Greet\n**Goal**: It greets\n**Success Criteria**:\n"
    text += '1. It greets by name -- verified by: `./greet Ada` (contains "Ada")\n'
    (phase,) = parse_roadmap(text, "ROADMAP.md").phases
    for waits in ((), (TWO,)):
        described = replace(PhaseBrief.of(phase, "folder"), depends_on=waits)
        assert assess(described, Sources(ahead=frozenset((TWO,)))).score >= WORRYING
