"""Paths that a document names and the repository does not have.

Rather silent than wrong. What counts as a path:
- `a/b.md` in back-quotes with a slash and a known extension;
- `a/b/` or `a/b/c` without one, when the folder it should be in is there (so `origin/main` and `and/or` are words);
- a bare `name.md`, unless it is all capitals: PLAN.md and its like are made by a run;
- the target of a Markdown link that is neither an address nor an anchor.
Left alone: globs, placeholders (`{x}`, `<x>`, `NN`, `path/to/…`), addresses, command lines, absolute and home paths,
folders that tools fill, what a sentence calls an example or says is written, and everything in code fences.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import scan_lines

_SPAN = lazy_regex(r"(?<!`)`([^`\n]{1,300})`(?!`)")
_LINK = lazy_regex(r"(?<!\\)\]\(<?([^()\s<>]{1,300})>?(?:\s+\"[^\"\n]{0,200}\")?\)")
_PATH = lazy_regex(r"(?:\.{1,2}/)*\.?\w[\w.+-]*(?:/\.?\w[\w.+-]*)*/?")
_LINE_SUFFIX = lazy_regex(r"(?::\d{1,9}(?:[-,]\d{1,9}){0,20}|#[\w.-]{0,200}){1,3}\Z")
_EXTENSION = lazy_regex(
    r"\.(?:mdx?|mdc|rst|txt|jsonc?|jsonl|ya?ml|toml|ini|cfg|csv|py|pyi|[cm]?[jt]s|[jt]sx|vue|svelte|go|rs|c|cc|cpp|h|hpp|"
    r"java|kt|cs|rb|php|swift|scala|dart|lua|ex|sh|bash|sql|css|scss|html?|xml|svg|png|proto|graphql|tf)\Z"
)
_PLACEHOLDER = lazy_regex(
    r"__[A-Z_]+__|(?<![A-Za-z])(?:N{1,3}|X{1,4}|YYYY|MM|DD|HH)(?![A-Za-z])|\bpath/to/|\b(?:foo|bar|baz|qux)\b|\bexamples?\b|"
    r"\b(?:your|my)-"
)
_FILLED_BY_TOOLS = frozenset(
    {
        ".planning",
        ".autopilot",
        ".git",
        ".venv",
        "venv",
        "node_modules",
        "dist",
        "build",
        "out",
        "target",
        "coverage",
        "tmp",
        "temp",
        "__pycache__",
        ".cache",
    }
)
# In front of a span: an example, or a file that does not exist until the sentence is obeyed.
_UNREAL = lazy_regex(
    r"(?:\be\.g\.|\bexamples?\b|\bsuch as\b|\blike\b|\b(?:writ|creat|sav|append|generat|produc|emit|stor|renam|delet|"
    r"remov)(?:e|es|ing|ed|s|ten)?\b[^`.;]{0,40})[^`.;]{0,20}\Z",
    re.IGNORECASE,
)


def cross_references(path: str, text: str, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """``exists`` answers for files and folders, relative to the repository's root; see ``known_paths``."""
    found: list[str] = []
    for number, named in _named(text):
        if named.startswith("../") and posixpath.normpath(_beside(path, named)).startswith(".."):
            continue  # outside the repository: not ours to see
        if _is_claim(named, path, exists) and not _is_there(named, path, exists):
            found.append(f"{path}:{number}: `{named}` does not exist")
    return tuple(dict.fromkeys(found))


def known_paths(paths: Iterable[str]) -> Callable[[str], bool]:
    """An ``exists`` for a tree: files and folders, also by the end of their path, for documents name files from the
    package that they are about."""
    known: set[str] = set()
    for path in paths:
        parts = path.split("/")
        for end in range(len(parts), 0, -1):
            if "/".join(parts[:end]) in known:
                break  # so is everything above
            known.update("/".join(parts[start:end]) for start in range(end))
    return known.__contains__


def _named(text: str) -> Iterator[tuple[int, str]]:
    for line in scan_lines(text):
        if line.hidden:
            continue
        for span in _SPAN.finditer(line.text):
            if not _UNREAL.search(line.text[max(0, span.start() - 80) : span.start()]):
                yield from ((line.number, named) for named in _as_path(span[1].strip()))
        for link in _LINK.finditer(_SPAN.sub("", line.text)):
            target = unquote(link[1])
            if not re.match(r"[a-z][a-z0-9+.-]*:|[#/]", target, re.IGNORECASE):
                yield from ((line.number, named) for named in _as_path(target))


def _as_path(span: str) -> Iterator[str]:
    bare = _LINE_SUFFIX.sub("", span)
    if not _PATH.fullmatch(bare) or _PLACEHOLDER.search(bare) or ".." in bare.replace("../", ""):
        return
    if _FILLED_BY_TOOLS.isdisjoint(bare.split("/")):
        yield bare


def _is_claim(named: str, path: str, exists: Callable[[str], bool]) -> bool:
    """Whether the words mean a file of this repository rather than something that only looks like one."""
    if _EXTENSION.search(named):
        return "/" in named or (named.endswith((".md", ".mdc")) and not _is_shouted(named))
    if named.startswith("."):
        return "/" in named.lstrip("./")
    above = posixpath.dirname(named.rstrip("/"))
    return (named.endswith("/") or "/" in above) and bool(above) and _is_there(above, path, exists)


def _is_there(named: str, path: str, exists: Callable[[str], bool]) -> bool:
    places = (named, _beside(path, named))
    return any(exists(place) for place in map(posixpath.normpath, places) if not place.startswith(".."))


def _is_shouted(name: str) -> bool:
    first = name.partition(".")[0]
    return first == first.upper()


def _beside(path: str, named: str) -> str:
    return posixpath.join(posixpath.dirname(path), named)
