"""Work areas: what setup, package managers and builds make beside a project. An agent's commit brings none of it.

A name or folder of which something is tracked is part of the project, and so is what a task of the plan lists. A folder
that may as well hold sources is not hidden from an agent's git: it is left out of the commit, and named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from autopilot.model.git import Change
from autopilot.text.file_kind import is_compiled

# By name, wherever they stand: nobody calls a folder of sources so.
NAMES = frozenset(
    {
        *("node_modules", "bower_components", ".pnpm-store", ".yarn-cache", ".npm", ".parcel-cache", ".turbo", ".next"),
        *(".nuxt", ".svelte-kit", ".venv", "__pycache__", ".tox", ".nox", ".eggs", ".pytest_cache", ".nyc_output"),
        *(".mypy_cache", ".ruff_cache", ".hypothesis", ".gradle", ".terraform", ".bundle", "DerivedData", ".coverage"),
        *("htmlcov", ".ipynb_checkpoints", ".DS_Store"),
    }
)
SUFFIXES = frozenset({".egg-info", ".dist-info", ".pyc", ".pyo"})
# By name beside the manifest of the tool that makes them: elsewhere they may be anything.
BESIDE: Mapping[str, tuple[str, ...]] = {
    "Cargo.toml": ("target",),
    "pom.xml": ("target",),
    "pyproject.toml": ("venv",),
    "setup.py": ("venv",),
    "requirements.txt": ("venv",),
    "build.gradle": ("build",),
    "build.gradle.kts": ("build",),
    "CMakeLists.txt": ("build",),
}
# The same, of folders that are small enough for git and that may as well hold sources: left out, and said.
PERHAPS_BESIDE: Mapping[str, tuple[str, ...]] = {
    "package.json": ("dist",),
    "pyproject.toml": ("dist", "build"),
    "setup.py": ("dist", "build"),
}
_ENVIRONMENT = "pyvenv.cfg"  # what every virtual environment holds, whatever it is called
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


class WorkAreas(Struct, frozen=True):
    names: frozenset[str] = frozenset()  # of folders, wherever they stand
    folders: frozenset[str] = frozenset()  # from the top; what setup made, and what builds make beside a manifest
    suffixes: frozenset[str] = frozenset()  # of names, wherever they stand
    perhaps: frozenset[str] = frozenset()  # folders from the top that git sees, and that are left out of a commit

    def area_of(self, path: str) -> str:
        """The folder of a path that is a work area; "" where none is."""
        for folder in _folders_of(path):
            name = folder.rpartition("/")[2]
            if name in self.names or folder in self.folders or f".{name.rpartition('.')[2]}" in self.suffixes:
                return folder
        return ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """As git's lists of ignored files spell them."""
        folders = ("/" + _SPECIAL.sub(r"\\\1", folder) for folder in sorted(self.folders))
        return (*sorted(self.names), *(f"*{suffix}" for suffix in sorted(self.suffixes)), *folders)


def find_work_areas(tracked: Iterable[str], made: Sequence[str] = (), declared: Sequence[str] = ()) -> WorkAreas:
    """``tracked``: every path of the commit that the agent starts from; ``made``: what setup put beside them."""
    survey = _survey(tuple(tracked))
    known, folders, perhaps = survey.known, survey.folders.union(made), survey.perhaps
    parts = survey.names.union(part for path in declared for part in path.split("/"))
    suffixes = {suffix for suffix in SUFFIXES if not any(part.endswith(suffix) for part in parts)}

    def free(found: frozenset[str]) -> frozenset[str]:
        left = (folder for folder in found if folder not in known)
        return frozenset(folder for folder in left if not any(_releases(d, folder) for d in declared))

    return WorkAreas(NAMES - parts, free(folders), frozenset(suffixes), free(perhaps - folders))


class _Survey(Struct, frozen=True):
    """What the tracked paths of a commit say about work areas."""

    known: frozenset[str]  # every file and folder
    names: frozenset[str]  # of them, without their place
    folders: frozenset[str]  # that builds make beside manifests
    perhaps: frozenset[str]  # the same, that may as well hold sources


@lru_cache(maxsize=2)  # the same commit is asked about before and after each call of an agent
def _survey(tracked: tuple[str, ...]) -> _Survey:
    known, folders, perhaps = set[str](), {"venv"}, set[str]()
    for path in tracked:
        above, _, name = path.rpartition("/")
        known.update(_with_parents(path))
        folders.update(f"{above}/{built}" if above else built for built in BESIDE.get(name, ()))
        perhaps.update(f"{above}/{built}" if above else built for built in PERHAPS_BESIDE.get(name, ()))
    names = frozenset(path.rpartition("/")[2] for path in known)
    return _Survey(frozenset(known), names, frozenset(folders), frozenset(perhaps))


def find_left_out(added: Sequence[str], areas: WorkAreas) -> Mapping[str, int]:
    """Of what a commit adds: folders that are left out of it, each with the number of its files.

    A virtual environment is known by what it holds: sources may lie in a folder that is called like one.
    """
    made = {path.rpartition("/")[0] for path in added if path.rpartition("/")[2] == _ENVIRONMENT} - {""}
    found = Counter[str]()
    for path in added:
        found.update([folder for folder in _folders_of(path) if folder in areas.perhaps or folder in made][:1])
    return found


def refuse_work_area(changes: Sequence[Change], areas: WorkAreas) -> str:
    """Why this commit cannot be accepted for what it brings of a work area, or "". Compiled code has its own reason."""
    brought = [change.path for change in changes if change.status == "A" and not is_compiled(change.path)]
    inside = [(path, area) for path in brought if (area := areas.area_of(path))]
    if not inside:
        return ""
    path, area = inside[0]
    more = f" (and {len(inside) - 1:,} more files)" if len(inside) > 1 else ""
    return (
        f"{path}{more} lies in {area}, which setup, package managers or builds make: remove it from the commit with "
        f"`git rm -r --cached {area}`, or list it in the task of the plan"
    )


def _folders_of(path: str) -> Iterable[str]:
    """From the top, the path itself included: a link may stand in the place of a folder."""
    parts = path.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts) + 1))


def _with_parents(path: str) -> Iterable[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _releases(declared: str, folder: str) -> bool:
    """Something in it, or the folder itself: who may change a folder above it means the sources there."""
    return f"{declared.strip('` ').removeprefix('./').rstrip('/')}/".startswith(f"{folder}/")
