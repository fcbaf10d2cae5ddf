"""Criteria run with the environment that setup makes, as their author has it, and no work changes what a name means.

Setup makes `.venv`, with a module that only its Python finds, and a program for every line of programs.txt: what
`[project.scripts]` does where there is a package registry.
"""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import claim, commit_all, once_more
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, few_tries, make_world

# covers: T3.dependencies, T8.S
TASK = "01-01"
INSTALL = """set -e
python3 -m venv --without-pip .venv
echo 'NAME = "part"' >"$(echo .venv/lib/python3*/site-packages)/shelf_names.py"
while read -r name; do
  printf '#!/bin/sh\\nexec sh "%s/program.sh" "$@"\\n' "$PWD" >".venv/bin/$name"
  chmod +x ".venv/bin/$name"
done <programs.txt
"""
PART = {"write": "part-01-01.sh", "text": "python -c 'import shelf_names as n; print(n.NAME, \"01-01\")'\n"}
# A module that only that Python has, and a word that a program of the machine looks for.
LOOK = "grep -q 01-01 part-01-01.sh"


def make_installed(folder: Path, script: str = LOOK) -> World:
    config = few_tries()
    config["project"] = {"commands": {"setup": "sh install.sh", "test": "sh check.sh"}}
    plot = Plot(planned=True, files=("programs.txt", "program.sh"))
    world = make_world(folder, plot, config=config)
    world.write("install.sh", INSTALL)
    world.write("programs.txt", "shelf\n")
    world.write("program.sh", "echo the shelf\n")
    plan = f"{plot.folder(1)}/PLAN.md"
    line = '- Part 01-01 says its name -- verified by: `sh part-01-01.sh` (contains "part 01-01")'
    world.write(plan, world.read(plan).replace(line, f"{line}\n- It is in its file -- verified by: `{script}`"))
    world.commit("something to install")
    return world


def test_work_that_needs_what_setup_installed_is_accepted(tmp_path: Path) -> None:
    world = make_installed(tmp_path)
    tried = {"run": "python -c 'import shelf_names' && test -n \"$VIRTUAL_ENV\""}
    world.play(claim(TASK, tried, PART, *commit_all(TASK)))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    shell = world.autopilot("shell", "1", "--", "sh part-01-01.sh; echo $VIRTUAL_ENV; shelf")
    assert shell.out.splitlines() == ["part 01-01", f"{world.project}/.venv", "the shelf"]
    assert ".venv activated" in shell.err


def test_doctor_says_which_programs_commands_find(tmp_path: Path) -> None:
    world = make_installed(tmp_path)
    told = world.autopilot("doctor").out
    assert "setup: commands and criteria run with .venv activated (.venv/bin first in PATH)" in told


def test_a_program_in_front_of_the_machines_proves_nothing(tmp_path: Path) -> None:
    """The file does not say what is looked for; a grep that the product installs says that it does."""
    world = make_installed(tmp_path, "grep -q 'a word that is not there' part-01-01.sh")
    lie = ({"write": "programs.txt", "text": "shelf\ngrep\n"}, {"write": "program.sh", "text": "exit 0\n"})
    world.play(claim(TASK, PART, *lie, *commit_all(TASK)), once_more())
    ran = world.run()
    assert ran.status == 1, ran.out + ran.err
    assert ".venv/bin is searched last, for after this work setup puts another grep there" in ran.err
    # The decoy works: where the user's own setup installs it, it is found.
    control = make_installed(tmp_path / "control", "grep -q 'a word that is not there' part-01-01.sh")
    control.write("programs.txt", "shelf\ngrep\n")
    control.write("program.sh", "test -e part-01-01.sh\n")
    control.commit("a grep of the user's own")
    control.play(claim(TASK, PART, *commit_all(TASK)))
    ran = control.run()
    assert ran.status == 0, ran.out + ran.err


def test_an_environment_in_a_commit_is_not_searched(tmp_path: Path) -> None:
    """A plan that lists it lets an agent commit it; it is nobody's environment all the same."""
    world = make_installed(tmp_path, "grep -q 'a word that is not there' part-01-01.sh")
    path = f"{world.plot.folder(1)}/PLAN.md"
    world.write(path, world.read(path).replace("program.sh", "program.sh, .venv/bin/grep"))
    world.commit("the plan lists a program of the environment")
    decoy = {"run": "mkdir -p .venv/bin && printf '#!/bin/sh\\nexit 0\\n' >.venv/bin/grep && chmod +x .venv/bin/grep"}
    forced = ({"git": ["add", "-f", ".venv/bin/grep", "part-01-01.sh"]}, {"git": ["commit", "-q", "-m", "grep"]})
    world.play(claim(TASK, PART, decoy, *forced), once_more())
    ran = world.run()
    assert ran.status == 1, ran.out + ran.err
    assert "part-01-01.sh" not in world.git("ls-files").splitlines()
