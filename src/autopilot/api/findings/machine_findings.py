"""What `doctor` and `self check` find on the machine itself: git, the sandbox, room for records."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from autopilot.adapters.git.command import git_program
from autopilot.api.findings.finding import Finding
from autopilot.model.errors import Unavailable
from autopilot.ports.sandbox import Sandbox
from autopilot.settings.reading import Settings

MIN_GIT = (2, 38)
MIN_FREE_GB = 2


def find_git() -> Finding:
    try:
        program = git_program()
    except Unavailable as error:
        return Finding("git", "problem", str(error), error.hint)
    version = subprocess.run((program, "--version"), capture_output=True, text=True, check=False).stdout.strip()
    number = tuple(int(part) for part in version.split()[-1].split(".")[:2] if part.isdigit())
    if number < MIN_GIT:
        return Finding("git", "problem", version, f"update git to {MIN_GIT[0]}.{MIN_GIT[1]} or newer")
    return Finding("git", "ok", version)


def find_sandbox(sandbox: Sandbox, settings: Settings) -> Finding:
    if not settings.confined:
        remedy = f'write sandbox = "on" into {settings.source}'
        return Finding(
            "sandbox",
            "warning",
            "switched off in your settings: commands of agents and tests can reach all your files",
            remedy,
        )
    probe = sandbox.probe()
    return Finding("sandbox", "ok" if probe.usable else "problem", probe.detail, probe.remedy)


def find_room(state: Path) -> Finding:
    """Disk space and permission in the folder of the records."""
    folder = next(path for path in (state, *state.parents) if path.exists())
    if problem := _find_obstacle(folder):
        remedy = "set AUTOPILOT_STATE_HOME to a folder of your own"
        return Finding("records", "problem", f"Autopilot cannot keep its records in {state}: {problem}", remedy)
    free_gb = shutil.disk_usage(folder).free / 2**30
    if free_gb < MIN_FREE_GB:
        return Finding("disk", "warning", f"{free_gb:.1f} GB free at {folder}", "free some space before a long run")
    return Finding("disk", "ok", f"{free_gb:.0f} GB free at {folder}")


def _find_obstacle(folder: Path) -> str:
    """Why nothing can be created in this folder. Tried, because /proc and network folders refuse what modes allow."""
    if not folder.is_dir():
        return f"{folder} is a file, not a folder"
    try:
        with tempfile.TemporaryDirectory(prefix=".autopilot-doctor-", dir=folder):
            return ""
    except OSError as error:
        return f"{folder} cannot be written ({error.strerror})"
