"""What setup makes is there to work with, and lands with nobody's work. T8.C, T3.dependencies"""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import claim, commit_all, once_more
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, few_tries, make_world

TASK = "01-01"
# No .gitignore names any of it: a package manager's folder, one that only setup knows, and a file.
FILES = "seq 300 | sed s/^/x/ | (cd node_modules/x && xargs touch)"
SETUP = f"mkdir -p node_modules/x tools/made && {FILES} && touch tools/made/y new.lock"
PART = {"write": "part-01-01.sh", "text": "echo part 01-01\n"}


def make_installed(folder: Path) -> World:
    config = few_tries()
    config["project"] = {"commands": {"setup": SETUP, "test": "sh check.sh && test -e node_modules/x/x300"}}
    world = make_world(folder, Plot(planned=True), config=config)
    world.write("tools/README.md", "tools\n")
    world.write("pyproject.toml", "")
    world.commit("a folder that setup adds to")
    return world


def test_an_agent_that_adds_everything_commits_nothing_that_set_up_made(tmp_path: Path) -> None:
    world = make_installed(tmp_path)
    there = {"run": "test -e node_modules/x/x300 && test -e tools/made/y"}
    made = {"run": "mkdir -p build lib/venv lib/env lib/__pycache__ shop.egg-info"}
    built = {"run": "touch build/out lib/env/pyvenv.cfg lib/env/x lib/loose.pyc lib/__pycache__/a.pyc shop.egg-info/a"}
    source = {"write": "lib/venv/kept.py", "text": "# standalone: people read it.\n"}
    world.play(claim(TASK, there, PART, made, built, source, *commit_all(TASK)))
    before = set(world.git("ls-files").splitlines())
    ran = world.run()
    assert ran.status == 0, ran.err
    modified = [line for line in ran.err.splitlines() if "modifying" in line]
    assert modified == [
        "[Phase 1] Task 01-01: modifying lib/venv/kept.py",
        "[Phase 1] Task 01-01: modifying part-01-01.sh",
    ]
    assert "left out of the commit, as builds make it: build (1 file), lib/env (2 files); if it belongs" in ran.err
    landed = set(world.git("ls-files").splitlines()) - before
    assert {path for path in landed if not path.startswith(".planning/")} == {"part-01-01.sh", "lib/venv/kept.py"}


def test_a_work_area_that_is_added_by_force_is_refused_with_the_rule(tmp_path: Path) -> None:
    world = make_installed(tmp_path)
    everything = ["add", "-f", "part-01-01.sh", "node_modules", "tools", "new.lock"]
    force = ({"git": everything}, {"git": ["commit", "-q", "-m", "all of it"]})
    world.play(claim(TASK, PART, *force), once_more())
    ran = world.run()
    assert ran.status == 1, ran.err
    (said, *_) = [line for line in ran.err.splitlines() if "FAILED -- " in line]
    rule = "new.lock (and 301 more files) lies in new.lock, which setup, package managers or builds make"
    assert f"FAILED -- {rule}: remove it from the commit with `git rm -r --cached new.lock`" in said
    assert not (world.project / "node_modules").exists()
