"""``autopilot help``"""

from __future__ import annotations

import argparse

from autopilot import __version__
from autopilot.cli.help_topics import TOPICS
from autopilot.cli.output import print_output
from autopilot.cli.parser import build_parser
from autopilot.cli.shells.commands import read_commands
from autopilot.cli.shells.manual import render_manual
from autopilot.model.errors import UsageError
from autopilot.text.naming import name_some

_MOST_NAMED = 40


def main(options: argparse.Namespace) -> int:
    parser = build_parser()
    if options.manual:
        print_output(render_manual(tuple(read_commands(parser)), __version__))
        return 0
    if not options.topic:
        print_output(f"{parser.format_help()}\ntopics: {', '.join(TOPICS)}; `autopilot help TOPIC` explains one\n")
        return 0
    if len(options.topic) == 1 and (text := TOPICS.get(options.topic[0].lower())):
        print_output(f"{text}\n")
        return 0
    print_output(_find(parser, options.topic).format_help())
    return 0


def _find(parser: argparse.ArgumentParser, names: list[str]) -> argparse.ArgumentParser:
    """The command that these words name; a word for the name of the program may come first."""
    found = parser
    for word in names[1:] if names[0] == "autopilot" else names:
        choices = _choices(found)
        if word not in choices:
            known = list(dict.fromkeys((*choices, *(TOPICS if found is parser else ()))))
            message = f"`{found.prog} {word}` is no command" + (" and no topic" if found is parser else "")
            hint = f"known are {name_some(known, _MOST_NAMED)}" if known else f"write `autopilot help {names[0]}`"
            raise UsageError(message, hint)
        found = choices[word]
    return found


def _choices(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(groups[0].choices) if groups else {}
