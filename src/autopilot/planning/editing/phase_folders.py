"""The folders of phases whose numbers or names change: where each file goes, and what its front matter says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.editing.mentions import Mentions
from autopilot.planning.editing.renumbering import spell
from autopilot.planning.plan.folders import find_folder
from autopilot.planning.roadmap.phase_id import ID, are_unrelated, normalise
from autopilot.text.frontmatter import parse_frontmatter

_PREFIX = re.compile(rf"((?:[A-Z]{{1,6}}-|[Pp]hase[-_ ]?)?)({ID})(?=[-_ .]|\Z)")
_OWN = re.compile(rf"(^\s{{0,8}}(?:-\s{{1,4}})?[\"']?phase[\"']?\s{{0,4}}:\s{{0,4}}[\"']?)({ID})(?!\w|\.[0-9])")
_REF = re.compile(rf"(?<![\w./-])({ID})(?=-[0-9]{{1,3}}[A-Za-z]?(?:-PLAN(?:\.md)?)?(?![\w-]))")


def own_folder(phase: Phase, paths: Sequence[str]) -> str:
    """The phase's folder; "" where it has none, or one that another phase of this number had."""
    folder = find_folder(paths, phase)
    exists = any(path.startswith(f"{folder}/") for path in paths)
    return folder if exists and not are_unrelated(PurePosixPath(folder).name, phase.slug) else ""


def moved_files(
    phases: Sequence[Phase], paths: Sequence[str], mentions: Mentions, slugs: Mapping[PhaseId, str]
) -> dict[str, str]:
    """Old path to new path. ``slugs``: new names of folders, by the old number."""
    moved: dict[str, str] = {}
    for phase in phases:
        if phase.id not in mentions.renumbering.new and phase.id not in slugs:
            continue
        if folder := own_folder(phase, paths):
            target = PurePosixPath(folder).with_name(_folder_name(folder, phase.id, mentions, slugs.get(phase.id, "")))
            for path in (path for path in paths if path.startswith(f"{folder}/")):
                inner = PurePosixPath(path).relative_to(folder)
                name = _renumbered(inner.name, phase.id, mentions)
                moved[path] = str(target / inner.with_name(name))
    _must_not_collide(moved, paths)
    return {old: new for old, new in moved.items() if old != new}


def _folder_name(folder: str, phase: PhaseId, mentions: Mentions, slug: str) -> str:
    name = _renumbered(PurePosixPath(folder).name, phase, mentions)
    found = _PREFIX.match(name)
    return f"{name[: found.end()]}-{slug}" if slug and found else name


def _renumbered(name: str, phase: PhaseId, mentions: Mentions) -> str:
    found = _PREFIX.match(name)
    if not found or normalise(found[2]) != phase:
        return name
    return f"{found[1]}{spell(mentions.renumbering.of(phase), found[2], padded=True)}{name[found.end() :]}"


def _must_not_collide(moved: Mapping[str, str], paths: Sequence[str]) -> None:
    left = set(paths) - set(moved)
    for old, new in moved.items():
        if new in left or any(path.startswith(f"{new}/") for path in left):
            raise UsageError(f"{old} would become {new}, which is there already", "move one of them away first")


def edit_front_matter(text: str, mentions: Mentions, *, is_own: bool) -> str:
    """``phase``, of a file of a phase that moved, and the plans of other phases that it depends on."""
    front = parse_frontmatter(text)
    lines = text.split("\n")
    key = ""
    for index in range(1, front.lines - 1):
        line = lines[index]
        if not line[:1].isspace() and not line.startswith("-"):
            key = line.partition(":")[0].strip()
        if key == "phase" and is_own:
            lines[index] = _OWN.sub(lambda found: f"{found[1]}{mentions.number(found[2])}", line, count=1)
        elif key in ("depends_on", "depends-on", "requires"):
            line = _REF.sub(lambda found: mentions.padded_number(found[1]), line)
            lines[index] = _OWN.sub(lambda found: f"{found[1]}{mentions.number(found[2])}", line, count=1)
    return "\n".join(lines)
