"""What came of a talk lands where the phase's records do; without commits for them, as a plain file (DISC)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from autopilot.events.pieces import Landing, StepState
from autopilot.events.talk import Discussion
from autopilot.model.git import LandingResult, LandingState
from autopilot.model.policy import Policy
from autopilot.model.run import Step
from autopilot.steps.pipeline import land
from tests.unit.making import ONE, START, alter, make_brief, make_phase, make_state
from tests.unit.steps.world import Tree, World

# covers: DISC
PATH = f"{make_brief().folder}/CONTEXT.md"


class Unchanged(Tree):
    def changes(self, before: str, after: str) -> tuple[()]:
        return ()


class Folder:
    """A checkout that is landed on without a question."""

    path = Path("/home/you/project")

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def write_documents(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        self.files.update(files)
        return ()

    def land(self, old: str, new: str, *, beside: bool = False) -> LandingResult:
        return LandingResult(LandingState.LANDED)


class Silent:
    def read(self, run: str) -> list[Any]:
        return []


def land_plainly(folder: Path, checkout: Folder, secrets: dict[str, str] | None = None) -> bytes:
    world = World(folder, secrets=secrets or {})
    outside = {"vault": Unchanged({}), "checkout": checkout, "journal": Silent()}
    world.ports = replace(world.ports, **cast(Any, outside))
    document = world.blobs.put(b"# Phase 1: Part 1 - Context\n\n## Implementation Decisions\n")
    talk = Discussion("RUN", "it lists", (), START, document=document, done=True)
    begun = {"land": StepState(started_at=START)}
    phase = alter(make_phase(steps=begun), records_commit="r", landing=Landing("started", "new", "old", "main"))
    state = make_state(phase, policy=Policy(commit_docs=False), discussions={ONE: talk})
    with pytest.raises(StopIteration) as end:
        next(land.perform(world.context(state, phase, Step.LAND)))
    assert end.value.value.status == "landed"
    return checkout.files[PATH]


def test_without_commits_for_records_it_is_written_as_a_file(tmp_path: Path) -> None:
    assert land_plainly(tmp_path, Folder({})).startswith(b"# Phase 1: Part 1 - Context\n")


def test_what_the_user_wrote_there_stays_however_often_it_is_landed(tmp_path: Path) -> None:
    checkout = Folder({PATH: b"use sqlite, sch\xf6n\n"})
    once = land_plainly(tmp_path, checkout)
    assert once.startswith(b"use sqlite, sch\xf6n\n\n---\n\n# Discussed on 2025-01-01\n\n## Implementation Decisions")
    assert land_plainly(tmp_path, checkout) == once


def test_what_forms_a_secret_only_side_by_side_in_a_report_is_not_landed(tmp_path: Path) -> None:
    """T7.redaction: the title and the goal stand one below the other, and each alone is no secret."""
    plain, clean = Folder({}), Folder({})
    land_plainly(tmp_path / "plain", plain)
    summary = plain.files[f"{make_brief().folder}/SUMMARY.md"].decode()
    secret = f"{make_brief().name.split()[-1]}\n\n{make_brief().goal}"
    assert secret in summary  # the control
    land_plainly(tmp_path / "clean", clean, {"TOKEN": secret})
    assert all(secret.encode() not in content for content in clean.files.values())
    assert b"[redacted:TOKEN]" in clean.files[f"{make_brief().folder}/SUMMARY.md"]
