"""A command that runs tests, spelled so that its tools leave reports; and those reports read back."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.evidence.testing import TestReport
from autopilot.testtools.canary_inside import put_inside
from autopilot.testtools.commands.following import ReadText
from autopilot.testtools.commands.rewriting import Found, rewrite
from autopilot.testtools.disguise import disguise
from autopilot.testtools.formats.results import joined
from autopilot.testtools.pack import REPORTS, Canary, Pack
from autopilot.testtools.places import Exists, placed

LARGEST_REPORT = 16_000_000  # bytes of one call
MOST_PARTS = 400_000  # of one call: lines, elements, objects; a test takes four to eight of them


class Call(Struct, frozen=True):
    """One call of a test tool inside a command."""

    pack: Pack
    arguments: tuple[str, ...]  # from the tool on; what only starts it (`timeout 60 npx`) is left out
    name: str  # of its report, unique within the command
    folder: str = ""  # where it stands when called, relative to the project (`cd app && npm test`)


class Asked(Struct, frozen=True):
    """The whole command, with a report asked of every test tool in it."""

    command: str
    calls: tuple[Call, ...]


def ask_for_reports(command: str, read: ReadText, project: str = "") -> Asked | None:
    """None where the command calls no test tool, or where its effect is not certain.

    ``npm test`` and ``make test`` are followed to what they call. ``project`` is where the project stands, for a
    command that goes there by its full path.
    """

    def ask(found: Found) -> str:
        name = _name(found)
        return f'{found.pack.ask(found.spelling, name)} $(pwd -P >"${REPORTS}"/{_mark(name)})'

    rewritten = rewrite(command, read, project, ask)
    if rewritten is None:
        return None
    text, calls = rewritten
    return Asked(text, tuple(Call(found.pack, found.arguments, _name(found), found.folder) for found in calls))


def put_canary(
    command: str,
    read: ReadText,
    paths: Sequence[str],
    *,
    beside: Sequence[str] = (),
    project: str = "",
    call: int = 0,
    seed: str = "",
) -> tuple[Canary, str] | None:
    """The same command with one of its calls made on a test that must fail, and on the tests ``beside`` it alone.

    All paths are seen from the project; ``seed`` chooses the name of that test, without one it is the pack's own.
    Everything around the call stays: what prepares it, and what it is started by.
    """
    put: list[Canary] = []

    def select(found: Found) -> str | None:
        inside = f"{found.folder}/" if found.folder else ""
        below = [path.removeprefix(inside) for path in paths if path.startswith(inside)]
        if found.index != call:
            return None
        others = [path.removeprefix(inside) for path in beside if path.startswith(inside)]
        within = put_inside(found.pack.name, others, below, lambda path: read(inside + path))
        plain = within or found.pack.canary(below, found.arguments)
        if plain is None:
            return None
        canary = disguise(plain, seed) if seed else plain
        put.append(Canary(inside + canary.path, canary.text, canary.name))
        return shlex.join(found.pack.only(found.spelling, list(dict.fromkeys([*others, canary.path]))))

    rewritten = rewrite(command, read, project, select)
    return (put[0], rewritten[0]) if rewritten and put else None


def read_reports(asked: Asked, files: Mapping[str, bytes], output: str, *, exists: Exists | None = None) -> TestReport:
    """All calls' reports as one, with the problems of each. A call that was never reached has no report.

    ``exists`` tells whether the project has a file, for tools that name files from a place that is not certain.
    """
    reports = list[TestReport]()
    for call in asked.calls:
        mark = files.get(_mark(call.name))
        if mark is not None:
            own = {name: files[name] for name in files if _belongs(name, call.name)}
            stands = mark.decode("utf-8", "replace").rstrip("\n")
            if problem := _too_large(own):
                reports.append(TestReport(call.pack.name, call.pack.grade, problem=problem))
            else:
                reports.append(placed(call.pack.read(own, output), stands, call.folder, exists))
    if not reports:
        none = joined([TestReport(call.pack.name, call.pack.grade) for call in asked.calls])
        return replace(none, problem=f"the command exited before it called {none.runner}")
    return joined(reports)


def _too_large(files: Mapping[str, bytes]) -> str:
    """Why a report is not read: one that was made to be slow takes a gigabyte and minutes."""
    if (size := sum(map(len, files.values()))) > LARGEST_REPORT:
        return f"the report has {size:,} bytes; up to {LARGEST_REPORT:,} are read"
    parts = sum(content.count(sign) for content in files.values() for sign in (b"\n", b"<", b"{"))
    return f"the report has {parts:,} lines and elements; up to {MOST_PARTS:,} are read" if parts > MOST_PARTS else ""


def _name(found: Found) -> str:
    return str(found.index + 1)


def _mark(name: str) -> str:
    """The file that shows that a call was reached, and where it stood then."""
    return f"{name}.pwd"


def _belongs(file: str, name: str) -> bool:
    return file != _mark(name) and file.startswith((f"{name}.", f"{name}-", f"{name}/", f"{name}_"))
