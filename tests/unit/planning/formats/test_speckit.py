"""spec-kit's features as phases, and their boxes ticked by spans. covers: FMT-01, FMT-02"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autopilot.model.planning.outline import Outline, Proven
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.standing import Stand
from autopilot.model.policy import Commands
from autopilot.planning.formats.marking import apply_edits
from autopilot.planning.formats.speckit.format import SPECKIT

SPEC = """# Feature Specification: Pay by card

**Input**: User description: "People pay by card"

## Clarifications

### User Story 2 - Refunds (Priority: P2)

**Acceptance Scenarios**:

1. **Given** a payment, **When** it is refunded,
   **Then** the money is back
2. **Given** none, **When** it is refunded, **Then** nothing happens

**Independent Test**: not a scenario

### Functional Requirements

- **FR-001**: Cards MUST be checked
- **FR-002**: All tests pass

### Measurable Outcomes

- **SC-001**: All tests pass
"""
TASKS = """# Tasks: Pay by card

- **[P]**: can run in parallel

## Phase 1：Setup

- [x] T001 Make `src/pay.py` and tests/test_pay.py
- [ ] T002 [P] [US2] Refund in src/refund.py
  - [ ] with a test
- [ ] T003 [P] Log in src/log.py
- [ ] T003 Twice the same id
- [-] T005 Not wanted any more
- [ ] no id at all

```
- [ ] T099 an example
```

## Notes

