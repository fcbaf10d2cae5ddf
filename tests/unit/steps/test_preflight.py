"""Preflight: whoever starts a phase that says too little is told before it costs anything, and it goes on (CMAP-05).

covers: CMAP-05
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import PreflightDone
from autopilot.model.intent import ContextAnswer, Intent
from autopilot.model.run import SpecLock, Step
from autopilot.planning.formats.locking import KEPT
from autopilot.planning.spec.spec import spec_hash
from autopilot.steps.context import Result
from tests.unit.making import ONE, alter, make_brief, make_criterion, make_phase, make_policy, make_state
from tests.unit.steps.world import Tree, World

SPEC = "- [ ] **REQ-1**: A book can be added with title and author\n"
KNOWN = make_brief(criteria=(make_criterion("phase.c1"),))


class Commits(Tree):
    """A vault that says of a commit what it was made from and upon."""

    def edit_tree(self, base: str, edits: Mapping[str, bytes]) -> str:
        return f"{base} with {', '.join(edits)}"

    def commit(self, tree: str, parents: Sequence[str], message: str, at: Any, author: Any) -> str:
        return f"{tree} upon {', '.join(parents)}"


class Quiet:
    """A clean checkout with a spec in it."""

    path = Path("/home/you/project")

    def read(self, path: str) -> bytes | None:
        return SPEC.encode() if path.endswith("REQUIREMENTS.md") else None

    def list(self, prefix: str = "") -> tuple[str, ...]:
        return ()

    def dirty(self) -> tuple[str, ...]:
        return ()

    def unwritable(self) -> str:
        return ""

    def branch(self) -> str:
        return "main"


def warnings(folder: Path, spec: str = SPEC, **more: Any) -> tuple[str, ...]:
    return done(folder, spec, **more).warnings


def done(folder: Path, spec: str = SPEC, line: str = "", **more: Any) -> PreflightDone:
    world = World(folder, files={".planning/REQUIREMENTS.md": spec.encode()})
    phase = alter(
        make_phase(done=(Step.PREFLIGHT,)),
        brief=more.pop("brief", KNOWN),
        parent=more.pop("parent", None),
        line=line,
        on_own_branch=bool(line),
    )
    lock = SpecLock(".planning/REQUIREMENTS.md", spec_hash(more.pop("locked", SPEC)))
    policy = more.pop("policy", make_policy(confined=False))
    state = make_state(phase, spec=lock, policy=policy, **more)
    vault = Commits({".planning/REQUIREMENTS.md": spec.encode()})
    ports = replace(world.ports, checkout=cast(Any, Quiet()), vault=cast(Any, vault))
    running = STEPS[Step.PREFLIGHT](replace(world.context(state, phase, Step.PREFLIGHT), ports=ports))
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    [event] = result.events
    assert result.status == "pass" and isinstance(event, PreflightDone)
    return event


def test_a_phase_that_says_enough_is_started_without_a_word(tmp_path: Path) -> None:
    assert warnings(tmp_path) == ()


@pytest.mark.parametrize(
    ("brief", "said"),
    [
        (
            replace(KNOWN, goal="[To be planned]"),
            "phase 1 is hardly described (context 1/10): its goal is not written yet",
        ),
        (
            replace(KNOWN, requirements=("GONE-1",), criteria=()),
            "phase 1 is hardly described (context 3/10): it has no success criteria; "
            "the spec says too little about GONE-1; there is no PROJECT.md",
        ),
    ],
)
def test_a_phase_that_says_too_little_is_started_with_a_warning(tmp_path: Path, brief: Any, said: str) -> None:
    assert warnings(tmp_path, brief=brief) == (f"{said}; `autopilot run --map 1` asks you about what is missing",)


def test_what_map_would_find_worth_five_or_more_is_not_warned_of(tmp_path: Path) -> None:
    """One measure for all: what is missing in the spec alone is no reason where the rest is there."""
    assert warnings(tmp_path, brief=replace(KNOWN, requirements=("GONE-1",))) == ()


@pytest.mark.parametrize(
    "more",
    [
        {"intent": Intent(map=True, complete=True)},
        {"context": {ONE: (ContextAnswer("What?", "this"),)}},
        {"parent": ONE},
    ],
)
def test_who_was_asked_already_is_not_warned_again(tmp_path: Path, more: dict[str, Any]) -> None:
    assert warnings(tmp_path, brief=replace(KNOWN, goal="TBD"), **more) == ()


@pytest.mark.parametrize("line", ["", "line"])
def test_a_spec_that_changed_goes_under_the_line_the_phase_works_on(tmp_path: Path, line: str) -> None:
    """Side by side the end of the run's line is another's, and may not have passed yet."""
    path, old = ".planning/REQUIREMENTS.md", SPEC.replace("title", "name")
    made = done(tmp_path, old, line, spec_changed_to=spec_hash(SPEC), tip="tip").spec_commit
    assert made == f"{line or 'tip'} with {path} upon {line or 'tip'}"


def test_a_spec_that_is_edited_as_the_run_goes_on_stops_no_phase_and_is_given_to_the_next(tmp_path: Path) -> None:
    # covers: PRE, INV-4
    path, old = ".planning/REQUIREMENTS.md", SPEC.replace("title", "name")
    event = done(tmp_path, old, locked=old, tip="tip")
    assert (event.issues, event.spec_changed_to) == ((), spec_hash(SPEC))
    assert event.spec_commit == f"tip with {path} upon tip"
    assert event.warnings == (
        f"{path} changed since the run began ({spec_hash(old)[:12]} -> {spec_hash(SPEC)[:12]}): from this one on, "
        f"phases {KEPT}",
    )


def test_the_spec_of_another_branch_that_you_switched_to_is_not_taken_for_a_changed_one(tmp_path: Path) -> None:
    # covers: PRE, INV-4
    old = SPEC.replace("title", "name")
    event = done(tmp_path, old, locked=old, branch="feature")
    assert (event.issues, event.warnings, event.spec_commit, event.spec_changed_to) == ((), (), "", "")


def test_what_the_run_was_told_of_its_agents_is_not_told_again_by_every_phase(tmp_path: Path) -> None:
    """covers: PRE"""
    policy = make_policy(confined=False, agents={"default": "ear"}, models={"ear": {}})
    [first, *others] = warnings(tmp_path, policy=policy)
    assert "none is known" in first and others == []
    told = replace(make_state().totals, warnings=(first,))
    assert warnings(tmp_path, policy=policy, totals=told) == ()
