"""The world, the sandbox and the agents of the contract suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.model.redaction import Redactor
from autopilot.ports.blobs import Blobs
from tests.contract.agents.harness import Subject, Watched, World
from tests.contract.agents.subjects import SUBJECTS


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return FileBlobs(tmp_path / "state" / "blobs", Redactor())


@pytest.fixture
def sandbox(tmp_path: Path) -> Watched:
    return Watched(Bubblewrap(tmp_path / "state"))


@pytest.fixture(params=SUBJECTS, ids=lambda subject: subject.name)
def subject(request: pytest.FixtureRequest) -> Subject:
    found: Subject = request.param
    return found
