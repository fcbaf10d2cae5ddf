"""Which of a task's changes are its implementation, and which are the evidence that it works."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from autopilot.model.git import Change
from autopilot.text.file_kind import is_ours, is_protocol, is_test, suffix_of

_GITLINK = "160000"
_DOCUMENTS = frozenset({".md", ".mdx", ".rst", ".adoc", ".org", ".tex", ".pdf"})
_MADE = frozenset({".map", ".lock", ".log", ".snap", ".pyc", ".tsbuildinfo", ".orig", ".patch", ".diff"})
# A module may be called so too: `licence.py` is code.
_SOURCES = frozenset(
    suffix
    for line in (
        ".py .pyi .pyx .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .go .rs .java .kt .scala .swift .c .h",
        ".cc .cpp .hpp .m .cs .fs .rb .php .pl .pm .lua .ex .exs .erl .clj .hs .ml .dart .r .jl .sh .bash",
        ".zsh .sql .zig .nim",
    )
    for suffix in line.split()
)
_ABOUT = re.compile(
    r"(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CODEOWNERS|CHANGELOG|CHANGES)(?:\..*)?|"
    r"\.(?:gitignore|gitattributes|gitkeep|editorconfig|dockerignore|npmignore|mailmap)|\.DS_Store",
    re.IGNORECASE,
)


class Split(Struct, frozen=True):
    implementation: tuple[str, ...] = ()  # taken back, the evidence must turn red
    tests: tuple[str, ...] = ()  # stays as it is while the implementation is taken back
    rest: tuple[str, ...] = ()  # documents and by-products: no test runs them


def split(changes: Sequence[Change], is_control: Callable[[str], bool], named: Collection[str]) -> Split:
    """``named`` are the files that the criterion's own command names as tests.

    Code that a program made (``dist/``, ``*_pb2.py``) counts as implementation: where tests run against it, taking back
    only what it was made from would leave everything green. Text that agents follow is implementation as well.
    """
    files: dict[str, list[str]] = {"implementation": [], "tests": [], "rest": []}
    spelled = {path.removeprefix("./") for path in named}
    for change in changes:
        path = change.path
        if is_ours(path) or _GITLINK in {change.old_mode, change.new_mode}:
            files["rest"].append(path)
        elif path in spelled or is_test(path) or is_control(path):
            files["tests"].append(path)
        else:
            files["rest" if _is_beside(path) else "implementation"].append(path)
    return Split(tuple(files["implementation"]), tuple(files["tests"]), tuple(files["rest"]))


def _is_beside(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if is_protocol(path):
        return False
    if suffix_of(path) == ".txt":  # data of the product, unless it stands with the documents
        return folder.partition("/")[0] in {"doc", "docs"} or name.lower().startswith("readme")
    suffix = suffix_of(path)
    return suffix in _DOCUMENTS | _MADE or (suffix not in _SOURCES and _ABOUT.fullmatch(name) is not None)
