"""The type of a phase, by the files it plans to change or, once there is one, by its real diff."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.model.planning.phase_type import PhaseType
from autopilot.text.file_kind import is_data, is_frontend, is_neutral, is_ours, is_protocol, suffix_of


def classify(paths: Sequence[str], ui_source_dir: str = "", ui_extensions: Sequence[str] = ()) -> PhaseType:
    """One kind only makes a phase of that type; several, other code, or nothing telling make it mixed."""
    kinds = facets(paths, ui_source_dir, ui_extensions)
    return next(iter(kinds)) if len(kinds) == 1 else PhaseType.MIXED


def facets(paths: Sequence[str], ui_source_dir: str = "", ui_extensions: Sequence[str] = ()) -> frozenset[PhaseType]:
    """Which types' demands the files make; ``MIXED`` stands for other code, which demands nothing of its own.

    More files never make fewer demands: a phase cannot shed a check by touching something else besides.
    """
    suffixes = frozenset(f".{word.lower()}" for extension in ui_extensions for word in re.findall(r"\w+", extension))
    kinds = (_facet(path, ui_source_dir, suffixes) for path in paths if not is_ours(path))
    return frozenset(kind for kind in kinds if kind is not None)


def _facet(path: str, ui_source_dir: str, ui_suffixes: frozenset[str]) -> PhaseType | None:
    if _configured_ui(path, ui_source_dir, ui_suffixes):
        return PhaseType.UI
    if is_protocol(path):
        return PhaseType.PROTOCOL
    if is_frontend(path):
        return PhaseType.UI
    if is_neutral(path):
        return None
    return PhaseType.DATA if is_data(path) else PhaseType.MIXED


def _configured_ui(path: str, source_dir: str, suffixes: frozenset[str]) -> bool:
    if not source_dir and not suffixes:
        return False
    folder = "/".join(part for part in source_dir.split("/") if part not in {"", "."})
    inside = not folder or path.removeprefix("./").startswith(f"{folder}/")
    return inside and (not suffixes or suffix_of(path) in suffixes)
