"""The planning formats in order of precedence, and which one a repository is run by.

GSD's own roadmap comes before all of them; `autopilot.planning` in .planning/config.json names another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.planning.formats.backlog.backlog import BACKLOG
from autopilot.planning.formats.checklist.checklist import CHECKLIST, FIX_PLAN
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.kiro.kiro import KIRO
from autopilot.planning.formats.openspec.openspec import OPENSPEC
from autopilot.planning.formats.ralph.ralph import RALPH
from autopilot.planning.formats.speckit.format import SPECKIT
from autopilot.planning.formats.taskmaster.format import TASKMASTER

GSD = "gsd"
ROADMAPS = (".planning/ROADMAP.md", "ROADMAP.md")
FORMATS: tuple[Format, ...] = (SPECKIT, OPENSPEC, TASKMASTER, BACKLOG, KIRO, RALPH, FIX_PLAN, CHECKLIST)
KEY = "autopilot.planning"


class Choice(Struct, frozen=True):
    """The format that counts, its paths, and the others that are here as well."""

    format: Format | None  # None: a roadmap as GSD writes it, or nothing at all
    paths: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # names, GSD's among them

    def describe(self) -> str:
        """Why this one, when there was a choice; "" when there was none."""
        if not self.others:
            return ""
        chosen = self.format.name if self.format else GSD
        also = ", ".join(self.others)
        return f'planned with {chosen}, and also with {also}: {chosen} is used; to choose: "{KEY}"'


def format_named(name: str) -> Format | None:
    return next((format for format in FORMATS if format.name == name), None)


def rival_places(name: str) -> tuple[str, ...]:
    """Where files lie that count before those of this format."""
    return (*ROADMAPS, *(place for format in _before(name) for place in format.places))


def taken_over(name: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Paths by which the next run would be planned in another form, of which nothing was here before."""
    if not set(ROADMAPS) & set(before):
        yield from (path for path in ROADMAPS if path in after)
    for format in _before(name):
        if not format.find(before):
            yield from format.find(after)


def _before(name: str) -> tuple[Format, ...]:
    return FORMATS[: [format.name for format in FORMATS].index(name)]


def _is_last_resort(name: str) -> bool:
    return (format := format_named(name)) is not None and format.last_resort


def find_formats(listed: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Every format that is here, with its paths; ``listed``: the paths below the places of each, by its name."""
    found = {format.name: format.find(listed.get(format.name, ())) for format in FORMATS}
    return {name: paths for name, paths in found.items() if paths}


def choose_format(found: Mapping[str, tuple[str, ...]], *, roadmap: bool, wanted: str = "") -> Choice:
    """``roadmap``: whether a roadmap of GSD's is here; ``wanted``: what the user has written."""
    here = ([GSD] if roadmap else []) + [format.name for format in FORMATS if format.name in found]
    if wanted and wanted not in here:
        known = ", ".join((GSD, *(format.name for format in FORMATS)))
        hint = f"here: {', '.join(here) or 'none'}; known: {known}"
        raise UsageError(f"{KEY} is `{wanted}`, and no such planning files are here", hint)
    chosen = wanted or (here[0] if here else GSD)
    here = [name for name in here if name == chosen or not _is_last_resort(name)]
    return Choice(format_named(chosen), found.get(chosen, ()), tuple(name for name in here if name != chosen))
