"""Git that takes long is ended when the run is to stop: nobody waits for a large checkout after Ctrl-C."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autopilot.adapters.git.command import Git
from autopilot.adapters.git.transport import Load, carry
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.model.errors import Interrupted
from tests.contract.git.world import World


def asked_to() -> str:
    return "SIGINT"


def test_a_git_that_waits_is_ended_and_a_quick_one_is_not(world: World) -> None:
    git = Git(world.user.path / ".git", world.user.path, should_stop=asked_to)
    assert git.run("rev-parse", "HEAD").decode().strip() == world.user.head
    read, write = os.pipe()
    try:
        with pytest.raises(Interrupted) as stopped, os.fdopen(read, "rb") as never_ending:
            git.run("hash-object", "--stdin", stdin=never_ending)
    finally:
        os.close(write)
    assert stopped.value.exit_status == 130


def test_what_is_quick_is_done_although_the_run_is_to_stop(world: World, tmp_path: Path) -> None:
    """Stopping itself needs git: only what takes long is broken off."""
    vault = GitVault(tmp_path / "vault.git", world.user.path, asked_to)
    vault.adopt(world.user.head)
    workspaces = GitWorkspaces(tmp_path / "places", vault, lambda _: None)
    assert (workspaces.export(world.user.head) / "src/app.py").exists()


def test_carrying_objects_stops_too(world: World, tmp_path: Path) -> None:
    class Slow(Git):
        """Its packer never ends, as that of a very large repository."""

        def start(self, *arguments: str, **more: object) -> subprocess.Popen[bytes]:
            if "pack-objects" not in arguments:
                return super().start(*arguments, **more)  # type: ignore[arg-type]
            words = ("sh", "-c", "printf 'PACK\\0\\0\\0\\2\\0\\0\\0\\1'; exec sleep 60")
            return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    source = Slow(world.user.path / ".git", world.user.path)
    with pytest.raises(Interrupted):
        carry(Load(world.user.head), source, world.vault.git, asked_to)
