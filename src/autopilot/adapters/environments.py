"""What a setup installed in the project to be called by name: a virtual environment, and folders of tools.

Only what the checkout has no part in counts: a folder of which a commit holds anything, be it one file, was not made
by setup alone, and its author would choose what a name means.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path, PurePosixPath

import msgspec
from msgspec.structs import replace

from autopilot.adapters.beneath import list_beneath, open_beneath, read_beneath
from autopilot.adapters.sandbox.product_copies import digest_of_file
from autopilot.model.conditions import Environment
from autopilot.ports.sandbox import HOME

RECORD = "environment.json"
USUAL = (".venv", "venv", "env")  # where there are several: the first of these, then by name
TOOLS = ("node_modules/.bin", "vendor/bin")
MOST_FOLDERS, MOST_PROGRAMS = 1000, 4000
SHORT = 1 << 20  # bytes: a script that starts a program is one of a few lines
MACHINE = "of the machine"
# What pip, distlib and uv write to start a package, whole: a script that does anything besides is another program.
_LAUNCHER = re.compile(
    rb"#!([^\n]{1,500})\n(?:# -\*- coding: utf-8 -\*-\n)?(?:import re\n)?import sys\n(?:import re\n)?\n?"
    rb"from (\w{1,200})(?:\.[\w.]{1,400})? import [\w.]{1,200}\n{1,3}if __name__ == [\"']__main__[\"']:\n"
    rb"(?:    sys\.argv\[0\] = re\.sub\(r[\"']\(-script\\\.pyw\|\\\.exe\)\?\$[\"'], [\"'][\"'], sys\.argv\[0\]\)\n|"
    rb"    sys\.argv\[0\] = sys\.argv\[0\]\.removesuffix\([\"']\.exe[\"']\)\n|"
    rb"    if sys\.argv\[0\]\.endswith\([\"']-script\.pyw[\"']\):\n        sys\.argv\[0\] = sys\.argv\[0\]\[:-11\]\n"
    rb"    elif sys\.argv\[0\]\.endswith\([\"']\.exe[\"']\):\n        sys\.argv\[0\] = sys\.argv\[0\]\[:-4\]\n)?"
    rb"    sys\.exit\([\w.]{1,200}\(\)\)\n?"
)


def write_environment(layer: Path, project: PurePosixPath) -> None:
    """Look through a layer that was just made, and keep what was found beside it."""
    (layer / RECORD).write_bytes(msgspec.json.encode(_find_environment(layer / "project", project)))


def read_environment(layer: Path, backing: Path, search_path: str) -> Environment:
    """``backing``: the checkout that stands above the layer; ``search_path``: that of the machine's own programs."""
    try:
        found = msgspec.json.decode((layer / RECORD).read_bytes(), type=Environment)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeError, RecursionError):
        return Environment()
    tools = tuple(folder for folder in found.tools if not _has_part(backing, folder))
    if not found.folder or _has_part(backing, found.folder):
        return Environment(tools=tools)
    shadows = tuple(name for name in found.programs if shutil.which(name, path=search_path))
    return replace(found, tools=tools, shadows=shadows)


def _has_part(backing: Path, folder: str) -> bool:
    return os.path.lexists(backing / folder.partition("/")[0])


def _find_environment(made: Path, project: PurePosixPath) -> Environment:
    tools = tuple(folder for folder in TOOLS if list_beneath(made, folder, 1))
    tops = sorted(list_beneath(made, ".", MOST_FOLDERS), key=lambda name: (*USUAL, name).index(name))
    for folder in tops:
        names = list_beneath(made, f"{folder}/bin", MOST_PROGRAMS)
        if read_beneath(made, f"{folder}/pyvenv.cfg", SHORT) is not None and names:
            programs = {name: _describe(made, f"{folder}/bin/{name}", project) for name in sorted(names)}
            return Environment(folder, programs, tools)
    return Environment(tools=tools)


def _describe(made: Path, name: str, project: PurePosixPath) -> str:
    """What a program is, so that another one of that name differs from a newer version of the same.

    A script that starts a Python package is known by that package, a link out of the project by leading to the machine;
    of a binary no more is known than that it is one.
    """
    place = made / name
    if place.is_symlink():
        target = PurePosixPath(place.readlink())
        ours = not target.is_absolute() or target.is_relative_to(project) or target.is_relative_to(HOME)
        return f"link to {target}" if ours else MACHINE
    file = open_beneath(made, name)
    if file is None:
        return "no file"
    with file:
        if not os.fstat(file.fileno()).st_mode & stat.S_IXUSR:
            return "no program"
        head = file.read(SHORT)
    if head.startswith(b"\x7fELF"):
        return "binary"
    launcher = _LAUNCHER.fullmatch(head)
    if launcher and os.fsdecode(launcher[1]).startswith(f"{project / name.rpartition('/')[0]}/python"):
        return f"starts {launcher[2].decode()}"
    return digest_of_file(made, name)[:16]
