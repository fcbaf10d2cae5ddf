"""Surroundings are tried where new code could rest on them, and really are otherwise. covers: T8.H, P-EVID"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autopilot.testtools.instrument import ask_for_reports
from autopilot.testtools.surroundings import SURROUNDINGS, choose_surroundings, rests_on, spell_in_surroundings

ZONE, LANGUAGE, HOME, TERMINAL, HASH, FOLDER, UMASK = SURROUNDINGS


@pytest.mark.parametrize(
    ("path", "line", "chosen"),
    [
        ("a.py", "return time.strftime('%H', time.localtime(at))", [ZONE]),
        ("a.py", "return datetime.fromtimestamp(at)", [ZONE]),
        ("a.py", "return int(moment.timestamp())", [ZONE]),
        ("a.py", "return date(2024, 1, 1) + timedelta(days=2)", []),
        ("a.py", "return time.timezone", [ZONE]),
        ("a.py", "return datetime.timezone.utc", []),
        ("a.js", "return new Date(at).getHours();", [ZONE]),
        ("a.js", "return new Date(at).getUTCHours();", []),
        ("a.js", "return new Date(2024, 0, 1);", [ZONE]),
        ("a.js", "return price.toLocaleString();", [ZONE, LANGUAGE]),
        ("a.go", "return time.Unix(at, 0).Hour()", [ZONE]),
        ("a.sh", 'date -d "@$1"', [ZONE, FOLDER]),
        ("a.sh", "echo one", [FOLDER]),
        ("a.py", "return os.path.expanduser('~/.notes')", [HOME]),
        ("a.py", "width = shutil.get_terminal_size().columns", [TERMINAL]),
        ("a.py", "return list(set(words))", [HASH]),
        ("a.py", "return subprocess.check_output(f'ls {place}', shell=True)", [FOLDER]),
        ("a.py", "with open(path, 'w') as file:", []),
        ("a.py", "return value.upper()", []),
    ],
)
def test_only_what_new_code_could_rest_on_is_tried(path: str, line: str, chosen: list[object]) -> None:
    assert list(choose_surroundings({path: [line]}, ["assert f(1) == 2"])) == chosen


def test_rights_of_new_files_matter_where_tests_look_at_them() -> None:
    added = {"a.py": ["open(path, 'w')"]}
    assert choose_surroundings(added, ["assert path.stat().st_mode & 0o777 == 0o644"]) == (UMASK,)
    assert choose_surroundings(added, ["assert path.read_text() == 'x'"]) == ()


def test_a_test_that_reads_them_itself_may_expect_what_it_saw_here() -> None:
    assert rests_on(ZONE, "assert f(0) == time.localtime(0).tm_hour")
    assert not rests_on(ZONE, 'assert f(0) == "00:00"')
    assert rests_on(FOLDER, '[ "$(count $PWD/data)" = 2 ]')
    assert not rests_on(FOLDER, '[ "$(count "$PWD/data")" = 2 ]')
    assert not rests_on(UMASK, "assert path.stat().st_mode == 0o644"), "it asks for rights and sets none"


def test_a_command_finds_other_surroundings(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "node_modules").mkdir(parents=True)
    (project / "a.txt").write_text("one\n")
    command = 'date -d @0 +%H; echo "$USER $COLUMNS"; umask; cat a.txt; [ -L node_modules ]; pwd'
    spelled = spell_in_surroundings(command, SURROUNDINGS)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "USER": "ada", "TMPDIR": str(tmp_path)}
    ran = subprocess.run(
        ["bash", "-c", spelled], cwd=project, env=environment, capture_output=True, text=True, check=True
    )
    hour, name, mask, text, folder = ran.stdout.splitlines()
    assert (hour, name, mask, text) == ("14", "robin 40", "0077", "one")
    assert folder.endswith("/my work")


@pytest.mark.parametrize("one", SURROUNDINGS, ids=lambda one: one.name)
def test_a_command_is_still_asked_for_its_report(one: object) -> None:
    spelled = spell_in_surroundings("python3 -m pytest -q", [one])  # type: ignore[list-item]
    asked = ask_for_reports(spelled, lambda path: None, "/project")
    assert asked is not None
    assert "--junitxml" in asked.command
