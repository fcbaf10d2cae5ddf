"""A command whose own script is not there: what it prints is its interpreter's complaint, which repeats the name."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from posixpath import basename, join, normpath

_INTERPRETER = re.compile(
    r"(?:\S{0,200}/)?(?:(?:ba|da|z|k)?sh|python[0-9.]{0,5}|node|ruby|perl|php|deno|bun|tsx|ts-node|lua|Rscript)\Z"
)
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_PLAIN = re.compile(r"[\w./@+-]{1,300}\Z")
_NOT_THERE = re.compile(
    r"can(?:no|')t (?:open|find|load|access|read)|cannot find|could not (?:open|find|load)|no such file|not found|"
    r"does not exist",
    re.IGNORECASE,
)
_SUBCOMMANDS = {"run", "test"}  # of deno and bun


def missing_script(command: str, output: str, files: Container[str]) -> str:
    """The script of this command that is not among the files and that the output says cannot be found, or ""."""
    for path in _scripts(command):
        name = basename(path)
        lines = (line for line in output.splitlines() if name in line and _NOT_THERE.search(line[:2000]))
        if path not in files and next(lines, None) is not None:
            return path
    return ""


def _scripts(command: str) -> Iterator[str]:
    """Relative paths that interpreters are given; a ``cd`` before them counts, anything but plain words ends it."""
    folder = ""
    for part in _SEPARATOR.split(command):
        arguments = part.split()
        while arguments and re.match(r"[A-Za-z_]\w{0,60}=", arguments[0]):
            arguments = arguments[1:]
        if len(arguments) == 2 and arguments[0] == "cd":
            folder = join(folder, arguments[1].strip("'\""))
        elif len(arguments) > 1 and _INTERPRETER.match(arguments[0]) and (script := _first_argument(arguments[1:])):
            yield normpath(join(folder, script))


def _first_argument(arguments: list[str]) -> str:
    """The first that is no option; with -c, -e or -m there is none. An absolute place is not the repository's."""
    for argument in arguments:
        if argument in ("-c", "-e", "-m", "--eval", "-p"):
            return ""
        if argument.startswith("-") or argument in _SUBCOMMANDS:
            continue
        plain = argument.strip("'\"")
        return plain if _PLAIN.match(plain) and not plain.startswith("/") else ""
    return ""
