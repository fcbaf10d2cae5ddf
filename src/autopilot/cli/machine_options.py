"""The options of the commands about this machine: completion, and what is missing here."""

from __future__ import annotations

from typing import Any

SHELLS = ("bash", "zsh", "fish")  # cli/shells/completion.py, which only its own command loads


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
