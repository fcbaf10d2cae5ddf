"""Facts about commits and trees, independent of git itself."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct

ChangeStatus = Literal["A", "M", "D", "T"]  # added, modified, deleted, made into another kind of file: as git says it


class Change(Struct, frozen=True):
    """One path that differs between two trees."""

    path: str
    status: ChangeStatus
    old_mode: str
    new_mode: str
    is_exact: bool = True  # False where the name is not UTF-8: the path shows it escaped, and no file has that name


class LogEntry(Struct, frozen=True):
    """One commit of a history."""

    sha: str
    subject: str
    tree: str


class Merge(Struct, frozen=True):
    """What two commits make together. Conflicted text stands in the tree with both versions between markers.

    Other conflicts leave no mark in any file: only ``conflicts`` names them.
    """

    tree: str  # "" when refused
    conflicts: tuple[str, ...] = ()  # paths, sorted
    reasons: tuple[str, ...] = ()  # git's own words about each conflict
    refused: str = ""  # why there is nothing to merge

    @property
    def clean(self) -> bool:
        return not self.conflicts and not self.refused


class LandingState(StrEnum):
    LANDED = "landed"
    NOT_CLEAN = "not clean"
    UNTRACKED = "untracked files"  # where the landing would write
    IN_PROGRESS = "in progress"  # a merge, a rebase or the like
    LOCKED = "locked"  # the index, by another git
    TWO_WORKTREES = "two worktrees"  # have the branch checked out
    BRANCH_MOVED = "branch moved"
    DETACHED = "detached"
    OTHER_BRANCH = "other branch"


class LandingResult(Struct, frozen=True):
    state: LandingState
    because: str = ""
    paths: tuple[str, ...] = ()


REPLACED = ".autopilot/archive/replaced"  # what our documents take the place of
DETACHED_HEAD = "HEAD is detached: nothing can land"
SWITCH = "`git switch BRANCH` before the run"


class Refusal(Struct, frozen=True):
    """Why no run can be made in a repository, and what to do about it."""

    reason: str
    remedy: str


class CheckoutFacts(Struct, frozen=True):
    """The user's checkout as it stood when we looked."""

    head: str
    branch: str  # "" when HEAD is detached
    dirty: tuple[str, ...]  # tracked paths that differ from HEAD, or staged
    planning_ignored: bool  # and nothing of it is committed
    refusals: tuple[Refusal, ...]  # submodules, LFS
    new_planning_ignored: bool = False  # what is new there has to be added with -f, whether some is committed or not
