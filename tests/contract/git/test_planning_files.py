"""Which planning files of a checkout count. covers: FMT-01, FMT-LISTS"""

from __future__ import annotations

import os

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


PLACES = ("specs", "tasks", "prd.json", "TODO.md", "backlog")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["link", "large", "folder", "pipe"])
def test_what_stands_where_other_tools_have_their_plans_is_in_the_way_of_no_roadmap(
    world: World, place: str, kind: str
) -> None:
    world.user.write(".planning/ROADMAP.md", "### Phase 1: Mine\n")
    put(world, place, kind)
    planned = find_planned(world.checkout, Policy())
    assert [phase.name for phase in planned.outline.roadmap.phases] == ["Mine"]


@pytest.mark.parametrize("place", PLACES)
def test_without_a_roadmap_it_is_said_what_cannot_be_read_there(world: World, place: str) -> None:
    put(world, place, "link")
    with pytest.raises(UsageError, match="leads out of the repository"):
        find_planned(world.checkout, Policy())


def put(world: World, place: str, kind: str) -> None:
    path = world.user.path / place
    if kind == "link":
        outside = world.user.path.parent / "outside"
        (outside / "tasks").mkdir(parents=True)
        (outside / "tasks.json").write_text("{}")
        path.symlink_to(outside)
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(70_000_000)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
