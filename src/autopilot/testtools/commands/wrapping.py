"""A call of a test tool with a small script around it, which keeps the tool's output and its exit status."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from autopilot.testtools.pack import REPORTS
from autopilot.text.commands import wrappers

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def split_call(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands before the tool (``CI=1 timeout 60``, ``bundle exec``), and the tool with its arguments."""
    place = wrappers.past_wrappers(arguments)
    return list(arguments[:place]), list(arguments[place:])


def program(arguments: Sequence[str]) -> str:
    """The tool's name without its folder; "" where no argument is left."""
    _, call = split_call(arguments)
    return wrappers.program(call[0]) if call else ""


def wrap(arguments: Sequence[str], script: str) -> str:
    """One simple command, so that it can stand wherever the call stood; the script has the call as ``"$@"``.

    It leaves the call's status in ``$s`` (``run``), and that is its own.
    """
    before, call = split_call(arguments)
    return " ".join(
        [*map(_spell, before), "sh", "-c", shlex.quote(f"{script}; exit $s"), "sh", *map(shlex.quote, call)]
    )


def run(streams: str = "") -> str:
    """For the script: the call, its status in ``$s``. Not even a shell that stops at errors stops here."""
    call = f'"$@" {streams}'.rstrip()
    return f"{call} && s=0 || s=$?"


def report_path(name: str, ending: str) -> str:
    """For the shell: a file of this call's reports."""
    return f'"${REPORTS}"/{shlex.quote(name + ending)}'


def ending_in(files: Mapping[str, bytes], ending: str) -> bytes | None:
    """The report whose name ends so; of several the one with nothing in between: others were put there by others."""
    found = min((name for name in files if name.endswith(ending)), key=lambda name: (len(name), name), default=None)
    return None if found is None else files[found]


def _spell(word: str) -> str:
    name, sign, value = word.partition("=")
    return f"{name}={shlex.quote(value)}" if sign and _ASSIGNMENT.match(word) else shlex.quote(word)
