"""A tutorial that is carried out: its files are written, its commands run, and what it shows has to be what is said.

In a ``console`` block a line ``$ command`` is run by bash; the lines below it are lines of what it prints, in order,
with others between them, and ``…`` stands for any text. A comment ``# exit 3`` tells of a status that is not 0. Every
other block is a file, named behind its language.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from msgspec import Struct

from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.world import IDENTITY

_EXIT = re.compile(r"\s# exit (\d+)$")
ANY = "…"


class Call(Struct, frozen=True):
    command: str
    shown: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        told = _EXIT.search(self.command)
        return int(told[1]) if told else 0


class Written(Struct, frozen=True):
    path: str
    text: str


def read_tutorial(text: str) -> Iterator[Call | Written]:
    for token in MarkdownIt().parse(text):
        if token.type != "fence":
            continue
        language, _, path = token.info.strip().partition(" ")
        if language == "console":
            yield from _calls(token.content.splitlines())
        else:
            assert path, f"a block that is neither a file nor commands: {token.content[:80]!r}"
            yield Written(path, token.content)


def _calls(lines: Sequence[str]) -> Iterator[Call]:
    begins = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    assert begins[:1] == [0], f"a block begins with a command: {lines[:1]}"
    for first, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield Call(lines[first].removeprefix("$ "), tuple(filter(None, lines[first + 1 : end])))


class Reader:
    """Somebody who does all that it says, in an empty folder and with a home of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = folder / "work"
        for made in (self.place, folder / "home", folder / "bin"):
            made.mkdir(parents=True)
        program = folder / "bin" / "autopilot"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m autopilot "$@"\n', encoding="utf-8")
        program.chmod(0o755)

    def do(self, part: Call | Written) -> None:
        if isinstance(part, Call):
            self._run(part)
            return
        target = self.place / part.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(part.text, encoding="utf-8")

    def _run(self, call: Call) -> None:
        here = self._folder / "here"
        ended = subprocess.run(
            ("bash", "-c", f"trap 'pwd > {here}' EXIT\n{call.command}\n"),
            cwd=self.place,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE_S,
        )
        assert ended.returncode == call.status, f"$ {call.command}\nended with {ended.returncode}:\n{ended.stdout}"
        missing = first_missing(call.shown, ended.stdout.splitlines())
        assert missing is None, f"$ {call.command}\ndoes not say {missing!r}:\n{ended.stdout}"
        self.place = Path(here.read_text(encoding="utf-8").strip())

    def _environment(self) -> dict[str, str]:
        """Its Python is the system's: a virtual environment may lie in a home that the sandbox hides."""
        path = os.pathsep.join((str(self._folder / "bin"), "/usr/bin", "/bin"))
        return {"PATH": path, "HOME": str(self._folder / "home"), "LANG": "C.UTF-8", **IDENTITY}


def first_missing(shown: Sequence[str], said: Sequence[str]) -> str | None:
    """The first line that is shown and was not said, where it is shown."""
    rest = iter(said)
    for line in shown:
        pattern = re.compile(".*".join(map(re.escape, line.strip().split(ANY))))
        if not any(pattern.fullmatch(each.strip()) for each in rest):
            return line
    return None
