"""What the user says of tests releases them from an agent's plan: in the phase's section, in whatever language."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.model.planning.criterion import Kind
from autopilot.model.policy import Commands
from autopilot.model.run import Step
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.steps.evidence.users_tests import looked_at_alone, text_by_user
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


@pytest.mark.parametrize(
    ("command", "released"),
    [
        ("grep -c 'part 2' all.txt", {"all.txt"}),
        ("grep -q 'part 2' ./all.txt && test -s all.txt", {"all.txt"}),
        ("sh part.sh | grep -q two", set()),  # it runs the product
        ("diff out.txt all.txt", set()),
        ('test "$(sh part.sh)" = "$(cat all.txt)"', set()),  # what the product is compared with
        ("grep -qf all.txt out.txt", set()),  # one is compared with the other
        ("grep -q two missing.txt", set()),
    ],
)
def test_what_a_criterion_only_looks_at_is_what_it_asks_to_be_changed(command: str, released: set[str]) -> None:
    criterion = parse_criterion(f"It names two -- verified by: `{command}`", "phase.c1", 1, Commands())[0]
    assert looked_at_alone([criterion], ["all.txt", "out.txt", "part.sh"]) == released
    kept = replace(criterion, kind=Kind.KEEP)
    assert looked_at_alone([kept], ["all.txt", "out.txt", "part.sh"]) == set()
