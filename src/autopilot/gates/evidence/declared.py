"""What the text of a task declares: files that it will change, by its list and plain orders; chance; errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.planning.plan import Task
from autopilot.text.file_kind import is_compiled
from autopilot.text.glob import is_glob, matches_glob
from autopilot.text.lazy_regex import lazy_regex

_NAME = r"[\w@.*+{},\[\]-]"
_PATH = (
    rf"(?:\.{{0,2}}/)?(?:{_NAME}{{1,255}}+/)+{_NAME}{{0,255}}+|{_NAME}{{0,255}}\w\.[A-Za-z]\w{{0,9}}|\.[a-z]\w{{0,30}}rc|"
    r"Makefile|Rakefile|Gemfile"
)
_PATHS = lazy_regex(rf"(?<![\w/:.@-])(?:{_PATH})")
# "rename `tests/a.py` to `tests/b.py`", "add a case to tests/a.py": an order, and not a mention in passing.
_ORDER = lazy_regex(
    r"\b(?:renam|mov|updat|delet|remov|extend|rewrit|replac|regenerat|edit|chang|modif|adjust|adapt|convert|split|merg|add|"
    r"writ|put|creat|record)\w*\s+(?:(?:a|an|the|new|more|old|stale|existing|unit|regression|failing|tests?|cases?|files?|"
    r"fixtures?|snapshots?|config|settings|in|to|into|from|of|at|both|all|its)\s+){0,6}[`'\"]?(?P<first>"
    rf"{_PATH})(?P<rest>(?:[`'\"]?\s*(?:,|and|to|into|as|→|->|from|, and)\s*[`'\"]?(?:{_PATH}))*)",
    re.IGNORECASE,
)
# "tests/a.py may change", as users say it: what follows the name of the file.
_LEAVE = lazy_regex(
    r"[`'\"]?\s{1,8}(?:may|can|must|should|has to|have to)\s{1,8}(?:be\s{1,8})?"
    r"(?:chang|rewrit|updat|remov|delet|adapt|replac|go\b)",
    re.IGNORECASE,
)
_FORBIDS = lazy_regex(
    r"\b(?:not|never|n't|dont|don't|without|unchanged|untouched|leave|keep|avoid)\b|n't\b", re.IGNORECASE
)
_SENTENCE = lazy_regex(r"(?<=[.!?;])\s+|\n+")
_ARROW = lazy_regex(r"(?:(?<!\s)\s++)?(?:→|->|=>)\s*+")
_PLACE_IN_FILE = lazy_regex(r"(?<![\w\[\]:,.-])([\w\[\],.-]*+):[\w\[\]:,.-]*+$")  # ``a.py:10-20``, ``a.py::test_b``
_REMARK = lazy_regex(r"(?:(?<!\s)\s++)?\([^()]*+\)$")
_WIDE = frozenset({"", ".", "*", "**", "**/*", "**/**", "/", "~"})

_CHANCE = lazy_regex(
    r"\brandom|\bshuffl|\bdice\b|\brolls?\b|\bdraws?\b|\bpicks?\b|\bsampl|\bjitter|\bchance|\blotter|\bprobab|\bany\b|"
    r"\beventually\b|\bflip|\bcoin|\buuid|\btoken|\bpassword|\bretr(?:y|ies)",
    re.IGNORECASE,
)
_ERRORS = lazy_regex(
    r"\bisolat|\bswallow|\bignor|\bcatch|\bcaught|\bfail|\berrors?\b|\bexception|\brobust|\btoler|\braise|\bthrow|\bcrash",
    re.IGNORECASE,
)


def declared_by(task: Task) -> tuple[str, ...]:
    """Paths, folders and patterns. A task that lists files means these; its text adds files only as a plain order."""
    listed = [name for entry in task.files for name in _clean(entry)]
    sentences = [sentence for text in (task.title, task.action, task.done) for sentence in _SENTENCE.split(text)]
    if not listed:
        sentences += [*task.promises.values(), *task.commands]
    forbidden = {name for text in sentences if _FORBIDS.search(text) for name in _named(text)}
    allowed = [text for text in sentences if not _FORBIDS.search(text)]
    named = [name for text in allowed for name in (_ordered(text) if listed else _named(text))]
    return tuple(dict.fromkeys([*listed, *(name for name in named if name not in forbidden)]))


def ordered_by(text: str) -> tuple[str, ...]:
    """Files that a user's words order to be changed, or give leave for. That a text names a file is no such thing."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if not _FORBIDS.search(sentence)]
    given = [
        found for sentence in sentences for found in _PATHS.finditer(sentence) if _LEAVE.match(sentence, found.end())
    ]
    leave = [name for found in given for name in _named(found[0])]
    return tuple(dict.fromkeys([*(name for sentence in sentences for name in _ordered(sentence)), *leave]))


def covers(pattern: str, path: str) -> bool:
    """A file, a folder, a glob; a bare name (``conftest.py``) means that file wherever it stands."""
    pattern = pattern.strip("` ").removeprefix("./")
    if path == pattern or path.startswith(pattern.rstrip("/") + "/"):
        return True
    bare = "/" not in pattern
    if not is_glob(pattern):
        return bare and "." in pattern and path.rsplit("/", 1)[-1] == pattern
    return matches_glob(pattern, path) or (bare and matches_glob(pattern, path.rsplit("/", 1)[-1]))


def covers_compiled(pattern: str, path: str) -> bool:
    """Compiled code is declared by a name of its own: who may change a folder means the sources in it."""
    return is_compiled(pattern) and covers(pattern, path)


def _clean(name: str) -> Iterator[str]:
    """As written by people: backticks, ``a.py → b.py``, ``a.py:10-20``, ``a.py::test_b``, Windows slashes."""
    for part in _ARROW.split(name.strip()):
        plain = part.strip("`'\" \t,;").replace("\\", "/").removeprefix("./")
        plain = _REMARK.sub("", _PLACE_IN_FILE.sub(r"\1", plain)).strip()
        if plain not in _WIDE and not plain.startswith(("/", "../")):
            yield plain


def _named(text: str) -> Iterator[str]:
    """Files only: "add tests in tests/" is no leave to change everything there."""
    for found in _PATHS.finditer(text):
        for name in _clean(found[0].rstrip(".,:;)]}")):
            if not name.endswith("/") and re.search(r"[.*]|file$", name.rsplit("/", 1)[-1]):
                yield name


def _ordered(text: str) -> Iterator[str]:
    for found in _ORDER.finditer(text):
        yield from _named(found["first"])
        yield from _named(found["rest"])


def speaks_of_chance(text: str) -> bool:
    """Then a test may rightly try until it has seen what is possible."""
    return _CHANCE.search(text) is not None


def speaks_of_errors(text: str) -> bool:
    """Then the product may be meant to catch what a callback raises."""
    return _ERRORS.search(text) is not None