- [ ] commit often
"""
FOLDER = "specs/003-pay-by-card"
TEXTS = {f"{FOLDER}/spec.md": SPEC, f"{FOLDER}/tasks.md": TASKS}
ONE = PhaseId("1")


def read(texts: dict[str, str]) -> Outline:
    return SPECKIT.read(texts, Commands(test="pytest -q"))


def test_a_feature_is_a_phase_with_its_number_and_what_it_asks_for() -> None:
    [phase] = read(TEXTS).roadmap.phases
    assert (phase.id, phase.name, phase.goal, phase.slug) == ("3", "Pay by card", "People pay by card", "pay-by-card")
    assert [criterion.text for criterion in phase.criteria] == [
        "US2.1: Given a payment, When it is refunded, Then the money is back",
        "US2.2: Given none, When it is refunded, Then nothing happens",
        "FR-001: Cards MUST be checked",
        "FR-002: All tests pass",
        "SC-001: All tests pass",
    ]
    assert [criterion.command for criterion in phase.criteria][3:] == ["pytest -q", "pytest -q"]
    assert {criterion.path for criterion in phase.criteria} == {f"{FOLDER}/spec.md"}


def test_boxes_are_tasks_in_order_and_only_those_that_are_work() -> None:
    listed = read(TEXTS).listed[PhaseId("3")]
    assert [task.id for task in listed.plan.tasks] == ["T001", "T002", "T003", "box-4", "T005", "box-6"]
    assert [task.wave for task in listed.plan.tasks] == [1, 2, 2, 3, 4, 5]
    assert listed.plan.tasks[1].files == ("src/refund.py",)
    assert "with a test" in listed.plan.tasks[1].action
    assert [task.id for task in listed.to_do] == ["T002", "T003", "box-4", "box-6"]


def test_a_phase_is_done_by_its_boxes_and_the_numbers_stay_when_features_are_added() -> None:
    done = {f"{FOLDER}/tasks.md": "- [X] T001 All of it\n", f"{FOLDER}/spec.md": "**Status**: Draft\n"}
    more = {**done, "specs/001-first/spec.md": SPEC, "specs/003-other/spec.md": SPEC, "specs/010-/tasks.md": TASKS}
    phases = {phase.id: phase for phase in read(more).roadmap.phases}
    assert list(phases) == ["1", "3", "10", "003-pay-by-card"]
    assert phases[PhaseId("003-pay-by-card")].ticked
    assert not phases[ONE].ticked
    assert "has the number of specs/003-other" in str(read(more).roadmap.complaints)


@pytest.mark.parametrize("name", ["spec.md", "plan.md"])
def test_what_needs_clarification_waits_for_a_person(name: str) -> None:
    asked = {**TEXTS, f"{FOLDER}/{name}": "- **FR-003**: by [NEEDS CLARIFICATION: which cards?]\n"}
    outline = read(asked)
    [phase] = outline.roadmap.phases
    assert phase.standing.stand is Stand.HELD
    assert phase.dropped
    assert str(outline.questions[0]) == f"{FOLDER}/{name}:1: needs clarification: which cards?"
    in_code = {**TEXTS, f"{FOLDER}/{name}": "No `[NEEDS CLARIFICATION: x]` is left, nor [NEEDS CLARIFICATION]\n"}
    assert not read(in_code).questions


def test_only_places_decide() -> None:
    paths = [*TEXTS, "specs/openapi.md", "specs/003-pay-by-card/research.md", "specs/notes/tasks.md", "tasks.md"]
    assert SPECKIT.find(paths) == tuple(sorted(TEXTS))
    assert SPECKIT.find([".specify/memory/constitution.md", "specs/001-x/plan.md"]) == ()


def test_what_was_proven_is_ticked_with_its_inner_boxes_and_nothing_else_changes() -> None:
    texts = {path: text.replace("\n", "\r\n") for path, text in TEXTS.items()}
    proven = Proven(PhaseId("3"), frozenset({"T002", "box-6", "T005"}), "2026-01-01")
    changed = apply_edits(texts, SPECKIT.mark(texts, proven))
    assert list(changed) == [f"{FOLDER}/tasks.md"]
    old, new = texts[f"{FOLDER}/tasks.md"].split("\n"), changed[f"{FOLDER}/tasks.md"].split("\n")
    differ = {number: (a, b) for number, (a, b) in enumerate(zip(old, new, strict=True), 1) if a != b}
    assert list(differ) == [8, 9, 13]
    assert all(b == a.replace("[ ]", "[x]") for a, b in differ.values())
    assert SPECKIT.mark({**texts, **changed}, proven) == ()


BOX = st.tuples(
    st.sampled_from(["- [ ] ", "- [x] ", "* [ ] ", "  - [ ] ", "1. [ ] ", "## Phase ", "## Notes", "```", "", "- "]),
    st.sampled_from(["T001 ", "T002 [P] ", "T003 [US1] ", "", "T004b "]),
    st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)


@settings(max_examples=500)
@given(st.lists(BOX, max_size=14), st.randoms(use_true_random=False))
def test_random_marks_leave_every_other_byte(lines: list[tuple[str, str, str, str]], chance: st.DataObject) -> None:
    text = "".join("".join(parts) for parts in lines)
    texts = {"specs/001-x/tasks.md": text, "specs/001-x/spec.md": SPEC}
    listed = read(texts).listed.get(ONE)
    ids = [task.id for task in listed.plan.tasks] if listed else []
    chosen = frozenset(id for id in ids if chance.random() < 0.5)
    edits = SPECKIT.mark(texts, Proven(ONE, chosen, "2026-01-01"))
    assert all((text[edit.start : edit.end], edit.new.lower()) == (" ", "x") for edit in edits)
    after = {**texts, **apply_edits(texts, edits)}
    if listed and chosen:
        again = read(after).listed[ONE]
        assert chosen - frozenset(again.held) <= again.done | frozenset(listed.held)
        assert [task.id for task in again.plan.tasks] == ids
    assert SPECKIT.neutral("tasks.md", after["specs/001-x/tasks.md"]) == SPECKIT.neutral("tasks.md", text)


@pytest.mark.parametrize(
    "line", ["- [ ]T002 Pour", "-[ ] T002 Pour", "- [] T002 Pour", "[ ] T002 Pour", "- [ x ] T002 Pour"]
)
def test_what_was_meant_as_a_box_is_named_and_no_feature_is_done_above_it(line: str) -> None:
    made = SPECKIT.read({"specs/001-tea/tasks.md": f"# Tasks\n\n- [x] T001 Boil\n{line}\n"}, Commands())
    assert made.roadmap.phases[0].standing.stand is Stand.OPEN
    assert "specs/001-tea/tasks.md:4: a box that is not read" in " ".join(map(str, made.roadmap.complaints))


@pytest.mark.parametrize("line", ["- [x](place.md)", "- [P] is parallel", "```\n-[ ] T9 a\n```", "## Notes\n-[ ] T9 a"])
def test_what_is_no_box_of_work_is_not_named(line: str) -> None:
    made = SPECKIT.read({"specs/001-tea/tasks.md": f"# Tasks\n\n- [x] T001 Boil\n{line}\n"}, Commands())
    assert made.roadmap.phases[0].standing.stand is Stand.DONE and not made.roadmap.complaints
