"""Which planning files of a checkout count. covers: FMT-01, FMT-LISTS"""

from __future__ import annotations

import pytest

from autopilot.engine.planning_files import find_choice, find_planned
from autopilot.model.errors import UsageError
from autopilot.model.policy import Policy
from tests.contract.git.world import World


def test_a_list_without_boxes_is_no_plan_and_one_with_boxes_is(world: World) -> None:
    world.user.write("TODO.md", "- milk\n")
    world.user.commit()
    assert find_choice(world.checkout, roadmap=False, wanted="").format is None
    with pytest.raises(UsageError, match="there is no roadmap"):
        find_planned(world.checkout, Policy())
    world.user.write("TODO.md", "- [ ] milk\n")
    world.user.commit()
    planned = find_planned(world.checkout, Policy())
    assert planned.files.format == "checklist"
    assert [phase.id for phase in planned.outline.roadmap.phases] == ["milk"]
