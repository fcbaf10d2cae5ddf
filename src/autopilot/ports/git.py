"""Git in three places: our vault, throw-away clones, the user's checkout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from autopilot.model.git import Change, CheckoutFacts, LandingResult, LogEntry, Merge


class Author(Struct, frozen=True):
    name: str
    email: str


class Vault(Protocol):
    """Our own bare repository with our own configuration. All judgement about code is made here."""

    @property
    def path(self) -> Path: ...

    def adopt(self, commit: str) -> None:
        """Bring a commit of the user's repository in, with its history."""

    def take(self, clone: Path, keep_as: str) -> str | None:
        """Fetch HEAD of an agent's clone under the ref ``keep_as``. None when HEAD cannot be resolved or fetched.

        Never runs anything the clone's configuration or hooks name.
        """

    def branches_of(self, clone: Path, without: str) -> tuple[str, ...]:
        """Branches of an agent's clone that stand at another commit than ``without``; nothing is fetched or run."""

    def commit(self, tree: str, parents: Sequence[str], message: str, time: datetime, author: Author) -> str:
        """Make a commit. The same arguments give the same id, so making it again makes nothing new."""

    def edit_tree(self, base: str, edits: Mapping[str, bytes | None]) -> str:
        """The tree of ``base`` (a commit or tree) with these paths written (mode kept, 644 when new; 755 for ``.sh``)
        or, when None, removed."""

    def tree_of(self, commit: str) -> str: ...

    def tree_without(self, commit: str, prefix: str) -> str:
        """The tree of a commit with everything under ``prefix`` left out (to compare what lies outside it)."""

    def read(self, commit: str, path: str) -> bytes | None:
        """A file's bytes at a commit; None when it is not there or not a file."""

    def read_link(self, commit: str, path: str) -> bytes | None:
        """Where a symbolic link leads at a commit, as it is spelled; None when it is not there or not a link."""

    def list(self, commit: str, prefix: str = "") -> tuple[str, ...]:
        """Paths of all files below ``prefix``."""

    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        """What differs, renames shown as delete and add; of more than ``most`` any so many."""

    def patch(self, old: str, new: str, limit: int = 400_000) -> str:
        """The diff as text, cut at ``limit`` with a line that says so; no external diff, no text conversion."""

    def diff_stat(self, old: str, new: str, leave_out: str = "") -> str:
        """ "2 files changed, 3 insertions(+), 1 deletion(-)"; parts that are zero left out, "" when nothing differs.

        ``leave_out``: a folder whose changes do not count.
        """

    def log(self, old: str, new: str, most: int = 500) -> tuple[LogEntry, ...]:
        """The commits after ``old`` to ``new``, oldest first, along first parents; of more than ``most`` the newest."""

    def merge(self, ours: str, theirs: str) -> Merge:
        """Merge two commits into a tree; making a commit of it is the caller's. The same commits give the same tree.

        What git cannot join without choosing is a conflict, never a choice. Nothing the trees name is run.
        """

    def is_ancestor(self, old: str, new: str) -> bool: ...

    def has(self, commit: str) -> bool: ...

    def ref(self, name: str) -> str | None: ...

    def set_ref(self, name: str, new: str, old: str | None = None) -> None:
        """Move a ref, comparing with ``old`` first when given (40 zeros: must not exist)."""

    def refs(self, prefix: str) -> Mapping[str, str]: ...

    def anchor(self, name: str, text: str) -> None:
        """Keep a short text under ``refs/autopilot/anchors/<name>``."""

    def anchored(self, name: str) -> str | None: ...


