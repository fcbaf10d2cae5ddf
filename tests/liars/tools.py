"""The Python of the worlds: this interpreter with pytest and nothing else, as an installation that a sandbox shows.

The tests' own virtual environment may lie in a home, which every sandbox hides, and holds far more than a project has.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

from autopilot.adapters.sandbox.toolchains import find_toolchains

PACKAGES = ("pytest", "iniconfig", "packaging", "pluggy", "pygments")


def install_python(folder: Path) -> Path:
    """Its ``bin``, to be put first on a search path."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    library, programs = folder / "lib" / version, folder / "bin"
    site = library / "site-packages"
    site.mkdir(parents=True)
    programs.mkdir()
    for package in PACKAGES:
        _copy(package, site)
    base = Path(sys.base_prefix) / "bin" / version
    (folder / "pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
    (library / "os.py").touch()  # the mark by which an installation is known
    # A link would be followed to the Python it names. Told its own name, the real one finds pyvenv.cfg beside it.
    wrapper = f'#!/bin/bash\nexec -a "$0" {base} "$@"\n'
    for name in ("python3", "python"):
        (programs / name).write_text(wrapper)
        (programs / name).chmod(0o755)
    return programs


def _copy(package: str, site: Path) -> None:
    found = distribution(package)
    root = Path(str(found.locate_file("")))
    for top in sorted({file.parts[0] for file in found.files or () if ".." not in file.parts}):
        source = root / top
        if source.is_dir():
            shutil.copytree(source, site / top, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copy2(source, site / top)


def search_path(programs: Path) -> str:
    """Compilers by their own folders: rustup's ``cargo`` finds none where the home is another."""
    outside = os.environ.get("PATH", "/usr/bin:/bin")
    toolchains = [str(folder / "bin") for folder in find_toolchains(outside)]
    return os.pathsep.join([str(programs), *toolchains, outside])
