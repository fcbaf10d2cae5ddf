"""One finding of a linter, type checker or compiler, without what changes from run to run."""

from __future__ import annotations

import re

from msgspec import Struct

_SPACES = re.compile(r"\s+")
# A number by itself counts or locates something; one inside a word is part of a name (F401, foo2).
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])")
_PLURAL = re.compile(r"\b(error|warning|problem|issue|finding|file|line)s\b", re.IGNORECASE)
# What differs between two runs of the same command on the same code: times, dates, addresses, folders made for a run.
_PASSING = re.compile(
    r"\b\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|min|minutes?)\b"
    r"|\b\d{4}-\d\d-\d\d(?:[T _]\d\d[:_]\d\d[:_]\d\d[\w.:-]{0,20})?"
    r"|\b\d\d:\d\d:\d\d(?:\.\d+)?\b"
    r"|\b0x[0-9a-fA-F]{4,16}\b"
    r"|/tmp/[\w.-]{1,100}"
)


class Finding(Struct, frozen=True):
    file: str
    text: str  # rule and message, as printed

    @property
    def key(self) -> tuple[str, str]:
        """By file, rule and message. The line is left out: whatever stands above a finding may change."""
        return self.file, without_numbers(self.text)

    def __str__(self) -> str:
        return f"{self.file}: {self.text}"


def make_finding(file: str, text: str) -> Finding:
    return Finding(file.removeprefix("./"), without_times(text).strip(" :-*"))


def without_numbers(text: str) -> str:
    return _PLURAL.sub(r"\1", _NUMBER.sub("#", without_times(text)))


def without_times(line: str) -> str:
    return _PASSING.sub("…", _SPACES.sub(" ", line)).strip()
