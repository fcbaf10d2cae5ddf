"""Code that bears the name of a command: files and functions, as `notes search` may call them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from autopilot.text.naming import squeeze

_DEFINED = re.compile(r"\b(?:def|function|func|fn|sub|const|let|class)\s{1,9}(\w{1,80})")
_STACK = re.compile(
    r"^Traceback \(most recent call last\)|^[ \t]{1,9}at \S.{0,300}:\d{1,7}\)?$|panicked at|^goroutine \d", re.MULTILINE
)


def has_crashed(output: str) -> bool:
    """By the stack that it prints: what it would have loaded by then is not known."""
    return _STACK.search(output) is not None


def knows(word: str, texts: Mapping[str, str]) -> bool:
    """Whether one of these files has the word, in whatever spelling."""
    return any(squeeze(word) in squeeze(f"{path}\n{text}") for path, text in texts.items())


def find_called(word: str, texts: Mapping[str, str]) -> str:
    """The file that has the word for its name, or for a function's, `search_command` too; "" where none does."""
    return next((path for path, text in texts.items() if word in _names((_stem(path), *_DEFINED.findall(text)))), "")


def _names(spelled: Iterable[str]) -> set[str]:
    return {name for found in spelled for name in (found, found.partition("_")[0], found.replace("_", "-"))}


def _stem(path: str) -> str:
    return PurePosixPath(path).name.partition(".")[0]
