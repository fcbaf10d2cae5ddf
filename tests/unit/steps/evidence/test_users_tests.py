"""What the user says of tests releases them from an agent's plan: in the phase's section, in whatever language."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.run import Step
from autopilot.steps.evidence.users_tests import text_by_user
from tests.unit.steps.sample import sample_context
from tests.unit.steps.world import Tree, World

# covers: T8.S
ROADMAP = "# R\n\n### {word} 1: One\n**Goal**: rewrite tests/test_one.py\n\n### {word} 2: Two\n**Goal**: more\n"


@pytest.mark.parametrize("word", ["Phase", "Фаза", "Sprint"])
def test_the_section_of_a_phase_is_found_whatever_the_roadmap_calls_a_phase(tmp_path: Path, word: str) -> None:
    world = World(tmp_path)
    ctx = sample_context(world, Step.VERIFY)
    path = ctx.state.inputs.roadmap
    world.ports = replace(world.ports, vault=Tree({path: ROADMAP.format(word=word).encode()}))
    asked = text_by_user(replace(ctx, ports=world.ports))
    assert "rewrite tests/test_one.py" in asked
    assert "more" not in asked
