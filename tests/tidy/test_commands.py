"""Every command and option of the command line is documented, and nothing else is."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from tests.tidy.house import ROOT


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    from autopilot.cli.parser import build_parser

    return build_parser()


def commands(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str]]]:
    """Each command a user can type, with its options; a word that only groups others, without any option, is none."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for group in groups:
        for word, child in group.choices.items():
            yield from commands(child, (*words, word))
    if words and (not groups or options(parser)):
        yield " ".join(words), options(parser)


def options(parser: argparse.ArgumentParser) -> set[str]:
    shown = [action for action in parser._actions if action.help is not argparse.SUPPRESS and action.dest != "help"]
    return {name for action in shown for name in action.option_strings if name.startswith("--")}


def documented() -> dict[str, str]:
    """Sections of docs/commands.md by command: a heading such as ``## `autopilot run [PHASES]` ``."""
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    sections = re.split(r"^#+ `autopilot ((?:[a-z][a-z-]* ?)+)[^`\n]*`.*$", text, flags=re.MULTILINE)
    return {name.strip(): body for name, body in zip(sections[1::2], sections[2::2], strict=True)}


def test_every_command_has_a_section_and_every_section_a_command(parser: argparse.ArgumentParser) -> None:
    assert set(documented()) == {name for name, _ in commands(parser)}


def test_every_option_is_named_in_its_commands_section(parser: argparse.ArgumentParser) -> None:
    sections = documented()
    missing = [
        (name, option)
        for name, known in commands(parser)
        for option in sorted(known)
        if not re.search(re.escape(option) + r"(?![\w-])", sections.get(name, ""))
    ]
    assert missing == []


def test_every_command_says_in_its_help_what_it_does(parser: argparse.ArgumentParser) -> None:
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    helped = {choice.dest for group in groups for choice in group._choices_actions if choice.help}
    assert helped >= {name.split()[0] for name, _ in commands(parser)}
