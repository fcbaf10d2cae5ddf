"""What `autopilot self check` says of a machine, without a repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

# covers: CMD-SELF


def check(home: Path, path: str) -> tuple[int, dict[str, Any]]:
    env = {"PATH": path, "HOME": str(home)}
    argv = (sys.executable, "-m", "autopilot", "self", "check", "--json")
    done = subprocess.run(argv, cwd=home, env=env, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, {part["what"]: part for part in json.loads(done.stdout)}


def test_an_agent_that_is_installed_makes_runs_possible_and_its_absence_has_one_command(tmp_path: Path) -> None:
    status, parts = check(tmp_path, os.environ["PATH"])
    sound = {name: parts[name]["state"] for name in ("git", "sandbox", "disk", "extra web", "extra acp")}
    assert set(sound.values()) == {"ok"}, sound
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "codex").write_text("#!/bin/sh\nexit 1\n")
    (folder / "codex").chmod(0o755)
    status, parts = check(tmp_path, f"{folder}:/usr/bin:/bin")
    assert (status, parts["agent codex"]["state"]) == (0, "ok")
    assert parts["agent gemini"]["state"] == "missing"
    assert parts["agent gemini"]["remedy"].endswith("npm install -g @google/gemini-cli")
    assert list(tmp_path.iterdir()) == [folder], "it leaves nothing"


def test_without_git_and_without_an_agent_no_run_can_begin(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    status, parts = check(tmp_path, str(tmp_path / "empty"))
    assert status == 5
    wrong = {name: part["remedy"] for name, part in parts.items() if part["state"] == "problem"}
    assert {"git", "agents"} <= wrong.keys()
    assert " git" in wrong["git"] and wrong["agents"].endswith("npm install -g @anthropic-ai/claude-code")
