"""The frozen spec: which file it is, its hash over text that our own ticks do not change, its requirements."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.planning.config.config import Config
from autopilot.planning.roadmap.table import status_tables
from autopilot.text.lines import scan_lines

DEFAULTS = (".planning/REQUIREMENTS.md", ".planning/PROJECT.md", ".planning/ROADMAP.md", "ROADMAP.md")
_BOX = re.compile(r"^(\s*(?:[-*+]|[0-9]+[.)])\s+)\[[ xX]\]")
_COMPLETED = re.compile(r" ?\(completed [^()]*\)")
_REQUIREMENT = re.compile(
    r"^\s*[-*+]\s+(?:\[([ xX])\]\s+)?\*\*((?=[A-Za-z])(?:[\w.]++-)*+(?=[\w.]*?[0-9])[\w.]++)\*\*\s*+:?\s*+(.*)$"
)


class Requirement(Struct, frozen=True):
    id: str
    text: str
    ticked: bool
    line: int


def choose_spec(config: Config, exists: Callable[[str], bool], of_format: str = "") -> str:
    """The first that exists: the repository's own list, what another tool's format has, then the usual places."""
    usual: tuple[str, ...] = (of_format,) if of_format else DEFAULTS
    for path in (*config.spec_paths, *usual):
        if exists(path):
            return path
    raise UsageError("no spec was found", hint="write .planning/REQUIREMENTS.md or name one in project.spec_paths")


def spec_hash(text: str) -> str:
    return hashlib.sha256(neutralise(text).encode("utf-8", "surrogatepass")).hexdigest()


def neutralise(text: str) -> str:
    """The text without what changes as work proceeds.

    Boxes are emptied, "(completed …)" marks taken off, status columns of phase tables blanked; line endings and
    spaces at line ends do not count.
    """
    lines = scan_lines(text)
    plain = [_COMPLETED.sub("", _BOX.sub(r"\1[ ]", line.text)).rstrip() for line in lines]
    for table in status_tables(lines):
        changing = table.volatile()
        for row in table.rows:
            cells = ["" if index in changing else cell.strip() for index, cell in enumerate(row.cells)]
            plain[row.line.number - 1] = "|".join(cells)
    return "\n".join(plain)


def parse_requirements(text: str) -> tuple[Requirement, ...]:
    """Lines such as ``- [ ] **AUTH-01**: text``."""
    found = []
    for line in scan_lines(text):
        matched = None if line.hidden else _REQUIREMENT.match(line.text)
        if matched:
            ticked = (matched[1] or " ") != " "
            found.append(Requirement(matched[2], matched[3].strip(), ticked, line.number))
    return tuple(found)
