"""Work areas: what setup, package managers and builds make beside a project. An agent's commit brings none of it.

A name or folder of which something is tracked is part of the project, and so is what a task of the plan lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from autopilot.model.git import Change
from autopilot.text.file_kind import is_compiled

# By name, wherever they stand: nobody calls a folder of sources so.
NAMES = frozenset(
    {
        *("node_modules", "bower_components", ".pnpm-store", ".yarn-cache", ".npm", ".parcel-cache", ".turbo", ".next"),
        *(".nuxt", ".svelte-kit", ".venv", "venv", "__pycache__", ".tox", ".nox", ".eggs", ".pytest_cache"),
        *(".mypy_cache", ".ruff_cache", ".hypothesis", ".gradle", ".terraform", ".bundle", "DerivedData"),
    }
)
# By name beside the manifest of the tool that makes them: elsewhere they may be anything.
BESIDE: Mapping[str, tuple[str, ...]] = {
    "Cargo.toml": ("target",),
    "pom.xml": ("target",),
    "package.json": ("dist",),
    "pyproject.toml": ("dist", "build"),
    "setup.py": ("dist", "build"),
    "build.gradle": ("build",),
    "build.gradle.kts": ("build",),
    "CMakeLists.txt": ("build",),
}
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


class WorkAreas(Struct, frozen=True):
    names: frozenset[str] = frozenset()  # of folders, wherever they stand
    folders: frozenset[str] = frozenset()  # from the top; what setup made, and what builds make beside a manifest

    def area_of(self, path: str) -> str:
        """The folder of a path that is a work area; "" where none is."""
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            folder = "/".join(parts[:end])
            if parts[end - 1] in self.names or folder in self.folders:
                return folder
        return ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """As git's lists of ignored files spell them."""
        folders = ("/" + _SPECIAL.sub(r"\\\1", folder) for folder in sorted(self.folders))
        return (*sorted(self.names), *folders)


def find_work_areas(tracked: Iterable[str], made: Sequence[str] = (), declared: Sequence[str] = ()) -> WorkAreas:
    """``tracked``: every path of the commit that the agent starts from; ``made``: what setup put beside them."""
    known, folders = set[str](), set(made)
    for path in tracked:
        above, _, name = path.rpartition("/")
        known.update(_with_parents(path))
        folders.update(f"{above}/{built}" if above else built for built in BESIDE.get(name, ()))
    used = {name for path in known if (name := path.rpartition("/")[2]) in NAMES}
    used |= {name for name in NAMES if any(name in path.split("/") for path in declared)}
    free = (folder for folder in folders if folder not in known and not any(_releases(d, folder) for d in declared))
    return WorkAreas(NAMES - used, frozenset(free))


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


def _with_parents(path: str) -> Iterable[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _releases(declared: str, folder: str) -> bool:
    """Something in it, or the folder itself: who may change a folder above it means the sources there."""
    return f"{declared.strip('` ').removeprefix('./').rstrip('/')}/".startswith(f"{folder}/")
