"""A repository of another user is refused as git refuses it, with git's own remedy. covers: R-GIT"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.adapters.git.ownership import refuse_foreign
from autopilot.model.errors import UsageError
from tests.contract.git.world import World

OTHER = os.geteuid() + 1


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(folder), **more}


def test_ones_own_repository_is_nobody_elses(world: World, tmp_path: Path) -> None:
    refuse_foreign(world.user.path, environment(tmp_path))


def test_another_users_is_refused_with_the_command_that_git_names_and_it_helps(world: World, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="dubious ownership") as refused:
        refuse_foreign(world.user.path, environment(tmp_path), OTHER)
    command = refused.value.hint.split("`")[1]
    subprocess.run(command, shell=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, check=True)
    refuse_foreign(world.user.path, environment(tmp_path), OTHER)


@pytest.mark.parametrize(
    ("places", "safe"),
    [
        (("*",), True),
        (("{repo}",), True),
        (("{above}/*",), True),
        (("{above}",), False),
        (("{repo}/below",), False),
        (("*", ""), False),  # an empty one takes back what stood before it
        (("", "*"), True),
        ((), False),
    ],
)
def test_the_users_settings_decide_and_not_the_repositorys(
    world: World, tmp_path: Path, places: tuple[str, ...], safe: bool
) -> None:
    repo = world.user.path
    world.user.git("config", "safe.directory", "*")
    lines = (place.format(repo=repo, above=repo.parent) for place in places)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[safe]\n" + "".join(f'\tdirectory = "{line}"\n' for line in lines))
    if safe:
        refuse_foreign(repo, environment(home), OTHER)
    else:
        with pytest.raises(UsageError):
            refuse_foreign(repo, environment(home), OTHER)


def test_behind_sudo_the_repository_of_whoever_called_it_is_ones_own(world: World, tmp_path: Path) -> None:
    caller = environment(tmp_path, SUDO_UID=str(os.geteuid()))
    refuse_foreign(world.user.path, caller, 0)
    if os.geteuid():
        with pytest.raises(UsageError):
            refuse_foreign(world.user.path, environment(tmp_path), 0)
    with pytest.raises(UsageError):
        refuse_foreign(world.user.path, caller, OTHER)