class Workspaces(Protocol):
    """Places for code that are thrown away. Every call makes a fresh one; an old one of that name is removed first."""

    def clone(self, name: str, commit: str, ignored: Sequence[str] = (), *, layered: bool = False) -> Path:
        """A full clone of the vault for an agent, on branch ``autopilot`` at ``commit``: no hard links, no remote.

        ``ignored``: patterns of what git shall not add there, besides those of the repository. ``layered``: one of a
        large repository may be an upper layer alone, with that commit and no older one; see ``below``.
        """

    def below(self, name: str) -> Path | None:
        """The checkout that has to be shown below a clone, read-only; None where the clone is whole."""

    def review(self, name: str, base: str, head: str, leave_out: Sequence[str] = (), *, layered: bool = False) -> Path:
        """A clone with two commits only, the base and one squashed change with a neutral subject."""

    def export(self, commit: str, *, kept: bool = True) -> Path:
        """A shallow checkout of one commit, ours alone. Reused: the same commit is exported once.

        Not ``kept``, of a tree made to be looked at, it stays until ``forget``, or until a next process finds it.
        """

    def forget(self, commit: str) -> None:
        """Remove a checkout that was not to be kept; nothing where there is none."""

    def folder(self, name: str, files: Mapping[str, bytes]) -> Path:
        """A plain folder with these files, to be mounted read-only."""

    def remove(self, name: str) -> None: ...

    def remove_all(self) -> None:
        """What a killed process left behind: clones and homes with credentials under any name, exports not to be kept.

        Only when no step is in progress.
        """

    def prune(self) -> None:
        """All of it, exports that were kept too: the next run makes those it needs anew. Only when none is at work."""

    def free_bytes(self) -> int:
        """How much room is left where workspaces are made; 0 when no more files can be made there."""


class Checkout(Protocol):
    """The user's own repository. Touched only to snapshot and to land."""

    @property
    def path(self) -> Path: ...

    def facts(self) -> CheckoutFacts:
        """All that decides whether a run can be made here. The questions below are each a cheap part of it."""

    def head(self) -> str:
        """The commit HEAD names; "" when there is none yet."""

    def resolve(self, name: str) -> str:
        """The commit that a branch, tag or other name of the user's means; "" where it means none."""

    def branch(self) -> str:
        """The short name of the branch HEAD is on; "" when it is detached."""

    def dirty(self) -> tuple[str, ...]:
        """Tracked paths that differ from HEAD."""

    def unwritable(self) -> str:
        """A place of the checkout or its repository where landing could not write; "" where there is none."""

    def untracked(self, folder: str) -> tuple[str, ...]:
        """Files below a folder that git neither tracks nor ignores."""

    def tracked(self, *patterns: str) -> tuple[str, ...]:
        """Files that git tracks and that match one of these patterns, in which ``*`` stays within a folder."""

    def read(self, path: str) -> bytes | None:
        """A file of the working tree, repository-relative; None when absent. Symbolic links out of it are refused."""

    def list(self, folder: str) -> tuple[str, ...]:
        """Repository-relative paths of the files below a folder of the working tree; empty when it is not there."""

    def snapshot(self) -> str:
        """Save index, tree and untracked files under ``refs/autopilot/wip/<n>``; return that ref.

        "" when there is nothing uncommitted. The index, the tree and the stash are not touched.
        """

    def land(self, old: str, new: str, *, beside: bool = False) -> LandingResult:
        """Move the user's branch and checkout from ``old`` to ``new`` (objects come from the vault), or say why not.

        Calling it again after a kill at any instant finishes what was begun or undoes it; nothing of the user's
        is overwritten. ``beside``: changes in files that do not land may stay, staged or not.
        """

    def blockers(self, old: str, new: str) -> LandingResult:
        """What ``land`` would say now, without doing it (state LANDED means nothing is in the way)."""

    def offer(self, name: str, commit: str) -> str:
        """Set ``refs/heads/autopilot/<name>`` to a commit of the vault; return the short branch name."""

    def write_documents(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        """Write files by atomic rename: only where ``.planning`` is ignored by git, and for ``.autopilot/``.

        What stands in the place of a phase's document is kept; where it cannot be, it is not replaced. Returns the
        paths of those that were not written for that.
        """
