"""The places of a test file where it says what it expects, and what to write there instead.

A test with another expectation must fail, however the product came to satisfy the first one: code that patches the
test tool, an equality that is always true, answers read out of the test file. It is a plain copy of the real test, so
nothing can spare it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from autopilot.testtools.expectations.bats import bats_sites
from autopilot.testtools.expectations.by_lines import perl_sites, php_sites, ruby_sites
from autopilot.testtools.expectations.go import go_sites
from autopilot.testtools.expectations.python import python_sites
from autopilot.testtools.expectations.rust import rust_sites
from autopilot.testtools.expectations.script import script_sites
from autopilot.testtools.expectations.shell import shell_sites
from autopilot.testtools.expectations.site import Draw, Site
from autopilot.text.file_kind import suffix_of

MAX_BYTES = 400_000  # of one file; what is longer was made by a program

_Sites = Callable[[bytes, Draw], Iterator[Site]]
_LANGUAGES: dict[str, _Sites] = {".py": python_sites}
_LANGUAGES |= {".go": go_sites, ".rs": rust_sites, ".bats": bats_sites}
_LANGUAGES |= {".rb": ruby_sites, ".php": php_sites, ".t": perl_sites}
_LANGUAGES |= dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts"), script_sites)


class ChangedTests(Struct, frozen=True):
    text: bytes
    tests: tuple[str, ...]  # by the names that reports show, with their classes: "TestCart.test_total"


def change_expectations(path: str, text: bytes, number: int, seed: str) -> ChangedTests | None:
    """Each test of the file with its expectation ``number`` changed, in an order drawn from the seed.

    None where no test has so many, or the language is not known. Only one expectation of a test is changed at a time:
    the first that fails would hide what became of the others.
    """
    find = _LANGUAGES.get(suffix_of(path))
    return None if find is None else _change(find, path, text, number, seed)


def change_script(path: str, text: bytes, number: int, seed: str) -> ChangedTests | None:
    """The same of a shell script that is a test as a whole, known by its exit status alone."""
    known = suffix_of(path) in (".sh", ".bash") or re.match(rb"#![^\n]{0,100}\b(?:ba|da)?sh\b", text)
    return _change(shell_sites, path, text, number, seed) if known else None


def _change(find: _Sites, path: str, text: bytes, number: int, seed: str) -> ChangedTests | None:
    if len(text) > MAX_BYTES:
        return None
    try:
        found = list(find(text, Draw(f"{seed} {path} {number}")))
    except RecursionError:  # code nested deeper than anyone wrote it by hand
        return None
    chosen = list(_choose(found, number, f"{seed} {path}"))
    if not chosen:
        return None
    return ChangedTests(_splice(text, chosen), tuple(site.test for site in chosen))


def _choose(found: Sequence[Site], number: int, seed: str) -> Iterator[Site]:
    tests: dict[str, list[Site]] = {}
    for site in found:
        tests.setdefault(site.test, []).append(site)
    for test, sites in tests.items():
        first = Draw(f"{seed} {test}").below(len(sites))
        # What only turns the sense round shows less.
        drawn = sorted(sites[first:] + sites[:first], key=lambda site: not site.is_value)
        if number < len(drawn):
            yield drawn[number]


def _splice(text: bytes, sites: Sequence[Site]) -> bytes:
    pieces, position = [], 0
    for site in sorted(sites, key=lambda site: site.start):
        pieces += [text[position : site.start], site.instead]
        position = site.end
    return b"".join((*pieces, text[position:]))
