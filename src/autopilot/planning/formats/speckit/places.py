"""Where spec-kit keeps its files: one folder per feature, and one constitution for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import carry_id

PLACES = ("specs", ".specify")
CONSTITUTION = ".specify/memory/constitution.md"
SPEC, PLAN, TASKS = "spec.md", "plan.md", "tasks.md"
_FILE = re.compile(r"((?:\.specify/)?specs)/([0-9]{1,8}-[^/]{0,200})/(?:spec|plan|tasks)\.md\Z")
# Features may be numbered by their time: "20260318-101500-login".
_NUMBER = re.compile(r"([0-9]{1,6})-(?![0-9]{6}-)(.*)\Z", re.DOTALL)


class Feature(Struct, frozen=True):
    id: PhaseId
    folder: str
    slug: str
    shares: str = ""  # the folder that has this one's number already

    def file(self, name: str) -> str:
        return f"{self.folder}/{name}"


def find(paths: Sequence[str]) -> tuple[str, ...]:
    """spec.md, plan.md and tasks.md of features, and the constitution; nothing where no feature has any work."""
    own = [path for path in paths if path == CONSTITUTION or _FILE.match(path)]
    is_here = any(path.endswith((f"/{SPEC}", f"/{TASKS}")) for path in own)
    return tuple(sorted(own)) if is_here else ()


def features(paths: Iterable[str]) -> tuple[Feature, ...]:
    """By number; of two with one number the first keeps it, the others are called by the names of their folders."""
    folders = sorted({path.rpartition("/")[0] for path in paths if _FILE.match(path)})
    found: dict[PhaseId, Feature] = {}
    for folder in folders:
        name = PurePosixPath(folder).name
        numbered = _NUMBER.match(name)
        id = carry_id(numbered[1] if numbered else name)
        slug = numbered[2] if numbered else name
        if id in found:
            found[carry_id(name)] = Feature(carry_id(name), folder, slug, shares=found[id].folder)
        else:
            found[id] = Feature(id, folder, slug)
    return tuple(found.values())
