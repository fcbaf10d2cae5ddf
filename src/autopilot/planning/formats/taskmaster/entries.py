"""The entries of a tasks.json as they stand in its text: each with its fields and where its status is."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from autopilot.planning.formats.marking import line_starts
from autopilot.text.json_span import Member, elements, find, members

MOST, MOST_BELOW = 5000, 500  # tasks, and subtasks of one of them


class Entry(Struct, frozen=True):
    """A task or a subtask."""

    id: str  # as it is written, a number as its digits; "" when it has none that can be used
    fields: Mapping[str, Any]
    line: int
    start: int  # of its ``{``
    members: tuple[Member, ...]
    subtasks: tuple[Entry, ...] = ()

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value.strip() if isinstance(value, str) else ""

    @property
    def status(self) -> str:
        return self.text("status").lower()

    @property
    def dependencies(self) -> tuple[str, ...]:
        listed = self.fields.get("dependencies")
        return tuple(_id(wait) for wait in listed if _id(wait)) if isinstance(listed, list) else ()

    def member(self, name: str) -> Member | None:
        """Of a key that is written twice the last one counts, as for every reader of JSON."""
        return next((member for member in reversed(self.members) if member.key == name), None)


class TagsRead(Struct, frozen=True):
    entries: tuple[Entry, ...] = ()
    problem: str = ""
    line: int = 0


def read_entries(text: str, tag: str) -> TagsRead:
    """The tasks of one tag; of an older file, which has none, its tasks."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            return TagsRead(problem="is not a JSON object")
        return _read(text, data, tag)
    except json.JSONDecodeError as error:
        return TagsRead(problem=f"is not valid JSON: {error.msg}", line=error.lineno)
    except RecursionError:
        return TagsRead(problem="is nested too deeply to be read")
    except ValueError:  # the interpreter's limit on digits
        return TagsRead(problem="holds a number that is too long to be read")


def _read(text: str, data: Mapping[str, Any], tag: str) -> TagsRead:
    is_flat = isinstance(data.get("tasks"), list)
    of_tag = data.get(tag)
    if not is_flat and not (isinstance(of_tag, dict) and isinstance(of_tag.get("tasks"), list)):
        known = ", ".join(sorted(name for name, value in data.items() if isinstance(value, dict)))[:300]
        return TagsRead(problem=f"has no tasks for the tag `{tag[:80]}`" + (f"; its tags: {known}" if known else ""))
    found = find(text, ("tasks",) if is_flat else (tag, "tasks"))
    assert found is not None, "json.loads has seen it"
    starts = line_starts(text)
    tasks = data["tasks"] if is_flat else data[tag]["tasks"]
    return TagsRead(tuple(_entries(text, found.start, starts, tasks, inner=True)))


def _entries(text: str, start: int, starts: Sequence[int], listed: Sequence[Any], *, inner: bool) -> Iterator[Entry]:
    """``listed``: what stands there, as it was decoded."""
    for fields, (begin, _) in zip(listed[: MOST if inner else MOST_BELOW], elements(text, start), strict=False):
        if not isinstance(fields, dict):
            continue
        own = tuple(members(text, begin))
        below = next((member for member in reversed(own) if member.key == "subtasks"), None)
        subtasks: tuple[Entry, ...] = ()
        if inner and below is not None and isinstance(fields["subtasks"], list):
            subtasks = tuple(_entries(text, below.start, starts, fields["subtasks"], inner=False))
        yield Entry(_id(fields.get("id")), fields, bisect_right(starts, begin), begin, own, subtasks)


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return ""
    return str(value).strip()[:200]
