"""Compilers and interpreters that live in a home folder, which every sandbox hides."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

_SOUGHT = ("python3", "node")


def find_toolchains(search_path: str = "") -> tuple[Path, ...]:
    """Installation folders of this Python and of the user's ``python3`` and ``node``.

    A folder counts only when it *is* an installation: ``~/.local`` or a home with a ``bin`` in it holds secrets too.
    """
    found = [Path(sys.base_prefix)]
    for name in _SOUGHT:
        program = shutil.which(name, path=search_path) if search_path else None
        if program is not None:
            found.append(Path(program).resolve().parent.parent)
    return tuple(dict.fromkeys(folder for folder in found if is_installation(folder)))


def is_installation(folder: Path) -> bool:
    if folder in (Path("/"), Path("/usr"), Path("/usr/local")) or folder.name == ".local":
        return False
    python = any(folder.glob("lib/python3.*/os.py"))
    node = (folder / "bin/node").is_file() and (folder / "lib/node_modules").is_dir()
    return python or node


def render_path(toolchains: Iterable[Path]) -> str:
    """The fixed search path inside: toolchains first, nothing of the user's own PATH."""
    own = [str(folder / "bin") for folder in toolchains]
    return ":".join([*own, "/usr/local/bin", "/usr/bin", "/bin"])
