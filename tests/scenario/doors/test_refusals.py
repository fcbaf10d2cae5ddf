"""A request that is wrong, or a machine that lacks something, is refused before anything is touched.

INV-1, INV-4, PRE, T5.refusal, T1
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autopilot.events.happened import RunStarted
from tests.scenario.kit.calls import usage
from tests.scenario.kit.looking import PATIENCE_S, photograph
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran, World, base_config, make_world


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
    ("an empty selection", tick_everything, ("1-2",), "nothing to run: no open phase among 1, 2"),
    ("a roadmap without phases", empty_roadmap, (), ".planning/ROADMAP.md: the file contains no phase"),
    ("a cycle", make_cycle, (), "1 -> 2"),
    ("no roadmap", remove_roadmap, (), "there is no roadmap"),
    ("half a config", break_config, (), ".planning/config.json:1: not valid JSON, at the end of the file"),
    ("no repository", forget_git, (), "is not in a git repository"),
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
    assert nothing_recorded(world)


def nothing_recorded(world: World) -> bool:
    """The state home may have been made; it holds no event, no commit and no workspace."""
    if not list(world.state.rglob("journal.db")):
        return True
    ports = world.assemble().ports
    folders = [path for path in world.state.rglob("workspaces/*") if path.is_dir() and any(path.iterdir())]
    return not list(ports.journal.read()) and not ports.vault.refs("refs/") and not folders


def look_at(world: World) -> object:
    if (world.project / ".git").exists():
        return photograph(world.project), world.git("for-each-ref")
    return sorted(world.project.rglob("*"))


def test_resume_without_an_unfinished_run_is_refused(world: World) -> None:
    # covers: INV-6
    ran = world.resume()
    assert ran.status == 2
    moved = "if you moved the repository here: `autopilot doctor`"
    hint = f"hint: `autopilot run all --script {world.script}` starts one; {moved}"
    assert ran.err.splitlines() == ["error: there is no unfinished run to resume", hint]


def test_resume_where_everything_is_done_says_so_and_is_no_error(world: World) -> None:
    """A loop around it ends with the work, not with an alarm. covers: LOOP-2"""
    assert world.run("all").status == 0
    ran, again = world.resume(), world.run("all")
    assert (ran.status, ran.err, ran.out) == (again.status, again.err, again.out)
    assert ran.status == 0 and "nothing is open in .planning/ROADMAP.md: phase 1 is done" in ran.out


def test_without_an_agent_the_run_is_refused_with_status_5(world: World) -> None:
    ran = world.autopilot("run")
    assert ran.status == 5
    assert ran.err.startswith("error: no agent is chosen\nhint: ")
    assert nothing_recorded(world)
    unknown = world.autopilot("run", "--agent", "nobody")
    assert unknown.status == 2
    assert "error: there is no agent named 'nobody'" in unknown.err


def test_a_dry_run_warns_of_unknown_settings_and_missing_agents(world: World) -> None:
    world.set_settings("[budget]\ntokkens = 1\n[agent.claude]\nprogram = 'no-such-program'\n")
    script = world.folder / "missing.json"
    ran = world.autopilot("run", "--dry-run", "--script", str(script), "--agent", "scripted,claude")
    assert ran.status == 0, ran.err
    warnings = [line.strip() for line in ran.out.splitlines() if "warning: " in line]
    assert any("settings.toml: unknown key" in line and "tokkens" in line for line in warnings)
    assert f"warning: agent scripted is not available: the script {script} does not exist" in warnings
    assert "warning: agent claude is not available: no-such-program is not on your PATH" in warnings


@pytest.mark.parametrize("script", ["missing.json", ""])
def test_a_script_that_is_not_there_is_refused_before_a_suggested_call_repeats_it(world: World, script: str) -> None:
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("- [ ]", "- [x]"))
    ran = world.autopilot("run", "--script", script)
    hint = "hint: name the script of the scripted agent, or leave --script out to use your own agents"
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [f'error: --script "{script}" names no file', hint]


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
    assert ".autopilot" not in world.git("ls-files"), "an agent's papers are no part of its work"


def test_a_sandbox_given_up_during_a_run_is_shown_too(world: World) -> None:
    world.drive_until(RunStarted)
    world.set_settings('sandbox = "off"\n')
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert "warning: commands run WITHOUT a sandbox, by your written opt-out" in ran.err
    assert "WITHOUT a sandbox" in world.read(f"{world.plot.folder(1)}/VERIFICATION.md")


# Spent to the last token by the first call, so that no call is cut off.
SPEND = {"role": "plan_checker", "phase": "1", "usage": usage(5000)}


def test_a_token_cap_pauses_the_run_with_status_4_and_a_higher_one_lets_it_go_on(world: World) -> None:
    world.set_settings("[budget]\ntokens = 5000\n")
    world.play(SPEND)
    ran = world.run()
    assert ran.status == 4, ran.err
    assert "the run's token cap is reached: 5,000 of 5,000" in ran.out
    assert "to continue: raise budget.tokens in " in ran.out
    assert world.resume().status == 4, "asking again does not raise the cap"
    world.set_settings("[budget]\ntokens = 50000\n")
    again = world.resume()
    assert again.status == 0, again.err
    assert "Step: PLAN-CHECK" not in again.err.partition("EXECUTE")[0], "what was paid for is not asked again"


def test_a_cap_of_the_repository_narrows_a_resumed_run_as_well(tmp_path: Path) -> None:
    capped = {**base_config(), "circuit_breaker_config": {"cost_cap_tokens_total": 5000}}
    world = make_world(tmp_path, Plot(planned=True), config=capped)
    world.play(SPEND)
    assert world.run().status == 4
    assert world.resume().status == 4
    world.set_settings("[budget]\ntokens = 50000\n")
    assert world.resume().status == 4
