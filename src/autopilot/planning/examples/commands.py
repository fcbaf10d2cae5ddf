"""Commands that a document states together with what they print or how they end: in sentences, tables and consoles.

Only those that start a program of the project, and only where nothing has to be guessed: no placeholder, no condition,
no input file that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.inspection.control.behind import files_run, recipe_called, simple_commands
from autopilot.model.evidence.example import StatedCommand
from autopilot.planning.examples.outcome import (
    LONGEST,
    SPAN,
    Outcome,
    read_outcome,
    read_parts,
    read_shown,
    read_status,
    spell,
)
from autopilot.planning.examples.passages import Passage, clause_around, passages, spans
from autopilot.planning.roadmap.table import split_cells
from autopilot.text.file_kind import is_test
from autopilot.text.lazy_regex import lazy_regex

_CONDITION = lazy_regex(
    r"\b(?:if|when|whenever|unless|until|after|once|assuming|suppose|while|except|depending|given|sometimes|may|might|could|"
    r"approximately|about|roughly|e\.g|for example with)\b",
    re.IGNORECASE,
)
_NOTHING_GIVEN = lazy_regex(
    r"\b(?:if|when)\s+(?:it\s+is\s+)?(?:(?:called|run|started)\s+)?(?:without|with\s+no|no)\b[^.;]{0,60}", re.IGNORECASE
)
_ABSENT = lazy_regex(
    r"missing|non-?existent|does(?:n.t| not) exist|no[ _-]such|unknown|absent|nowhere|not[ _-]there", re.IGNORECASE
)
# What stands for something that the reader is to fill in.
_PLACEHOLDER = lazy_regex(
    r"<[\w -]{1,40}>|…|\.\.\.|\[[\w -]{1,40}\]|\{[\w-]{1,40}\}|\$\w|path/to|(?<![\w-])(?:FILE|PATH|DIR|NAME|URL|NUM|ID|"
    r"KEY|VALUE|PORT|HOST|TEXT|STRING|OPTIONS|ARGS|COMMAND|INPUT|OUTPUT|DATE)(?!\w)"
)
_FILE = lazy_regex(r"(?:[\w.-]{1,80}/)*[\w-]{1,80}\.[A-Za-z]\w{0,4}|(?:[\w.-]{1,80}/){1,8}[\w-]{1,80}")
_REDIRECTED = lazy_regex(r"<\s*([\w./-]{1,200})")
_PROMPT = lazy_regex(r"\$ +(\S.*)")
_COLUMN = lazy_regex(
    r"\W*(?:(?P<exit>exit(?:\s+(?:code|status))?|status)|output|prints|stdout|result|shows|expected(?:\s+output)?)\W*",
    re.IGNORECASE,
)
_BUILT = {"go run": "go.mod", "cargo run": "Cargo.toml"}
MOST = 60
MOST_BEFORE = 8
_NEAR = 20  # spans of code on each side, in which a sentence says what comes of a command, and when

Exists = Callable[[str], bool]


def find_commands(text: str, exists: Exists) -> tuple[StatedCommand, ...]:
    """In the order of the text. ``exists``: whether the project has a file. What is said in two ways is left out."""
    found: dict[tuple[str, ...], StatedCommand] = {}
    torn: set[tuple[str, ...]] = set()
    for stated in sorted(_all(text, exists), key=lambda item: item.line)[:MOST]:
        key = (*(stated.before if stated.is_console else ()), stated.command)
        first = found.setdefault(key, stated)
        if (first.shows, first.exit) != (stated.shows, stated.exit):
            torn.add(key)
    return tuple(stated for key, stated in found.items() if key not in torn)


def program_of(command: str, exists: Exists) -> str:
    """The file of the project that is started, "" where the line starts none."""
    for arguments, folder in simple_commands(command):
        if recipe_called(arguments, folder) is not None:
            return ""
        if manifest := _BUILT.get(" ".join(arguments[:2])):
            return manifest if exists(manifest) else ""
    for run in files_run(command):
        for path in (run.path, f"src/{run.path}"):
            if exists(path) and not is_test(path):
                return path
    return ""


def _all(text: str, exists: Exists) -> Iterator[StatedCommand]:
    """What stands in a quote (``>``) is not stated but repeated: an import keeps the words of issues there."""
    earlier: list[str] = []
    for passage in passages(text, consoles=True):
        stated = [(number, line) for number, line in passage.lines if not line.lstrip().startswith(">")]
        if passage.is_code:
            yield from _console(passage, exists)
        elif stated and stated[0][1].lstrip().startswith("|"):
            yield from _table(Passage(tuple(stated)), exists)
        elif stated:
            prose = " ".join(line.replace(SPAN, " ").strip() for _, line in stated)
            yield from _prose(prose, stated[0][0], exists, earlier)


def _prose(prose: str, line: int, exists: Exists, earlier: list[str]) -> Iterator[StatedCommand]:
    """``earlier``: the commands of sentences above, which may have made what this one finds; grows."""
    for pieces, index in _surroundings(spans(prose)):
        command = pieces[index].strip()
        before = tuple(earlier[-MOST_BEFORE:])
        if _runnable(command, "".join(pieces), exists):
            earlier.append(command)
        rest = "".join(
            piece if number % 2 == 0 else f"{SPAN}{number}{SPAN}"
            for number, piece in enumerate(pieces)
            if number > index
        )
        outcome = read_outcome(rest, pieces)
        if outcome is None or not (name := _program(command, pieces, index, exists)):
            continue
        yield StatedCommand(command, line, spell(command, outcome), outcome.shows, outcome.exit, before, name)


def _surroundings(pieces: Sequence[str]) -> Iterator[tuple[Sequence[str], int]]:
    """For each span of code what stands near it, and its place there: a paragraph may have many thousand spans."""
    for index in range(1, len(pieces), 2):
        start = max(0, index - 1 - 2 * _NEAR)
        yield pieces[start : index + 2 + 2 * _NEAR], index - start


def _program(command: str, pieces: Sequence[str], index: int, exists: Exists) -> str:
    """What the program is called, "" where the line cannot be run as it stands."""
    clause = clause_around(pieces, index)
    path = _runnable(command, clause, exists)
    if path and command.split()[-1].endswith((path, PurePosixPath(path).stem)):
        clause = _NOTHING_GIVEN.sub(" ", clause)
    return "" if not path or _CONDITION.search(clause) else _name(path)


def _runnable(command: str, around: str, exists: Exists) -> str:
    if len(command) > LONGEST or "\n" in command or _PLACEHOLDER.search(command):
        return ""
    if " " not in command and not command.startswith("./"):
        return ""  # it names a file
    path = program_of(command, exists)
    return path if path and _has_files(command, path, around, exists) else ""


def _has_files(command: str, program: str, around: str, exists: Exists) -> bool:
    """Whether each file that it is given is there, or said not to be."""
    given = [word for arguments, _ in simple_commands(command) for word in arguments[1:]]
    given += [found[1] for found in _REDIRECTED.finditer(command)]
    files = [word for word in given if _FILE.fullmatch(word) and not program.endswith(word.removeprefix("./"))]
    return all(exists(word.removeprefix("./")) or _ABSENT.search(f"{around} {word}") for word in files)


def _name(path: str) -> str:
    pure = PurePosixPath(path)
    return pure.parent.name if pure.stem in ("__main__", "main", "index") and pure.parent.name else pure.stem


def _table(passage: Passage, exists: Exists) -> Iterator[StatedCommand]:
    """A command in one column, what it prints or its status in one of that name."""
    header = [cell.strip() for cell in split_cells(passage.lines[0][1])]
    columns = [(place, found) for place, cell in enumerate(header) if (found := _COLUMN.fullmatch(cell))]
    for number, line in passage.lines[1:]:
        cells = [cell.replace("\\|", "|").strip() for cell in split_cells(line)]
        for index, cell in enumerate(cells):
            command = cell.strip("`")
            if not (cell.startswith("`") and columns and (path := _runnable(command, line, exists))):
                continue
            outcome = Outcome()
            for place, column in columns:
                value = cells[place].strip("`").strip() if index < place < len(cells) else ""
                if value and column["exit"]:
                    outcome = replace(outcome, exit=read_status(value))
                elif value and cells[place].startswith(("`", '"')):
                    outcome = replace(outcome, shows=read_parts(value.strip('"')))
            if outcome != Outcome():
                yield StatedCommand(
                    command, number, spell(command, outcome), outcome.shows, outcome.exit, (), _name(path)
                )


def _console(passage: Passage, exists: Exists) -> Iterator[StatedCommand]:
    """`$ command`, and below it the lines that it prints. Each follows those above it in the same block."""
    before: list[str] = []
    commands: list[tuple[int, str, list[str]]] = []
    for number, line in passage.lines:
        if prompt := _PROMPT.fullmatch(line.strip()):
            commands.append((number, prompt[1].strip(), []))
        elif commands and line.strip():
            commands[-1][2].append(line.strip())
    for number, command, shown in commands[:MOST_BEFORE]:
        path = _runnable(command, "\n".join([*before, *shown]), _or_made(exists, before))
        parts = tuple(part for line in shown for part in read_shown(line, (*before, command)))
        if path and parts and not any(_PLACEHOLDER.search(earlier) for earlier in before):
            outcome = Outcome(parts)
            stated = StatedCommand(command, number, spell(command, outcome), parts, None, tuple(before), _name(path))
            yield replace(stated, is_console=True)
        before.append(command)


def _or_made(exists: Exists, before: Sequence[str]) -> Exists:
    """Also what an earlier command of the same example names: it may make it."""
    named = {word for command in before for word in re.split(r"[\s<>'\"]+", command)}
    return lambda path: exists(path) or path in named
