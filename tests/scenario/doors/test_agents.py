"""The agents of a user as the command line shows them: which there are, how they are signed in, what they are for.

covers: T5.logins, T5, R-SECRET, INV-7
"""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autopilot.api.assembly import assemble
from autopilot.events.happened import PhaseStarted
from autopilot.model.agent import Role
from tests.scenario.kit.aftermath import stored
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.plot import Plot, roadmap_text
from tests.scenario.kit.terminal import at_terminal
from tests.scenario.kit.world import Ran, World, base_config, make_world

# covers: CMD-AGENTS

KEY = "key-of-mine-4711-4712"
VARIABLES = {"LICENCE_OF_MINE": KEY, "SECRET_OF_MINE": "never to be passed on", "CODEX_HOME": "/somewhere/else"}
# Stands in for Codex: says its version, and signs in as the real one does, by a file in its home.
CODEX = """\
[ "$1" = --version ] && { echo warning >&2; echo "codex-cli 9.9"; exit; }
[ "$1" = login ] || exit 2
[ -t 0 ] && [ -t 1 ] || exit 3
env | sort > "$HOME/environment"
printf 'code: '
read -r code
[ -n "$code" ] || exit 4
mkdir -p "$HOME/.codex"
echo "{\\"tokens\\": {\\"access_token\\": \\"$code\\"}}" > "$HOME/.codex/auth.json"
"""


class Household(World):
    """A world whose user has agents: ``codex`` (a stand-in), ``mine`` (any program), and one that is gone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Plot(planned=True))
        self.say_settings('default = ["mine:big", "gone"]\njudge = "codex"')

    def say_settings(self, agents: str, more: str = "") -> None:
        self.set_settings(f"""
