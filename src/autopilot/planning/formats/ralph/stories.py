"""The stories of a ``prd.json`` and where they stand: the keys of several variants are read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.standing import Stand
from autopilot.text.json_span import Member, elements, find, members

LISTS = ("userStories", "user_stories", "stories", "features")
FLAGS = ("passes", "complete", "completed", "done")
STATUS = "status"
DONE_WORDS = ("done", "complete", "completed", "passed", "passes", "passing")
DROPPED_WORDS = ("cancelled", "canceled", "skipped", "dropped", "wontfix")
HELD_WORDS = ("deferred", "blocked", "review", "on hold")


class Story(Struct, frozen=True):
    values: Mapping[str, Any]
    start: int  # of its ``{`` in the text
    line: int

    def text_of(self, *keys: str) -> str:
        found = (self.values.get(key) for key in keys)
        return next((text.strip() for text in found if isinstance(text, str) and text.strip()), "")

    def texts_of(self, *keys: str) -> tuple[str, ...]:
        """A list of texts, or a single one; what is neither is left out."""
        value = next((self.values[key] for key in keys if key in self.values), ())
        listed = value if isinstance(value, list) else [value]
        return tuple(text for item in listed if (text := _plain(item)))

    @property
    def flag(self) -> str:
        """The key that says whether it is done, "" where none does."""
        return next((key for key in FLAGS if isinstance(self.values.get(key), bool)), "")

    @property
    def status(self) -> str:
        return self.text_of(STATUS)

    @property
    def is_done(self) -> bool:
        return self.values[self.flag] is True if self.flag else self.status.lower() in DONE_WORDS

    @property
    def stand(self) -> Stand:
        if self.is_done:
            return Stand.DONE
        if self.status.lower() in DROPPED_WORDS:
            return Stand.DROPPED
        return Stand.HELD if self.status.lower() in HELD_WORDS else Stand.OPEN


class File(Struct, frozen=True):
    text: str  # with a mark of byte order as a blank: of the same length
    stories: tuple[Story, ...] = ()
    complaints: tuple[Complaint, ...] = ()


def parse_stories(text: str, path: str) -> File:
    plain = f" {text[1:]}" if text.startswith("\ufeff") else text
    try:
        data = json.loads(plain)
    except RecursionError:
        return File(plain, complaints=(Complaint(path, 0, "is nested too deeply to be read"),))
    except json.JSONDecodeError as error:
        return File(plain, complaints=(Complaint(path, error.lineno, f"is not JSON: {error.msg}"),))
    except ValueError as error:  # a number of thousands of digits
        return File(plain, complaints=(Complaint(path, 0, f"is not read: {str(error)[:80]}"),))
    start = _list_start(plain, data)
    if start is None:
        message = f"has no list of stories: none of {', '.join(LISTS)}, and it is no list itself"
        return File(plain, complaints=(Complaint(path, 1, message),))
    stories: list[Story] = []
    complaints: list[Complaint] = []
    line, position = 1, 0
    listed = data if isinstance(data, list) else next(_lists(data))
    for value, (begin, _) in zip(listed, elements(plain, start), strict=True):
        line, position = line + plain.count("\n", position, begin), begin
        if isinstance(value, dict):
            stories.append(Story(value, begin, line))
        else:
            complaints.append(Complaint(path, line, "is no story: not an object"))
    return File(plain, tuple(stories), tuple(complaints))


def story_members(file: File, story: Story) -> dict[str, Member]:
    """By key; of one that is written twice the last, as every reader takes it."""
    return {member.key: member for member in members(file.text, story.start)}


def without_progress(text: str) -> str:
    """The content without what says how far it is; a text that is no JSON as it stands."""
    try:
        data = json.loads(text.removeprefix("\ufeff"))
        return json.dumps(_without(data), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _without(data: Any) -> Any:
    stories = data if isinstance(data, list) else next(_lists(data), None) if isinstance(data, dict) else None
    for story in stories or ():
        for key in (*FLAGS, STATUS) if isinstance(story, dict) else ():
            story.pop(key, None)
    return data


def _lists(data: Mapping[str, Any]) -> Iterator[Any]:
    return (data[key] for key in LISTS if isinstance(data.get(key), list))


def _list_start(text: str, data: Any) -> int | None:
    if isinstance(data, list):
        return text.index("[")
    for key in LISTS if isinstance(data, dict) else ():
        if isinstance(data.get(key), list) and (found := find(text, (key,))):
            return found.start
    return None


def _plain(item: Any) -> str:
    if isinstance(item, dict):
        item = next((item[key] for key in ("text", "description", "criterion", "title", "id") if key in item), "")
    if isinstance(item, int | float) and not isinstance(item, bool):
        return str(item)
    return " ".join(item.split()) if isinstance(item, str) else ""
