"""Protocols and data are looked at by what they are; only new breakage is charged, and it is mended like any other.

TYPE, STAT-01, CHK-7, CHK-8
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.events.happened import AgentReplied, PhaseObserved
from autopilot.events.recovery import IntegrityChecked, PhaseMended
from autopilot.model.agent import Role
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories import kinds

Finished = tuple[World, Ran]


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = kinds.protocol(tmp_path_factory.mktemp("protocol"))
    return world, world.run("all")


def seen(world: World, subject: str) -> list[tuple[str, str]]:
    """What was seen of it each time the whole phase was looked at, and the findings."""
    looks = [look for observed in happened(world, PhaseObserved) for look in observed.observations]
    return [(look.seen.value, look.reason) for look in looks if look.subject == subject]


def test_a_protocol_that_names_what_is_not_there_fails_with_file_and_line_and_is_mended(protocol: Finished) -> None:
    world, ran = protocol
    assert ran.status == 0, ran.err
    first, second = seen(world, "cross_reference")
    assert first[0] == "failed"
    assert f"{kinds.GREET}:3: `{kinds.TONE}` does not exist" in first[1]
    assert second == ("passed", "")
    (mended,) = happened(world, PhaseMended)
    assert any(f"{kinds.GREET}:3:" in finding for finding in mended.findings), "the debugger was told where"
    assert "fix(01): debug 1 - fix what did not hold" in world.subjects


def test_a_document_that_did_not_change_is_looked_at_when_what_it_names_is_gone(protocol: Finished) -> None:
    world, _ = protocol
    assert f"{kinds.AGENTS}:3: `{kinds.SIGN}` does not exist" in seen(world, "cross_reference")[0][1]


def test_what_was_broken_before_the_phase_began_is_not_charged_to_it(protocol: Finished) -> None:
    world, _ = protocol
    assert "protocols/lost.md" in world.read(kinds.GREET)
    assert [found for _, found in seen(world, "cross_reference") if "lost.md" in found] == []


def test_a_phase_is_of_the_type_its_change_makes_it_and_brings_that_types_evidence(protocol: Finished) -> None:
    # covers: STAT-01, CHK-7
    world, _ = protocol
    result = state_of(world)["phases"]["1"]["result"]
    assert result["phase_type"] == "protocol"
    assert any(
        line.startswith("autopilot searches for cross-references") for line in result["evidence"]["commands_run"]
    )
    assert [found for checked in happened(world, IntegrityChecked) for found in checked.findings if found.refuses] == []
    report = world.read(".planning/phases/01-part-1/VERIFICATION.md")
    assert "The phase is of type `protocol`." in report
    assert "cross-references of 4 files" in report


def test_data_that_does_not_parse_fails_with_file_and_line_and_is_mended(tmp_path: Path) -> None:
    world = kinds.data(tmp_path)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    first, second = seen(world, "validity")
    assert (first[0], first[1].startswith(f"{kinds.PRICES}:3: not valid JSON")) == ("failed", True)
    assert second == ("passed", "")
    assert state_of(world)["phases"]["1"]["phase_type"] == "data"


def test_what_is_called_there_already_without_a_place_is_asked_for_once_more(tmp_path: Path) -> None:
    # covers: CHK-8
    world = kinds.already_there(tmp_path)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    words = f"nothing was committed, and no file and line shows: {kinds.PROMISE}"
    assert f"[Phase 1] Integrity check 8: REFUSED -- {words}" in ran.err
    assert [reply.role for reply in happened(world, AgentReplied)].count(Role.VERIFIER) == 2
    assert state_of(world)["phases"]["1"]["result"]["already_implemented"] is True
