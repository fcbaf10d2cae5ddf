"""Autopilot as users get it: built from its sources, and installed into a virtual environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

from tests.tidy.house import ROOT, SOURCE

# The build tool itself asks for these two, in this order, when it installs from a source distribution.
_BUILD = (
    "import os, sys; from setuptools import build_meta as build; "
    "os.chdir(sys.argv[1]); print(getattr(build, sys.argv[2])(sys.argv[3]))"
)


def files_of_the_package() -> set[str]:
    """Every file of the sources that users need, as `autopilot/...`."""
    return {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def build(folder: Path) -> tuple[Path, Path]:
    """A source distribution, and the wheel that is built from it: from that alone, as an installer does it."""
    sources, unpacked, out = folder / "sources", folder / "unpacked", folder / "dist"
    sources.mkdir(parents=True)
    out.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    shutil.copytree(SOURCE.parent, sources / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    sdist = out / _build(sources, "build_sdist", out)
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (only,) = unpacked.iterdir()
    return sdist, out / _build(only, "build_wheel", out)


def names_in(sdist: Path, wheel: Path) -> tuple[set[str], set[str]]:
    """The files of the package in both, spelled alike; what only describes the distribution is left out."""
    with tarfile.open(sdist) as archive:
        below = [name.partition("/")[2] for name in archive.getnames() if archive.getmember(name).isfile()]
    with zipfile.ZipFile(wheel) as zipped:
        names = zipped.namelist()
    in_sdist = {name.removeprefix("src/") for name in below if name.startswith("src/") and ".egg-info/" not in name}
    return in_sdist, {name for name in names if ".dist-info/" not in name}


def install(wheel: Path, folder: Path) -> Path:
    """The command `autopilot` of a fresh environment. What the package needs comes from the one the tests run in."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-compile",
    )
    subprocess.run((*pip, str(wheel)), check=True, env=_environment())
    (packages,) = (folder / "lib").glob("python*/site-packages")
    # A line of a .pth file puts a folder behind the others; a .pth file in there, our link to the sources, is not read.
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin" / "autopilot"


def _build(sources: Path, hook: str, out: Path) -> str:
    words = (sys.executable, "-c", _BUILD, str(sources), hook, str(out))
    ended = subprocess.run(words, check=True, capture_output=True, text=True, env=_environment())
    return ended.stdout.splitlines()[-1]


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
