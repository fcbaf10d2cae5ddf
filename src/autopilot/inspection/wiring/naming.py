"""Does one text name another file, in any of the ways its language has for it?

Known ways: the file's name or path with its extension, in any text; Python's imports, absolute and relative, and dotted
names in settings; specifiers without extension in JavaScript and style sheets; ``mod x;`` in Rust; ``#include`` of a C
source's header; Go's folders, whose files see each other without an import; the name itself where types need no import.
A name alone is no reference: `status` is a word in every other file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.inspection.wiring.standalone import FAMILIES, FAMILY_OF
from autopilot.text.file_kind import is_test, suffix_of
from autopilot.text.python_imports import Import, imported

_RUN = 200  # how far to the left a path is followed
_OCCURRENCES = 1000  # of a name in one text; a text that names it so often and never refers to it will not after more
_PATH_CHARS = frozenset("/.@~-_:\\#")
_DOCUMENTS = frozenset({".md", ".mdx", ".rst", ".txt", ".adoc", ".html"})
_BUILD_FILES = re.compile(r"(?:GNU)?[Mm]akefile|CMakeLists\.txt|.*\.(?:mk|cmake|gyp|gypi|bazel)|meson\.build|BUILD")
_COMPONENTS = frozenset({".vue", ".svelte", ".astro"})
# A text with one of these may load files that it does not name in full.
_LOADERS = {
    "python": ("_modules(", "_packages(", "import_module(", "__import__("),
    "js": (".glob(", "require.context(", "import(", "require(`", 'require("./', "require('./"),
}
_PLACED = re.compile(
    r"(?:\.glob|require\.context)\(\s{0,20}\[?\s{0,20}[\"'`](?P<glob>[^\"'`\n]{1,200})[\"'`]"
    r"|\b(?:import|require)\(\s{0,20}(?:`(?P<template>[^`$\n]{1,200}/)\$\{|[\"'](?P<sum>[^\"'\n]{1,200}/)[\"']\s{0,20}\+)"
)
_ROOTS = ((), ("src",), ("lib",), ("app",))


class Target(Struct, frozen=True):
    path: str
    folder: tuple[str, ...]
    stem: str
    family: str
    needles: tuple[str, ...]  # a text without any of them need not be looked at
    in_package: bool = False  # Python: the folder is a package, so that a bare `import stem` means something else
    is_joined: bool = False  # Go: others in its folder already make the package

    @classmethod
    def of(cls, path: str, texts: Mapping[str, str]) -> Target:
        pure = PurePosixPath(path)
        family = FAMILY_OF[suffix_of(path)]
        folder = pure.parts[:-1]
        stem = pure.stem.lstrip("_") if family == "style" else pure.stem
        joined = family == "go" and any(_is_peer(path, other) for other in texts)
        return cls(
            path, folder, stem, family, _needles(pure, stem, family), f"{pure.parent}/__init__.py" in texts, joined
        )


class Source:
    """A text that may refer to others; what is asked of it for every target is worked out once."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def imports(self) -> frozenset[Import]:
        return frozenset(imported(self.text))

    @cached_property
    def loads(self) -> frozenset[str]:
        """The families of which it may load files without naming them in full."""
        return frozenset(family for family, marks in _LOADERS.items() if any(mark in self.text for mark in marks))


def names(target: Target, source: Source) -> bool:
    path, text = source.path, source.text
    if target.family not in source.loads and not any(needle in text for needle in target.needles):
        return False
    if any(_at(target, path, text, start) for start in _places(target.stem, text)):
        return True
    same = FAMILY_OF.get(suffix_of(path), "") == target.family
    match target.family:
        case "python":
            return same and (_imports(target, source) or _is_loaded_by_name(target, source))
        case "rust":
            return same and re.search(rf"\bmod\s+(?:r#)?{re.escape(target.stem)}\s*;", text) is not None
        case "go":
            return same and re.search(rf"/{re.escape(target.folder[-1] if target.folder else '')}\"", text) is not None
        case "c":
            return _is_globbed(target, path, text)
        case "named":
            return suffix_of(path) not in _DOCUMENTS and _is_spoken(target, text)
        case "js":
            return _is_tagged(target, text) or _is_loaded_by_place(target, path, text)
    return False


def _places(word: str, text: str) -> Iterator[int]:
    """Where the word stands by itself. A pattern with look-behind takes ten times as long on a large tree."""
    start = text.find(word)
    for _ in range(_OCCURRENCES):
        if start < 0:
            return
        end = start + len(word)
        if not text[start - 1 : start].isalnum() and not (text[end : end + 1].isalnum() or text[end : end + 1] == "_"):
            yield start
        start = text.find(word, end)


