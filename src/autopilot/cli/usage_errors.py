"""Rewords what argparse refuses: its own messages speak of arguments and choices, not of commands and options."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

SIMILAR = 0.75  # a lower share of equal letters takes --dry-run for --flaky-runs
UNKNOWN = re.compile(r"unrecognized arguments: (.+)", re.DOTALL)
MISSING = re.compile(r"the following arguments are required: (.+)")
MISSING_ALL = re.compile(r"one of the arguments (.+) is required")
WITHOUT_VALUE = re.compile(r"argument (\S+): expected (?:one|at least one) argument")
EXCLUDED = re.compile(r"argument (\S+): not allowed with argument (\S+)")
NO_CHOICE, CHOICES = ": invalid choice: ", " (choose from "
WRONG_VALUE = re.compile(r"argument (\S+): (.*)", re.DOTALL)


def reword(
    message: str,
    command: str,
    options: Sequence[str] = (),
    actions: Sequence[str] = (),
    choices: Mapping[str, Sequence[str]] = {},
) -> tuple[str, str]:
    """Message and hint; ``options``, ``actions``, and ``choices`` of its arguments are those of the command.

    Other messages of argparse stay.
    """
    hint = f"`{command} --help` lists its arguments"
    if found := UNKNOWN.fullmatch(message):
        unknown = found[1].split()[0].partition("=")[0]
        similar = get_close_matches(unknown, options, n=1, cutoff=SIMILAR) if unknown.startswith("-") else []
        return _name_unknown(found[1], command), f"did you mean {similar[0]}? {hint}" if similar else hint
    if found := MISSING.fullmatch(message):
        if found[1] == "ACTION" and actions:
            return f"no action is given for `{command}`", _name_actions(actions, command)
        wanted = (f"one of {', '.join(choices[name])}" if name in choices else name for name in found[1].split(", "))
        *first, last = wanted
        needed = f"{', '.join(first)} and {last}" if first else last.replace(" | ", ", or ")
        return f"`{command}` needs {needed}", hint
    if found := MISSING_ALL.fullmatch(message):
        return f"`{command}` needs {' or '.join(found[1].split())}", hint
    if found := WITHOUT_VALUE.fullmatch(message):
        return f"{found[1]} needs a value", hint
    if found := EXCLUDED.fullmatch(message):
        return f"{found[1]} and {found[2]} exclude each other", hint
    name, is_no_choice, rest = message.removeprefix("argument ").partition(NO_CHOICE)
    if is_no_choice:
        value, _, named = rest.rpartition(CHOICES)
        return _refuse_choice(name, value.strip("'\""), re.findall(r"[\w-]+", named), command)
    if found := WRONG_VALUE.fullmatch(message):
        return f"{found[1]}: {found[2]}", hint
    return message, hint


def _name_unknown(arguments: str, command: str) -> str:
    if arguments.startswith("-"):
        return f"`{command}` has no option {arguments.split()[0]}"
    return f"`{command}` takes no such argument: {arguments}"


def _refuse_choice(name: str, value: str, choices: list[str], command: str) -> tuple[str, str]:
    similar = get_close_matches(value, choices, n=1, cutoff=SIMILAR)
    guess = f"did you mean {similar[0]}? " if similar else ""
    if name == "ACTION":
        return f"there is no action {value}", f"{guess}{_name_actions(choices, command)}"
    if name == "COMMAND":
        return f"there is no command {value}", f"{guess}`{command} --help` lists them all"
    if len(choices) == 1:
        return f'{name} is "{value}", but it can only be {choices[0]}', f"`{command} --help` explains it"
    return f'{name} is "{value}", which is not one of {", ".join(choices)}', f"{guess}`{command} --help` explains them"


def _name_actions(actions: Sequence[str], command: str) -> str:
    return f"choose one of {', '.join(actions)}; `{command} --help` explains them"
