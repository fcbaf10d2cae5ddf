"""A small repository and everything around it, new for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.git.world import Repo, World, make_repo, make_world

FILES = {"README.md": "hello\n", "src/app.py": "print('one')\n", "src/lib.py": "LIB = 1\n", "run.sh": "echo run\n"}


@pytest.fixture
def user(tmp_path: Path) -> Repo:
    return make_repo(tmp_path / "project", FILES)


@pytest.fixture
def world(tmp_path: Path, user: Repo) -> Iterator[World]:
    made = make_world(tmp_path, user)
    yield made
    made.vault.close()
