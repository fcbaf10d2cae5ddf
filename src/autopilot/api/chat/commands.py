"""The commands that a chat gets, by the names that users of autopilot-cc know, and what each of them calls."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

TEXTS = Path(__file__).with_name("texts")
MAIN = "autopilot"


class ChatCommand(Struct, frozen=True):
    name: str
    about: str
    arguments: str = ""  # what may stand behind it, for the user
    reads: tuple[str, ...] = ()  # what it shows: commands that only read, run without asking
    allowed: tuple[str, ...] = ()  # commands that its text may call without asking: they only read


SHOWN = ("autopilot phase show",)
COMMANDS = (
    ChatCommand(
        MAIN,
        "Run phases of the roadmap with Autopilot, or show its status",
        "[PHASES | resume | OPTIONS]",
        allowed=("autopilot status",),
    ),
    ChatCommand(
        "progress",
        "How far the project is, and how the run of Autopilot stands",
        reads=("autopilot progress{{host}}", "autopilot status{{host}}"),
    ),
    ChatCommand("map", "Map the code: what defines, calls and imports what", "[WORDS]", allowed=("autopilot repomap",)),
    ChatCommand(
        "debug",
        "Find the cause of a bug and prove its fix, with Autopilot",
        "[WHAT IS WRONG]",
        allowed=("autopilot status", "autopilot debug list", "autopilot debug show"),
    ),
    ChatCommand("add-phase", "Add a phase at the end of the roadmap", "WHAT IT IS TO REACH", allowed=SHOWN),
    ChatCommand("insert-phase", "Insert a phase after another one, as a decimal", "AFTER NAME", allowed=SHOWN),
    ChatCommand("remove-phase", "Remove a phase from the roadmap", "NUMBER", allowed=SHOWN),
    ChatCommand("help", "The commands of Autopilot, here and in a terminal", reads=("autopilot help",)),
)


def read_text(name: str) -> str:
    return (TEXTS / f"{name}.md").read_text(encoding="utf-8")
