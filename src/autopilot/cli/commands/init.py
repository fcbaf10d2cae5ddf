"""``autopilot init``"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from autopilot.api.agents import find_installed_agents
from autopilot.api.assembly import assemble, find_repository
from autopilot.api.initialization import Prepared, prepare_repository
from autopilot.cli.output import print_output
from autopilot.model.pasting import write_default
from autopilot.settings.reading import Settings, read_settings


def main(_: argparse.Namespace) -> int:
    settings = read_settings()
    prepared = prepare_repository(assemble(find_repository(Path.cwd(), settings), settings))
    lines = [f"wrote {name}" for name in prepared.written]
    lines += [f"kept {name} as it is" for name in prepared.kept]
    for name in prepared.commands.__struct_fields__:
        lines.append(f"  {name}: {getattr(prepared.commands, name) or 'none'}")
    lines += _agent_lines(settings)
    lines += _next_steps(prepared)
    print_output("\n".join(lines) + "\n")
    return 0


def _agent_lines(settings: Settings) -> list[str]:
    """The installed agents and how to choose one; the settings are the user's, so nothing is written there."""
    found = find_installed_agents(settings)
    if not found:
        return ["no installed agent was found; `autopilot agents` lists the supported ones"]
    lines = [f"agents found: {', '.join(found)}"]
    if not settings.agents and not settings.profiles:
        lines.append(f"  to choose one, {write_default(found[0], has_table=False, file=settings.source)}")
    return lines


def _next_steps(prepared: Prepared) -> list[str]:
    """Uncommitted files would block landing, so the next step is to commit them."""
    steps = ["fill in .planning/ROADMAP.md"] if prepared.template else []
    if prepared.to_commit:
        files = shlex.join(prepared.to_commit)
        add = "git add -f" if prepared.forced else "git add"
        steps.append(f"commit the new files: `{add} {files} && git commit -m 'Plan for Autopilot' -- {files}`")
    steps.append(f"{'then ' if steps else ''}`autopilot doctor` and `autopilot run next`")
    return [f"next: {', '.join(steps)}"]
