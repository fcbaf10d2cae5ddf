"""Control groups are used where they may be had: version 1, version 2 delegated or not, or none at all (T5)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.adapters.sandbox.cgroup import entrance, find_parents, make_group, pids_in, remove_group

# covers: T5


def lay_out(folder: Path, *, delegates: dict[str, str]) -> tuple[Path, Path]:
    """A hierarchy of version 2 with the controllers that each group delegates, and our membership in /user."""
    root, membership = folder / "cgroup", folder / "membership"
    (root / "user").mkdir(parents=True)
    (root / "cgroup.controllers").write_text("cpu memory pids\n")
    for group in ("", "user"):
        (root / group / "cgroup.subtree_control").write_text(delegates.get(group, ""))
    membership.write_text("0::/user\n")
    return root, membership


@pytest.mark.parametrize(
    ("delegates", "expected"),
    [
        ({"user": "memory pids\n", "": "cpu memory pids\n"}, ["user", "."]),
        ({"": "cpu memory pids\n"}, ["."]),
        ({"user": "pids\n"}, ["user"]),
        ({"user": "memory\n", "": "cpu\n"}, []),
        ({}, []),
    ],
)
def test_with_version_2_alone_only_a_group_that_delegates_the_limit_is_used(
    tmp_path: Path, delegates: dict[str, str], expected: list[str]
) -> None:
    root, membership = lay_out(tmp_path, delegates=delegates)
    assert [str(group.relative_to(root)) for group in find_parents(root, membership)] == expected


def test_at_the_top_of_version_2_there_is_one_place(tmp_path: Path) -> None:
    root, membership = lay_out(tmp_path, delegates={"": "pids\n"})
    membership.write_text("0::/\n")
    assert list(find_parents(root, membership)) == [root]


def test_beside_version_1_the_limit_is_taken_there(tmp_path: Path) -> None:
    root, membership = lay_out(tmp_path, delegates={})
    membership.write_text("8:pids:/me\n4:memory:/other\n0::/user\n")
    assert list(find_parents(root, membership)) == [root / "pids" / "me"]


@pytest.mark.parametrize("text", [None, "", "1:name=systemd:/\n"])
def test_without_control_groups_a_command_runs_without_one(tmp_path: Path, text: str | None) -> None:
    membership = tmp_path / "membership"
    if text is not None:
        membership.write_text(text)
    assert make_group(10, tmp_path / "cgroup", membership) is None


def test_a_group_whose_limit_cannot_be_set_is_not_left_behind(tmp_path: Path) -> None:
    """In a folder that is no hierarchy a new group has no files: as where delegation was taken back meanwhile."""
    root, membership = lay_out(tmp_path, delegates={"user": "pids\n", "": "pids\n"})
    assert make_group(10, root, membership) is None
    assert list(root.rglob("autopilot-*")) == []


def test_this_machine_gives_root_a_group_or_none(tmp_path: Path) -> None:
    group = make_group(10)
    assert group is None or (os.geteuid() == 0 and (group / "pids.max").read_text().strip() == "10")
    if group is not None:
        group.rmdir()


def test_a_group_tells_who_is_in_it_and_one_that_is_gone_nobody(tmp_path: Path) -> None:
    group = make_group(10) or _fake_group(tmp_path / "group")
    enter = f'echo 0 >"{entrance(group)}"; echo in; read -r go'
    with subprocess.Popen(("sh", "-c", enter), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"in\n"
        assert pids_in(group) == [child.pid if group.is_relative_to("/sys") else 0]
        child.communicate(b"go\n")
    remove_group(group)
    assert pids_in(tmp_path / "never made") == []


def _fake_group(folder: Path) -> Path:
    """Where no control group is to be had, a file that keeps what is written to it."""
    folder.mkdir()
    (folder / "cgroup.procs").touch()
    return folder
