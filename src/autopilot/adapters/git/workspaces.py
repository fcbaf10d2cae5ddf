"""Places for code that are thrown away: clones for agents, two commits for reviewers, exports for verification.

Everything is made beside and renamed into place, so a kill leaves no half place under its name. Files and folders are
readable for everybody (umask 022), since a sandbox may map user ids; the state home above them, 0700, keeps others out.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from autopilot.adapters.files import translated
from autopilot.adapters.git.command import THROW_AWAY, Git, quoted
from autopilot.adapters.git.linking import can_link, count_entries, link_packs, link_tree
from autopilot.adapters.git.packs import Packs
from autopilot.adapters.git.removal import remove_tree
from autopilot.adapters.git.skeleton import lay_out_export, lay_out_workspace
from autopilot.adapters.git.small_checkouts import SmallCheckouts
from autopilot.adapters.git.transport import Load
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.once import Once
from autopilot.adapters.room import usable_bytes
from autopilot.model.errors import AutopilotError
from autopilot.ports.git import Author

_BRANCH = "refs/heads/autopilot"
_NOBODY = Author("Autopilot", "autopilot@localhost")
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)  # a reviewer learns nothing from dates, and the ids stay the same
_DRAFT = re.compile(r"draft-(\d+)-(\w+)(-\d+)?\Z")
_counter = itertools.count()
LARGE_FILES = 2_000


class GitWorkspaces:
    def __init__(
        self, root: Path, vault: GitVault, give_away: Callable[[Path], None], large: int = LARGE_FILES
    ) -> None:
        """``give_away`` makes a finished folder belong to the user that works in it.

        ``large``: from this number of files on, places share what they have in common instead of copying it.
        """
        self._vault = vault
        self._give_away = give_away
        self._large = large
        self._below: dict[str, Path] = {}  # by the name of a clone: the checkout that it is a layer over
        self._latest = ""  # the commit that was exported last
        self._packs = Packs(vault)
        self._checkouts = SmallCheckouts()
        self._named = root / "named"
        self._exports = root / "exports"
        self._passing = root / "passing"  # exports of trees made to be looked at
        self._drafts = root / "drafts"
        self._exporting: Once[Path] = Once()
        with translated(root):
            for folder in (self._named, self._exports, self._passing, self._drafts):
                folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        self._sweep()

    def clone(self, name: str, commit: str, ignored: Sequence[str] = (), *, layered: bool = False) -> Path:
        if layered and self._is_large(commit):
            return self._layer(name, commit, self.export(commit), ignored)
        with self._draft() as draft:
            lay_out_workspace(draft / ".git", _BRANCH, ignored)
            self._fill(draft, Load(commit))
            self._give_away(draft)
            return self._place(draft, name)

    def below(self, name: str) -> Path | None:
        return self._below.get(name)

    def review(self, name: str, base: str, head: str, leave_out: Sequence[str] = (), *, layered: bool = False) -> Path:
        before = self._vault.trees_without(base, leave_out)
        after = self._vault.trees_without(head, leave_out)
        first = self._vault.commit(before, (), "base", _NO_TIME, _NOBODY)
        second = self._vault.commit(after, (first,), "change", _NO_TIME, _NOBODY)
        if not layered or not self._is_large(second):
            return self.clone(name, second)
        # Both commits, and no object besides: what a reviewer must not read is in none of its files.
        place = self._exports / second
        made = place if place.exists() else self._exporting.do(second, lambda: self._export(Load(second), place))
        return self._layer(name, second, made, ())

    def export(self, commit: str, *, kept: bool = True) -> Path:
        for folder in (self._exports, self._passing):
            if (folder / commit).exists():
                return folder / commit
        place = (self._exports if kept else self._passing) / commit
        return self._exporting.do(commit, lambda: self._export(Load(commit, alone=True), place))

    def forget(self, commit: str) -> None:
        place = self._passing / commit
        if place.exists():
            self._remove(place)

    def folder(self, name: str, files: Mapping[str, bytes]) -> Path:
        with self._draft() as draft, translated(draft):
            for path, content in files.items():
                relative = PurePosixPath(path)
                assert not relative.is_absolute() and ".." not in relative.parts, path
                target = draft / relative
                target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod(0o755 if path.endswith(".sh") else 0o644)
            for folder in (draft, *(path for path in draft.rglob("*") if path.is_dir())):
                folder.chmod(0o755)
            self._give_away(draft)
            return self._place(draft, name)

    def free_bytes(self) -> int:
        return usable_bytes(self._named)

    def remove(self, name: str) -> None:
        self._below.pop(name, None)
        place = self._path(name)
        if os.path.lexists(place):
            self._remove(place)

    def remove_all(self) -> None:
        self._remove_in(self._named, self._passing)

    def prune(self) -> None:
        self._latest = ""
        self._remove_in(self._named, self._passing, self._exports)

    def _remove_in(self, *folders: Path) -> None:
        with translated(self._named.parent):
            left = [place for folder in folders for place in folder.iterdir()]
        for place in left:
            self._remove(place)

    def _remove(self, place: Path) -> None:
        """Moved away first: what is half removed never stands under its name."""
        gone = self._drafts / _draft_name()
        with translated(place):
            place.rename(gone)
        remove_tree(gone)

    def _export(self, load: Load, place: Path) -> Path:
        if place.exists():
            return place  # made between the question and our turn
        with self._draft() as draft, translated(place):
            lay_out = lay_out_export if load.alone else lay_out_workspace
            lay_out(draft / ".git", load.want, shared=bool(self._latest))
            if not self._fill_from_latest(draft, load):
                self._fill(draft, load)
            self._give_away(draft)
            draft.rename(place)
        if place.parent == self._exports and load.alone:
            self._latest = load.want
        return place

    def _fill_from_latest(self, draft: Path, load: Load) -> bool:
        """Whether it could be made from the checkout that was made last: what is the same is linked, not written."""
        base, latest = self._exports / self._latest, self._latest
        if not latest or not base.exists() or count_entries(base) < self._large:
            return False
        differing = self._vault.differences(latest, load.want)
        if not can_link(differing):
            return False
        link_tree(base, draft, frozenset(difference.path for difference in differing))
        shutil.copyfile(base / ".git" / "index", draft / ".git" / "index")
        objects = draft / ".git" / "objects"
        if load.alone:
            link_packs(base, draft)
            self._vault.pack(Load(load.want, alone=True, besides=self._vault.tree_of(latest)), objects)
        else:
            self._vault.pack(load, objects)
        git = Git(draft / ".git", draft, THROW_AWAY, umask=0o022, should_stop=self._vault.should_stop)
        shared = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(self._vault.path / "objects")}
        git.with_env(shared).run("read-tree", "-m", "-u", latest, load.want)
        _open_for_all(draft)
        return True

    def _is_large(self, commit: str) -> bool:
        # A folder of ours is mounted there for agents; what the repository has under that name would be hidden.
        files = self._vault.list(commit)
        return len(files) >= self._large and not any(f"{path}/".startswith(".autopilot/") for path in files)

    def _layer(self, name: str, commit: str, below: Path, ignored: Sequence[str]) -> Path:
        """A clone that holds git's own few files: index, objects and everything else show through from ``below``."""
        with self._draft() as draft, translated(draft):
            lay_out_workspace(draft / ".git", _BRANCH, ignored, shared=True)
            (draft / ".git" / _BRANCH).write_text(f"{commit}\n", encoding="utf-8")
            _open_for_all(draft)
            self._give_away(draft)
            place = self._place(draft, name)
        self._below[name] = below
        return place

    def _fill(self, draft: Path, load: Load) -> None:
        git_dir = draft / ".git"
        git = Git(git_dir, draft, THROW_AWAY, umask=0o022, should_stop=self._vault.should_stop)
        self._packs.put(load, git_dir / "objects")
        if not load.alone:
            (git_dir / _BRANCH).write_text(f"{load.want}\n", encoding="utf-8")
            if self._vault.shallow.exists():
                (git_dir / "shallow").write_bytes(self._vault.shallow.read_bytes())
        if not self._checkouts.put(load.want, draft):
            git.run("read-tree", "-m", "-u", load.want)
            self._checkouts.keep(load.want, draft)
        if draft.stat().st_mode & 0o055 != 0o055:
            _open_for_all(draft)  # our own umask took the rights away

    @contextmanager
    def _draft(self) -> Iterator[Path]:
        """A fresh folder, to be renamed when it is whole; nothing stays of one that never was."""
        draft = self._drafts / _draft_name()
        with translated(draft):
            draft.mkdir(mode=0o755)
        try:
            yield draft
        except BaseException:
            with suppress(AutopilotError, FileNotFoundError):
                remove_tree(draft)
            raise

    def _place(self, draft: Path, name: str) -> Path:
        self.remove(name)
        place = self._path(name)
        with translated(place):
            draft.rename(place)
        return place

    def _path(self, name: str) -> Path:
        """One folder name per name, whatever is in it; mounts know neither commas nor colons."""
        escaped = quote(name, safe="")
        assert escaped, "a workspace has a name"
        return self._named / (f"%2E{escaped[1:]}" if escaped.startswith(".") else escaped)

    def _sweep(self) -> None:
        """Remove the drafts of processes that are gone."""
        for draft in self._drafts.iterdir():
            made_by = _DRAFT.match(draft.name)
            if made_by and (not _is_alive(int(made_by[1])) or _is_of_another_life(made_by)):
                remove_tree(draft)


def _open_for_all(folder: Path) -> None:
    folder.chmod(0o755)
    for path in (folder / ".git", *(folder / ".git").rglob("*")):
        path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))


@cache
def _life() -> str:
    """Tells this process from an earlier one of the same number: in a container that is the rule."""
    return os.urandom(4).hex()


def _draft_name() -> str:
    return f"draft-{os.getpid()}-{_life()}-{next(_counter)}"


def _is_of_another_life(draft: re.Match[str]) -> bool:
    return int(draft[1]) == os.getpid() and draft[2] != _life()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
