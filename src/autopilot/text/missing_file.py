"""A command whose program, script or file is not there: what is printed is a complaint about that, with its name."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from posixpath import basename, join, normpath

_INTERPRETER = re.compile(
    r"(?:\S{0,200}/)?(?:(?:ba|da|z|k)?sh|python[0-9.]{0,5}|node|ruby|perl|php|deno|bun|tsx|ts-node|lua|Rscript)\Z"
)
# Programs that print what they find in files; a complaint of theirs is not what a file holds.
_READER = re.compile(
    r"(?:/usr)?(?:/bin/)?(?:cat|tac|head|tail|nl|less|more|[ef]?grep|rg|ag|sed|[gm]?awk|jq|yq|cut|sort|uniq|wc|column|"
    r"diff|cmp|comm|file|stat|ls|xxd|od|hexdump|strings|md5sum|sha\d{1,3}sum|xmllint|bat)\Z"
)
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_PLAIN = re.compile(r"[\w./@+-]{1,300}\Z")
_NOT_THERE = re.compile(
    r"can(?:no|')t (?:open|find|load|access|read)|cannot find|could not (?:open|find|load)|no such file|not found|"
    r"does not exist",
    re.IGNORECASE,
)
_SUBCOMMANDS = {"run", "test"}  # of deno and bun
_BY_THE_SHELL = (126, 127)  # exit statuses: a program cannot be started, or is not there


def missing_file(command: str, status: int, output: str, files: Container[str]) -> str:
    """What this command needs, is not among the files, and cannot be found by what the output says; or ""."""
    for path in _needed(command, status):
        name = basename(path)
        lines = (line for line in output.splitlines() if name in line and _NOT_THERE.search(line[:2000]))
        if path not in files and next(lines, None) is not None:
            return path
    return ""


def _needed(command: str, status: int) -> Iterator[str]:
    """Programs, scripts of interpreters and files of readers, by relative path; a ``cd`` before them counts."""
    folder = ""
    for part in _SEPARATOR.split(command):
        arguments = part.split()
        while arguments and re.match(r"[A-Za-z_]\w{0,60}=", arguments[0]):
            arguments = arguments[1:]
        if len(arguments) == 2 and arguments[0] == "cd":
            folder = join(folder, arguments[1].strip("'\""))
        elif len(arguments) > 1 and _INTERPRETER.match(arguments[0]) and (script := _first_argument(arguments[1:])):
            yield normpath(join(folder, script))
        elif arguments and _READER.match(arguments[0]):
            plain = [argument.strip("'\"") for argument in arguments[1:] if not argument.startswith("-")]
            yield from (normpath(join(folder, word)) for word in plain if _is_relative(word))
        elif arguments and status in _BY_THE_SHELL and _is_relative(arguments[0]):
            yield normpath(join(folder, arguments[0]))


def _first_argument(arguments: list[str]) -> str:
    """The first that is no option; with -c, -e or -m there is none. An absolute place is not the repository's."""
    for argument in arguments:
        if argument in ("-c", "-e", "-m", "--eval", "-p"):
            return ""
        if argument.startswith("-") or argument in _SUBCOMMANDS:
            continue
        plain = argument.strip("'\"")
        return plain if _is_relative(plain) else ""
    return ""


def _is_relative(word: str) -> bool:
    return _PLAIN.match(word) is not None and not word.startswith("/")
