"""What each agent's chat takes as a command: where the file lies, how it is spelled, how a command is called."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from autopilot.api.chat.commands import COMMANDS, MAIN, ChatCommand, read_text
from autopilot.api.chat.marking import PLACE


class Form(Struct, frozen=True):
    """``{name}`` stands for the name of a command; the main one has a place of its own."""

    about: str
    project: str  # the folder of the commands in a repository
    user: str  # the same below the user's home, or below the folder of ``variable``
    variable: str  # of the environment, which names the folder that the first part of ``user`` is otherwise
    main: str
    other: str
    call: str  # how the user calls a command
    arguments: str  # what the text says for what the user wrote behind it
    render: Callable[[ChatCommand, str, str], str]
    # How the chat runs a command before the text is sent; "" where it cannot. One that fails, as `status` does before
    # the first run, says why: without `true` some chats drop all the rest then.
    output: str = ""
    host: str = ""
    settings: str = ""  # where the status line is set, beside the folder of the commands
    html: bool = False


class File(Struct, frozen=True):
    name: str
    text: str


def render_files(form: Form) -> tuple[File, ...]:
    """Names are relative to the folder of the commands; the main command comes first."""
    return tuple(
        File(_place(form, command), form.render(command, _body(form, command), call_of(form, command.name)))
        for command in COMMANDS
    )


def call_of(form: Form, name: str) -> str:
    """How the user calls a command; the main one by the name alone."""
    return form.call[: form.call.index("{name}") - 1] if name == MAIN else form.call.replace("{name}", name)


def find_root(form: Form, home: Path, environment: Mapping[str, str]) -> tuple[Path, str]:
    """The folder that is entered for the user's own commands, and the names from there on."""
    named = environment.get(form.variable, "") if form.variable else ""
    _, _, rest = form.user.partition("/")
    if Path(named).is_absolute():
        return Path(named).parent, f"{Path(named).name}/{rest}"
    return home, form.user


def _place(form: Form, command: ChatCommand) -> str:
    return form.main if command.name == MAIN else form.other.replace("{name}", command.name)


def _body(form: Form, command: ChatCommand) -> str:
    body = _reading(form, command) if command.reads else read_text(command.name)
    option = f" `{form.host.strip()}` and" if form.host else ""
    values = {"host_option": option, "host": form.host, "arguments": form.arguments}
    for name, value in values.items():
        body = body.replace(f"{{{{{name}}}}}", value)
    for other in COMMANDS:
        body = body.replace(f"{{{{call:{other.name}}}}}", f"`{call_of(form, other.name)}`")
    return body


def _reading(form: Form, command: ChatCommand) -> str:
    if form.output:
        outputs = "\n\n".join(form.output.replace("{command}", line) for line in command.reads)
        text = read_text("reads").replace("{{outputs}}", outputs)
    else:
        lines = "\n".join(command.reads)
        text = read_text("calls").replace("{{outputs}}", f"```sh\n{lines}\n```")
    return f"{text}\n{_list(form)}" if command.name == "help" else text


def _list(form: Form) -> str:
    calls = (f"{call_of(form, command.name)} {command.arguments}".rstrip() for command in COMMANDS)
    rows = (f"- `{call}`: {command.about}" for call, command in zip(calls, COMMANDS, strict=True))
    return read_text("commands").replace("{{list}}", "\n".join(rows))


def _claude(command: ChatCommand, body: str, call: str) -> str:  # noqa: ARG001
    calls = (*(line.replace("{{host}}", "") for line in command.reads), *command.allowed)
    tools = ", ".join((*(f"Bash({allowed}:*)" for allowed in calls), *(["Bash(true)"] if command.reads else [])))
    hint = f"argument-hint: {json.dumps(command.arguments)}\n" if command.arguments else ""
    return f"---\ndescription: {json.dumps(command.about)}\n{hint}allowed-tools: {tools}\n{PLACE}---\n{body}"


def _codex(command: ChatCommand, body: str, call: str) -> str:
    about = json.dumps(f"{command.about}. Only when the user writes {call}.")
    return f"---\nname: {call.removeprefix('$')}\ndescription: {about}\n{PLACE}---\n{body}"


def _opencode(command: ChatCommand, body: str, call: str) -> str:  # noqa: ARG001
    return f"---\ndescription: {json.dumps(command.about)}\n{PLACE}---\n{body}"


def _gemini(command: ChatCommand, body: str, call: str) -> str:  # noqa: ARG001
    """A literal string of TOML: nothing in it is an escape."""
    return f"{PLACE}description = {json.dumps(command.about)}\nprompt = '''\n{body}'''\n"


def _cursor(command: ChatCommand, body: str, call: str) -> str:
    return f"# {call}: {command.about}\n\n{body}{PLACE}"


WRITTEN_BEHIND = "(what the user wrote behind the name of this command)"
FORMS: Mapping[str, Form] = {
    "claude": Form(
        "Claude Code", ".claude/commands", ".claude/commands", "CLAUDE_CONFIG_DIR", "autopilot.md",
        "autopilot/{name}.md", "/autopilot:{name}", "$ARGUMENTS", _claude, "!`{command} 2>&1 || true`",
        " --host claude-code", "../settings.json",
    ),
    "codex": Form(
        "OpenAI Codex", ".agents/skills", ".agents/skills", "", "autopilot/SKILL.md",
        "autopilot-{name}/SKILL.md", "$autopilot-{name}", WRITTEN_BEHIND, _codex,
    ),
    "gemini": Form(
        "Gemini CLI", ".gemini/commands", ".gemini/commands", "", "autopilot.toml",
        "autopilot/{name}.toml", "/autopilot:{name}", "{{args}}", _gemini, "!{{command} 2>&1 || true}",
    ),
    "opencode": Form(
        "OpenCode", ".opencode/commands", ".config/opencode/commands", "XDG_CONFIG_HOME", "autopilot.md",
        "autopilot/{name}.md", "/autopilot/{name}", "$ARGUMENTS", _opencode, "!`{command} 2>&1 || true`",
    ),
    "cursor": Form(
        "Cursor", ".cursor/commands", ".cursor/commands", "", "autopilot.md",
        "autopilot-{name}.md", "/autopilot-{name}", WRITTEN_BEHIND, _cursor, html=True,
    ),
}  # fmt: skip
