"""Files of a shell project that judge it without standing among its tests: what tests load, call or compare with.

Tests source and run the product too. What judges differs from it by all of these together: only tests use it, and it
compares what it is given, asks for what bats leaves in ``$status`` and ``$output``, or is what `diff` is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from autopilot.inspection.control.behind import DEEPEST, ReadText
from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.meaning.shell import names_in
from autopilot.inspection.control.names import split_names
from autopilot.text.file_kind import is_test, suffix_of
from autopilot.text.lazy_regex import lazy_regex

MOST_READ = 400
_SHELL = frozenset({".sh", ".bash", ".bats", ".t", ".zsh"})
_DATA = split_names(
    ".txt .out .json .expected .golden .csv .tsv .xml .html .yaml .yml .want .snap .approved .log .ini .conf"
)
_COMMENT = lazy_regex(r"^[ \t]*#.*$", re.MULTILINE)
_LOADED = lazy_regex(r"(?:^|[;&|{(])[ \t]*(?:load|source|\.|bats_load_library)[ \t]+([^\n;&|]{1,300})", re.MULTILINE)
_PATH_WORD = lazy_regex(r"(?<![\w.@%+/-])[\w.@%+-]*+(?:/[\w.@%+-]++)++")
_COMPARED = lazy_regex(r"\b(?:diff|cmp|comm)\b[^\n]{1,400}|\$\((?:cat|<)[ \t]{1,8}[^)\n]{1,300}\)", re.MULTILINE)
_SEARCHED = lazy_regex(r"\bPATH=([^\n]{1,300})")
_DEFINED = lazy_regex(r"^[ \t]*(?:function[ \t]{1,8})?([\w:.-]{1,100})[ \t]{0,8}\(\)", re.MULTILINE)
_GIVEN = r"[\"']?\$\{?(?:output|out|got|actual|result|want|expected|stdout)\b"
_BY_NAME = lazy_regex(r"(?:assert|refute|expect|should)(?:_\w*|[A-Z]\w*)?")
_OF_BATS = lazy_regex(r"\$\{?(?:status|output|lines|BATS_\w+)\b")
_FILLS = lazy_regex(r"(?:^|[;{ \t])(?:status|output|lines)=", re.MULTILINE)
# At the beginning of a command: `run same` and `$(same …)` ask it, and do not ask by it.
_BEGUN = r"(?:^|[;&|!]|\bif\b|\bthen\b)[ \t]{0,80}(?:(?:ba|da|z)?sh[ \t]{1,8})?(?:\"?[^\s\"]{0,200}/)?"
_COMPARES = lazy_regex(r"\[|\btest\b|\b(?:diff|cmp|grep|comm)\b")
TOOLS = lazy_regex(
    r"\[|[ef]?grep|awk|bash|bats|cargo|cat|cmp|cut|diff|echo|env|expr|false|find|go|head|jq|make|node|npm|npx|perl|printf|"
    r"prove|pytest|python3?|ruby|sed|sh|sort|tail|tee|test|timeout|tr|true|uniq|wc|xargs"
)


class _Used(Struct, frozen=True):
    """What a shell file names, without the variables and dots that a path begins with."""

    text: str
    loaded: frozenset[str]
    named: frozenset[str]
    compared: frozenset[str]
    searched: frozenset[str]


def scripts_of_tests(
    changed: Collection[str], paths: Collection[str], read: ReadText, behind: Collection[str] = ()
) -> tuple[str, ...]:
    """Of the changed files those that judge, as the pin has them. ``behind``: scripts that test commands run."""
    candidates = [path for path in changed if control_kind(path) is None and not is_test(path) and path not in behind]
    candidates = [path for path in candidates if suffix_of(path) in _SHELL | _DATA | {""}]
    if not candidates:
        return ()
    used = {path: _use(text) for path, text in _shell_files(paths, read)}
    tests = {path: use for path, use in used.items() if _is_of_tests(path) or path in behind}
    helpers: set[str] = set()
    for _ in range(3):  # a helper may load another
        judging = {path: use for path, use in used.items() if path in tests or path in helpers}
        others = {path: use for path, use in used.items() if path not in judging}
        helpers |= {path for path in others if _judges(path, used[path].text, judging, _without(others, path))}
    data = (path for path in candidates if path not in used and suffix_of(path) in _DATA)
    rest = {path: use for path, use in used.items() if path not in tests and path not in helpers}
    golden = {path for path in data if _is_golden(path, [*tests.values()], [*rest.values()])}
    return tuple(path for path in candidates if path in helpers or path in golden)


def names_in_scripts(paths: Collection[str], read: ReadText) -> frozenset[str]:
    """What a function that is added to a helper must not be called: words of tests, and functions of anything."""
    names: set[str] = set()
    for path, text in _shell_files(paths, read):
        names |= names_in(text) if path.endswith(".bats") or _is_of_tests(path) else {*_DEFINED.findall(text)}
    return frozenset(names)


def loaded_by_tests(paths: Collection[str], read: ReadText) -> frozenset[str]:
    """Shell files that tests load, and what these load: tests judge with their functions."""
    used = {path: _use(text) for path, text in _shell_files(paths, read)}
    found = {path for path in used if _is_of_tests(path)}
    loading = [used[path] for path in found]
    for _ in range(DEEPEST):
        reached = {path for path in used if any(_leads_to(path, use.loaded, ".bash") for use in loading)} - found
        loading, found = [used[path] for path in reached], found | reached
    return frozenset(path for path in found if not _is_of_tests(path))


def _shell_files(paths: Collection[str], read: ReadText) -> Iterator[tuple[str, str]]:
    likely = [path for path in paths if suffix_of(path) in _SHELL] + [path for path in paths if not suffix_of(path)]
    for path in likely[:MOST_READ]:
        text = read(path)
        if text is not None and (suffix_of(path) or re.match(r"#!.{0,60}\b(?:ba|da|z|k)?sh\b|#!.{0,60}bats", text)):
            yield path, text


def _is_of_tests(path: str) -> bool:
    return is_test(path) or control_kind(path) is not None


def _use(text: str) -> _Used:
    plain = _COMMENT.sub("", text)
    loaded = frozenset(tail for found in _LOADED.findall(plain) if (tail := _tail(found)))
    named = frozenset(tail for word in _PATH_WORD.findall(plain) if (tail := _tail(word)))
    compared = frozenset(
        tail for line in _COMPARED.findall(plain) for word in re.split(r"[\s\"'()<>]+", line) if (tail := _tail(word))
    )
    searched = frozenset(
        tail for line in _SEARCHED.findall(plain) for part in line.split(":") if (tail := _tail(part.strip("\"'")))
    )
    return _Used(plain, loaded, named, compared, searched)


def _tail(word: str) -> str:
    """``"$BATS_TEST_DIRNAME/../lib/a.bash"`` is ``lib/a.bash``; "" for what names no place."""
    bare = re.sub(
        r"\$\([^)]{0,200}\)|\$\{[^}]{0,200}\}|\$\w{1,100}", "", word.strip(" \t").replace('"', "").replace("'", "")
    )
    parts = [part for part in (bare.split() or [""])[0].split("/") if part not in ("", ".", "..")]
    return "/".join(parts)


def _leads_to(path: str, tails: Collection[str], *endings: str) -> bool:
    return any(
        place == path or path.endswith(f"/{place}") for tail in tails for place in (tail, *(tail + e for e in endings))
    )


def _without(others: Mapping[str, _Used], path: str) -> list[_Used]:
    return [use for place, use in others.items() if place != path]


def _judges(path: str, text: str, judging: Mapping[str, _Used], others: Collection[_Used]) -> bool:
    folder, _, name = path.rpartition("/")
    if any(folder and _leads_to(folder, use.searched) for use in judging.values()) and TOOLS.fullmatch(name):
        return True
    if any(_leads_to(path, use.loaded, ".bash") or _leads_to(path, use.named) for use in others):
        return False
    if any(_leads_to(path, use.loaded, ".bash") for use in judging.values()):
        return _is_made_to_judge(text, judging.values())
    is_run = any(_leads_to(path, use.named) for use in judging.values())
    return is_run and _COMPARES.search(text) is not None and _is_asked_to_judge(name, judging.values())


def _is_made_to_judge(text: str, tests: Collection[_Used]) -> bool:
    functions = _DEFINED.findall(text)
    if any(_is_judged(name, tests) for name in functions):
        return False
    if _OF_BATS.search(text) and not _FILLS.search(text):
        return True
    return any(_BY_NAME.fullmatch(name) or _is_asked_to_judge(name, tests) for name in functions)


def _is_judged(name: str, tests: Collection[_Used]) -> bool:
    """The product of a project may itself be made to judge: then its tests run that."""
    ran = lazy_regex(rf"\brun[ \t][^\n]{{0,40}}?(?<![\w-]){re.escape(name)}(?![\w-])")
    return any(ran.search(use.text) for use in tests)


def _is_asked_to_judge(name: str, tests: Collection[_Used]) -> bool:
    """``same "$output" "3"``: it is given what the product said."""
    asked = lazy_regex(rf"{_BEGUN}{re.escape(name)}\"?[ \t][^\n]{{0,300}}?{_GIVEN}", re.MULTILINE)
    return any(asked.search(use.text) for use in tests)


def _is_golden(path: str, tests: Collection[_Used], product: Collection[_Used]) -> bool:
    if any(_leads_to(path, use.named) for use in product):
        return False
    return any(_leads_to(path, use.compared) for use in tests)
