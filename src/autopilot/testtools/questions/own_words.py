"""The words of new code and of data: what a table could be asked for besides the one entry that a criterion names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from autopilot.testtools.expectations.site import Draw

MOST_WORDS = 2_000
_LITERAL = re.compile(r"'([^'\\\n]{1,40})'|\"([^\"\\\n]{1,40})\"|(?<![\w.])([0-9]{1,9})(?![\w.])")
_QUOTED = (re.compile(r"'([^'\n]{1,40})'"), re.compile(r'"([^"\n]{1,40})"'))
_WORD = re.compile(r"[\w.:@#+-]{1,40}")


def own_words(
    code: Mapping[str, Iterable[str]], data: Sequence[str], asked: Iterable[str], draw: Draw
) -> tuple[str, ...]:
    """``code``: new lines by file; ``data``: texts of data files; ``asked``: commands, whose words are no others."""
    found = [word for lines in code.values() for line in lines for word in _literals(line)]
    found += [word for text in data for word in _WORD.findall(text)]
    known = {word for command in asked for pattern in (*_QUOTED, _WORD) for word in pattern.findall(command)}
    others = [word for word in dict.fromkeys(found) if word not in known and word.strip()][:MOST_WORDS]
    # The draw decides which of many are asked: code that knows the order could hold some ready.
    return tuple(sorted(others, key=lambda _: draw.below(1 << 30)))


def _literals(line: str) -> list[str]:
    return [text for groups in _LITERAL.findall(line) for text in groups if text]
