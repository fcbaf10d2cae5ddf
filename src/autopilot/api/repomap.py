"""The repository map: opened for a checkout, exported as a document. It needs no roadmap and no run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.git.checkout.documents import write_document
from autopilot.adapters.git.command import DURABLE, Git
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.repository import git_dirs
from autopilot.adapters.git.settings import read_settings as read_git_settings
from autopilot.adapters.home import open_home
from autopilot.adapters.repomap.maps import Progress, SqliteMaps, silent
from autopilot.adapters.repomap.word_search import GitWordSearch
from autopilot.api.assembly import Repository
from autopilot.ports.word_search import WordSearch
from autopilot.repomap.document import MOST_LINES, render_document
from autopilot.repomap.excerpt import render_excerpt
from autopilot.repomap.linking import link
from autopilot.repomap.queries import Found, Query
from autopilot.repomap.relevance import Topic, order_files, weigh_stems
from autopilot.settings.reading import Settings

EXPORTED = ".autopilot/repo-map.json"


def open_maps(
    repository: Repository, settings: Settings, processes: int = 0, progress: Progress = silent
) -> SqliteMaps:
    """``processes``: 0 for as many as this machine has processors."""
    home = open_home(settings.state, repository.git_directory)
    git = git_of(repository, settings)
    return SqliteMaps(home.repomap, git, repository.path, processes or len(os.sched_getaffinity(0)), progress)


def search_words(repository: Repository, settings: Settings) -> WordSearch:
    return GitWordSearch(git_of(repository, settings))


def git_of(repository: Repository, settings: Settings) -> Git:
    scratch = open_home(settings.state, repository.git_directory).root / "repomap.git"
    own, common = git_dirs(repository.path)
    personal = settings.environment.get("HOME")
    git = isolated_git(repository.path, scratch)
    overrides = read_git_settings(git, own, common, None if personal is None else Path(personal)).overrides
    return isolated_git(repository.path, scratch, {**DURABLE, **overrides})


def export_map(repository: Repository, maps: SqliteMaps, tree: str, most_lines: int = MOST_LINES) -> str:
    loaded = maps.load(tree)
    now = SystemClock().now().isoformat(timespec="seconds")
    return render_document(loaded, link(loaded.files), str(repository.path), now, most_lines)


def write_map(repository: Repository, text: str) -> None:
    """A projection for people and agents, in the folder that ignores itself."""
    write_document(repository.path, ".autopilot/.gitignore", b"*\n")
    write_document(repository.path, EXPORTED, text.encode())


def answer_document(query: Query, name: str, found: Sequence[Found]) -> dict[str, Any]:
    """`repomap query --json`"""
    document = {"query": query.value, "name": name, "found": msgspec.to_builtins(found)}
    if query in (Query.CALLERS_OF, Query.CALLEES_OF):
        document["unresolved_calls"] = sum(call.meanings > 1 for call in found)
    return document


def top_document(
    repository: Repository, settings: Settings, maps: SqliteMaps, topic: Topic, tokens: int, commit: str = ""
) -> dict[str, Any]:
    """`repomap top --json`"""
    files = maps.load(commit).files
    stems = weigh_stems(topic)
    counts = search_words(repository, settings).count(tuple(stems), commit)
    excerpt = render_excerpt(files, order_files(files, link(files), topic, counts), tokens, stems)
    return {"tokens": excerpt.tokens, "files": excerpt.files, "text": excerpt.text}
