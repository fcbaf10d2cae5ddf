"""The version by code: rules of the project first, one commit, every check on it, or none at all.

covers: DONE-1
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.closing import VersionAdvised, VersionBumped, VersionKept
from autopilot.events.fold_closing import VERSION
from autopilot.events.pieces import StepState
from autopilot.events.talk import AuditState
from autopilot.model.audit import VersionAdvice
from autopilot.model.policy import Commands
from autopilot.model.run import PhaseStatus, Step, StepStatus
from autopilot.ports.sandbox import Exited, NeverRan, Outcome
from autopilot.steps.closing import bump
from autopilot.steps.context import Result
from tests.unit.making import START, make_phase, make_policy, make_state
from tests.unit.steps.world import Answering, Tree, World


class Commits(Tree):
    """A vault that keeps each commit's files and what it is called."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.trees: dict[str, dict[str, bytes]] = {"tip": dict(files)}
        self.subjects: list[str] = []

    def read(self, commit: str, path: str) -> bytes | None:
        return self.trees[commit].get(path)

    def list(self, commit: str, prefix: str = "") -> tuple[str, ...]:
        return tuple(path for path in self.trees[commit] if path.startswith(prefix))

    def edit_tree(self, base: str, edits: Mapping[str, bytes]) -> str:
        self.trees["tree"] = {**self.trees[base], **edits}
        return "tree"

    def tree_without(self, commit: str, prefix: str) -> str:
        return "public-tree"

    def commit(self, tree: str, parents: Any, message: str, at: Any, author: Any) -> str:
        self.subjects.append(message)
        if tree != "public-tree":
            self.trees["bumped"] = self.trees[tree]
            return "bumped"
        return "public"


def play(folder: Path, files: dict[str, bytes], audit: AuditState | None = None, **more: Any) -> tuple[Result, Commits]:
    world = World(folder, sandbox=Answering(more.pop("outcomes", {})))
    vault = Commits(files)
    ports = replace(world.ports, vault=vault)  # type: ignore[arg-type]
    policy = make_policy(commands=Commands(test="make test"), **more)
    done = make_phase(status=PhaseStatus.COMPLETED)
    version = make_phase(VERSION, steps={"bump": StepState(started_at=START)})
    state = make_state(done, tip="tip", policy=policy, audit=audit or AuditState(), public_tip="landed")
    context = replace(world.context(state, version, Step.BUMP), ports=ports)
    try:
        next(bump.perform(context))
    except StopIteration as end:
        return end.value, vault
    raise AssertionError("a bump has nothing to tell before its end")


VERSIONED = {"VERSION": b"1.2.0\n"}


def test_one_commit_on_which_every_check_passed_is_the_new_version(tmp_path: Path) -> None:
    result, vault = play(tmp_path, {**VERSIONED, "CHANGELOG.md": b"# Changes\n\n## 1.2.0\n\n- first\n"})
    [event] = result.events
    assert isinstance(event, VersionBumped)
    assert (event.old, event.new, event.commit) == ("1.2.0", "1.3.0", "bumped")
    assert event.files == ("CHANGELOG.md", "VERSION")
    assert [seen.subject for seen in event.observations] == ["test", "version"]
    assert vault.subjects == ["chore: bump to v1.3.0 after phase 1"]
    assert b"## 1.3.0\n\n- Phase 1: Part 1\n" in vault.trees["bumped"]["CHANGELOG.md"]


def test_where_planning_is_not_committed_there_is_a_commit_without_it(tmp_path: Path) -> None:
    result, vault = play(tmp_path, VERSIONED, commit_docs=False)
    [event] = result.events
    assert isinstance(event, VersionBumped) and event.public == "public" and len(vault.subjects) == 2


def kept(result: Result) -> str:
    [event] = result.events
    assert isinstance(event, VersionKept) and result.status == "kept"
    return event.because


@pytest.mark.parametrize(
    ("files", "because"),
    [
        ({}, "no version file"),
        ({"VERSION": b"1.2\n"}, "VERSION has the version '1.2', which does not have three numbers"),
        (
            {**VERSIONED, "CLAUDE.md": b"Never bump the version.\n"},
            "by the project's own rule: Never bump the version.",
        ),
    ],
)
def test_a_version_stays_for_a_reason(tmp_path: Path, files: dict[str, bytes], because: str) -> None:
    result, vault = play(tmp_path, files)
    assert kept(result) == because and vault.subjects == []


def test_a_check_that_fails_with_the_new_version_keeps_the_old(tmp_path: Path) -> None:
    result, _ = play(tmp_path, VERSIONED, outcomes={"make test": Outcome(Exited(1), b"")})
    assert kept(result) == "checks fail with the new version 1.3.0: test"


def test_a_check_that_could_not_be_run_says_nothing(tmp_path: Path) -> None:
    result, _ = play(tmp_path, VERSIONED, outcomes={"make test": Outcome(NeverRan("no sandbox"), b"")})
    assert result.status == "unproven" and result.events == ()


SEMVER = {**VERSIONED, "AGENTS.md": b"Versioning follows semver.\n"}


def advised(advice: VersionAdvice | None, problem: str = "") -> AuditState:
    return AuditState(advised=VersionAdvised(VERSION, advice, problem))


@pytest.mark.parametrize(
    ("files", "audit", "new"),
    [
        ({**VERSIONED, "CLAUDE.md": b"Version bumps: patch only.\n"}, AuditState(), "1.2.1"),
        (SEMVER, advised(VersionAdvice("major", "Versioning follows semver.")), "2.0.0"),
        (SEMVER, advised(VersionAdvice("exact", "Versioning follows semver.", "v3.0.0")), "3.0.0"),
        (SEMVER, advised(None, "it quotes nothing"), "1.3.0"),
    ],
)
def test_the_rules_of_the_project_go_first(
    tmp_path: Path, files: dict[str, bytes], audit: AuditState, new: str
) -> None:
    result, _ = play(tmp_path, files, audit)
    [event] = result.events
    assert isinstance(event, VersionBumped) and event.new == new
    if audit.advised and audit.advised.problem:
        assert event.because.endswith("its own rules could not be read: it quotes nothing")


def test_rules_that_code_does_not_understand_are_put_before_a_reader_first(tmp_path: Path) -> None:
    result, vault = play(tmp_path, SEMVER)
    assert result.status == StepStatus.ASKS and result.events == () and vault.subjects == []
