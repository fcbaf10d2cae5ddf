"""The same command on one test file alone: cheap enough to be run often, and nothing else is in its way."""

from __future__ import annotations

import shlex

from autopilot.testtools.commands.following import ReadText
from autopilot.testtools.commands.rewriting import Found, rewrite
from autopilot.testtools.packs.named_pack import NamedReport


def narrow(command: str, read: ReadText, path: str, project: str = "") -> str | None:
    """None where no tool is called that could select a file, or more than one: which of them has it nobody can say."""

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
