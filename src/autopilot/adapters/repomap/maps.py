"""The map of a repository, brought up to date by parsing what no earlier map has parsed."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from autopilot.adapters.git.command import Git
from autopilot.adapters.repomap.contents import Wanted
from autopilot.adapters.repomap.listing import TOO_LARGE, Listing, list_tree, list_work_tree
from autopilot.adapters.repomap.pool import parse_in_processes
from autopilot.adapters.repomap.store import FactStore, Key
from autopilot.adapters.repomap.worker import Start
from autopilot.model.repomap.code_map import Refreshed, RepoMap
from autopilot.model.repomap.facts import FileFacts, Problem
from autopilot.repomap.extracting import VERSION
from autopilot.repomap.grammars import cargo_packages, npm_packages
from autopilot.repomap.grammars.table import GRAMMARS
from autopilot.repomap.languages import is_named_minified, language_of

_FEW = 64  # texts that are parsed sooner than a second process is started
_LAST = "last listing"

Progress = Callable[[int, int], None]  # parsed, of how many
_Made = TypeVar("_Made")


def silent(_: int, __: int) -> None:
    pass


class SqliteMaps:
    def __init__(
        self, path: Path, git: Git, root: Path | None, processes: int = 1, progress: Progress = silent
    ) -> None:
        """``root``: of the working tree; None where there is none, as in a vault."""
        self._store = FactStore(path)
        self._git = git
        self._root = root
        self._processes = processes
        self._progress = progress

    def refresh(self, tree: str = "") -> Refreshed:
        listing = self._list(tree)
        return self._made_again(lambda: self._refresh(tree, listing))

    def load(self, tree: str = "", most_linked: int | None = None) -> RepoMap:
        listing = self._list(tree)
        return self._made_again(lambda: self._load(tree, listing, most_linked))

    def _made_again(self, make: Callable[[], _Made]) -> _Made:
        """A cache that was damaged must not end a run, and again at each resume."""
        try:
            return make()
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            self._store.start_over()
            return make()

    def _load(self, tree: str, listing: Listing, most_linked: int | None) -> RepoMap:
        self._refresh(tree, listing)
        is_linked = most_linked is None or len(listing.blobs) <= most_linked
        known = self._store.load(set(_keys(listing).values()), with_links=is_linked)
        files = {path: _facts_of(path, blob, known) for path, blob in listing.blobs.items()}
        return RepoMap(tree, files)

    def last(self) -> Refreshed | None:
        """What the last refresh came to, whatever has changed since; None when there was none."""
        return self._made_again(self._last)

    def _last(self) -> Refreshed | None:
        kept = self._store.kept("last")
        return msgspec.msgpack.decode(kept, type=Refreshed) if kept else None

    def close(self) -> None:
        self._store.close()

    def _list(self, tree: str) -> Listing:
        if tree:
            return list_tree(self._git, tree)
        assert self._root is not None, "without a working tree a commit is named"
        return list_work_tree(self._git, self._root)

    def _refresh(self, tree: str, listing: Listing) -> Refreshed:
        encoded = msgspec.msgpack.encode(listing.blobs)
        digest = hashlib.sha256(encoded + repr(sorted(_versions().items())).encode()).digest()
        kept = self._store.kept(_LAST)
        if kept[:32] == digest and (last := self._last()):
            return msgspec.structs.replace(last, tree=tree, parsed=0, removed=0, changed=0)
        keys = _keys(listing)
        parsed = self._parse(keys)
        before: dict[str, str] = msgspec.msgpack.decode(kept[32:], type=dict[str, str]) if kept else {}
        partial = self._store.partial()
        refreshed = Refreshed(
            tree=tree,
            files=len(listing.blobs),
            parsed=parsed,
            partial=sum(_has_problem(path, blob, keys, partial) for path, blob in listing.blobs.items()),
            removed=len(before.keys() - listing.blobs.keys()),
            changed=sum(before.get(path) != blob for path, blob in listing.blobs.items()),
        )
        self._store.keep(_LAST, digest + encoded)
        self._store.keep("last", msgspec.msgpack.encode(refreshed))
        self._store.prune(set(keys.values()))
        return refreshed

    def _parse(self, keys: dict[str, Key]) -> int:
        known = self._store.known()
        wanted = {
            key: Wanted(key[0], key[1], path if self._root else "") for path, key in keys.items() if key not in known
        }
        if not wanted:
            return 0
        start = Start(self._git.place(), str(self._root or ""))
        total, done = len(wanted), 0
        # However few they are, no text of a stranger's is parsed in this process: it may crash the parser.
        processes = self._processes if total > _FEW else 1
        for rows in parse_in_processes(start, list(wanted.values()), processes):
            self._store.add(rows, _versions())
            done += len(rows)
            self._progress(done, total)
        return total


def _keys(listing: Listing) -> dict[str, Key]:
    """Of the files that are parsed, by path."""
    versions = _versions()
    return {
        path: (blob, language, versions[language])
        for path, blob in listing.blobs.items()
        if (language := language_of(path)) in versions and blob != TOO_LARGE and not is_named_minified(path)
    }


def _facts_of(path: str, blob: str, known: dict[tuple[str, str], FileFacts]) -> FileFacts:
    language = language_of(path)
    if facts := known.get((blob, language)):
        return facts
    if blob == TOO_LARGE:
        return FileFacts(language, problems=(Problem.TOO_LARGE,))
    return FileFacts(language, problems=(Problem.MINIFIED,) if is_named_minified(path) else ())


def _has_problem(path: str, blob: str, keys: dict[str, Key], partial: set[Key]) -> bool:
    return keys[path] in partial if path in keys else blob == TOO_LARGE or is_named_minified(path)


@cache
def _versions() -> dict[str, str]:
    """By language: of our reader, and of the grammar, which may be replaced by another one at any time."""
    versions = {language: f"{VERSION} {_installed(grammar.module)}" for language, grammar in GRAMMARS.items()}
    return {**versions, **dict.fromkeys((npm_packages.LANGUAGE, cargo_packages.LANGUAGE), str(VERSION))}


@cache
def _installed(module: str) -> str:
    try:
        return importlib.metadata.version(module.replace("_", "-"))
    except importlib.metadata.PackageNotFoundError:
        return ""
