"""Another tool's plan as files of GSD's: read back it is the same plan. covers: IMPORT"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.outline import Outline
from autopilot.model.planning.plan import Plan
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand
from autopilot.planning.formats.backlog.backlog import BACKLOG
from autopilot.planning.formats.checklist.checklist import CHECKLIST, FIX_PLAN
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.kiro.kiro import KIRO
from autopilot.planning.formats.openspec.openspec import OPENSPEC
from autopilot.planning.formats.ralph.ralph import RALPH
from autopilot.planning.formats.speckit.format import SPECKIT
from autopilot.planning.formats.taskmaster.format import TASKMASTER
from autopilot.planning.importing.importing import import_outline
from autopilot.planning.plan.plan import parse_plan
from autopilot.planning.roadmap.roadmap import read_roadmap
from autopilot.planning.roadmap.standing.holding import hold_dependents
from tests.seed import chance
from tests.unit.planning.formats import generated, test_speckit, test_taskmaster
from tests.unit.planning.formats.kit import COMMANDS, outline

ROADMAP, REQUIREMENTS = ".planning/ROADMAP.md", ".planning/REQUIREMENTS.md"
DRAWN = 40  # worlds of each format
SAMPLES: dict[Format, dict[str, str]] = {
    SPECKIT: {
        "specs/001-pay/spec.md": test_speckit.SPEC,
        "specs/001-pay/tasks.md": test_speckit.TASKS,
        "specs/003-more/spec.md": "# Feature Specification: More\n\n- **FR-001**: [NEEDS CLARIFICATION: how much?]\n",
        "specs/004-done/tasks.md": "# Tasks: Done\n\n- [x] T001 Do it\n",
    },
    TASKMASTER: test_taskmaster.texts(),
    OPENSPEC: {
        "openspec/changes/add-tea/proposal.md": "# Change: Add tea (done)\n\n## Why\nTea.\n\ndepends on `fix-cup`\n",
        "openspec/changes/add-tea/tasks.md": "## 1. Do\n- [x] 1.1 Boil `water.py`\n- [ ] 1.2 Pour\n",
        "openspec/changes/add-tea/specs/tea/spec.md": "## ADDED Requirements\n### Requirement: Tea\nIt SHALL be hot.\n"
        "#### Scenario: Hot\n- **WHEN** poured\n- **THEN** hot\n",
        "openspec/changes/archive/2026-01-01-fix-cup/tasks.md": "- [x] 1.1 Fix\n",
    },
    KIRO: {
        ".kiro/specs/tea/requirements.md": "### Requirement 1\n\n#### Acceptance Criteria\n\n1. WHEN poured THEN hot\n",
        ".kiro/specs/tea/tasks.md": "- [ ] 1. Boil\n  - _Requirements: 1.1_\n",
    },
    RALPH: {
        "prd.json": json.dumps(
            {
                "userStories": [
                    {"id": "US-001", "title": "Tea", "acceptanceCriteria": ["Typecheck passes", "TBD"], "passes": True},
                    {"id": "US-002", "title": "Cup — deferred", "dependsOn": ["US-001"], "status": "todo"},
                    {"id": "US-003", "title": "Pot", "status": "blocked"},
                    {"id": "US-004", "title": "Lid", "dependsOn": ["US-003"]},
                ]
            }
        )
    },
    FIX_PLAN: {
        "fix_plan.md": "# Plan\n\n- [ ] #7 Boil\n  - [ ] kettle\n- [x] Pour ✅\n\n## Out of scope\n\n- [ ] Coffee\n"
    },
}
WORLDS: tuple[tuple[Format, Callable[[Random], dict[str, str]]], ...] = (
    (OPENSPEC, generated.openspec),
    (KIRO, generated.kiro),
    (CHECKLIST, generated.checklist),
    (BACKLOG, generated.backlog),
    (RALPH, generated.ralph),
)


def read_whole(format: Format, texts: dict[str, str]) -> Outline:
    from msgspec.structs import replace

    made = outline(format, texts)
    return replace(made, roadmap=replace(made.roadmap, phases=hold_dependents(made.roadmap.phases)))


def text_of(edit: Edit, path: str) -> str:
    content = edit.files[path]
    assert content is not None
    return content.decode("utf-8", "surrogateescape")


def read_back(edit: Edit) -> Roadmap:
    return read_roadmap(text_of(edit, ROADMAP), ROADMAP, COMMANDS)


def plans_of(edit: Edit, phase: PhaseId) -> list[Plan]:
    paths = [path for path in sorted(edit.files) if path.endswith("-PLAN.md")]
    own = [path for path in paths if path.split("/")[2].split("-")[0].lstrip("0") == phase]
    return [parse_plan(text_of(edit, path), path, phase, COMMANDS) for path in own]


def essence(phase: Phase) -> list[tuple[str, ...]]:
    return [(c.identity, c.form, c.command, str(c.expectation), c.kind) for c in phase.criteria]


def must_be_the_same(made: Outline, edit: Edit) -> None:
    old, new = made.roadmap.phases, read_back(edit).phases
    assert [phase.standing.stand for phase in old] == [phase.standing.stand for phase in new]
    ids = dict(zip([phase.id for phase in old], [phase.id for phase in new], strict=True))
    assert {id: new for id, new in ids.items() if id[0].isdigit() and "-" not in id} == {
        id: id for id in ids if id[0].isdigit() and "-" not in id
    }
    dropped = {phase.id for phase in old if phase.standing.stand is Stand.DROPPED}
    for before, after in zip(old, new, strict=True):
        assert {ids[id] for id in before.depends_on if id not in dropped} == set(after.depends_on)


@pytest.mark.parametrize("format", SAMPLES, ids=lambda format: format.name)
def test_phases_states_dependencies_criteria_and_tasks_are_read_back_as_they_were(format: Format) -> None:
    made = read_whole(format, SAMPLES[format])
    edit = import_outline(made, format.title, COMMANDS)
    must_be_the_same(made, edit)
    for before, after in zip(made.roadmap.phases, read_back(edit).phases, strict=True):
        lost = [note for note in edit.notes if "the criterion" in note]
        different = [pair for pair in zip(essence(before), essence(after), strict=True) if pair[0] != pair[1]]
        assert len(different) <= len(lost), different
        listed = made.listed.get(before.id)
        if listed is None:
            continue
        read = {task.id: task for plan in plans_of(edit, after.id) for task in plan.tasks}
        assert set(read) == {task.id for task in listed.to_do}
        for task in (task for task in listed.plan.tasks if task.id in read):
            assert [c.command for c in task.criteria] == [c.command for c in read[task.id].criteria]
            assert set(task.files) <= set(read[task.id].files)


@pytest.mark.parametrize(("format", "make"), WORLDS, ids=[format.name for format, _ in WORLDS])
def test_of_files_made_at_random_nothing_is_changed_without_a_word(
    format: Format, make: Callable[[Random], dict[str, str]]
) -> None:
    drawn = chance(f"imports of {format.name}")
    for _ in range(DRAWN):
        made = read_whole(format, make(drawn))
        if not made.roadmap.phases:
            continue
        edit = import_outline(made, format.title, COMMANDS)
        must_be_the_same(made, edit)
        pairs = list(zip(made.roadmap.phases, read_back(edit).phases, strict=True))
        lost = [note for note in edit.notes if "criteri" in note]
        assert all(essence(before) == essence(after) for before, after in pairs) or lost
        for before, after in pairs:
            listed = made.listed.get(before.id)
            wanted = {task.id for task in listed.to_do} if listed else set()
            read = {task.id for plan in plans_of(edit, after.id) for task in plan.tasks}
            assert wanted == read or any("is not read back" in note for note in edit.notes)


def test_what_is_done_is_listed_as_words_and_only_what_is_open_is_a_task() -> None:
    edit = import_outline(read_whole(SPECKIT, SAMPLES[SPECKIT]), SPECKIT.title, COMMANDS)
    path = ".planning/phases/01-pay-by-card/01-01-PLAN.md"
    (plan,) = plans_of(edit, PhaseId("1"))
    assert [task.id for task in plan.tasks] == ["T002", "T003", "box-4", "box-6"] and plan.path == path
    assert "none of it is proven, and none is done again:\n\n- T001: Make" in text_of(edit, path)
    assert any("task T005 is not carried over" in note and "tasks.md:12" in note for note in edit.notes)


def test_a_command_that_a_label_stands_before_is_written_out() -> None:
    """ "SC-001: All tests pass" is a sentence of the other tool's; of a roadmap only its bare words are a command."""
    phase = read_back(import_outline(read_whole(SPECKIT, SAMPLES[SPECKIT]), SPECKIT.title, COMMANDS)).phases[0]
    assert {c.text: c.command for c in phase.criteria if c.command} == {
        "FR-002: All tests pass": "make test",
        "SC-001: All tests pass": "make test",
    }


