"""What the scripts of all shells ask: which words lead to a command, and which values stand where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from autopilot.cli.shells.commands import Command, Kind, Value

# Numbers of phases alone, whatever else stands there: nothing of it is run or shown.
NUMBERS = (
    r"LC_ALL=C sed -nE 's/^[^A-Za-z]*([xX]\][^A-Za-z]*)?Phase ([0-9]{1,4}(\.[0-9]{1,4}){0,3})[^0-9.].*/\2/p' | "
    "sort -uV | head -n 300"
)
# Reads the roadmap above the current folder. A pipe in its place is not opened.
PHASES = rf"""
    local folder=$PWD
    while [ ! -f "$folder/.planning/ROADMAP.md" ]; do
        [ -n "$folder" ] && [ "$folder" != / ] || return 0
        folder=${{folder%/*}}
    done
    head -c 262144 "$folder/.planning/ROADMAP.md" | {NUMBERS}
""".strip("\n")


_WALKED = """\
                command="${command:+$command }$word" ;;
        esac
    done"""


def render_walk(commands: Sequence[Command], complete: Callable[[Value], str]) -> Iterator[str]:
    """What bash and zsh spell alike: which command the words lead to, then what the option before the cursor takes.

    It goes on from `case "$command/$word" in`; what follows it looks at the command alone.
    """
    yield f"            {'|'.join(map(quote, edges(commands)))})"
    yield _WALKED
    yield '    case "$command $previous" in'
    for value, places in option_values(commands).items():
        yield f"        {'|'.join(map(quote, places))})"
        yield f"            {complete(value)}"
        yield "            return ;;"
    yield "    esac"
    yield '    case "$command" in'


def edges(commands: Sequence[Command]) -> Iterator[str]:
    """`phase/add` for every word that leads from one command to another."""
    for command in commands:
        yield from (f"{command.path}/{child}" for child in command.children)


def option_values(commands: Sequence[Command]) -> Mapping[Value, list[str]]:
    """From a kind of value to the options that take it, each as `run --junit`; flags take none."""
    found: dict[Value, list[str]] = {}
    for command in commands:
        for option in command.options:
            if option.value.kind is not Kind.NOTHING:
                places = found.setdefault(Value(option.value.kind, choices=option.value.choices), [])
                places += [f"{command.path} {name}" for name in option.names]
    return found


def argument_value(command: Command) -> Value:
    """What may stand as an argument: choices of all places together, else the first kind that can be completed."""
    values = [value for value, _ in command.arguments if value.kind is not Kind.FREE]
    choices = tuple(choice for value in values for choice in value.choices)
    return next((value for value in values if value.kind is not Kind.CHOICES), Value(Kind.CHOICES, "", choices))


def extra_choices(command: Command) -> tuple[str, ...]:
    """Choices of one place where another place takes a phase, as in `verdict 3 pass`."""
    return tuple(choice for value, _ in command.arguments for choice in value.choices)


def quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
