"""The map of a whole tree: the facts of its files by path, and how the files hang together."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.model.repomap.facts import FileFacts


class RepoMap(Struct, frozen=True):
    tree: str  # the commit or tree it was made from; "" for a working tree
    files: Mapping[str, FileFacts]  # by path, in the order of the paths


class ImportEdge(Struct, frozen=True, array_like=True, gc=False):
    path: str  # the file that imports
    line: int
    source: str  # as it is spelled there
    names: tuple[str, ...]
    targets: tuple[str, ...]  # files of the project; () when it leads out of it, or could not be resolved
    is_resolved: bool = True  # False: it names a file of the project, and none was found


class CallEdge(Struct, frozen=True, array_like=True, gc=False):
    path: str
    caller: str  # with its owners: "Class.method"; "" outside of any function
    line: int
    callee: str  # with its owners, as its file defines it
    target: str  # the file of the callee
    is_certain: bool = True  # False: by its name alone, because the language does not say which one is meant


class AmbiguousCall(Struct, frozen=True, array_like=True, gc=False):
    """A call of a name that the project defines more than once, where the language does not say which one is meant."""

    path: str
    caller: str
    line: int
    name: str  # as it is called, without a receiver
    candidates: tuple[tuple[str, str], ...]  # each definition with its owners, and its file


class Links(Struct, frozen=True):
    imports: tuple[ImportEdge, ...]
    calls: tuple[CallEdge, ...]
    ambiguous: tuple[AmbiguousCall, ...] = ()


class Refreshed(Struct, frozen=True):
    """What bringing a map up to date came to."""

    tree: str
    files: int
    parsed: int  # texts that were not known before
    partial: int  # files with a problem
    removed: int = 0  # paths that were in the last map and are gone
    changed: int = 0  # paths that are new in it, or have other contents
