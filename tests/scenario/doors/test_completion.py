"""Completion in real shells, by the script that the program prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autopilot.cli.parser import build_parser
from autopilot.cli.shells.commands import read_commands
from autopilot.cli.shells.completion import SHELLS, render_completion
from tests.scenario.doors.shells import offered

# covers: CMD-COMPLETION

ROADMAP = """# Roadmap

- [x] **Phase 1: Shelf** - keep
- [ ] **Phase 2.1: Find** - $(touch made) `touch made`
- [ ] **Phase 10: Lend** \x1b]0;steered\x07
### Phase 3: Last
Phases 4 and 5 are no phases. Phase $(touch made): neither.
"""
COMMANDS = {command.path: command for command in read_commands(build_parser())}


OFFERED = {
    "": sorted(COMMANDS[""].children),
    "repo": ["repomap", "report"],
    "phase ": sorted(COMMANDS["phase"].children),
    "phase --json a": ["add"],
    "milestone complete --d": ["--dry-run"],
    "run 3 --host ": ["claude-code"],
    "run ": ["1", "10", "2.1", "3"],
    "run 1": ["1", "10"],
    "verdict 3 i": ["issues_found"],
    "report --html re": ["report.html"],
    "phase add na": [],
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_offers_commands_options_choices_files_and_phases(shell: str, tmp_path: Path) -> None:
    folder, script = tmp_path / "project/src", tmp_path / f"autopilot.{shell}"
    for path in (tmp_path / "project/.planning", folder):
        path.mkdir(parents=True)
    (tmp_path / "project/.planning/ROADMAP.md").write_text(ROADMAP)
    (folder / "report.html").write_text("")
    script.write_text(render_completion(shell, tuple(COMMANDS.values())))
    found = offered(shell, script, [f"autopilot {line}" for line in OFFERED], folder)
    assert dict(zip(OFFERED, found, strict=True)) == OFFERED
    assert list(tmp_path.rglob("made")) == []


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_pipe_in_place_of_the_roadmap_does_not_hold_up_the_shell(shell: str, tmp_path: Path) -> None:
    (tmp_path / ".planning").mkdir()
    os.mkfifo(tmp_path / ".planning/ROADMAP.md")
    script = tmp_path / f"autopilot.{shell}"
    script.write_text(render_completion(shell, tuple(COMMANDS.values())))
    assert offered(shell, script, ["autopilot run "], tmp_path) == [[]]
