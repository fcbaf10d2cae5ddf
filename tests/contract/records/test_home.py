"""The state home: where it is, whose it is, and what is refused. covers: T7"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from autopilot.adapters.home import home_of, known_homes, open_home, repo_id, state_home
from autopilot.model.errors import AutopilotError, Unavailable, UsageError


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/you"}, "/home/you/.local/state"),
        ({"HOME": "/home/you", "XDG_STATE_HOME": "/state"}, "/state"),
        ({"HOME": "/home/you", "XDG_STATE_HOME": "relative"}, "/home/you/.local/state"),
        ({"HOME": "/home/you", "XDG_STATE_HOME": ""}, "/home/you/.local/state"),
        ({"XDG_STATE_HOME": "/state", "AUTOPILOT_STATE_HOME": "/mine"}, "/mine"),
    ],
)
def test_the_state_home_follows_the_given_environment(environment: dict[str, str], expected: str) -> None:
    assert state_home(environment) == Path(expected)


def test_without_any_home_there_is_a_hint() -> None:
    with pytest.raises(Unavailable) as caught:
        state_home({})
    assert "AUTOPILOT_STATE_HOME" in caught.value.hint


@pytest.mark.parametrize("place", ["state", "./state", "~/state", "../state"])
def test_a_relative_override_is_refused_because_it_depends_on_where_you_stand(place: str) -> None:
    with pytest.raises(UsageError) as caught:
        state_home({"HOME": "/home/you", "AUTOPILOT_STATE_HOME": place})
    assert caught.value.hint == "Write the whole path, from / on."


def test_a_relative_home_is_no_home() -> None:
    with pytest.raises(Unavailable, match="HOME is a relative path"):
        state_home({"HOME": "you"})


@pytest.mark.parametrize(
    "environment",
    [
        {"AUTOPILOT_STATE_HOME": "/mine", "XDG_STATE_HOME": "/state", "HOME": "/home/you"},
        {"AUTOPILOT_STATE_HOME": "", "XDG_STATE_HOME": "/state", "HOME": "/home/you"},
        {"XDG_STATE_HOME": "state", "HOME": "/home/you"},
        {"HOME": "/home/you"},
    ],
)
def test_the_quick_way_finds_the_same_home(environment: dict[str, str]) -> None:
    assert quick_home(environment) == str(home_of(state_home(environment), Path("/repo/.git")).root)


@pytest.mark.parametrize("environment", [{"AUTOPILOT_STATE_HOME": "x", "HOME": "/h"}, {"HOME": "you"}, {}])
def test_the_quick_way_leaves_refusing_to_the_long_way(environment: dict[str, str]) -> None:
    with pytest.raises(AutopilotError):
        state_home(environment)
    assert quick_home(environment) == "None"


def quick_home(environment: dict[str, str]) -> str:
    """In a process of its own: it reads the environment itself."""
    program = "from autopilot.cli.quick_status import _home; print(_home('/repo/.git'))"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_repository_is_known_by_the_real_path_of_its_git_directory(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "repo")
    assert repo_id(tmp_path / "repo" / ".git") == repo_id(tmp_path / "link" / ".git")
    assert repo_id(tmp_path / "repo" / ".git") != repo_id(tmp_path / "other" / ".git")
    assert len(repo_id(tmp_path)) == 16
    assert set(repo_id(tmp_path)) <= set("0123456789abcdef")


def test_opening_makes_everything_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        home = open_home(tmp_path / "state", tmp_path / "repo" / ".git")
    finally:
        os.umask(before)
    assert home.root == tmp_path / "state" / "autopilot" / repo_id(tmp_path / "repo" / ".git")
    for folder in (home.root.parent, home.root, home.workspaces, home.blobs, home.processes, home.layers):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert home.repository.read_text() == str(tmp_path / "repo" / ".git")
    places = {home.journal, home.key, home.lock, home.vault, home.workspaces, home.blobs, home.processes, home.layers}
    assert len(places) == 8
    assert all(place.parent == home.root for place in places)
    assert open_home(tmp_path / "state", tmp_path / "repo" / ".git") == home


def test_looking_makes_nothing(tmp_path: Path) -> None:
    home_of(tmp_path / "state", tmp_path / "repo")
    assert list(known_homes(tmp_path / "state")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_is_too_open_is_closed(tmp_path: Path) -> None:
    home = open_home(tmp_path, tmp_path / "repo")
    home.root.chmod(0o755)
    open_home(tmp_path, tmp_path / "repo")
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700


def test_every_known_repository_is_listed_even_after_it_moved(tmp_path: Path) -> None:
    homes = [open_home(tmp_path / "state", tmp_path / name / ".git") for name in ("a", "b\udcff")]
    found = dict(known_homes(tmp_path / "state"))
    assert found == {homes[0]: tmp_path / "a" / ".git", homes[1]: tmp_path / "b\udcff" / ".git"}


@pytest.mark.parametrize("block", ["state", "state/autopilot"])
def test_a_file_in_the_way_is_unavailable(tmp_path: Path, block: str) -> None:
    (tmp_path / block).parent.mkdir(exist_ok=True)
    (tmp_path / block).write_text("in the way")
    with pytest.raises(Unavailable) as caught:
        open_home(tmp_path / "state", tmp_path / "repo")
    assert caught.value.exit_status == 5
    assert caught.value.hint


def test_a_home_behind_a_link_is_refused(tmp_path: Path) -> None:
    home = home_of(tmp_path / "state", tmp_path / "repo")
    home.root.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    home.root.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unavailable, match="is not a folder"):
        open_home(tmp_path / "state", tmp_path / "repo")


def test_a_read_only_place_is_unavailable(tmp_path: Path) -> None:
    """In a mount of its own, for to root every folder is writable."""
    (tmp_path / "state").mkdir()
    program = (
        "import sys; from pathlib import Path; from autopilot.adapters.home import open_home\n"
        "from autopilot.model.errors import Unavailable\n"
        "try: open_home(Path(sys.argv[1]), Path('/repo'))\n"
        "except Unavailable as error: print('unavailable', bool(error.hint))"
    )
    script = 'mount -t tmpfs -o ro tmpfs "$1" && exec "$2" -c "$3" "$1"'
    words = ["sh", "-c", script, "x", str(tmp_path / "state"), sys.executable, program]
    done = subprocess.run(
        ["unshare", "-Ur", "-m", "--propagation", "private", *words], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "unavailable True", done.stderr
