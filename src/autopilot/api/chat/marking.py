"""The line by which a file of ours is known: with the digest of all other lines, so that a change is seen."""

from __future__ import annotations

import hashlib
import re

from msgspec import Struct

_MARK = re.compile(
    rb"^(?:# |<!-- )autopilot install 1: made=([0-9]{1,2}) (settings=made )?sha256=([0-9a-f]{64})(?: -->)?\r?\n",
    re.MULTILINE,
)
PLACE = "{{mark}}\n"  # where the line stands in a file that is rendered


class Mark(Struct, frozen=True):
    made: int  # how many folders were made for this file, counted from the deepest
    made_settings: bool  # whether the settings of the agent were made too
    is_unchanged: bool  # whether all else in the file is as it was written


def write_mark(text: str, made: int, *, made_settings: bool = False, html: bool = False) -> bytes:
    """The text with its mark in the place that it leaves for it."""
    digest = hashlib.sha256(text.replace(PLACE, "").encode()).hexdigest()
    settings = "settings=made " if made_settings else ""
    line = f"autopilot install 1: made={made} {settings}sha256={digest}"
    return text.replace(PLACE, f"<!-- {line} -->\n" if html else f"# {line}\n", 1).encode()


def read_mark(content: bytes) -> Mark | None:
    """None for a file that is not ours."""
    found = _MARK.search(content)
    if found is None:
        return None
    rest = content[: found.start()] + content[found.end() :]
    return Mark(int(found[1]), bool(found[2]), hashlib.sha256(rest).hexdigest() == found[3].decode())
