"""What a user does first: the demo, init, doctor. covers: INV-7"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autopilot import __version__
from tests.scenario.kit.installing import build, files_of_the_package, install, names_in
from tests.scenario.kit.world import World

# covers: CMD-DEMO, CMD-INIT

OUR_SOURCES = (sys.executable, "-m", "autopilot")


def autopilot(
    *words: str, home: Path, folder: Path, program: tuple[str, ...] = OUR_SOURCES
) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    argv = (*program, *words)
    return subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_installed_demo_passes_catches_the_lie_and_says_where_its_reports_are(tmp_path: Path) -> None:
    sdist, wheel = build(tmp_path / "build")
    assert wheel.name.startswith(f"autopilot_roadmap-{__version__}-"), "one version in both places"
    assert names_in(sdist, wheel) == (files_of_the_package(), files_of_the_package())
    program = (str(install(wheel, tmp_path / "venv")),)
    version = autopilot("--version", home=tmp_path, folder=tmp_path, program=program).stdout
    assert version == f"autopilot {__version__}\n"
    ran = autopilot("demo", "--in", str(tmp_path / "demo"), home=tmp_path, folder=tmp_path, program=program)
    assert ran.returncode == 0, ran.stderr
    assert (
        "caught: task 02-01 of phase 2 was claimed as done, and refused: Searching looks at title and author"
        in ran.stdout
    )
    assert "claims work that it has not done" in " ".join(ran.stderr.splitlines()[:4])
    assert "[Phase 2] Task 02-01: CAUGHT -- its agent called it done" in ran.stderr
    assert "warning" not in ran.stderr
    assert "phase 3 passed: 1/1 proven" in ran.stdout
    assert "what was proven: 5 of 5 criteria of the roadmap proven (" in ran.stdout
    assert " by tests that came with the work), by commands that Autopilot ran itself" in ran.stdout
    assert [line.partition(":")[0] for line in ran.stdout.splitlines()[-3:]] == [
        *("what was proven", "which lie was caught", "how to look"),
    ]
    assert "hash chain verified" in ran.stdout and "run time: " in ran.stdout
    report = tmp_path / "demo/shelf/.planning/phases/02-find/VERIFICATION.md"
    assert "status: passed" in report.read_text()
    assert f"reports: {tmp_path}/demo/shelf/.planning/phases/*/VERIFICATION.md" in ran.stdout
    looks = {"status": "phase 3  completed", "evidence": "02-01.c1", "the lie": "task 02-01 was refused"}
    for name, shown in looks.items():
        command = ran.stdout.partition(f"\n{name}: `")[2].partition("`")[0]
        call = command.replace(" autopilot ", f" {sys.executable} -m autopilot ")
        assert shown in subprocess.run(call, shell=True, capture_output=True, text=True).stdout, command
    log = subprocess.run(("git", "log", "--format=%s"), cwd=tmp_path / "demo/shelf", capture_output=True, text=True)
    assert log.stdout.count("02-01") == 1, "the lie is not in the history"


def test_the_demo_does_not_write_into_a_folder_that_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    ran = autopilot("demo", "--in", str(tmp_path / "mine"), home=tmp_path, folder=tmp_path)
    assert (ran.returncode, [p.name for p in (tmp_path / "mine").iterdir()]) == (2, ["letter.txt"])


def test_the_demo_refuses_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    file = autopilot("demo", "--in", str(tmp_path / "file"), home=tmp_path, folder=tmp_path)
    assert file.returncode == 2
    assert file.stderr.splitlines() == [
        f"error: {tmp_path}/file is a file, not a folder",
        "hint: name a folder that does not exist yet",
    ]
    below = autopilot("demo", "--in", str(tmp_path / "file/below"), home=tmp_path, folder=tmp_path)
    assert below.returncode == 2
    assert below.stderr.startswith(f"error: the folder {tmp_path}/file/below cannot be made: Not a directory\n")
    assert below.stderr.endswith("hint: name a folder you can create\n")


TEST = "import unittest\nclass One(unittest.TestCase):\n    def test_one(self):\n        self.assertTrue(True)\n"


def make_repository(folder: Path) -> Path:
    (folder / "tests").mkdir(parents=True)
    (folder / "tests/test_one.py").write_text(TEST)
    subprocess.run(("git", "init", "-q"), cwd=folder, check=True)
    commit_all(folder)
    return folder


def commit_all(folder: Path) -> None:
    for words in (("add", "-A"), ("-c", "user.name=u", "-c", "user.email=u@e", "commit", "-qm", "one")):
        subprocess.run(("git", *words), cwd=folder, check=True)


def test_init_writes_what_is_missing_and_nothing_twice(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    first = autopilot("init", home=tmp_path, folder=project)
    assert first.returncode == 0, first.stderr
    assert "wrote .planning/config.json" in first.stdout and "wrote .planning/ROADMAP.md" in first.stdout
    commands = json.loads((project / ".planning/config.json").read_text())["project"]["commands"]
    assert commands["test"] == "python3 -m unittest discover -s tests"
    before = {path: path.read_bytes() for path in (project / ".planning").iterdir()}
    second = autopilot("init", home=tmp_path, folder=project)
    assert "kept .planning/config.json" in second.stdout and "wrote" not in second.stdout
    assert {path: path.read_bytes() for path in (project / ".planning").iterdir()} == before


def test_init_writes_what_works_and_says_what_did_not(tmp_path: Path) -> None:
    """What CI calls is missing here, and lint fails: neither is written, and both are shown with what they printed."""
    project = make_repository(tmp_path / "project")
    (project / "tox.ini").write_text("[testenv]\ncommands = python -m unittest discover -s gone\n")
    (project / "Makefile").write_text(
        "lint:\n\techo two findings; exit 1\nbuild:\n\techo 'a.c:1:2: error: wrong'; exit 1\n"
    )
    commit_all(project)
    done = autopilot("init", home=tmp_path, folder=project)
    commands = json.loads((project / ".planning/config.json").read_text())["project"]["commands"]
    assert commands["test"] == "python3 -m unittest discover -s tests"
    assert (commands["lint"], commands["build"]) == (None, "make build")
    assert "tried test, failed: python3 -m unittest discover -s gone   (named by tox.ini)" in done.stdout
    assert "    two findings" in done.stdout
    assert "trying test:" in done.stderr


def test_init_and_doctor_run_nothing_of_a_repository_where_the_sandbox_is_off(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    (project / "Makefile").write_text("lint:\n\ttouch made-on-the-host\n")
    (project / "README.md").symlink_to("/usr/share")
    commit_all(project)
    settings = tmp_path / ".config/autopilot/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('sandbox = "off"\n')
    done = autopilot("init", home=tmp_path, folder=project)
    assert "none of them was tried: your settings switch the sandbox off" in done.stdout
    assert "baseline" not in autopilot("doctor", home=tmp_path, folder=project).stdout
    assert not (project / "made-on-the-host").exists()


def test_init_names_what_is_missing_where_no_test_command_works(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    (project / "tests/test_one.py").write_text("import module_that_nobody_has\n")
    commit_all(project)
    done = autopilot("init", home=tmp_path, folder=project)
    assert "No module named 'module_that_nobody_has'" in done.stdout
    assert "no test command works here yet" in done.stdout
    assert "  missing: the Python module module_that_nobody_has is not installed: let project.commands" in done.stdout
    commands = json.loads((project / ".planning/config.json").read_text())["project"]["commands"]
    assert commands["test"] is None, "a run would take the command that was just seen to fail"


def test_init_keeps_to_all_tests_where_one_is_red_and_does_not_choose_a_green_part(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    (project / "all").mkdir()
    (project / "all/test_two.py").write_text(TEST)
    (project / "all/test_more.py").write_text(TEST)
    (project / "all/test_red.py").write_text(TEST.replace("True(True)", "True(False)"))
    (project / "tox.ini").write_text("[testenv]\ncommands = python -m unittest discover -s all\n")
    commit_all(project)
    done = autopilot("init", home=tmp_path, folder=project)
    commands = json.loads((project / ".planning/config.json").read_text())["project"]["commands"]
    assert commands["test"] == "python3 -m unittest discover -s all"
    assert "some tests fail before any work" in done.stdout


def test_init_writes_a_test_command_that_finds_no_test_yet_for_the_first_one_to_come(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    (project / "tests/test_one.py").write_text("")
    commit_all(project)
    done = autopilot("init", home=tmp_path, folder=project)
    assert "the test command finds no test yet: add the first one" in done.stdout
    commands = json.loads((project / ".planning/config.json").read_text())["project"]["commands"]
    assert commands["test"] == "python3 -m unittest discover -s tests"


def test_init_tries_nothing_when_told_so(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    done = autopilot("init", "--no-try", home=tmp_path, folder=project)
    assert "none of them was tried: `--no-try` was given" in done.stdout and "trying" not in done.stderr
    assert "unittest discover" in (project / ".planning/config.json").read_text()


@pytest.mark.parametrize(
    ("command", "state", "words"),
    [
        ("true", "ok", "test: `true` in "),
        ("python3 -m no_such_tool", "problem", "No module named no_such_tool"),
        ("python3 -m unittest discover -s red", "problem", "0 passed, 1 failed: 1 test is red before any work: "),
        ("python3 -m unittest discover -s none", "warning", "it ran no test"),
    ],
)
def test_doctor_runs_the_commands_of_the_project(tmp_path: Path, command: str, state: str, words: str) -> None:
    project = make_repository(tmp_path / "project")
    (project / ".planning").mkdir()
    (project / ".planning/config.json").write_text(json.dumps({"project": {"commands": {"test": command}}}))
    for folder, text in (("red", TEST.replace("True(True)", "True(False)")), ("none", "")):
        (project / folder).mkdir()
        (project / folder / "test_two.py").write_text(text)
    commit_all(project)
    found = json.loads(autopilot("doctor", "--json", home=tmp_path, folder=project).stdout)
    baseline = [finding for finding in found if finding["what"] == "baseline" and "test:" in finding["detail"]]
    assert [finding["state"] for finding in baseline] == [state]
    assert words in baseline[0]["detail"]
    unasked = autopilot("doctor", "--json", "--no-try", home=tmp_path, folder=project).stdout
    assert "baseline" not in unasked


def test_init_keeps_a_command_the_user_wrote_as_null(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "project")
    (project / ".planning").mkdir()
    text = '{"mine": 1, "project": {"commands": {"test": null}}}\n'
    (project / ".planning/config.json").write_text(text)
    assert autopilot("init", home=tmp_path, folder=project).returncode == 0
    config = json.loads((project / ".planning/config.json").read_text())
    assert (config["mine"], config["project"]["commands"]["test"]) == (1, None)


def test_init_tries_checks_with_the_setup_that_the_user_wrote(tmp_path: Path) -> None:
    """A check that works with another setup does not work in a run."""
    project = make_repository(tmp_path / "project")
    (project / ".planning").mkdir()
    (project / ".planning/config.json").write_text('{"project": {"commands": {"setup": "exit 3"}}}\n')
    commit_all(project)
    done = autopilot("init", home=tmp_path, folder=project)
    assert "tried setup, failed: exit 3   (named by .planning/config.json)" in done.stdout
    commands = json.loads((project / ".planning/config.json").read_text())["project"]["commands"]
    assert commands == {"setup": "exit 3"}


def test_doctor_tells_what_stands_in_the_way_and_what_to_do(world: World) -> None:
    sound = world.autopilot("doctor", "--json")
    found = {finding["what"]: finding for finding in reversed(json.loads(sound.out))}  # the first of each
    assert (found["git"]["state"], found["sandbox"]["state"], found["roadmap"]["state"]) == ("ok", "ok", "ok")
    (world.project / ".planning/ROADMAP.md").write_text("# nothing\n")
    broken = world.autopilot("doctor")
    assert broken.status == 5
    assert "problem" in broken.out and "remedy:" in broken.out
