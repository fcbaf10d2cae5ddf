"""The manual page, made from the parser: always of the version that prints it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from autopilot.cli.shells.commands import Command, Kind, Option

STATUSES: Mapping[str, str] = {
    "0": "every selected phase passed, or nothing is left to do; a reading command, whatever the run's state",
    "1": "a phase failed or was skipped as blocked, the circuit breaker opened, or the run was cancelled",
    "2": "the request is wrong: arguments, roadmap, plan or config unreadable, unknown phase, lock held",
    "3": "the run waits for an answer, an approval or a verdict of yours",
    "4": "a cap was reached: tokens, cost, time or disk",
    "5": "not proven, because git, the sandbox or an agent is missing or unusable",
    "6": "the verification of the record failed",
    "70": "a bug in Autopilot",
    "130, 143": "interrupted, terminated",
}
FILES: Mapping[str, str] = {
    "~/.config/autopilot/settings.toml": "your settings: agents, caps, sandbox, notices",
    ".planning/ROADMAP.md": "the phases of a repository",
    ".planning/config.json": "its commands, and what it narrows of your settings",
    "~/.local/state/autopilot": "the records of runs; AUTOPILOT_STATE_HOME names another place",
}


def render_manual(commands: Sequence[Command], version: str) -> str:
    return "\n".join(_lines(commands, version)) + "\n"


def _lines(commands: Sequence[Command], version: str) -> Iterator[str]:
    program = commands[0]
    yield f'.TH AUTOPILOT 1 "" {_argument(f"autopilot {version}")} "Autopilot"'
    yield from (
        ".SH NAME",
        f"autopilot {chr(92)}- {_text('drive coding agents through a roadmap and prove the result')}",
    )
    yield from (".SH SYNOPSIS", r".B autopilot", r"\fICOMMAND\fR [\fIOPTION\fR]... [\fIARGUMENT\fR]...")
    yield from (".SH DESCRIPTION", _text(program.description), ".PP", _text(program.epilog))
    yield ".SH OPTIONS"
    yield from _options(program.options)
    yield ".SH COMMANDS"
    for command in commands[1:]:
        yield from _command(command)
    yield from _table("EXIT STATUS", STATUSES)
    yield from _table("FILES", FILES)
    yield from (".SH SEE ALSO", ".BR git (1),", ".BR bwrap (1)")


def _command(command: Command) -> Iterator[str]:
    yield f".SS {_argument(f'autopilot {command.path}')}"
    yield _text(command.description or f"{command.about[:1].upper()}{command.about[1:]}.")
    yield from (".PP", r"\fBUsage:\fR", _text(command.usage))
    for value, about in command.arguments:
        yield from (".TP", f".I {_argument(value.name)}", _text(about or "see above"))
    yield from _options(option for option in command.options if "--help" not in option.names)
    if command.epilog:
        yield from (".PP", _text(command.epilog))


def _options(options: Iterator[Option] | Sequence[Option]) -> Iterator[str]:
    for option in options:
        value = option.value
        name = "|".join(value.choices) if value.kind is Kind.CHOICES else value.name
        names = ", ".join(rf"\fB{_escape(spelling)}\fR" for spelling in option.names)
        yield from (".TP", names + (rf" \fI{_escape(name)}\fR" if name else ""), _text(option.about or "see above"))


def _table(heading: str, rows: Mapping[str, str]) -> Iterator[str]:
    yield f".SH {_argument(heading)}"
    for name, about in rows.items():
        yield from (".TP", f".B {_argument(name)}", _text(about))


def _text(text: str) -> str:
    """Lines of a source that people can read; one that begins with a point would be a request."""
    lines = textwrap.wrap(_escape(text), 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(rf"\&{line}" if line.startswith(".") else line for line in lines)


def _escape(text: str) -> str:
    """Signs that are typed stay as they are: a minus is no hyphen, a backtick and a quote are not curved."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\`").replace("'", "\\(aq")
    return plain.replace("^", "\\(ha").replace("~", "\\(ti").replace("…", "...")


def _argument(text: str) -> str:
    return '"' + _escape(text).replace('"', "\\(dq") + '"'
