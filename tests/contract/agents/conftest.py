"""The world, the sandbox and the agents of the contract suite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.blobs import Blobs
from autopilot.ports.transcripts import Transcripts
from tests.contract.agents.harness import Subject, Watched, World
from tests.contract.agents.subjects import SUBJECTS


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return FileBlobs(tmp_path / "state" / "blobs", Redactor())


@pytest.fixture
def transcripts(tmp_path: Path, blobs: Blobs) -> Transcripts:
    return FileTranscripts(tmp_path / "state" / "live", blobs)


@pytest.fixture
def sandbox(tmp_path: Path) -> Watched:
    return Watched(Bubblewrap(tmp_path / "state"))


@pytest.fixture(params=SUBJECTS, ids=lambda subject: subject.name)
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    found: Subject = request.param
    yield found
    found.close()
