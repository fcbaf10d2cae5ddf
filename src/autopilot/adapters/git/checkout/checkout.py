"""The user's own repository. Looked at without a trace; touched only to snapshot, to offer and to land."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.adapters.git.checkout.access import access_refusals
from autopilot.adapters.git.checkout.documents import (
    keep_replaced,
    list_documents,
    read_document,
    write_document,
)
from autopilot.adapters.git.checkout.landing import Landing
from autopilot.adapters.git.checkout.refusals import Committed, read_committed, refusals
from autopilot.adapters.git.checkout.snapshot import save_snapshot
from autopilot.adapters.git.checkout.standing import read_standing
from autopilot.adapters.git.command import DURABLE, Git, failure, shown
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.refs import sync_ref
from autopilot.adapters.git.repository import branch_of, checkouts_on, git_dirs, read_head
from autopilot.adapters.git.settings import Settings, read_settings
from autopilot.adapters.git.transport import Load
from autopilot.adapters.git.vault import GitVault
from autopilot.model.errors import Unavailable, UsageError
from autopilot.model.git import CheckoutFacts, LandingResult, Refusal

_MOST_NAMES = 100


class GitCheckout:
    def __init__(self, repository: Path, vault: GitVault, home: Path | None = None) -> None:
        """``repository``: the top folder of the checkout. ``home``: whose personal ignore rules count."""
        self._path = repository
        self._vault = vault
        self._home = home
        self._own, self._common = git_dirs(repository)
        self._committed: Committed | None = None  # of the commit looked at last

    @property
    def path(self) -> Path:
        return self._path

    def facts(self) -> CheckoutFacts:
        if len(self.head()) != 40:  # no git of ours would read it
            remedy = "run in a repository with SHA-1 ids, which `git init` makes by default"
            refusal = Refusal("repositories with SHA-256 ids are not supported yet", remedy)
            return CheckoutFacts(self.head(), self.branch(), (), planning_ignored=False, refusals=(refusal,))
        settings = self._settings()
        git = self._git(settings)
        standing = read_standing(git)
        committed = self._committed
        if committed is None or committed.commit != standing.head:
            committed = self._committed = read_committed(git, standing.head)
        new_planning_ignored = _new_planning_ignored(git)
        return CheckoutFacts(
            head=standing.head,
            branch=self.branch(),
            dirty=tuple(shown(path) for path in standing.dirty),
            planning_ignored=new_planning_ignored and not _tracks_planning(git),
            new_planning_ignored=new_planning_ignored,
            refusals=(
                *access_refusals(self._path, self._own),
                *refusals(committed, standing.submodule, self._common, settings),
            ),
        )

    def head(self) -> str:
        return read_head(self._own, self._common)

    def resolve(self, name: str) -> str:
        answer = self._git().ask("rev-parse", "--verify", "-q", "--end-of-options", f"{name}^{{commit}}")
        return answer.output.decode().strip() if answer.code == 0 else ""

    def branch(self) -> str:
        return branch_of(self._own).removeprefix("refs/heads/")

    def dirty(self) -> tuple[str, ...]:
        return tuple(shown(path) for path in read_standing(self._git()).dirty)

    def unwritable(self) -> str:
        places = (self._path, self._own, self._common / "objects", self._common / "refs" / "heads")
        return next((str(place) for place in places if place.exists() and not os.access(place, os.W_OK | os.X_OK)), "")

    def untracked(self, folder: str) -> tuple[str, ...]:
        printed = self._git().run("ls-files", "--others", "--exclude-standard", "-z", "--", folder)
        return tuple(shown(path) for path in printed.split(b"\0") if path)

    def tracked(self, *patterns: str) -> tuple[str, ...]:
        printed = self._git().run("ls-files", "-z", "--", *(f":(glob){pattern}" for pattern in patterns))
        return tuple(shown(path) for path in printed.split(b"\0") if path)

    def read(self, path: str) -> bytes | None:
        return read_document(self._path, path)

    def list(self, folder: str) -> tuple[str, ...]:
        return list_documents(self._path, folder)

    def snapshot(self) -> str:
        with translated(self._path):
            return save_snapshot(self._git(), self._vault.path)

    def land(self, old: str, new: str, *, beside: bool = False) -> LandingResult:
        with translated(self._path):
            return self._landing(beside=beside).land(old, new)

    def blockers(self, old: str, new: str) -> LandingResult:
        with translated(self._path):
            return self._landing().blockers(old, new)

    def offer(self, name: str, commit: str) -> str:
        """A branch the user has built upon or stands on is left alone; the offer then gets a number."""
        wanted = "autopilot/" + (re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "run")
        git = self._git()
        self._vault.send(Load(commit, self._shared()), git)
        for number in range(1, _MOST_NAMES):
            short = wanted if number == 1 else f"{wanted}-{number}"
            branch = f"refs/heads/{short}"
            before = git.ask("rev-parse", "--verify", "-q", branch).output.decode().strip()
            if before and not self._may_move(branch, before, commit):
                continue
            answer = git.ask("update-ref", "-m", "autopilot: offer", branch, commit, before or "0" * 40)
            if answer.code != 0:
                raise failure(["update-ref"], answer.complaint)
            sync_ref(self._common, branch)
            return short
        raise Unavailable(f"{_MOST_NAMES} branches named {wanted} exist", "Delete those you do not need.")

    def write_documents(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        roots = {path.partition("/")[0] for path in files}
        if roots - {".autopilot", ".planning"}:
            hint = "Documents are written below .planning/ and .autopilot/ only."
            raise UsageError(f"{', '.join(sorted(files))} cannot all be written", hint)
        if ".planning" in roots and not _planning_ignored(self._git()):
            hint = "Commit them, or let a run land them."
            raise UsageError(".planning is not ignored by git: its documents arrive by landing", hint)
        if self.read(".autopilot/.gitignore") is None:
            write_document(self._path, ".autopilot/.gitignore", b"*\n")
        left = []
        for path, content in files.items():
            if not path.startswith(".planning/phases/") or keep_replaced(self._path, path, content):
                write_document(self._path, path, content)
            else:
                left.append(path)
        return tuple(left)

    def _settings(self) -> Settings:
        return read_settings(isolated_git(self._path, self._vault.path), self._own, self._common, self._home)

    def _git(self, settings: Settings | None = None) -> Git:
        """Made anew for each use: what the user configured meanwhile counts."""
        overrides = (settings or self._settings()).overrides
        return isolated_git(self._path, self._vault.path, {**DURABLE, **overrides})

    def _landing(self, *, beside: bool = False) -> Landing:
        return Landing(self._git(), self._own, self._common, self._vault, beside=beside)

    def _shared(self) -> tuple[str, ...]:
        head = self.head()
        return (head,) if self._vault.has(head) else ()

    def _may_move(self, branch: str, before: str, commit: str) -> bool:
        taken = branch_of(self._own) == branch or checkouts_on(branch, self._own, self._common)
        if taken:
            return before == commit
        return self._vault.has(before) and self._vault.is_ancestor(before, commit)


def _planning_ignored(git: Git) -> bool:
    """Whether nothing of it is committed and nothing is to be: some add a folder that they ignore with `git add -f`."""
    return _new_planning_ignored(git) and not _tracks_planning(git)


def _new_planning_ignored(git: Git) -> bool:
    return git.ask("check-ignore", "-q", "--no-index", "--", ".planning/ROADMAP.md").code == 0


def _tracks_planning(git: Git) -> bool:
    return bool(git.run("ls-files", "-z", "--", ".planning"))
