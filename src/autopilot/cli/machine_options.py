"""The options of the commands about this machine: completion, what is missing here, commands in chats."""

from __future__ import annotations

from typing import Any

SHELLS = ("bash", "zsh", "fish")  # cli/shells/completion.py, which only its own command loads
CHATS = ("claude", "codex", "gemini", "opencode", "cursor")  # api/chat/forms.py, likewise


def add_machine(commands: Any) -> None:
    completion = commands.add_parser(
        "completion",
        help="print the completion of commands, options and phases for your shell",
        description="Prints a script for your shell. It knows every command and option of this version, and reads the "
        "numbers of phases from the roadmap as you type; it does not start Autopilot.",
        epilog="Examples: source <(autopilot completion bash); autopilot completion zsh > ~/.zfunc/_autopilot; "
        "autopilot completion fish > ~/.config/fish/completions/autopilot.fish",
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell that reads the script")
    actions = commands.add_parser(
        "self",
        help="check what this machine has of what Autopilot can use",
        description="`autopilot self check` checks this machine; it needs no repository and starts no agent.",
    ).add_subparsers(dest="action", metavar="ACTION")
    check = actions.add_parser(
        "check",
        help="say what is missing on this machine, for which feature, and the one command that installs it",
        description="Checks git, the sandbox, the room for records, agents, Chromium and the optional parts of this "
        "package. For each that is missing it names the feature that needs it and the one command of this distribution "
        "that installs it. Exit 5 when no run can begin here, else 0. A repository is checked by `autopilot doctor`.",
    )
    check.add_argument("--json", action="store_true", help="print it as JSON")
    _add_install(commands)


def _add_install(commands: Any) -> None:
    install = commands.add_parser(
        "install",
        help="put commands of Autopilot into the chat of an agent: /autopilot, :progress, :add-phase and more",
        description="Writes thin files in the agent's own form: commands of Claude Code, OpenCode, Gemini CLI and "
        "Cursor, skills of Codex. They call `autopilot` and show what it prints. For Claude Code also a status line, "
        "unless you have one. Only files of its own are written, and updated in place; one that is not Autopilot's is "
        "never replaced, and no link is followed. `autopilot uninstall` leaves no trace.",
        epilog="Examples: autopilot install claude; autopilot install codex --project; "
        "autopilot install gemini --dry-run. Then, in a new session: /autopilot 3-7",
    )
    uninstall = commands.add_parser(
        "uninstall",
        help="remove what `autopilot install` wrote",
        description="Removes the files that `autopilot install` wrote, the folders that it made and that are empty, "
        "and its status line. Files that were changed since stay, and are named.",
        epilog="Example: autopilot uninstall claude --project",
    )
    for command in (install, uninstall):
        command.add_argument("agent", choices=CHATS, help="the agent in whose chat you work")
        where = command.add_mutually_exclusive_group()
        where.add_argument("--project", action="store_true", help="in this repository, for all who work on it")
        where.add_argument("--user", action="store_true", help="for you, in all your repositories (the default)")
        command.add_argument("--dry-run", action="store_true", help="say what would be changed; change nothing")
    no_line = "leave the status line of Claude Code alone"
    install.add_argument("--no-status-line", dest="status_line", action="store_false", help=no_line)
