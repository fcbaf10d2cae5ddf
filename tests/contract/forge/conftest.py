"""A checkout with a vault, a bare repository to push to, and a `gh` that writes down what it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.forge.bare import BareForge
from autopilot.adapters.forge.gh import GhForge
from autopilot.model.secrecy.redaction import Redactor
from autopilot.simulation.forges.gh import SECRET, Gh
from tests.contract.git.world import Repo, World, make_repo, make_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = make_world(tmp_path, make_repo(tmp_path / "project", {"README.md": "hello\n"}))
    yield made
    made.vault.close()


@pytest.fixture
def remote(tmp_path: Path, world: World) -> Repo:
    path = tmp_path / "remote.git"
    path.mkdir()
    repo = Repo(path)
    repo.git("init", "-q", "--bare", "-b", "main", ".")
    world.user.git("remote", "add", "origin", "../remote.git")  # as git reads it: from the checkout
    return repo


@pytest.fixture
def gh(tmp_path: Path) -> Gh:
    return Gh(tmp_path / "bin")


@pytest.fixture
def bare(world: World, gh: Gh) -> BareForge:
    return BareForge(world.vault, world.user.path, "../remote.git", gh.environment)


@pytest.fixture
def hub(world: World, bare: BareForge, gh: Gh) -> GhForge:
    return GhForge(bare, world.user.path, world.vault.path, gh.environment, Redactor({"TOKEN": SECRET}))