[agents]
{agents}
[agent.codex]
program = "{self.program("codex", CODEX)}"
[agent.mine]
kind = "command"
program = "{self.program("my-agent", "echo '{}'")}"
key_env = "LICENCE_OF_MINE"
[agent.gone]
kind = "command"
program = "no-such-agent"
{more}""")

    def program(self, name: str, lines: str) -> Path:
        path = self.home / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{lines}")
        path.chmod(0o755)
        return path

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, **VARIABLES}

    @property
    def login(self) -> Path:
        return self.state / "autopilot" / "agents" / "codex"

    def agents(self) -> dict[str, Any]:
        ran = self.autopilot("agents", "--json")
        assert ran.status == 0, ran.err
        return {facts["name"]: facts for facts in json.loads(ran.out)}

    def doctor(self) -> dict[str, list[dict[str, str]]]:
        found: dict[str, list[dict[str, str]]] = {}
        for finding in json.loads(self.autopilot("doctor", "--json").out):
            found.setdefault(finding["what"], []).append(finding)
        return found

    def type_in(self, *words: str, asked: str, typed: str) -> tuple[int, str]:
        return at_terminal(self.command(*words), self.project, self.environment, asked=asked, typed=typed)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = Household(tmp_path)
    made.git("init", "-q", "-b", "main")
    made.write(".planning/config.json", json.dumps(base_config()))
    made.commit("begin")
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- which there are


def test_every_agent_is_told_found_or_not_with_what_it_is_for(house: Household) -> None:
    found = house.agents()
    mine, codex, gone, claude = (found[name] for name in ("mine", "codex", "gone", "claude"))
    assert (codex["version"], codex["signed_in"], codex["provider"]) == ("codex-cli 9.9", "no", "openai")
    assert (codex["leads"], codex["follows"]) == (["judge"], [])
    assert codex["remedy"] == "autopilot agents login codex"
    assert mine["program"] == str(house.home / "bin" / "my-agent")
    assert (mine["signed_in"], len(mine["leads"]), mine["provider"]) == ("key", len(Role) - 1, "mine")
    assert (gone["program"], gone["problem"], len(gone["follows"])) == (
        "",
        "no-such-agent is not on your PATH",
        len(Role) - 1,
    )
    assert (claude["leads"], claude["follows"]) == ([], [])
    assert not house.state.exists(), "looking makes nothing"


def test_the_table_is_for_people_and_fits_a_line_for_each(house: Household) -> None:
    ran = house.autopilot("agents")
    assert ran.status == 0, ran.err
    table, models = ran.out.split("\n\n")
    lines = {line.split()[0]: line for line in table.splitlines()}
    assert lines["NAME"].split("  ")[0] == "NAME"
    assert max(map(len, ran.out.splitlines())) <= 80
    assert lines["mine"].endswith("key        all but judge")
    assert "  9.9 " in lines["codex"] and str(house.home) not in ran.out
    assert "  not installed  " in lines["gone"] and "fallback: all but j" in lines["gone"]
    assert KEY not in ran.out
    assert models.splitlines()[:2] == ["Models by profile balanced", "  strong: planner, splitter, analyst, designer"]
    cells = {line.split()[0]: line.split()[1:] for line in models.splitlines()}
    assert (cells["claude"], cells["codex-acp"]) == (["opus", "sonnet", "haiku"], ["@high", "its", "own", "@low"])
    blocks = house.autopilot("agents", "--long").out.split("\n\n")[:-1]
    long = {lines[0]: {line.strip() for line in lines[1:]} for lines in map(str.splitlines, blocks)}
    assert "program:     not installed: no-such-agent is not on your PATH" in long["gone"]
    assert {"limits of:   mine", f"program:     {house.home / 'bin' / 'my-agent'}"} <= long["mine"]
    assert "may reach:   no host" in long["mine"]
    assert "may reach:   api.openai.com, chatgpt.com, auth.openai.com" in long["codex"]
    assert "program:     built in; needs --script FILE" in long["scripted"]


def test_the_repository_has_a_say_where_the_user_has_none(house: Household) -> None:
    house.say_settings('judge = "codex"')
    house.write(".planning/config.json", json.dumps({"autopilot": {"agents": {"rater": ["codex", "mine"]}}}))
    found = house.agents()
    assert (found["codex"]["leads"], found["mine"]["follows"]) == (["judge", "rater", "auditor"], ["rater"])


def test_outside_a_repository_the_settings_alone_count(house: Household) -> None:
    ran = house.autopilot("agents", cwd=house.home)
    assert ran.status == 0, ran.err
    assert "all but judge" in ran.out


def test_where_there_are_records_a_version_is_kept_until_the_program_changes(house: Household) -> None:
    pipe_key(house, "codex", KEY)
    assert house.agents()["codex"]["version"] == "codex-cli 9.9"
    kept = house.login.parent / "versions.json"
    [(mark, version)] = json.loads(kept.read_text()).items()
    assert (version, mode(kept)) == ("codex-cli 9.9", 0o600)
    kept.write_text(json.dumps({mark: "codex-cli kept"}))
    assert house.agents()["codex"]["version"] == "codex-cli kept"
    house.program("codex", CODEX.replace("9.9", "10.0.1"))
    assert house.agents()["codex"]["version"] == "codex-cli 10.0.1"
    kept.write_text("no JSON")
    assert house.agents()["codex"]["version"] == "codex-cli 10.0.1"


def test_whoever_waits_at_a_terminal_is_told_for_what(house: Household) -> None:
    house.program("codex", "sleep 2\n" + CODEX)
    status, shown = at_terminal(house.command("agents"), house.project, house.environment, asked="NAME", typed="")
    assert status == 0
    assert "agents for their versions…" in shown.split("NAME")[0]


# -- signing in and out


def pipe_key(house: Household, name: str, key: str) -> Ran:
    command = house.command("agents", "login", name, "--key")
    done = subprocess.run(
        command, input=key, cwd=house.project, env=house.environment, capture_output=True, text=True, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_a_key_from_a_pipe_is_kept_for_the_user_alone_and_removed_again(house: Household) -> None:
    ran = pipe_key(house, "codex", KEY + "\n")
    assert ran.status == 0, ran.err
    assert (house.login / "key").read_text() == KEY + "\n"
    assert (mode(house.login / "key"), mode(house.login), mode(house.login.parent)) == (0o600, 0o700, 0o700)
    assert KEY not in ran.out + ran.err
    assert house.agents()["codex"]["signed_in"] == "key"
    out = house.autopilot("agents", "logout", "codex")
    assert (out.status, out.out) == (0, f"removed {house.login / 'key'}\n")
    assert house.agents()["codex"]["signed_in"] == "no"
    assert house.autopilot("agents", "logout", "codex").out == "codex was not signed in\n"


def test_a_key_typed_at_a_terminal_is_not_shown(house: Household) -> None:
    status, shown = house.type_in("agents", "login", "codex", "--key", asked="key: ", typed=KEY)
    assert status == 0, shown
    assert KEY not in shown
    assert (house.login / "key").read_text() == KEY + "\n"


def test_an_agent_signs_in_by_its_own_command_into_a_folder_of_its_own(house: Household) -> None:
    (house.home / ".codex").mkdir()
    (house.home / ".codex" / "auth.json").write_text("the user's own")
    status, shown = house.type_in("agents", "login", "codex", asked="code: ", typed="code-4711")
    assert status == 0, shown
    kept = house.login / "files" / ".codex" / "auth.json"
    assert f"codex is signed in; its credentials are in {kept}" in shown
    assert (json.loads(kept.read_text())["tokens"]["access_token"], mode(kept)) == ("code-4711", 0o600)
    assert (house.home / ".codex" / "auth.json").read_text() == "the user's own"
    given = dict(line.split("=", 1) for line in (house.login / "files" / "environment").read_text().splitlines())
    assert given["HOME"] == str(house.login / "files")
    assert not given.keys() & {*VARIABLES, "AUTOPILOT_STATE_HOME"}
    assert house.agents()["codex"]["signed_in"] == "signed in"
    out = house.autopilot("agents", "logout", "codex")
    assert out.out == f"removed {kept}\n"
    assert (house.login / "files" / "environment").exists(), "nothing else is removed"


def test_a_sign_in_that_failed_is_said_to_have_failed(house: Household) -> None:
    status, shown = house.type_in("agents", "login", "codex", asked="code: ", typed="")
    assert status == 5
    assert "error: codex is not signed in: its sign-in exited with status 4" in shown
    assert "autopilot agents login codex --key" in shown


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("login", "mine"), 2, "Autopilot knows no sign-in command of mine"),
        (("login", "nobody"), 2, "there is no agent named 'nobody'"),
        (("login", "claude"), 5, "claude is not on your PATH"),
        (("login", "codex"), 2, "the sign-in of codex asks questions, and standard input is not a terminal"),
        (("login", "scripted"), 2, "scripted plays a script and needs no sign-in"),
        (("logout", "nobody"), 2, "there is no agent named 'nobody'"),
        (("test", "nobody"), 2, "there is no agent named 'nobody'"),
        (("test", "claude", "codex"), 5, "claude is not on your PATH"),
        (("login", "codex", "--key"), 2, "the key is empty"),
    ],
)
def test_what_cannot_be_signed_in_is_refused_with_a_reason(
    house: Household, words: tuple[str, ...], status: int, said: str
) -> None:
    ran = called_without_agents(house, "agents", *words)
    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(f"error: {said}")
    assert "\nhint: " in ran.err
    assert not house.login.exists()


@pytest.mark.parametrize("words", [("agents", "login", "cladue"), ("agents", "logout", "cladue"), ("run", "--agent")])
def test_a_misspelt_name_is_met_with_the_one_that_was_meant(house: Household, words: tuple[str, ...]) -> None:
    ran = house.autopilot(*words, *(("cladue",) if words[-1] == "--agent" else ()))
    assert ran.status == 2
    assert "hint: did you mean 'claude'? choose one of: claude, codex, " in ran.err


@pytest.mark.parametrize("words", [("run",), ("resume",), ("agents", "login", "mine"), ("agents", "test", "mine")])
def test_a_misspelt_word_about_an_agent_stops_whatever_would_use_it(house: Household, words: tuple[str, ...]) -> None:
    house.say_settings('default = "mine"', '[agent.claude]\nbase_ulr = "http://127.0.0.1:9"\n')
    ran = house.autopilot(*words)
    assert ran.status == 2
    assert "settings.toml: [agent.claude] unknown key base_ulr; did you mean base_url?\n" in ran.err
    told = [one for found in house.doctor().values() for one in found if "base_ulr" in one["detail"]]
    assert [(one["what"], one["state"]) for one in told] == [("agents", "problem")], "one fault is told once"


def called_without_agents(house: Household, *words: str) -> Ran:
    """On a search path where no real agent is, whatever this machine has installed."""
    process = house.start(*words, wrapper=("env", "PATH=/usr/bin:/bin"))
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out, err)


def test_no_key_of_any_agent_is_ever_stored_or_shown(house: Household) -> None:
    pipe_key(house, "codex", "another-key-of-mine")
    house.say_settings('default = "mine"', '[agent.mine.env]\nSERVICE_TOKEN = "written-in-settings"\n')
    clean = assemble(house.repository, house.settings).ports.blobs.clean
    said = f"{KEY} another-key-of-mine written-in-settings"
    assert clean(said) == "[redacted:LICENCE_OF_MINE] [redacted:key-1] [redacted:SERVICE_TOKEN]"


# -- what doctor and init say


def test_doctor_says_who_does_what_who_steps_in_and_how_to_sign_in(house: Household) -> None:
    found = house.doctor()
    assert [one["detail"] for one in found["roles"]] == [
        "every role but judge: mine:big, then gone",
        "judge: codex",
    ]
    [mine], [gone], [codex] = (found[f"agent {name}"] for name in ("mine", "gone", "codex"))
    assert mine["state"] == "ok"
    assert "signed in by key" in mine["detail"]
    assert (gone["state"], gone["detail"]) == ("warning", "no-such-agent is not on your PATH")
    assert (codex["state"], codex["remedy"]) == ("problem", "autopilot agents login codex")
    assert "codex-cli 9.9, not signed in, at " in codex["detail"]
    network = [finding["detail"] for finding in found["network"]]
    assert "codex may reach api.openai.com, chatgpt.com, auth.openai.com" in network


def test_an_agent_that_is_gone_is_a_problem_where_nobody_steps_in(house: Household) -> None:
    house.say_settings('default = "mine"\njudge = "gone"')
    [gone] = house.doctor()["agent gone"]
    assert gone["state"] == "problem"
    assert 'change program = "/PATH/TO/IT" below [agent.gone] in ' in gone["remedy"]
    assert house.autopilot("doctor").status == 5


def test_a_sign_in_is_seen_by_doctor_before_the_first_run(house: Household) -> None:
    pipe_key(house, "codex", KEY)
    [codex] = house.doctor()["agent codex"]
    assert (codex["state"], codex["remedy"]) == ("ok", "")


def test_doctor_tells_what_is_wrong_with_an_agent_in_the_settings(house: Household) -> None:
    house.say_settings('default = "mine"', '[agent.x]\nkind = "clod"\n')
    [told] = house.doctor()["agents"]
    assert told["state"] == "problem"
    assert '[agent.x] kind is "clod"' in told["detail"]
    assert "no run has been started" in house.autopilot("cancel").err, "what needs no agent goes on"


def test_init_names_the_agents_that_are_there_and_writes_no_settings(house: Household) -> None:
    house.say_settings("")
    before = (house.home / ".config/autopilot/settings.toml").read_text()
    ran = called_without_agents(house, "init")
    assert ran.status == 0, ran.err
    assert "agents found: codex, mine\n" in ran.out
    line = f'write default = "codex" below [agents] in {house.home}/.config/autopilot/settings.toml\n'
    assert f"  to choose one, {line}" in ran.out
    assert (house.home / ".config/autopilot/settings.toml").read_text() == before


def test_a_signed_out_agent_beside_another_is_a_warning_of_doctor(house: Household) -> None:
    house.say_settings('default = "mine"\njudge = ["codex", "mine"]')
    [codex] = house.doctor()["agent codex"]
    assert (codex["state"], codex["remedy"]) == ("warning", "autopilot agents login codex")


# -- chains of one call


def test_a_chain_of_one_call_goes_before_every_default_of_the_settings(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    choice = '[agents]\ndefault = "claude"\n[profiles.balanced]\ndefault = "claude"\n'
    script = f'[scripted]\nscript = "{world.script}"\n'
    world.set_settings(choice + script + '[agent.gone]\nkind = "command"\nprogram = "no-such-agent"\n')
    ran = world.autopilot("run", "--agent", "gone:big, scripted")
    assert ran.status == 0, ran.err
    assert (
        "warning: agent gone is not available, and fallback agents replace it: no-such-agent is not on your PATH"
        in ran.err
    )


def test_a_run_whose_only_agent_is_gone_is_refused_before_it_begins(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.set_settings('[agent.gone]\nkind = "command"\nprogram = "no-such-agent"\n')
    ran = world.autopilot("run", "--agent", "gone")
    assert ran.status == 5
    assert ran.err.startswith(
        "error: no agent is available for the role researcher: no-such-agent is not on your PATH\nhint: "
    )
    assert not (world.project / ".autopilot").exists()


def test_a_run_whose_only_agent_is_signed_out_is_refused_before_it_begins(house: Household) -> None:
    house.write(".planning/ROADMAP.md", roadmap_text(house.plot))
    house.say_settings('default = "codex"')
    ran = house.autopilot("run")
    assert ran.status == 5
    said = [
        "error: no agent is available for the role researcher: codex is not signed in",
        "hint: autopilot agents login codex",
    ]
    assert ran.err.splitlines() == said
    assert "no run has been started in this repository" in house.autopilot("status").err


def test_a_run_that_is_taken_up_again_is_refused_at_once_when_its_agent_is_gone(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.drive_until(PhaseStarted)
    world.set_settings('[agent.gone]\nkind = "command"\nprogram = "no-such-agent"\n')
    before = stored(world)
    ran = world.autopilot("resume", "--agent", "gone")
    assert ran.status == 5
    assert ran.err.startswith(
        "error: no agent is available for the role researcher: no-such-agent is not on your PATH\nhint: "
    )
    assert stored(world) == before
    assert world.resume().status == 0


def test_what_only_has_to_land_needs_no_agent(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.write("README.md", "not committed\n")
    assert world.run().status == 3
    world.git("checkout", "-q", "README.md")
    world.set_settings('[agent.gone]\nkind = "command"\nprogram = "no-such-agent"\n')
    ran = world.autopilot("resume", "--agent", "gone")
    assert ran.status == 0, ran.err
