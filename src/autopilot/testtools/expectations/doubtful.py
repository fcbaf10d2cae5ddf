"""Tests with another expectation in a place that the product has a hand in, and the texts that settle a survivor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.testtools.expectations.doubt import Doubt, splice_pieces
from autopilot.testtools.expectations.expectation import MAX_BYTES
from autopilot.testtools.expectations.go_doubts import go_doubts
from autopilot.testtools.expectations.python_doubts import python_doubts
from autopilot.testtools.expectations.script_doubts import script_doubts
from autopilot.testtools.expectations.site import Draw
from autopilot.text.file_kind import suffix_of

_LANGUAGES: dict[str, Callable[[bytes, Draw], Iterator[Doubt]]] = {".py": python_doubts, ".go": go_doubts}
_LANGUAGES |= dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts"), script_doubts)
# Without one of these no product keeps from its caller what a callback raises.
_CATCHES = re.compile(
    r"\bcatch\b|\bexcept\b|\bfinally\b|\bsuppress\b|\bPromise\b|\basync\b|\.then\(|__a?exit__|contextmanager|"
    r"uncaughtException|unhandledRejection|gather\("
)
_COMPARES = re.compile(r"\b__eq__\b|\b(?:Equals?|equals|isEqual|Eq|eq|Same)\s*[(=:]|\btotal_ordering\b|\b__ne__\b")


class Asking(Struct, frozen=True):
    """What the changed code of the product can do with an expectation."""

    catches: bool
    compares: bool

    def __bool__(self) -> bool:
        return self.catches or self.compares

    def asks(self, doubt: Doubt) -> bool:
        return self.compares if doubt.is_equality else self.catches


class DoubtfulTests(Struct, frozen=True):
    text: bytes  # of the whole file, each test with one other expectation
    doubts: Mapping[str, Doubt]  # by test
    original: bytes

    def settling(self, test: str) -> bytes:
        return splice_pieces(self.original, self.doubts[test].settling)


def asking_of(new_code: Sequence[str]) -> Asking:
    code = "\n".join(new_code)
    return Asking(_CATCHES.search(code) is not None, _COMPARES.search(code) is not None)


def change_doubtful(path: str, text: bytes, number: int, seed: str, asking: Asking) -> DoubtfulTests | None:
    """Each test of the file with its ``number``-th such expectation changed; None where no test has so many."""
    find = _LANGUAGES.get(suffix_of(path))
    if find is None or len(text) > MAX_BYTES:
        return None
    try:
        found = [doubt for doubt in find(text, Draw(f"{seed} {path} {number}")) if asking.asks(doubt)]
    except RecursionError:  # code nested deeper than anyone wrote it by hand
        return None
    tests: dict[str, list[Doubt]] = {}
    for doubt in found:
        tests.setdefault(doubt.site.test, []).append(doubt)
    chosen = {test: doubts[number] for test, doubts in tests.items() if number < len(doubts)}
    pieces = [(doubt.site.start, doubt.site.end, doubt.site.instead) for doubt in chosen.values()]
    return DoubtfulTests(splice_pieces(text, pieces), chosen, text) if chosen else None
