"""Every command that the parser knows, as data: its options, and what may stand where a value is expected."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    NOTHING = "nothing"  # a flag
    FREE = "free"  # a text of the user
    CHOICES = "choices"
    FILES = "files"
    FOLDERS = "folders"
    PHASES = "phases"


KINDS: Mapping[str, Kind] = {
    "FILE": Kind.FILES,
    **dict.fromkeys(("FOLDER", "REPO", "PATH"), Kind.FOLDERS),
    **dict.fromkeys(("PHASE", "PHASES", "AFTER", "GATE|PHASE", "PHASE|CRITERION"), Kind.PHASES),
}


class Value(Struct, frozen=True):
    kind: Kind
    name: str = ""  # as help texts call it
    choices: tuple[str, ...] = ()


class Option(Struct, frozen=True):
    names: tuple[str, ...]
    about: str
    value: Value


class Command(Struct, frozen=True):
    path: str  # "phase add"; "" for the program itself
    about: str  # one line
    description: str
    epilog: str
    options: tuple[Option, ...]
    children: Mapping[str, str]  # names of subcommands, with one line about each
    arguments: tuple[tuple[Value, str], ...]
    usage: str


def read_commands(parser: argparse.ArgumentParser, path: str = "", about: str = "") -> Iterator[Command]:
    """The program and all commands below it; a group stands before its subcommands."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    children = {choice.dest: _plain(choice.help) for group in groups for choice in group._choices_actions}
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS and action not in groups]
    yield Command(
        path,
        about,
        _plain(parser.description),
        _plain(parser.epilog),
        tuple(_option(action) for action in shown if action.option_strings),
        children,
        tuple((_value(action), _plain(action.help)) for action in shown if not action.option_strings),
        " ".join(parser.format_usage().removeprefix("usage: ").split()),
    )
    for group in groups:
        for name, child in group.choices.items():
            yield from read_commands(child, f"{path} {name}".strip(), children.get(name, ""))


def _option(action: argparse.Action) -> Option:
    value = Value(Kind.NOTHING) if action.nargs == 0 else _value(action)
    return Option(tuple(action.option_strings), _plain(action.help), value)


def _value(action: argparse.Action) -> Value:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        return Value(Kind.CHOICES, name, tuple(map(str, action.choices)))
    return Value(KINDS.get(name, Kind.FREE), name)


def _plain(text: str | None) -> str:
    """As argparse prints it: a doubled percent sign is one."""
    return " ".join((text or "").replace("%%", "%").split())
