"""The completion of fish, with one line about everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.cli.shells.commands import Command, Kind, Value
from autopilot.cli.shells.grouping import NUMBERS, argument_value, edges, extra_choices

_HEAD = r"""# Completion of autopilot for fish; made by `autopilot completion fish`.
function __autopilot_phases
    set -l folder $PWD
    while not test -f "$folder/.planning/ROADMAP.md"
        test -n "$folder" -a "$folder" != /; or return 0
        set folder (string replace -r '/[^/]*$' '' -- "$folder")
    end
    head -c 262144 "$folder/.planning/ROADMAP.md" | %s
end
function __autopilot_at
    set -l command ''
    for word in (commandline -opc)
        switch "$command/$word"
""".rstrip("\n")
_WALKED = """\
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv"
end
complete -c autopilot -f"""


def render_fish(commands: Sequence[Command]) -> Iterator[str]:
    yield _HEAD % NUMBERS
    yield f"            case {' '.join(map(_quote, edges(commands)))}"
    yield _WALKED
    for command in commands:
        here = f"complete -c autopilot -n {_quote(f'__autopilot_at {_quote(command.path)}')}"
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            yield f"{here} {names}{_value(option.value)} -d {_quote(option.about)}"
        for child, about in command.children.items():
            yield f"{here} -a {child} -d {_quote(about)}"
        if not command.children and (arguments := _value(argument_value(command)).removeprefix(" -x")):
            yield f"{here}{arguments}"
        if argument_value(command).kind is Kind.PHASES and (more := extra_choices(command)):
            yield f"{here} -a {_quote(' '.join(more))}"


def _value(value: Value) -> str:
    match value.kind:
        case Kind.NOTHING:
            return ""
        case Kind.FILES:
            return " -r -F"
        case Kind.FOLDERS:
            return " -x -a '(__fish_complete_directories)'"
        case Kind.PHASES:
            return " -x -a '(__autopilot_phases)'"
        case _:
            return f" -x -a {_quote(' '.join(value.choices))}" if value.choices else " -x"


def _quote(text: str) -> str:
    """In fish a backslash is one inside single quotes too."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
