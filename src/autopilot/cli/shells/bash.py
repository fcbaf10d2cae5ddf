"""The completion of bash: for `source <(autopilot completion bash)`, or a file of bash-completion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.cli.shells.commands import Command, Kind, Value
from autopilot.cli.shells.grouping import PHASES, argument_value, extra_choices, quote, render_walk

_HEAD = """\
# Completion of autopilot for bash; made by `autopilot completion bash`.
_autopilot_phases() {
%s
}
_autopilot() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= options= values= word i
    COMPREPLY=()
    # Bash takes --option=value apart at the sign.
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case "$command/$word" in"""
_TAIL = """\
    if [[ $current == -* ]]; then
        values=$options
    fi
    COMPREPLY=($(compgen -W "$values" -- "$current"))
}
complete -F _autopilot autopilot"""


def render_bash(commands: Sequence[Command]) -> Iterator[str]:
    yield _HEAD % PHASES
    yield from render_walk(commands, _complete)
    for command in commands:
        names = " ".join(name for option in command.options for name in option.names)
        yield f"        {quote(command.path)})"
        yield f"            options={quote(names)}"
        yield f"            {_values(command)} ;;"
    yield "    esac"
    yield _TAIL


def _complete(value: Value) -> str:
    match value.kind:
        case Kind.FILES:
            return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))'
        case Kind.FOLDERS:
            return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current"))'
        case Kind.PHASES:
            return 'COMPREPLY=($(compgen -W "$(_autopilot_phases)" -- "$current"))'
        case _:
            return f'COMPREPLY=($(compgen -W {quote(" ".join(value.choices))} -- "$current"))'


def _values(command: Command) -> str:
    """Subcommands, or what may stand as an argument of the command."""
    value = argument_value(command)
    if command.children:
        return f"values={quote(' '.join(command.children))}"
    if value.kind is Kind.PHASES:
        return f'values="$(_autopilot_phases) {" ".join(extra_choices(command))}"'
    if value.kind in (Kind.FILES, Kind.FOLDERS):
        return f"[[ $current == -* ]] || {{ {_complete(value)}; return; }}"
    return f"values={quote(' '.join(value.choices))}"
