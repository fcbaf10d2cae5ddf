"""The simple commands of a shell text: their arguments, their positions, and the folder of the project they run in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from msgspec import Struct

from autopilot.text.shell_tokens import Operator, Redirect, Token, Word, read_shell

_TRANSPARENT = frozenset({"if", "then", "elif", "else", "fi", "!", "time", "{", "}", "do", "done", "while", "until"})
_UNKNOWN = frozenset({"case", "esac", "function", "coproc", "(("})
_LOOPS = {"while": 1, "until": 1, "for": 1, "select": 1, "done": -1, "if": 0, "fi": 0}
_BRANCHES = {"if": 1, "fi": -1}
_TOP = re.compile(r"\$\(git rev-parse --show-toplevel\)|\$\{?PWD\}?")


class Doubt(Exception):
    """Something in the text whose meaning is not known for sure. Caught where a command is asked for reports."""


class Simple(Struct, frozen=True):
    arguments: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    before: str  # the operator in front of it; "" for the first
    folder: str | None  # where it runs, relative to the project; None: not known
    once: bool = True  # neither in a loop nor in the background, and not wanted to fail (`! grep x`)


class _Level(Struct):
    """A list in brackets, or the text as a whole."""

    folder: str | None
    begins: int = 0  # the first command of the and-or list that is being read


class _Reader:
    def __init__(self, folder: str, project: str) -> None:
        self.found: list[Simple] = []
        self._project = project
        self._levels = [_Level(folder)]
        self._arguments: list[Word] = []
        self._redirects: list[Redirect] = []
        self._before = ""
        self._loops = 0
        self._branches = 0
        self._asked_if = False  # `if ! …` asks; `! …` alone turns the status round
        self._turned = False

    def take(self, token: Token, source: str) -> None:
        if isinstance(token, Redirect):
            self._redirects.append(token)
        elif self._arguments and self._arguments[0].text == "[[" and self._arguments[-1].text != "]]":
            if isinstance(token, Word):
                self._arguments.append(token)
        elif isinstance(token, Operator):
            self._operate(token)
        elif self._arguments or not self._is_reserved(source[token.start : token.end]):
            self._arguments.append(token)

    def _is_reserved(self, written: str) -> bool:
        if written in _UNKNOWN:
            raise Doubt(f"`{written}`")
        self._loops += _LOOPS.get(written, 0)
        self._branches += _BRANCHES.get(written, 0)
        self._turned = self._turned or (written == "!" and not self._asked_if)
        self._asked_if = self._asked_if or written in {"if", "elif", "while", "until"}
        return written in _TRANSPARENT

    def _operate(self, operator: Operator) -> None:
        if operator.text == "(":
            if self._arguments:
                raise Doubt("a bracket after an argument")
            self._levels.append(_Level(self._levels[-1].folder, len(self.found)))
            return
        self.finish(operator.text)
        if operator.text == ")":
            self._levels.pop()
            return
        level = self._levels[-1]
        if operator.text == "&":
            for index in range(level.begins, len(self.found)):
                self.found[index] = Simple(*_fields(self.found[index]), once=False)
        if operator.text in {";", "\n", "&", ";;"}:
            level.begins = len(self.found)
        self._before = operator.text

    def finish(self, after: str = "") -> None:
        if self._arguments:
            level = self._levels[-1]
            once = not self._loops and not self._turned
            self.found.append(Simple(tuple(self._arguments), tuple(self._redirects), self._before, level.folder, once))
            in_pipe = self._before in {"|", "|&"} or after in {"|", "|&"}
            if self._arguments[0].text in {"cd", "pushd", "popd"} and not in_pipe:
                known = self._arguments[0].text != "popd" and not self._branches and not self._loops
                level.folder = _moved(level.folder, self._arguments[1:], self._project) if known else None
        self._arguments, self._redirects = [], []
        self._asked_if = self._turned = False


def simple_commands(text: str, folder: str = "", project: str = "") -> list[Simple]:
    """In the order of the text. Raises ``Doubt``."""
    shell = read_shell(text)
    if shell is None or not shell.is_valid:
        raise Doubt("the text is not valid shell")
    reader = _Reader(folder, project)
    for token in shell.tokens:
        reader.take(token, text)
    reader.finish()
    return reader.found


def _moved(folder: str | None, arguments: Sequence[Word], project: str) -> str | None:
    targets = [word for word in arguments if word.text != "--"]
    if len(targets) != 1 or folder is None:
        return None
    text = targets[0].text
    if found := _TOP.match(text):
        below = text[found.end() :]
        if "$" in below or "`" in below or below[:1] not in {"", "/"}:
            return None
        return _inside("" if found[0].startswith("$(") else folder, below.lstrip("/"))
    if not targets[0].is_literal or text.startswith("-"):
        return None
    if text.startswith("/"):
        inside = project and (text == project or text.startswith(f"{project.rstrip('/')}/"))
        return _inside("", posixpath.relpath(text, project)) if inside else None
    return _inside(folder, text)


def _inside(folder: str, path: str) -> str | None:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return None if joined == ".." or joined.startswith(("../", "/")) else "" if joined == "." else joined


def _fields(simple: Simple) -> tuple[tuple[Word, ...], tuple[Redirect, ...], str, str | None]:
    return simple.arguments, simple.redirects, simple.before, simple.folder