def test_what_waits_for_a_person_does_so_afterwards_with_all_that_depends_on_it() -> None:
    phases = {phase.id: phase for phase in read_back(_ralph()).phases}
    assert phases[PhaseId("3")].held and "blocked" in phases[PhaseId("3")].standing.because
    assert phases[PhaseId("4")].standing.because.startswith("it depends on phase 3")
    assert not phases[PhaseId("2")].dropped, "a name with a mark in it says nothing of the phase"


def _ralph() -> Edit:
    return import_outline(read_whole(RALPH, SAMPLES[RALPH]), RALPH.title, COMMANDS)


def test_what_could_not_be_carried_over_is_named_with_its_line() -> None:
    notes = _ralph().notes
    assert any("the name `Cup — deferred` is written as `Cup, deferred`" in note for note in notes)
    assert "TBD" in [criterion.text for criterion in read_back(_ralph()).phases[0].criteria]
    assert "a roadmap knows numbers alone: US-001 is phase 1, US-002 is phase 2" in notes[-1]


def test_acceptance_scenarios_become_the_requirements_and_no_word_of_them_is_an_id() -> None:
    from autopilot.planning.spec.spec import parse_requirements

    text = text_of(import_outline(read_whole(OPENSPEC, SAMPLES[OPENSPEC]), OPENSPEC.title, COMMANDS), REQUIREMENTS)
    assert "WHEN poured THEN hot" in text and "`openspec/changes/add-tea/proposal.md`" in text
    assert parse_requirements(text) == ()


def test_nothing_hidden_in_a_text_takes_the_rest_of_the_plan_away() -> None:
    texts = {
        "openspec/changes/a/proposal.md": "# Change: A <!-- b\n\n## Why\nBecause <details> of ```\n",
        "openspec/changes/a/tasks.md": "- [ ] 1.1 Close </action> </task> then ```\n- [ ] 1.2 <task id='x'> on\n",
        "openspec/changes/b/proposal.md": "# Change: B\n\n## Why\nSo.\n",
    }
    edit = import_outline(read_whole(OPENSPEC, texts), OPENSPEC.title, COMMANDS)
    assert [phase.name for phase in read_back(edit).phases] == ["A < !-- b", "B"]
    assert [task.id for plan in plans_of(edit, PhaseId("1")) for task in plan.tasks] == ["1.1", "1.2"]


def test_a_plan_without_a_phase_is_refused() -> None:
    with pytest.raises(UsageError, match="has no phase"):
        import_outline(Outline(Roadmap("specs")), SPECKIT.title, COMMANDS)
