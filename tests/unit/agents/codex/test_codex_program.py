"""The program behind npm's script is found wherever npm put it, and no more is shown of the disk than it needs."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from autopilot.adapters.agents.codex.program import BUILDS, locate
from autopilot.model.errors import AgentMissing

PACKAGE, TARGET = BUILDS[platform.machine()]


def script(folder: Path) -> Path:
    """A global or local installation of npm's, and the name it puts on the PATH."""
    package = folder / "node_modules" / "@openai" / "codex"
    (package / "bin").mkdir(parents=True)
    (package / "bin" / "codex.js").write_text("#!/usr/bin/env node\n")
    name = folder / "bin" / "codex"
    name.parent.mkdir()
    name.symlink_to(package / "bin" / "codex.js")
    return name


def native(vendor: Path, place: str = "bin/codex") -> Path:
    program = vendor / TARGET / place
    program.parent.mkdir(parents=True)
    program.write_bytes(b"\x7fELF")
    (vendor / TARGET / "codex-package.json").write_text("{}")
    return program


@pytest.mark.parametrize(
    "vendor",
    [
        f"lib/node_modules/@openai/{PACKAGE}/vendor",
        f"lib/node_modules/@openai/codex/node_modules/@openai/{PACKAGE}/vendor",
        f"node_modules/@openai/{PACKAGE}/vendor",
        "lib/node_modules/@openai/codex/vendor",
    ],
    ids=["hoisted", "nested", "further up", "in the package itself"],
)
def test_the_program_is_found_where_npm_put_it(tmp_path: Path, vendor: str) -> None:
    name = script(tmp_path / "lib")
    program = native(tmp_path / vendor)
    found = locate(name)
    assert Path(found.path) == program
    assert [Path(folder) for folder in found.shown] == [tmp_path / vendor / TARGET]


def test_an_older_layout_is_found_too(tmp_path: Path) -> None:
    name = script(tmp_path)
    program = native(tmp_path / "node_modules" / "@openai" / PACKAGE / "vendor", "codex/codex")
    assert Path(locate(name).path) == program


def test_a_store_of_links_leads_to_the_real_place(tmp_path: Path) -> None:
    name = script(tmp_path / "store" / "codex@1")
    program = native(tmp_path / "store" / "build@1" / "vendor")
    (tmp_path / "store" / "codex@1" / "node_modules" / "@openai" / PACKAGE).symlink_to(tmp_path / "store" / "build@1")
    assert Path(locate(name).path) == program


def test_a_script_without_its_program_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(AgentMissing, match="is missing") as error:
        locate(script(tmp_path))
    assert "npm install" in error.value.hint


def test_of_a_plain_program_only_the_file_is_shown(tmp_path: Path) -> None:
    program = tmp_path / ".local" / "bin" / "codex"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"\x7fELF")
    found = locate(program)
    assert [Path(path) for path in (found.path, *found.shown)] == [program, program]


def test_a_program_that_came_with_its_tools_is_shown_with_them(tmp_path: Path) -> None:
    program = native(tmp_path / "releases")
    name = tmp_path / "codex"
    name.symlink_to(program)
    found = locate(name)
    assert Path(found.path) == program
    assert [Path(folder) for folder in found.shown] == [tmp_path / "releases" / TARGET]
