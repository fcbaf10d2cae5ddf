"""What a clause is so exact about that code which keeps it has to spell it: numbers, options, names, exceptions.

Other words have synonyms, these have none; of a number what code may make of it counts as well: `86400` for 24 hours,
`NOT_FOUND` for 404, `0.15` for 15 %.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus

from msgspec import Struct

from autopilot.text.naming import squeeze

MOST = 64_000_000  # characters of code
LEAST_SIDE = 4
LEAST = 10  # what is smaller stands in any code, or is counted without being written down
_YEARS = range(1900, 2101)
# Not after what makes it a name (`ISO 8601`, `Python 3`), nor in dates, versions, ratios and words with hyphens.
_NUMBER = re.compile(r"(?<![\w.,:/#$€£%^~<>≤≥-])\d{2,9}(?![\w-]|[.,:/]\d)")
_NAMED = re.compile(
    r"(?:(?<![\w.+#-])[A-Z][A-Za-z.+#-]{0,30}|section|page|line|version|chapter|issue|step|phase|part|level|task|example|e\.g\.|like|"
    r"about|around|roughly|some|over|than)\s\Z"
)
_DOCUMENTS = r"READMEs?|docs?|document\w*|changelog|guide|manual|comments?"
# How much or how fast, and what documents and suites have: no code says so.
_LOAD = re.compile(
    r"\b(?:within|under|below|less than|faster|handles?|supports?|copes?|scales?|sorts?|concurrent\w*|parallel|"
    r"simultaneous\w*|per second|coverage|performance|large|slow\w*|memory|latency|throughput|milliseconds?|ms|"
    rf"[KMG]i?B|megabytes?|gigabytes?|(?:un)?signed|bits?|tests?|{_DOCUMENTS})\b",
    re.IGNORECASE,
)
_DOCUMENTED = re.compile(rf"\b(?:{_DOCUMENTS})\b", re.IGNORECASE)
_NAME = re.compile(
    r"(?<!\S)--[a-z][\w-]{2,60}|(?<![\w/.-])(?:[A-Z]\w{2,60}(?:Error|Exception)|[a-z]\w{0,40}_\w{2,40})(?![\w/-]|\.\w)"
)
_EXAMPLE = re.compile(r"\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|`[^`\n]*[\s(][^`\n]*`|\b\w{1,80}\([^()\n]{0,200}\)")
_VALUE = re.compile(r"[\d\"']")
_DIGITS = re.compile(r"0[xX][0-9a-fA-F_]{1,12}|\d[\d_]{0,15}(?:\.\d{1,9})?")
_STATUS = {status.value: status.name.casefold().replace("_", "") for status in HTTPStatus if status >= 400}
_TIMES = (60, 3600, 86_400, 1000, 1024, 1024**2, 1_000_000, 100, 7, 24)


class Spelled(Struct, frozen=True):
    """What code and tests spell."""

    numbers: frozenset[float]
    letters: str  # all of it, without what stands between letters and digits


def read_spelled(texts: Iterable[str]) -> Spelled:
    every = "\n".join(texts)
    return Spelled(frozenset(_values(every)), squeeze(every))


def find_unspelled(clauses: Sequence[str], code: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """By clause what is spelled nowhere. ``code``: text by text, and no further than there is something to find: all at
    once it may be hundreds of megabytes. Nothing follows from what was not found where there is more than is read."""
    missing = {clause: found for clause in clauses if (found := unspelled(clause, read_spelled(())))}
    read = 0
    for text in code if missing else ():
        spelled = read_spelled((text,))
        missing = {clause: still for clause in missing if (still := unspelled(clause, spelled, missing[clause]))}
        read += len(text)
        if not missing or read > MOST:
            return {}
    return missing


def unspelled(clause: str, spelled: Spelled, among: Container[str] | None = None) -> tuple[str, ...]:
    """The numbers and names of a clause that are spelled nowhere. ``among``: those that are still looked for."""
    prose = _EXAMPLE.sub(" ", clause)
    # What stands beside a call with values is what this one call gives.
    is_example = any(_VALUE.search(found[0]) for found in _EXAMPLE.finditer(clause))
    is_exact = not is_example and not _LOAD.search(prose)
    numbers = [found[0] for found in _NUMBER.finditer(prose) if is_exact and _is_exact(found, prose)]
    missing = [number for number in numbers if not _has_number(int(number), spelled)]
    named = () if _DOCUMENTED.search(prose) else _NAME.finditer(prose)
    # `snake_case` is how names are written, and no name.
    names = [n for found in named if not (n := found[0]).endswith("_case") and squeeze(n) not in spelled.letters]
    return tuple(found for found in dict.fromkeys((*missing, *names)) if among is None or found in among)


def _is_exact(found: re.Match[str], prose: str) -> bool:
    number = int(found[0])
    return number >= LEAST and number not in (*_YEARS, 200) and not _NAMED.search(prose[: found.start()])


def _has_number(number: int, spelled: Spelled) -> bool:
    made = {number, number / 100, *(number * times for times in _TIMES)}
    made |= set() if number in _STATUS else {number - 1, number + 1}
    made |= {number / times for times in (*_TIMES, 12, 30) if number % times == 0}
    # Two sides of a board, four suits of thirteen.
    made |= {a for a in range(LEAST_SIDE, math.isqrt(number) + 1) if number % a == 0 and number // a in spelled.numbers}
    return not made.isdisjoint(spelled.numbers) or _STATUS.get(number, "\0") in spelled.letters


def _values(text: str) -> Iterator[float]:
    for found in _DIGITS.finditer(text):
        digits = found[0].replace("_", "")
        yield float(int(digits, 16)) if digits[:2] in ("0x", "0X") and digits[2:] else float(digits.rstrip("xX"))
