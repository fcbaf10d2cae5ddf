"""A small checkout is written by git once; what is written again is the same, and as clean. covers: T3"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from autopilot.adapters.git.small_checkouts import SmallCheckouts
from tests.contract.git.world import AWKWARD, Repo, World

Facts = dict[str, tuple[int, bytes]]


@pytest.fixture
def world_with_all_kinds(world: World) -> tuple[World, str]:
    user = world.user
    for path in AWKWARD:
        user.write(path, f"content of {path}")
    user.write("deep/er/run.sh", "#!/bin/sh\n").chmod(0o755)
    user.write(".gitattributes", "*.crlf text eol=crlf\n")
    user.write("lines.crlf", "one\r\ntwo\r\n")
    user.write("empty", "")
    (user.path / "link").symlink_to("deep/er")
    (user.path / "dangling").symlink_to("./nowhere/")
    user.git("add", "-A")
    user.git("update-index", "--add", "--cacheinfo", f"160000,{user.head},nested")
    user.git("commit", "-q", "-m", "all kinds of files")
    world.vault.adopt(user.head)
    return world, user.head


def look(place: Path) -> Facts:
    found = (path for path in place.rglob("*") if ".git" not in path.relative_to(place).parts)
    return {str(path.relative_to(place)): (path.lstat().st_mode, read(path)) for path in found}


def read(path: Path) -> bytes:
    if path.is_symlink():
        return os.fsencode(os.readlink(path))  # noqa: PTH115 -- as it stands
    return path.read_bytes() if path.is_file() else b""


def test_a_checkout_that_is_written_again_is_the_one_that_git_wrote(world_with_all_kinds: tuple[World, str]) -> None:
    world, commit = world_with_all_kinds
    first = look(world.workspaces.clone("task-1", commit))
    second = world.workspaces.clone("task-2", commit)
    assert look(second) == first
    assert first["lines.crlf"][1] == b"one\r\ntwo\r\n" and stat.S_ISDIR(first["nested"][0])
    assert (second / ".git" / "index").stat().st_mode & 0o777 == 0o644


def test_it_is_clean_without_a_refresh_and_seen_to_change(world_with_all_kinds: tuple[World, str]) -> None:
    """Plumbing does not refresh the index: scripts that ask it whether a checkout is dirty get its word for it."""
    world, commit = world_with_all_kinds
    world.workspaces.clone("task-1", commit)
    clone = Repo(world.workspaces.clone("task-2", commit))
    assert clone.git("diff-files") == b"" and clone.git("diff-index", "HEAD") == b""
    assert clone.git("status", "--porcelain") == b""
    clone.git("fsck", "--strict")
    clone.write("empty", "no longer")
    assert clone.word("diff-files", "--name-only") == "empty"


def test_git_writes_it_once(world_with_all_kinds: tuple[World, str]) -> None:
    """From then on the objects are not needed to write the files."""
    world, commit = world_with_all_kinds
    checkouts, place = SmallCheckouts(), world.workspaces.clone("task-1", commit)
    assert not checkouts.put(commit, place)
    checkouts.keep(commit, place)
    empty = place.parent / "again"
    (empty / ".git").mkdir(parents=True)
    assert checkouts.put(commit, empty)
    assert look(empty) == look(place)


def test_what_is_done_to_one_is_not_in_the_next(world_with_all_kinds: tuple[World, str]) -> None:
    world, commit = world_with_all_kinds
    first = world.workspaces.clone("task-1", commit)
    before = look(first)
    (first / "empty").write_text("planted")
    (first / "more").write_text("planted")
    assert look(world.workspaces.clone("task-2", commit)) == before


@pytest.mark.parametrize("change", [{"large.bin": bytes(3 << 20)}, {f"many/{n}": b"" for n in range(400)}])
def test_a_large_checkout_is_not_kept(world: World, change: dict[str, bytes]) -> None:
    world.vault.adopt(world.user.head)
    large = world.change(change)
    places = [Repo(world.workspaces.clone(name, large)) for name in ("task-1", "task-2")]
    assert [place.git("status", "--porcelain") for place in places] == [b"", b""]
    assert world.workspaces._checkouts._kept == {}


def test_a_checkout_with_the_long_ids_of_sha_256_is_not_kept(world: World) -> None:
    world.vault.adopt(world.user.head)
    checkouts, place = SmallCheckouts(), world.workspaces.clone("task-1", world.user.head)
    checkouts.keep("5" * 64, place)
    assert not checkouts.put("5" * 64, place)
