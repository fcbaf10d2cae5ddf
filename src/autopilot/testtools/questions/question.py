"""The question in a criterion's command: the part that asks the product, and the values it is asked with.

What is compared, printed around or joined is no question: chosen is what reaches the product, as arguments of calls,
as arguments behind a program, or as its standard input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.testtools.questions.python_calls import print_asserted, python_values
from autopilot.testtools.questions.script_calls import script_values
from autopilot.testtools.questions.value import Found, Value
from autopilot.text.commands.wrappers import past_wrappers
from autopilot.text.shell import split_parts
from autopilot.text.shell_tokens import Word
from autopilot.text.simple_commands import Doubt, Simple, simple_commands

IsPath = Callable[[str], bool]
_PYTHON = re.compile(r"python[0-9.]*|pypy3?")
_SCRIPT = frozenset({"node", "nodejs", "bun", "deno", "tsx", "ts-node"})
_FETCHES = frozenset({"npx", "bunx", "pnpx"})  # what they start is the next word
_CARRIES = ("-c", "-e", "-p", "-r", "-E", "--eval", "--print", "eval")
_OTHERS = frozenset({"ruby", "php", "perl", "lua", "Rscript", "elixir"})
_FEEDS = frozenset({"echo", "printf"})
_LOOKS = frozenset(
    {
        *("grep", "egrep", "fgrep", "rg", "diff", "cmp", "test", "[", "[[", "wc", "cd", "export", "set", "true"),
        *("read", "mapfile", "readarray", "local", "declare", "unset", "shift", "source", ".", "exit", "false", ":"),
    }
)
_COMPARES = frozenset({"grep", "egrep", "fgrep", "rg", "diff", "cmp"})
_RECIPES = frozenset({"make", "gmake", "just", "npm", "pnpm", "yarn", "task", "rake", "cargo", "go", "gradle", "mvn"})
_RUNNERS = frozenset({"bash", "sh", "zsh", "dash", "ruby", "php", "perl", "java", "npx", "sudo"})
_TESTED = re.compile(r"\s*(?:test|\[\[?)\s")
_TEXT = re.compile(r"'([^'\"\\\n`$]*)'|\"([^'\"\\\n`$]*)\"")
_FILE = re.compile(r"[./~]")
_SETS = re.compile(r"(--?[\w-]+|\w+)=")
_NAME = re.compile(r"[a-z][a-z0-9_:-]*")
_FIRST_WORD = re.compile(r"\S+")


class Question(Struct, frozen=True):
    command: str  # without what compares its answer
    values: tuple[Value, ...]

    @property
    def calls(self) -> int:
        """How many calls of the product are given data of their own."""
        return len({value.call for value in self.values if not value.is_name})

    @property
    def form(self) -> str:
        """The command without its values: two criteria of one form ask the same thing of the product."""
        form = self.command
        for value in sorted(self.values, key=lambda value: -value.start):
            form = value.put(form, "\0")
        return form


def read_question(command: str, is_path: IsPath) -> Question:
    asked = _asking(command)
    return Question(asked, tuple(_values(asked, is_path)))


def _asking(command: str) -> str:
    """What is compared with an expected value comes from inside `$(…)`, from before a pipe, or from an assertion."""
    start = command.find("$(") + 2
    if start > 1 and _TESTED.match(command):
        return command[start : _closing(command, start)]
    parts = split_parts(command)
    first = _FIRST_WORD.match(parts[-1].text)
    if len(parts) > 1 and parts[-1].before == "|" and first and first[0] in _COMPARES:
        command = command[: command.rindex(parts[-1].text)].rstrip().removesuffix("|").rstrip()
    return _printing(command)


def _printing(command: str) -> str:
    for carried in _carried(command):
        if _PYTHON.fullmatch(carried.program) and (printing := print_asserted(carried.text)):
            escaped = re.sub(r"([\\\"$`])", r"\\\1", printing)
            return f'{command[: carried.word.start]}"{escaped}"{command[carried.word.end :]}'
    return command


class Carried(Struct, frozen=True):
    """A program of another language that stands in a command as one word."""

    program: str  # what runs it
    word: Word
    text: str
    places: tuple[int, ...]  # of each of its characters, in the command


def _carried(command: str) -> Iterator[Carried]:
    for simple in _simple(command):
        arguments = simple.arguments[past_wrappers([word.text for word in simple.arguments]) :]
        name = _program(arguments)
        for option, word in pairwise(arguments):
            if option.text in _CARRIES and (read := _unquoted(command, word)):
                yield Carried(name, word, *read)
                break


def _program(arguments: Sequence[Word]) -> str:
    names = [PurePosixPath(argument.text).name for argument in arguments]
    if names and names[0] in _FETCHES:
        names = [name for name in names[1:] if not name.startswith("-")]
    return names[0] if names else ""


def _simple(command: str) -> Sequence[Simple]:
    try:
        return simple_commands(command)
    except Doubt:
        return ()


def _values(command: str, is_path: IsPath) -> Iterator[Value]:
    simples = _simple(command)
    if not simples:
        yield from _texts(command, is_path)
        return
    carried = {program.word.start: program for program in _carried(command)}
    for number, simple in enumerate(simples):
        feeds = number + 1 < len(simples) and simples[number + 1].before == "|"
        yield from _of_simple(command, simple, carried, is_path, feeds=feeds)


def _of_simple(
    command: str, simple: Simple, carried: dict[int, Carried], is_path: IsPath, *, feeds: bool
) -> Iterator[Value]:
    arguments = simple.arguments[past_wrappers([word.text for word in simple.arguments]) :]
    name = PurePosixPath(arguments[0].text).name if arguments else ""
    programs = [carried[word.start] for word in arguments if word.start in carried]
    if programs:
        yield from _in_program(programs[0], is_path)
    elif name in _FEEDS and feeds:
        yield from (value for word in arguments[1:] if (value := _as_value(command, word, arguments[0].start)))
    elif name and name not in _LOOKS and name not in _FEEDS:
        yield from _behind_program(command, name, arguments, is_path)
    for redirect in simple.redirects:
        if command.startswith("<<<", redirect.start):
            yield from _texts(command, is_path, redirect.start, redirect.end)


def _in_program(carried: Carried, is_path: IsPath) -> Iterator[Value]:
    if _PYTHON.fullmatch(carried.program):
        found = python_values(carried.text)
    elif carried.program in _SCRIPT:
        found = script_values(carried.text)
    else:
        spans = [(m, group) for m in _TEXT.finditer(carried.text) for group in (1, 2) if m[group]]
        found = tuple(Found(m[group], m.start(group), m.end(group)) for m, group in spans)
    for literal in found:
        start, end = carried.places[literal.start], carried.places[literal.end - 1] + 1
        value = Value(literal.text, start, end, literal.is_quoted, literal.is_direct, carried.word.start + literal.call)
        if value.can_be(literal.text) and not _is_file(literal.text, is_path):
            yield value


def _behind_program(command: str, name: str, arguments: Sequence[Word], is_path: IsPath) -> Iterator[Value]:
    """Words that the product is given; not its options, its files, nor what starts it."""
    begin = 1 + _begin(name, [word.text for word in arguments[1:]])
    first = next((n for n, word in enumerate(arguments[begin:], begin) if not word.text.startswith("-")), 0)
    for place, word in enumerate(arguments[begin:], begin):
        if word.text.startswith("-") and not _SETS.match(word.text):
            continue
        if not _is_file(word.text, is_path) and (
            value := _as_value(command, word, arguments[0].start, is_first=place == first)
        ):
            yield value


def _begin(name: str, texts: Sequence[str]) -> int:
    """Where the arguments for the product begin."""
    if "--" in texts:
        return texts.index("--") + 1
    if name in _RECIPES and not (name == "go" and texts[:1] == ["run"]):
        return len(texts)
    if name not in (*_RECIPES, *_SCRIPT, *_RUNNERS, *_OTHERS) and not _PYTHON.fullmatch(name):
        return 0
    begin = 1 if name == "go" else 0
    while begin < len(texts) and texts[begin].startswith("-") and texts[begin] != "-m":
        begin += 1
    return begin + (2 if texts[begin : begin + 1] == ["-m"] else 1)


def _as_value(command: str, word: Word, call: int, *, is_first: bool = False) -> Value | None:
    raw = command[word.start : word.end]
    named = _SETS.match(raw)
    begins = named.end() if named else 0
    is_quoted = raw[begins : begins + 1] in ("'", '"')
    text = raw[begins + is_quoted : len(raw) - is_quoted].removesuffix("\\n")
    start, is_name = word.start + begins + is_quoted, is_first and _NAME.fullmatch(text) is not None
    value = Value(text, start, start + len(text), is_quoted, call=call, is_name=is_name)
    return value if text and value.can_be(text) else None


def _unquoted(command: str, word: Word) -> tuple[str, tuple[int, ...]] | None:
    """The text of a word in one pair of quotation marks, with the place of each character."""
    raw = command[word.start : word.end]
    if len(raw) < 2 or raw[0] != raw[-1] or raw[0] not in "'\"":
        return None
    text, places, index = [], [], 1
    while index < len(raw) - 1:
        if raw[0] == '"' and raw[index] == "\\" and raw[index + 1] in '"\\$`':
            index += 1
        text.append(raw[index])
        places.append(word.start + index)
        index += 1
    return "".join(text), (*places, word.end - 1)


def _texts(command: str, is_path: IsPath, start: int = 0, end: int | None = None) -> Iterator[Value]:
    for found in _TEXT.finditer(command, start, len(command) if end is None else end):
        group = 1 if found[1] else 2
        if found[group] and not _is_file(found[group], is_path):
            yield Value(found[group], found.start(group), found.end(group))


def _is_file(text: str, is_path: IsPath) -> bool:
    return is_path(text) or (_FILE.search(text) is not None and " " not in text and "/" in text)


def _closing(command: str, start: int) -> int:
    """Where the bracket closes that opened before ``start``; the end where it never does."""
    depth = 1
    for position in range(start, len(command)):
        depth += {"(": 1, ")": -1}.get(command[position], 0)
        if not depth:
            return position
    return len(command)
