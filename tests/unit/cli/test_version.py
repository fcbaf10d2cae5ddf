"""The version is the tag: of a repository, of a source distribution, of sources without either."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autopilot import __version__
from tests.tidy.house import ROOT

# covers: CMD-VERSION

SETUP: dict[str, Any] = runpy.run_path(str(ROOT / "setup.py"))
find_version: Callable[[Path], str] = SETUP["find_version"]


@pytest.mark.parametrize(
    ("described", "version"),
    [
        ("v1.2.0-0-g0123abc", "1.2.0"),
        ("v1.2.0-3-g0123abc", "1.2.1.dev3+g0123abc"),
        ("v2-1-gff", "3.dev1+gff"),
        ("", "0.1.0.dev7+gabc"),
        ("v1.2.0rc1-0-gabc", "0.1.0.dev7+gabc"),
        ("v1.2.0-$(x)-gabc", "0.1.0.dev7+gabc"),
    ],
)
def test_a_tag_is_read_as_a_version(described: str, version: str) -> None:
    assert SETUP["compute_version"](described, 7, "abc", "0.1.0") == version


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    (folder / "src/autopilot").mkdir(parents=True)
    shutil.copy(ROOT / "src/autopilot/__init__.py", folder / "src/autopilot")
    return folder


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=u", "-c", "user.email=u@e")
    return subprocess.run(("git", *identity, *words), cwd=folder, check=True, capture_output=True, text=True).stdout


def test_a_repository_has_the_version_of_its_tag(sources: Path) -> None:
    git(sources, "init", "-q")
    git(sources, "add", "-A")
    git(sources, "commit", "-qm", "one")
    commit = git(sources, "rev-parse", "--short", "HEAD").strip()
    assert find_version(sources) == f"0.1.0.dev1+g{commit}"
    git(sources, "tag", "v0.2.0")
    git(sources, "tag", "other")
    assert find_version(sources) == "0.2.0"
    git(sources, "commit", "-qm", "two", "--allow-empty")
    assert find_version(sources).startswith("0.2.1.dev1+g")


def test_a_repository_around_the_sources_does_not_name_their_version(sources: Path) -> None:
    git(sources.parent, "init", "-q")
    git(sources.parent, "commit", "-qm", "one", "--allow-empty")
    git(sources.parent, "tag", "v9.9.9")
    assert find_version(sources) == __version__ == "0.1.0+source"


def test_a_source_distribution_keeps_the_version_that_it_was_made_with(sources: Path) -> None:
    (sources / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: autopilot-roadmap\nVersion: 3.1.4\n\nText\n")
    assert find_version(sources) == "3.1.4"
