"""The completion of zsh, with one line about everything: a file `_autopilot` of your fpath, or a script to source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.cli.shells.commands import Command, Kind, Value
from autopilot.cli.shells.grouping import PHASES, argument_value, extra_choices, quote, render_walk

_HEAD = """\
#compdef autopilot
# Completion of autopilot for zsh; made by `autopilot completion zsh`.
_autopilot_phases() {
%s
}
_autopilot() {
    local command= previous=${words[CURRENT-1]} word i
    local -a options children phases
    if [[ $PREFIX == --*=* ]]; then
        previous=${PREFIX%%%%=*}
        compset -P '*='
    fi
    for ((i = 2; i < CURRENT; i++)); do
        word=${words[i]}
        case "$command/$word" in"""
_TAIL = """\
    if [[ $PREFIX == -* ]]; then
        _describe -o option options
    elif (( $#children )); then
        _describe command children
    fi
}
if [ "$funcstack[1]" = _autopilot ]; then
    _autopilot "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _autopilot autopilot
fi"""


def render_zsh(commands: Sequence[Command]) -> Iterator[str]:
    yield _HEAD % PHASES
    yield from render_walk(commands, _complete)
    for command in commands:
        yield f"        {quote(command.path)})"
        yield "            options=("
        yield from (
            f"                {_described(name, option.about)}" for option in command.options for name in option.names
        )
        yield "            )"
        if command.children:
            yield "            children=("
            yield from (f"                {_described(name, about)}" for name, about in command.children.items())
            yield "            )"
        else:
            yield f"            [[ $PREFIX == -* ]] || {{ {_arguments(command)} }}"
        yield "            ;;"
    yield "    esac"
    yield _TAIL


def _described(name: str, about: str) -> str:
    return quote(f"{name.replace(':', chr(92) + ':')}:{about.replace(':', chr(92) + ':')}")


def _complete(value: Value) -> str:
    match value.kind:
        case Kind.FILES:
            return "_files"
        case Kind.FOLDERS:
            return "_files -/"
        case Kind.PHASES:
            return 'phases=(${(f)"$(_autopilot_phases)"}); compadd -V phases -a phases'
        case _:
            return (
                f"compadd -- {' '.join(map(quote, value.choices))}" if value.choices else "_message 'a text of yours'"
            )


def _arguments(command: Command) -> str:
    value = argument_value(command)
    more = extra_choices(command) if value.kind is Kind.PHASES else ()
    extra = f"compadd -- {' '.join(map(quote, more))}; " if more else ""
    if value.kind is Kind.CHOICES and not value.choices:
        return ":;"
    return f"{extra}{_complete(value)};"
