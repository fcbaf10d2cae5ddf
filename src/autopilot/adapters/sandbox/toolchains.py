"""Compilers and interpreters that live in a home folder, which every sandbox hides."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path, PurePath

from autopilot.model.conditions import SearchPath

_SOUGHT = ("python3", "node", "go", "cargo")


def find_toolchains(search_path: str = "") -> tuple[Path, ...]:
    """Installation folders of the user's ``python3``, ``node``, ``go`` and ``cargo``, and of this Python, as the last.

    A folder counts only when it *is* an installation: ``~/.local`` or a home with a ``bin`` in it holds secrets too.
    """
    found = []
    for name in _SOUGHT:
        program = shutil.which(name, path=search_path) if search_path else None
        if program is not None:
            found.append(_installation_of(_behind_shim(Path(program)).resolve()))
    found.append(Path(sys.base_prefix))
    return tuple(dict.fromkeys(folder for folder in found if is_installation(folder)))


def is_installation(folder: Path) -> bool:
    if folder in (Path("/"), Path("/usr"), Path("/usr/local")) or folder.name == ".local":
        return False
    if folder.is_relative_to("/usr/lib"):  # shown in any case, and called by a link in /usr/bin
        return False
    python = any(folder.glob("lib/python3.*/os.py"))
    node = (folder / "bin/node").is_file() and (folder / "lib/node_modules").is_dir()
    go = (folder / "bin/go").is_file() and (folder / "src/runtime").is_dir()
    rust = (folder / "bin/cargo").is_file() and (folder / "lib/rustlib").is_dir()
    return python or node or go or rust


def _behind_shim(program: Path) -> Path:
    """What pyenv, nodenv and their kin put on a PATH is a script that looks up the version that is meant."""
    root = program.parent.parent
    if program.parent.name != "shims":
        return program
    try:
        version = (root / "version").read_text(encoding="utf-8").split()[0]
    except (OSError, ValueError, IndexError):
        return program
    return root / "versions" / Path(version).name / "bin" / program.name


def _installation_of(program: Path) -> Path:
    return _default_of_rustup(program.parent.parent) if program.name == "rustup" else program.parent.parent


def _default_of_rustup(cargo_home: Path) -> Path:
    """rustup's ``cargo`` only finds another one, by files that are not inside: that other one is meant.

    A project that names its own toolchain gets this one all the same.
    """
    for home in (cargo_home.with_name(".rustup"), cargo_home.with_name("rustup")):
        try:
            default = tomllib.loads((home / "settings.toml").read_text()).get("default_toolchain")
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(default, str) and default:
            return _toolchain(home / "toolchains", default)
    return cargo_home


def _toolchain(folder: Path, name: str) -> Path:
    """``stable`` stands for ``stable-x86_64-unknown-linux-gnu``."""
    found = sorted(path for path in folder.glob("*") if path.name == name or path.name.startswith(f"{name}-"))
    return next(iter(found), folder / name)


def render_path(toolchains: Iterable[Path]) -> str:
    """The fixed search path inside: toolchains first, nothing of the user's own PATH."""
    own = [str(folder / "bin") for folder in toolchains]
    return ":".join([*own, "/usr/local/bin", "/usr/bin", "/bin"])


def render_search(machine: str, search: SearchPath, project: PurePath) -> dict[str, str]:
    """The variables that make programs of the project known by name, as its own `activate` does."""
    first, last = ([str(project / folder) for folder in folders] for folders in (search.first, search.last))
    active = {"VIRTUAL_ENV": str(project / search.environment)} if search.environment else {}
    return {"PATH": ":".join([*first, machine, *last]), **active}
