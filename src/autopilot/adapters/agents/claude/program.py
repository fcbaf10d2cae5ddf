"""Where Claude Code itself lies, behind whatever stands on the PATH."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from autopilot.adapters.agents.dialect import Program
from autopilot.adapters.agents.npm import ARCHITECTURES, is_native

SCOPE = "@anthropic-ai"


def find_native(found: Path) -> Program:
    """The program itself, shown alone: it is one file, and may lie in a home.

    A native install is a link to it, and so is an npm install whose script was run; without that script npm leaves a
    stub, and the program lies in a package beside it.
    """
    real = found.resolve()
    for candidate in (real, *_packaged(real)):
        if is_native(candidate):
            path = PurePosixPath(candidate.resolve())
            return Program(path, (path,))
    # A script of some other install: its version tells whether it works inside. Of the folder it lies in nothing
    # else is shown, unless that is its package: it may be a home, with all its keys.
    package = next((folder for folder in real.parents if folder.parent.name == SCOPE), real)
    return Program(PurePosixPath(real), (PurePosixPath(package),))


def _packaged(stub: Path) -> Iterator[Path]:
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    for package in stub.parents:
        if package.parent.name != SCOPE:
            continue
        for scope in (package.parent, package / "node_modules" / SCOPE):
            for libc in ("", "-musl"):
                yield scope / f"claude-code-linux-{architecture}{libc}" / "claude"
