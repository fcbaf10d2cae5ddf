"""Completion for bash, zsh and fish: a script that knows every command and starts no program of ours.

Numbers of phases are read from the roadmap while you type: digits and dots alone, whatever else stands in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from autopilot.cli.shells.bash import render_bash
from autopilot.cli.shells.commands import Command
from autopilot.cli.shells.fish import render_fish
from autopilot.cli.shells.zsh import render_zsh

SHELLS: Mapping[str, Callable[[Sequence[Command]], Iterator[str]]] = {
    "bash": render_bash,
    "zsh": render_zsh,
    "fish": render_fish,
}


def render_completion(shell: str, commands: Sequence[Command]) -> str:
    return "\n".join(SHELLS[shell](commands)) + "\n"
