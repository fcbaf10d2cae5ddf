"""Files that hold what tests expect (golden, approved, expected output), and the same files holding something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from autopilot.testtools.expectations.site import Draw
from autopilot.text.file_kind import is_test

_FOLDERS = re.compile(r"goldens?|golden_?files?|expected|approved|approvals|__snapshots__|snapshots|reference|cases")
_ENDINGS = (".out", ".expected", ".golden", ".approved", ".snap", ".want")
_NAMES = re.compile(r"\b(?:expected|golden|approved)\b")
_TEXT = (*_ENDINGS, ".txt", ".md", ".json", ".csv", ".xml", ".html", ".yaml", ".yml", ".toml", ".ini")
_VALUE = re.compile(rb'(:\s*")([^"\\]*)(")|(:\s*)(\d+)')
_MOST_BYTES = 200_000


def golden_files(paths: Collection[str], tests: Collection[str]) -> Iterator[str]:
    """``tests``: texts of test files. Only what they seem to read: by its name, its ending or its folder."""
    for path in paths:
        *folders, name = path.split("/")
        held = any(_FOLDERS.fullmatch(folder.casefold()) for folder in folders)
        held = held or name.casefold().endswith(_ENDINGS) or bool(_NAMES.search(name.casefold()))
        if not held or not is_test(path) or not name.casefold().endswith(_TEXT):
            continue
        names = (name, f".{name.rpartition('.')[2]}", *folders[-1:])
        if any(word in text for text in tests for word in names if len(word) > 2):
            yield path


def other_golden(path: str, text: bytes, draw: Draw) -> bytes | None:
    """None where it is too large or cannot be changed in a way that a comparison would notice."""
    if len(text) > _MOST_BYTES:
        return None
    if not path.endswith(".json"):
        return text + draw.word().encode() + b"\n"
    values = list(_VALUE.finditer(text))
    if not values:
        return None
    start, end = values[-1].span(2) if values[-1][2] is not None else values[-1].span(5)
    instead = text[start:end] + draw.word().encode() if values[-1][2] is not None else b"%d" % draw.number()
    return text[:start] + instead + text[end:]


Read = Callable[[str], bytes | None]


def change_golden(paths: Collection[str], tests: Collection[str], read: Read, seed: str) -> dict[str, bytes]:
    changed: dict[str, bytes] = {}
    for path in golden_files(paths, tests):
        text = read(path)
        other = other_golden(path, text, Draw(f"{seed} {path}")) if text is not None else None
        if other is not None:
            changed[path] = other
    return changed
