"""Which folder below ``.planning/phases`` belongs to a phase, and what is said when more than one might."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.roadmap import Phase
from autopilot.planning.plan.files import find_plans, looks_like_plan
from autopilot.planning.roadmap.phase_id import folder_prefix, is_numbered, phase_of_folder

PHASES = ".planning/phases"
_DEEPEST = 3  # phases/completed/v1/02-name


class _Candidate(Struct, frozen=True):
    path: str
    is_named: bool  # like the phase: at least half of the shorter name
    likeness: int
    plans: int


def find_folder(paths: Iterable[str], phase: Phase, taken: Collection[str] = ()) -> str:
    """The phase's existing folder among repository paths, else the name to create.

    Folders may lie one below the other (``phases/completed/02-pot``). When several carry the number, the one named like
    the phase wins, then the one with plans, then the first. Those in ``taken`` belong to phases that had this number
    before: an old plan, carried out long ago, would make the new phase look done.
    """
    own = _candidates(tuple(paths), phase, taken)
    slug = f"-{phase.slug}" if phase.slug and is_numbered(phase.id) else ""
    wanted = f"{folder_prefix(phase.id)}{slug}"
    return own[0].path if own else f"{PHASES}/{wanted}"


def folder_doubts(paths: Iterable[str], phase: Phase, taken: Collection[str] = ()) -> Iterator[Complaint]:
    """What lies in the phase's folders and is not used."""
    listed = tuple(paths)
    own = _candidates(listed, phase, taken)
    if len(own) > 1:
        with_plans = "the first with plans" if own[1].plans else "the one with plans"
        why = "named like the phase" if own[0].is_named else with_plans if own[0].plans else "the first"
        others = ", ".join(PurePosixPath(candidate.path).name for candidate in own[1:])
        message = f"phase {phase.id} has {len(own)} folders: this one is used ({why}), not {others}"
        is_grave = any(candidate.plans for candidate in own[1:])
        yield Complaint(own[0].path, 0, message, Severity.WARNING if is_grave else Severity.INFO)
    for candidate in own[:1]:
        read = find_plans(listed, candidate.path)
        inside = [path for path in listed if path.startswith(f"{candidate.path}/") and path not in read]
        for path in filter(looks_like_plan, inside):
            hint = f"{folder_prefix(phase.id)}-01-PLAN.md"
            yield Complaint(path, 0, f"looks like a plan and is not read: plans are called like {hint}", Severity.INFO)


def _candidates(paths: Sequence[str], phase: Phase, taken: Collection[str]) -> list[_Candidate]:
    """Best first."""
    folders = {folder for path in paths if (folder := _folder_of(path, phase)) and folder not in taken}
    terms = frozenset(phase.slug.split("-")) - {""}
    found = [_judge(folder, terms, paths) for folder in folders]
    return sorted(
        found,
        key=lambda candidate: (
            not candidate.is_named,
            -candidate.likeness * candidate.is_named,
            not candidate.plans,
            candidate.path,
        ),
    )


def _judge(folder: str, terms: frozenset[str], paths: Sequence[str]) -> _Candidate:
    name = frozenset(re.findall(r"[^\W_]+", PurePosixPath(folder).name.lower())[1:])
    shared = len(terms & name)
    is_named = bool(shared) and shared * 2 >= min(len(terms), len(name))
    return _Candidate(folder, is_named, shared * 100 - len(terms ^ name), len(find_plans(paths, folder)))


def _folder_of(path: str, phase: Phase) -> str:
    """The topmost folder on this path that carries a phase's number, if it is this phase's."""
    parts = PurePosixPath(path).parts
    if parts[:2] != (".planning", "phases"):
        return ""
    if not is_numbered(phase.id):
        return f"{PHASES}/{phase.id}" if parts[2:3] == (phase.id,) and len(parts) > 3 else ""
    for depth, name in enumerate(parts[2:-1][:_DEEPEST], start=3):
        if id := phase_of_folder(name):
            return "/".join(parts[:depth]) if id == phase.id else ""
    return ""
