"""The same command on some test files alone: cheap enough to run often, and no other test interferes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from autopilot.testtools.commands.following import ReadText
from autopilot.testtools.commands.rewriting import Found, rewrite
from autopilot.testtools.packs.named_pack import NamedReport


def narrow(command: str, read: ReadText, path: str, project: str = "") -> str | None:
    """None where the command calls no tool that can select a file, or several: which of them runs it is not known."""
    return narrow_to(command, read, [path], project)


def narrow_to(command: str, read: ReadText, paths: Sequence[str], project: str = "") -> str | None:
    """The same for several files; None also where the tool takes one alone."""

    def select(found: Found) -> str | None:
        inside = f"{found.folder}/" if found.folder else ""
        if not all(path.startswith(inside) for path in paths) or isinstance(found.pack, NamedReport):
            return None
        local = [path.removeprefix(inside) for path in paths]
        selected = found.pack.only(found.spelling, local)
        if local[1:] and selected == found.pack.only(found.spelling, local[-1:]):
            return None
        chosen.extend(paths)
        return shlex.join(selected)

    chosen: list[str] = []
    rewritten = rewrite(command, read, project, select)
    if rewritten is None or len(rewritten[1]) != 1 or not chosen:
        return None
    return rewritten[0]
