"""Answers trace criteria by a text search for both names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from autopilot.simulation.honest.plain import Any, Record

HANDLER = r"`?(?P<file>[\w./@-]+):(?P<handler>[\w.$#]+)"
ACTION = r"(?:\b(?:to|through|into|until|via|down)\b|->|→)\s*(?:the\s+)?`?(?P<target>[\w.$#/:-]+)"
PATTERNS = (
    re.compile(rf"\bread(?:ing)?\s+{HANDLER}.*?\b(?:trac|follow)\w*.*?{ACTION}", re.IGNORECASE | re.DOTALL),
    re.compile(rf"\btrac(?:e|ing)\s+{HANDLER}.*?{ACTION}", re.IGNORECASE | re.DOTALL),
)
NOT_FOLLOWED = "both names were found by a search; the calls between them were not followed"

Git = Callable[..., str]


class Place(Record):
    path: str
    line: int

    def render(self, name: str) -> str:
        return f"{self.path}:{self.line} -- {name}"


class Search(Record):
    """One trace criterion, the names that were searched and the results."""

    criterion: str
    handler: str
    target: str
    trigger: Place | None
    terminal: Place | None
    ran: list[tuple[str, str]]  # (command, output)

    @property
    def is_found(self) -> bool:
        return bool(self.trigger and self.terminal)

    def trace(self) -> dict[str, Any]:
        return {
            "criterion": self.criterion,
            "trigger": self.trigger.render(self.handler) if self.trigger else f"{self.handler} was not found",
            "calls": [NOT_FOLLOWED] if self.is_found else [],
            "terminal_action": self.terminal.render(self.target) if self.terminal else f"{self.target} was not found",
            "status": "verified" if self.is_found else "unverifiable",
        }


def search(criterion: dict[str, Any], git: Git) -> Search:
    text, command = str(criterion["text"]), str(criterion.get("command", ""))
    wanted = next((found for form in PATTERNS if (found := form.search(command))), None)
    if wanted is None:
        return Search(text, "the handler", "the action", None, None, [])
    handler, target = wanted["handler"].split(".")[-1], wanted["target"].rstrip(".:/-")
    files = [path for path in git("ls-files").splitlines() if f"/{path}".endswith("/" + wanted["file"])]
    ran = [("git ls-files", f"{len(files)} named {wanted['file']}")]
    trigger = next(iter(find_name(handler, files, git)), None) if files else None
    terminal = find_nearest(trigger, find_name(target, [], git)) if trigger else None
    if files:
        ran.append((render_command(handler, files), trigger.render(handler) if trigger else "nothing"))
    if trigger:
        ran.append((render_command(target, []), terminal.render(target) if terminal else "nothing"))
    return Search(text, handler, target, trigger, terminal, ran)


def find_name(name: str, files: list[str], git: Git) -> list[Place]:
    found = git("grep", "-n", "-I", "-w", "-F", "-z", "-e", name, "--", *(f":(literal){path}" for path in files))
    parts = (line.split("\0") for line in found.splitlines())
    places = [Place(part[0], int(part[1])) for part in parts if len(part) > 2 and part[1].isdigit()]
    return [place for place in places if not place.path.startswith(".planning/")]


def find_nearest(trigger: Place, places: list[Place]) -> Place | None:
    """Below the handler in its own file, else elsewhere in that file, else anywhere."""
    own = [place for place in places if place.path == trigger.path]
    below = [place for place in own if place.line >= trigger.line]
    return next(iter([*below, *own, *places]), None)


def render_command(name: str, files: list[str]) -> str:
    return shlex.join(["git", "grep", "-n", "-w", "-F", "-e", name, *(["--", *files] if files else [])])
