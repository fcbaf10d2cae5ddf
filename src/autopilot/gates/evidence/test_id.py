"""Names of tests: which two are the same test, what a person calls it, which file it stands in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from autopilot.text.lazy_regex import lazy_regex

NAMED_AT_MOST = 5
MOST_VALUES = 8  # of parameters, that are compared with those of another id

# What differs between two runs of the same test. Tried only on ids that have no partner spelled exactly like them,
# so two tests that differ in nothing else stay two tests.
_NOISE: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (lazy_regex(r"(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)(?:/[^\s/\]\"',;:)]+)+"), "<tmp>"),
    (lazy_regex(r"(?<![\w.>])(?:/|[A-Za-z]:\\)[^\s\]\"',;:()]*+"), lambda found: _without_folders(found[0])),
    (lazy_regex(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE), "<uuid>"),
    (lazy_regex(r"\b0x[0-9a-f]{5,}\b", re.IGNORECASE), "<address>"),
    (lazy_regex(r"(?<![0-9a-z])[0-9a-f]{32,}(?![0-9a-z])", re.IGNORECASE), "<hex>"),
    (lazy_regex(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (lazy_regex(r"\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):\d{2,5}\b"), r"\1"),
    (lazy_regex(r"(?<![A-Za-z])gw\d+\b"), "gw"),
    (lazy_regex(r"\b(pid)([-_= ]?)\d+\b"), r"\1\2"),
    (lazy_regex(r"(?:(?<!\s)\s++)?\(\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|sec)\)$"), ""),
)
# `expected6`: pytest's name for a value without a short spelling, which changes with the order of a set.
_POSITION = lazy_regex(r"(?<=[\[-])([a-z][a-z_]{2,40})\d{1,4}(?=[\]-])")
_SLASH = lazy_regex(r"[/\\]")
_FILE = lazy_regex(r"[\w.-]+\.\w{1,5}\b")
_BETWEEN = lazy_regex(r"::| > | › | » |#")
_SOURCE = lazy_regex(r"[^\s:]+\.(?:py|[cm]?[jt]sx?|go|rs|rb|php|java|kt|cs|exs?|bats|t|sh|bash)")
_SPELLED = lazy_regex(r"[\w.$/\\-]+")  # without a space: a dotted or slashed name, not a sentence


def settle(id: str) -> str:
    """The id without what a machine, a moment or a process put into it."""
    for pattern, instead in _NOISE:
        id = pattern.sub(instead, id)
    given = len(without_parameters(id)) if id.endswith("]") else len(id)
    return id[:given] + _POSITION.sub(r"\1", id[given:])


def _without_folders(path: str) -> str:
    """The file at the end of an absolute path, with what follows it; unchanged where the path ends in no file."""
    behind_root = 1 if path[0] == "/" else len("C:/")
    files = [slash.end() for slash in _SLASH.finditer(path, behind_root) if _FILE.match(path, slash.end())]
    return path[files[-1] :] if files else path


def without_parameters(id: str) -> str:
    """``test_a[1-x]`` and ``test a (1, x)`` without what stands in the brackets at the end."""
    for opening, closing in ("[]", "()"):
        if id.endswith(closing) and opening in id:
            return id[: id.index(opening)]
    return id


def with_more_parameters(before: Iterable[str], after: Iterable[str]) -> frozenset[str]:
    """Those of ``before`` that are run once for each value of a parameter more: ``test_a[1]``, now ``test_a[x-1]``."""
    wanted: dict[str, dict[str, list[str]]] = {}  # ids by their base, and by what stands in their brackets
    for id in before:
        base = without_parameters(id) if id.endswith("]") else id
        wanted.setdefault(base, {}).setdefault(id[len(base) + 1 : -1] if base != id else "", []).append(id)
    lengths = {base: {values.count("-") + 1 for values in known if values} for base, known in wanted.items()}
    found = set[str]()
    for id in (id for id in after if id.endswith("]")):
        base = without_parameters(id)
        known = wanted.get(base, {})
        for values in ("", *_successive(id[len(base) + 1 : -1].split("-"), lengths.get(base, ()))):
            found.update(known.get(values, ()))
    return frozenset(found)


def _successive(values: Sequence[str], lengths: Iterable[int]) -> Iterator[str]:
    """Values that follow each other, as another id has them. Looked up, since a report may have 100,000 ids."""
    for length in (length for length in lengths if length <= MOST_VALUES):
        yield from ("-".join(values[start : start + length]) for start in range(len(values) - length + 1))


def partners(before: Iterable[str], after: Iterable[str]) -> Mapping[str, str]:
    """Which id of ``before`` is which one of ``after``: by exact spelling first, then without the noise."""
    olds, news = list(dict.fromkeys(before)), dict.fromkeys(after)
    found = {old: old for old in olds if old in news}
    free: dict[str, list[str]] = {}
    for new in news:
        if new not in found:
            free.setdefault(settle(new), []).append(new)
    for old in olds:
        if old not in found and (same := free.get(settle(old))):
            found[old] = same.pop(0)
    return found


def parts(id: str) -> tuple[str, ...]:
    """The names an id is made of, outermost first, without its file and its parameters."""
    pieces = [piece.strip() for piece in _BETWEEN.split(without_parameters(id.strip()))]
    if len(pieces) > 1 and _SOURCE.fullmatch(pieces[0]):
        pieces = pieces[1:]
    if _SPELLED.fullmatch(pieces[-1]):
        pieces[-1:] = re.split(r"[./$\\]", pieces[-1])
    return tuple(piece for piece in pieces if piece)


def name(id: str) -> str:
    """What a person calls the test: the last part of its id."""
    return (parts(id) or (id,))[-1]


def around(id: str) -> str:
    """The test that a sub-test of Go belongs to: a text that names that one means its cases too."""
    found = re.search(r"(?:^|[./:])((?:Test|Fuzz|Benchmark|Example)\w*)/", id)
    return found[1] if found else ""


def file(id: str) -> str:
    """The file an id begins with, "" where it names none."""
    head = _BETWEEN.split(id)[0].strip()
    return head if _SOURCE.fullmatch(head) else ""


def is_named(part: str, text: str) -> bool:
    """Whether a text names a test, or a group of tests, as whole words.

    A single everyday word ("works") stands in most texts and means no test there: it counts in quotes, or as a call.
    """
    if not part.strip():
        return False
    spelled = r"\s+".join(re.escape(word) for word in part.split())
    quoted = rf"[`\"'“‘]\s*{spelled}\s*[`\"'”’]|(?<![\w-]){spelled}\(\)"
    found = quoted if re.fullmatch(r"[A-Z]?[a-z]+", part) else rf"(?<![\w-]){spelled}(?![\w-])"
    return re.search(found, text, re.IGNORECASE) is not None


_GONE = lazy_regex(
    r"\b(?:delet|remov|drop|renam|mov|replac|retir|superse|obsolet|rewrit|merg|split|consolidat|no longer)\w*",
    re.IGNORECASE,
)


def is_to_be_removed(part: str, text: str) -> bool:
    """Whether one sentence names a file or a group of tests and announces its removal."""
    sentences = re.split(r"(?<=[.;!?])\s+|\n", text)
    return any(_GONE.search(sentence) and is_named(part, sentence) for sentence in sentences)


def some(ids: Iterable[str]) -> str:
    """The first few, and how many more."""
    ordered = sorted(set(ids))
    rest = len(ordered) - NAMED_AT_MOST
    return ", ".join(ordered[:NAMED_AT_MOST]) + (f" and {rest} more" if rest > 0 else "")
