"""A checkout in which nothing can land is known before anything is spent."""

from __future__ import annotations

import subprocess
import sys

from tests.contract.git.world import World

ASK = (
    "import sys; from pathlib import Path; from autopilot.adapters.git.checkout.checkout import GitCheckout; "
    "from autopilot.adapters.git.vault import GitVault; "
    "print(GitCheckout(Path(sys.argv[1]), GitVault(Path(sys.argv[2]), Path(sys.argv[1]))).unwritable())"
)


def asked(world: World, *read_only: str) -> str:
    """Whoever runs the tests, and be it root, cannot write to a folder that is mounted read-only."""
    mounts = [word for place in read_only for word in ("--ro-bind", place, place)]
    words = ("bwrap", "--dev-bind", "/", "/", *mounts, "--", sys.executable, "-c", ASK)
    ended = subprocess.run((*words, world.user.path, world.vault.path), capture_output=True, text=True, check=True)
    return ended.stdout.strip()


def test_a_read_only_checkout_or_git_folder_is_named_and_a_writable_one_is_not(world: World) -> None:
    checkout = str(world.user.path)
    assert asked(world) == ""
    assert asked(world, checkout) == checkout
    assert asked(world, f"{checkout}/.git/refs/heads") == f"{checkout}/.git/refs/heads"
