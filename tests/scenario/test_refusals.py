"""A request that is wrong, or a machine that lacks something, is refused before anything is touched.

INV-1, INV-4, PRE, T5.refusal, T1
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scenario.kit import PATIENCE_S, Plot, Ran, World, base_config, make_world, photograph, usage, work


def make_cycle(world: World) -> None:
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("Nothing", "Phase 2", 1))
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("Nothing", "Phase 1", 1))
    world.commit("round and round")


def remove_roadmap(world: World) -> None:
    (world.project / ".planning/ROADMAP.md").unlink()
    world.commit("no roadmap")


def empty_roadmap(world: World) -> None:
    world.write(".planning/ROADMAP.md", "# Roadmap\n\nNothing yet.\n")
    world.commit("no phases")


def tick_everything(world: World) -> None:
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("- [ ]", "- [x]"))
    world.commit("all ticked")


def add_submodule(world: World) -> None:
    world.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendored")
    world.git("commit", "-q", "-m", "a submodule")


def break_config(world: World) -> None:
    world.write(".planning/config.json", '{"project": \n')
    world.commit("half a config")


def forget_history(world: World) -> None:
    shutil.rmtree(world.project / ".git")
    world.git("init", "-q", "-b", "main")


def forget_git(world: World) -> None:
    shutil.rmtree(world.project / ".git")


def nothing(_: World) -> None: ...


REFUSED: list[tuple[str, Callable[[World], None], tuple[str, ...], str]] = [
    ("an unknown phase", nothing, ("7",), "there is no phase 7 in .planning/ROADMAP.md"),
    ("a reversed range", nothing, ("2-1",), "the range 2-1 runs backwards"),
    ("a word that is no phase", nothing, ("soon",), "`soon` is not a phase"),
    ("an empty selection", tick_everything, ("all",), "nothing to run: no open phase among 1, 2"),
    ("a roadmap without phases", empty_roadmap, (), "nothing to run: .planning/ROADMAP.md has no phase"),
    ("a cycle", make_cycle, (), "1 -> 2"),
    ("no roadmap", remove_roadmap, (), "there is no roadmap"),
    ("half a config", break_config, (), ".planning/config.json:2: not valid JSON"),
    ("no repository", forget_git, (), "not a git repository"),
    ("no commits", forget_history, (), "no commit"),
    ("submodules", add_submodule, (), "submodules are not supported yet (vendored)"),
]


@pytest.mark.parametrize(("make", "words", "said"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_wrong_request_ends_with_status_2_and_touches_nothing(
    tmp_path: Path, make: Callable[[World], None], words: tuple[str, ...], said: str
) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    make(world)
    before = look_at(world)
    ran = world.run(*words)
    assert ran.status == 2, ran.err
    error, hint = ran.err.splitlines()
    assert error.startswith("error: ")
    assert said in error
    assert hint.startswith("hint: ")
    assert ran.out == ""
    assert look_at(world) == before
    assert not (world.project / ".autopilot").exists()
    assert [path.name for path in world.state.rglob("*") if path.name in ("journal.db", "vault.git")] == []


def look_at(world: World) -> object:
    if (world.project / ".git").exists():
        return photograph(world.project), world.git("for-each-ref")
    return sorted(world.project.rglob("*"))


def test_resume_without_an_unfinished_run_is_refused(world: World) -> None:
    # covers: INV-6
    ran = world.resume()
    assert ran.status == 2
    assert ran.err.splitlines() == ["error: there is no unfinished run to resume", "hint: autopilot run all"]


def test_without_an_agent_the_run_is_refused_with_status_5(world: World) -> None:
    ran = world.autopilot("run")
    assert ran.status == 5
    assert ran.err.startswith("error: no agent is chosen\nhint: ")
    assert not world.state.exists()
    unknown = world.autopilot("run", "--agent", "nobody")
    assert unknown.status == 5
    assert "error: there is no agent named 'nobody'" in unknown.err


def without_bubblewrap(world: World) -> Ran:
    """In a mount namespace of its own where nothing can be executed under bubblewrap's name."""
    found = shutil.which("bwrap")
    assert found is not None
    hide = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Ur", "-m"]
    wrapper = [*hide, "sh", "-c", 'mount --bind /dev/null "$1" && shift && exec "$@"', "sh", found]
    process = world.start("run", "--script", str(world.script), wrapper=wrapper)
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out, err)


def test_without_a_sandbox_the_run_pauses_with_status_5_and_the_remedy_and_goes_on_when_there_is_one(
    world: World,
) -> None:
    before = photograph(world.project)
    ran = without_bubblewrap(world)
    assert ran.status == 5, ran.err
    assert "bubblewrap (bwrap) is not installed" in ran.out
    assert "apt-get install bubblewrap" in ran.out
    assert photograph(world.project) == before
    assert world.resume().status == 0, "with a sandbox it goes on"


def test_a_run_without_sandbox_by_written_opt_out_says_so_everywhere(world: World) -> None:
    world.set_settings('sandbox = "off"\n')
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "warning: commands run WITHOUT a sandbox, by your written opt-out" in ran.err
    assert "WITHOUT a sandbox" in world.read(f"{world.plot.folder(1)}/VERIFICATION.md")
    assert "WITHOUT a sandbox" in world.autopilot("status").out


@pytest.mark.parametrize("place", ["settings", "config"])
def test_a_token_cap_pauses_the_run_with_status_4_and_a_higher_one_lets_it_go_on(tmp_path: Path, place: str) -> None:
    capped = {**base_config(), "circuit_breaker_config": {"cost_cap_tokens_total": 5000}}
    world = make_world(tmp_path, Plot(planned=True), config=capped if place == "config" else None)
    if place == "settings":
        world.set_settings("[budget]\ntokens = 5000\n")
    world.play({**work("01-01"), "usage": usage(6000)})
    ran = world.run()
    assert ran.status == 4, ran.err
    assert "the run's token cap is reached: 6,000 of 5,000" in ran.out
    assert "to go on: `autopilot resume`" in ran.out
    assert not (world.project / "part-01-01.sh").exists()
    assert world.resume().status == 4, "asking again does not raise the cap"
    if place == "settings":
        world.set_settings("[budget]\ntokens = 50000\n")
    else:
        world.write(".planning/config.json", world.read(".planning/config.json").replace("5000", "50000"))
    again = world.resume()
    assert again.status == (0 if place == "settings" else 3), again.err
    assert "phase 1 passed" in again.out