def _at(target: Target, source: str, text: str, start: int) -> bool:
    """A name at this place: with its extension, dotted after its package, or quoted as a specifier."""
    begin, end = start, start + len(target.stem)
    while begin > max(0, start - _RUN) and (text[begin - 1].isalnum() or text[begin - 1] in _PATH_CHARS):
        begin -= 1
    left = text[begin:start]
    if target.family == "style":
        left = left.removesuffix("_")
    if left and left[-1] not in "/.\\:":
        return False
    if _has_extension(target, text, end):
        return _leads_to(target.folder, left.replace("\\", "/").rpartition(":")[2], source)
    if target.family == "python":
        dotted = tuple(part for part in re.split(r"[.:]+", left) if part)
        return "/" not in left and bool(dotted) and target.folder[-len(dotted) :] == dotted
    if target.family in {"js", "style"} and suffix_of(source) not in _DOCUMENTS:
        opening, closing = text[begin - 1 : begin], text[end : end + 1]
        if opening and opening in "\"'`" and closing in {opening, "?"}:
            # A bare name is a package to JavaScript, a neighbour to a style sheet.
            near = _ROOTS if target.family == "js" else (*_ROOTS, tuple(source.split("/")[:-1]))
            return _leads_to(target.folder, left, source) if left else target.folder in near
    return False


def _has_extension(target: Target, text: str, end: int) -> bool:
    """Any extension of the family: `./a.js` is a.ts to a compiler, and a C source is known by its header."""
    found = re.compile(r"\.\w+(?![\w-])").match(text, end)
    return found is not None and found[0].lower() in FAMILIES[target.family]


def _leads_to(folder: tuple[str, ...], left: str, source: str) -> bool:
    """Whether ``left`` names this folder: exactly when it is relative, by its last name when it starts elsewhere."""
    if left.startswith("."):
        here, target = posixpath.dirname(source), "/".join(folder) or "."
        return target in {posixpath.normpath(posixpath.join(here, left)), posixpath.normpath(left)}
    parts = [part for part in left.split("/") if part and part[0] not in "@~#"]
    if not parts:
        return not left or folder in _ROOTS
    return bool(folder) and parts[-1] == folder[-1]


def _imports(target: Target, source: Source) -> bool:
    module, here = (*target.folder, target.stem), tuple(source.path.split("/")[:-1])
    for dots, named in source.imports:
        if dots:
            if (*here[: len(here) - dots + 1], *named) == module:
                return True
        elif len(named) > 1:
            if module[-len(named) :] == named:
                return True
        elif named == (target.stem,) and (here == target.folder or not target.in_package):
            return True
    return False


def _is_globbed(target: Target, source: str, text: str) -> bool:
    """A build file that takes every source of a kind takes this one."""
    suffix = suffix_of(target.path)
    if suffix.startswith(".h") or not _BUILD_FILES.fullmatch(posixpath.basename(source)):
        return False
    return f"*{suffix}" in text


def _is_spoken(target: Target, text: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in {target.stem, _camel(target.stem)})


def _is_tagged(target: Target, text: str) -> bool:
    if suffix_of(target.path) not in _COMPONENTS:
        return False
    return any(re.search(rf"<{re.escape(name)}[\s/>]", text) for name in {_camel(target.stem), _kebab(target.stem)})


def _is_loaded_by_name(target: Target, source: Source) -> bool:
    """``import_module(f"package.{name}")``, or a walk over the package's modules from within it or beside it."""
    if not target.folder or "python" not in source.loads:
        return False
    package = re.escape(target.folder[-1])
    if re.search(rf"[\"'.]{package}\.(?:\{{|[\"'])", source.text):
        return True
    here = tuple(source.path.split("/")[:-1])
    return (
        here in {target.folder, target.folder[:-1]}
        and re.search(r"\b(?:(?:iter|walk)_(?:modules|packages)|import_module)\(", source.text) is not None
    )


def _is_loaded_by_place(target: Target, source: str, text: str) -> bool:
    """``import.meta.glob("./x/*.ts")``, ``require.context("./x")``, ``import(`./x/${name}`)``."""
    for found in _PLACED.finditer(text):
        fixed = found[found.lastgroup or 0]
        fixed = fixed.partition("*")[0].rpartition("/")[0] if "*" in fixed else fixed
        here = posixpath.normpath(posixpath.join(posixpath.dirname(source), fixed.lstrip("/")))
        if f"{target.path}/".startswith(f"{here}/"):
            return True
    return False


def _needles(path: PurePosixPath, stem: str, family: str) -> tuple[str, ...]:
    if family == "named":
        return stem, _camel(stem)
    if path.suffix in _COMPONENTS:
        return stem, _camel(stem), _kebab(stem)
    if family == "c":
        return stem, f"*{path.suffix}"
    return (stem, f"/{path.parent.name}") if family == "go" else (stem,)


def _is_peer(path: str, other: str) -> bool:
    same_folder = posixpath.dirname(other) == posixpath.dirname(path)
    return other != path and same_folder and other.endswith(".go") and not is_test(other)


def _camel(stem: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[_\-.]+", stem))


def _kebab(stem: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_.]", "-", stem).lower()
