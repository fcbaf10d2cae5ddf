"""Where Codex itself is: a native program, which npm hides behind a script of Node's."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from autopilot.adapters.agents.dialect import Program
from autopilot.model.errors import AgentMissing

# By processor: the package npm chooses, and the folder in it.
BUILDS = {
    "x86_64": ("codex-linux-x64", "x86_64-unknown-linux-musl"),
    "aarch64": ("codex-linux-arm64", "aarch64-unknown-linux-musl"),
}
PLACES = ("bin/codex", "codex/codex")  # the second in versions of 2025
MANIFEST = "codex-package.json"


def locate(found: Path) -> Program:
    """The script would stay between us and the program, and kills of the script alone leave the program running."""
    real = found.resolve()
    native = _behind(real) if real.suffix == ".js" else real
    return Program(PurePosixPath(native), (PurePosixPath(_smallest(native)),))


def _behind(script: Path) -> Path:
    if (build := BUILDS.get(platform.machine())) is None:
        raise AgentMissing(f"there is no Codex for this processor, {platform.machine()}", "use another agent")
    package, target = build
    for vendor in _vendors(script, package):
        for place in PLACES:
            if (vendor / target / place).is_file():
                return (vendor / target / place).resolve()
    raise AgentMissing(f"the program behind {script} is missing", "run: npm install -g @openai/codex")


def _vendors(script: Path, package: str) -> Iterator[Path]:
    """Where Node would look: nested in the package, beside it, or in any folder above."""
    for folder in script.parents:
        if folder.name != "node_modules":
            yield folder / "node_modules" / "@openai" / package / "vendor"
    yield script.parent.parent / "vendor"


def _smallest(native: Path) -> Path:
    """The installation with the tools it brings along, or the mere file: the folder it lies in may be a home's bin."""
    for folder in native.parents[:2]:
        if (folder / MANIFEST).is_file():
            return folder
    return native
