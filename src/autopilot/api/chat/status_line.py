"""Autopilot's status line in the settings of Claude Code: one member put in or taken out, every other byte kept."""

from __future__ import annotations

import json

from autopilot.model.errors import UsageError
from autopilot.text.json_span import Member, find, members

KEY = "statusLine"
WITHOUT = "correct it, or install with --no-status-line"
COMMAND = "autopilot status --line"
VALUE = {"type": "command", "command": COMMAND}
MEMBER = f"{json.dumps(KEY)}: {json.dumps(VALUE)}"
WHOLE = "{\n  " + MEMBER + "\n}\n"
EMPTY = "{\n  \n}\n"  # WHOLE without the member


def parse_settings(content: bytes, path: str) -> str:
    """The text of an object. UsageError where it is none, for then nothing can be put in."""
    try:
        text = content.decode("utf-8")
        is_object = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid JSON: {error}", WITHOUT) from error
    if not is_object:
        raise UsageError(f"{path} is no JSON object", WITHOUT)
    return text


def has_status_line(settings: str) -> bool:
    return find(settings, (KEY,)) is not None


def is_ours(settings: str) -> bool:
    found = find(settings, (KEY,))
    try:
        return found is not None and json.loads(settings[found.start : found.end]) == VALUE
    except (ValueError, RecursionError):
        return False


def add_status_line(settings: str) -> str:
    """Behind the last member, in the style of its neighbours. Nothing but this settings is added, in one place."""
    start = settings.index("{")
    existing = list(members(settings, start))
    if not existing:
        return f"{settings[: start + 1]}{MEMBER}{settings[start + 1 :]}"
    last = existing[-1]
    gap = settings[start + 1 : existing[0].key_start] if len(existing) == 1 else _gap(settings, existing)
    return f"{settings[: last.end]},{gap or ' '}{MEMBER}{settings[last.end :]}"


def remove_status_line(settings: str) -> str:
    """The reverse; what was written behind it meanwhile stays as it is."""
    start = settings.index("{")
    existing = list(members(settings, start))
    index = max(place for place, member in enumerate(existing) if member.key == KEY)
    member = existing[index]
    if index:
        return settings[: existing[index - 1].end] + settings[member.end :]
    if len(existing) > 1:
        return settings[: member.key_start] + settings[existing[1].key_start :]
    return settings[: member.key_start] + settings[member.end :]


def _gap(settings: str, existing: list[Member]) -> str:
    """The space before the last member, behind the comma."""
    between = settings[existing[-2].end : existing[-1].key_start]
    return between[between.index(",") + 1 :]
