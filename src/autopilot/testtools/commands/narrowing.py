"""The same command on one test file alone: cheap enough to run often, and no other test interferes."""

from __future__ import annotations

import shlex

from autopilot.testtools.commands.following import ReadText
from autopilot.testtools.commands.rewriting import Found, rewrite
from autopilot.testtools.packs.named_pack import NamedReport


def narrow(command: str, read: ReadText, path: str, project: str = "") -> str | None:
    """None where the command calls no tool that can select a file, or several: which of them runs it is not known."""

    def select(found: Found) -> str | None:
        inside = f"{found.folder}/" if found.folder else ""
        if not path.startswith(inside) or isinstance(found.pack, NamedReport):
            return None
        chosen.append(path)
        return shlex.join(found.pack.only(found.spelling, [path.removeprefix(inside)]))

    chosen: list[str] = []
    rewritten = rewrite(command, read, project, select)
    if rewritten is None or len(rewritten[1]) != 1 or not chosen:
        return None
    return rewritten[0]
