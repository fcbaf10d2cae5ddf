"""``autopilot repomap`` in a repository."""

from __future__ import annotations

import json

from tests.scenario.kit.world import World


def test_a_map_is_built_shown_and_exported(world: World) -> None:
    """covers: CMD-REPOMAP"""
    world.write("tool.py", "from helper import run\n\n\ndef main(): run()\n")
    world.write("helper.py", "def run(): ...\n")
    world.write("broken.ts", "class {{{\n")
    built = world.autopilot("repomap", "build")
    assert built.status == 0 and "parsed anew; 1 of them only in part" in built.out
    assert "0 parsed anew" in world.autopilot("repomap", "build").out
    status = json.loads(world.autopilot("repomap", "status", "--json").out)
    assert status["languages"]["python"] >= 2 and status["partial"] == {"broken.ts": ["syntax errors"]}
    assert "partial: broken.ts (syntax errors)" in world.autopilot("repomap", "status").out
    assert "wrote .autopilot/repo-map.json" in world.autopilot("repomap", "export").out
    entries = {entry["path"]: entry for entry in json.loads(world.read(".autopilot/repo-map.json"))["files"]}
    assert entries["tool.py"]["call_graph"] == [{"caller": "main", "callees": ["run"], "line": 4}]
    assert world.git("status", "--porcelain").count("repo-map.json") == 0


def test_mistakes_are_explained(world: World) -> None:
    unknown = world.autopilot("repomap", "build", "--commit", "nowhere")
    assert unknown.status == 2 and "nowhere is no commit of this repository" in unknown.err
    assert world.autopilot("repomap", "build", "--jobs", "-1").status == 2
