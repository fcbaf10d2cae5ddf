"""The spec's examples are asked of what the phase changed, and of its base only where something does not hold.
covers: T8.H"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.issue.state import IssueState
from autopilot.events.state import PhaseState
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.issue.issue import IssueBrief
from autopilot.model.policy import Evidence
from autopilot.model.run import SpecLock, Step
from autopilot.ports.sandbox import Exited, NeverRan, Outcome, TimedOut
from autopilot.steps.evidence.held_out import run_examples
from tests.unit.making import ONE, alter, make_phase, make_state, policy_of
from tests.unit.steps.world import World

SPEC = b'# Spec\n\n- [ ] **REQ-1**: `slugify("A b") -> "a-b"`\n'
FILES = {
    "SPEC.md": SPEC,
    "ROADMAP.md": b"### Phase 1: Slugs\n\n`shout('a') -> 'A'`\n\n### Phase 2: More\n\n`doubled(1) -> 2`\n",
    "kit.py": b"def slugify(text): ...\n\n\ndef shout(text): ...\n\n\ndef doubled(n): ...\n",
    "tests/test_kit.py": b"def slugify(text): ...\n",
}


def said(*values: Any) -> Outcome:
    lines = (json.dumps({"answer": number, "how": "value", "value": value}) for number, value in enumerate(values))
    return Outcome(Exited(0), "\n".join(lines).encode())


def look(
    folder: Path, *outcomes: Outcome, phase: PhaseState | None = None, on: bool = True, **more: Any
) -> tuple[tuple[Observation, ...], tuple[Objection, ...], World]:
    world = World(folder, *outcomes, files={**FILES, **more.pop("files", {})})
    policy = policy_of(evidence=Evidence(held_out=on), observations=1)
    known = {"policy": policy, "base": "start", "roadmap": "ROADMAP.md", "spec": SpecLock("SPEC.md", "5" * 64)}
    state = make_state(make_phase(), **{**known, **more})
    ctx = world.context(state, phase or make_phase(), Step.VERIFY)
    return (*run_examples(ctx, "tip", ["kit.py", "tests/test_kit.py", ".planning/a.md"]), world)


def test_examples_of_the_phases_section_and_of_the_spec_are_asked_in_one_go(tmp_path: Path) -> None:
    observations, objections, world = look(tmp_path, said("A", "a-b"))
    assert [(o.subject, o.commit, o.seen) for o in observations] == [("held-out:1", "tip", Seen.PASSED)]
    assert objections == ()
    assert [name in world.sandbox.specs[0].argv[-1] for name in ("slugify", "shout", "doubled")] == [True, True, False]


@pytest.mark.parametrize(("goal", "asked"), [("`whisper` as in docs/quiet.md.", True), ("`whisper` is there", False)])
def test_examples_of_a_document_that_the_goal_names_are_asked_too(tmp_path: Path, goal: str, asked: bool) -> None:
    phase = make_phase()
    phase = alter(phase, brief=replace(phase.brief, goal=goal))
    files = {"docs/quiet.md": b"`whisper('A') -> 'a'`\n", "kit.py": FILES["kit.py"] + b"\n\ndef whisper(text): ...\n"}
    _, objections, world = look(tmp_path, said("A", "a-b", "b"), said("A", "a-b", "c"), phase=phase, files=files)
    assert ("whisper" in world.sandbox.specs[0].argv[-1]) is asked
    assert [(o.weight, o.where) for o in objections] == [(Weight.REFUSE, "docs/quiet.md:1, kit.py:whisper")] * asked


def test_the_command_is_not_told_what_is_expected(tmp_path: Path) -> None:
    *_, world = look(tmp_path, said("A", "a-b"))
    assert "a-b" not in world.sandbox.specs[0].argv[-1]


def test_what_does_not_hold_is_asked_of_the_base_too(tmp_path: Path) -> None:
    observations, objections, _ = look(tmp_path, said("A", "A b"), said("a", "A"))
    assert [(o.commit, o.seen) for o in observations] == [("tip", Seen.FAILED), ("base", Seen.PASSED)]
    assert [(o.weight, o.where) for o in objections] == [(Weight.REFUSE, "SPEC.md:3, kit.py:slugify")]
    assert observations[0].reason == 'wrong result: slugify("A b") -> "a-b"'


def test_what_was_answered_so_before_the_work_is_not_held_against_it(tmp_path: Path) -> None:
    assert look(tmp_path, said("A", "A b"), said("A", "A b"))[1] == ()


def test_what_an_issue_says_must_hold_also_where_it_never_did(tmp_path: Path) -> None:
    issue = IssueState(IssueBrief(24, "Slugs", "slugs", "docs/issues/024-slugs"))
    observations, objections, _ = look(tmp_path, said("A", "A b"), said("A", "A b"), issue=issue)
    assert [o.commit for o in observations] == ["tip", "base"]
    assert [o.weight for o in objections] == [Weight.REFUSE]


def test_what_an_issue_tells_of_the_code_as_it_is_need_not_hold_any_more(tmp_path: Path) -> None:
    issue = IssueState(IssueBrief(24, "Slugs", "slugs", "docs/issues/024-slugs"))
    assert [o.weight for o in look(tmp_path, said("A", "A b"), said("A", "a-b"), issue=issue)[1]] == [Weight.FLAG]


def test_a_part_answers_for_what_it_broke_and_not_for_what_another_part_brings(tmp_path: Path) -> None:
    part = make_phase(parent=ONE)
    assert [o.weight for o in look(tmp_path, said("A", "A b"), said("A", "x"), phase=part)[1]] == [Weight.FLAG]
    assert [o.weight for o in look(tmp_path, said("A", "A b"), said("A", "a-b"), phase=part)[1]] == [Weight.REFUSE]


@pytest.mark.parametrize(
    ("outcome", "weight"),
    [
        (Outcome(NeverRan("no bwrap")), Weight.OURS),
        (Outcome(TimedOut(60.0)), Weight.REFUSE),
        (Outcome(Exited(0)), Weight.REFUSE),
        (Outcome(Exited(127)), Weight.FLAG),
    ],
)
def test_no_answer_is_weighed_by_how_the_command_ended(tmp_path: Path, outcome: Outcome, weight: Weight) -> None:
    assert [o.weight for o in look(tmp_path, outcome, said("a", "b"))[1]][:1] == [weight]


def test_without_examples_or_without_their_function_nothing_is_run(tmp_path: Path) -> None:
    assert look(tmp_path, on=False)[:2] == ((), ())
    assert look(tmp_path, files={"kit.py": b"x = 1\n"})[:2] == ((), ())
    assert look(tmp_path, files={"SPEC.md": b"# Spec\n", "ROADMAP.md": b"### Phase 1: Slugs\n"})[:2] == ((), ())
