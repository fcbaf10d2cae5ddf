"""Stories of phases that are looked at. A program at a terminal is looked at in a fraction of the time of a page."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import Call, claim, commit_all
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, base_config, make_world
from tests.scenario.stories.story import Story

MENU = "tea     2.50\nbread   1.20\n"
LOOK = {"enabled": True, "routes": [{"command": "cat menu.txt", "name": "menu"}]}


def _menu(folder: Path) -> World:
    config = {**base_config(), "project": {**base_config()["project"], "visual_testing": LOOK}}
    world = make_world(folder, Plot(planned=True, files=("menu.txt",)), config=config)
    world.write("menu.txt", MENU)
    world.commit("a menu")
    part: Call = {"write": "part-01-01.sh", "text": part_text("01-01")}
    world.play(claim("01-01", part, {"write": "menu.txt", "text": f"{MENU}milk    0.90\n"}, *commit_all("milk")))
    return world


STORIES = (Story("looked_at", _menu, 0),)
