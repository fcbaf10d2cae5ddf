"""Landing: the user's branch and files move from one commit to another, and nothing of the user's is overwritten.

The order is fixed. A note of what is begun, then git's own lock of the index with our words in it, then files, then
index, then branch, then lock and note go. Killed anywhere, the note and the lock say that the half-done work is ours;
the next call looks at each path and goes on or goes back. While the lock stands, no other git changes the index.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.adapters.git.checkout.collisions import collisions
from autopilot.adapters.git.checkout.halfway import Halfway, look
from autopilot.adapters.git.checkout.locked_index import LockedIndex
from autopilot.adapters.git.checkout.note import Note, Notebook
from autopilot.adapters.git.checkout.snapshot import on_index_copy, save_snapshot
from autopilot.adapters.git.checkout.standing import read_standing
from autopilot.adapters.git.checkout.syncing import sync_changes
from autopilot.adapters.git.command import Git, failure, quoted, shown
from autopilot.adapters.git.differences import Difference
from autopilot.adapters.git.refs import remove_dead_lock, sync_ref
from autopilot.adapters.git.repository import branch_of, checkouts_on
from autopilot.adapters.git.transport import Load
from autopilot.adapters.git.vault import GitVault
from autopilot.model.git import LandingResult, LandingState

_LANDED = LandingResult(LandingState.LANDED)
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}


class Landing:
    def __init__(self, git: Git, own: Path, common: Path, vault: GitVault, *, beside: bool = False) -> None:
        """``beside``: changes of the user's in other files than those that land may stay."""
        assert git.work_tree is not None
        self._git = git
        self._top = git.work_tree
        self._own = own
        self._common = common
        self._vault = vault
        self._beside = beside
        self._notebook = Notebook(vault.path, own)
        self._index = LockedIndex(own)

    def land(self, old: str, new: str) -> LandingResult:
        with self._notebook.alone() as held:
            self._remove_dead_locks()
            begun = self._notebook.read()
            if begun:
                forward = (begun.old, begun.new) == (old, new)
                settled = self._resume(begun, forward, held)
                if forward or settled.state in (LandingState.NOT_CLEAN, LandingState.LOCKED):
                    return settled
            else:
                self._index.clear()  # only a loss of power leaves a lock of ours without its note
            in_the_way = self._look(old, new)
            if in_the_way is not None:
                return in_the_way
            self._vault.send(Load(new, (old,)), self._git)
            note = Note(branch_of(self._own), old, new)
            self._notebook.write(note)
            return self._move(note, note.old, note.new, b"", held)

    def blockers(self, old: str, new: str) -> LandingResult:
        begun = self._notebook.read()
        if begun and (begun.old, begun.new) == (old, new):
            return self._halfway_answer(begun) or _LANDED
        return self._look(old, new) or self._rehearse(old, new)

    def _look(self, old: str, new: str) -> LandingResult | None:
        """Whether there is anything to say before files are touched."""
        branch = branch_of(self._own)
        if not branch:
            return LandingResult(LandingState.DETACHED, "HEAD is on no branch")
        standing = read_standing(self._git)
        if standing.head != old:
            if self._reached(standing.head, new):
                return _LANDED
            moved = "has new commits" if self._reached(standing.head, old) else "was moved"
            since = f"since the run last saw it (now {standing.head[:12]}, then {old[:12]})"
            because = f"{branch.removeprefix('refs/heads/')} {moved} {since}"
            return LandingResult(LandingState.BRANCH_MOVED, because)
        if busy := self._busy(branch):
            return busy
        changes = self._vault.differences(old, new)
        touched = {change.path for change in changes}
        if dirty := tuple(path for path in standing.dirty if not self._beside or path in touched):
            return _not_clean("tracked files have changes that are not committed", dirty)
        hit = tuple(map(shown, collisions(self._top, changes)))
        because = "files that are not tracked stand where the landing would write"
        return LandingResult(LandingState.UNTRACKED, because, hit) if hit else None

    def _busy(self, branch: str) -> LandingResult | None:
        for name, operation in _UNDER_WAY.items():
            if (self._own / name).exists():
                return LandingResult(LandingState.IN_PROGRESS, f"{operation} is in progress")
        if others := checkouts_on(branch, self._own, self._common):
            because = f"the branch is checked out in another worktree too ({others[0].name})"
            return LandingResult(LandingState.TWO_WORKTREES, because)
        foreign = self._index.foreign_lock()
        return LandingResult(LandingState.LOCKED, foreign) if foreign else None

    def _rehearse(self, old: str, new: str) -> LandingResult:
        """Let git say whether it would refuse, on a copy of the index, with the vault's objects at hand."""
        with tempfile.TemporaryDirectory(dir=self._vault.path, prefix="rehearsal-") as folder:
            borrowed = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(self._vault.path / "objects")}
            copy = on_index_copy(self._git.with_env(borrowed), Path(folder) / "index")
            copy.ask("update-index", "-q", "--refresh")
            answer = copy.ask("read-tree", "-n", "-m", "-u", old, new)
        return LandingResult(LandingState.NOT_CLEAN, answer.complaint) if answer.code else _LANDED

    def _move(self, note: Note, source: str, target: str, fixes: bytes, held: int) -> LandingResult:
        """Files, then index, then branch. ``fixes``: index entries of paths that an earlier try already moved."""
        if not self._index.lock():
            if not fixes:
                self._notebook.erase()
            return LandingResult(LandingState.LOCKED, self._index.foreign_lock())
        try:
            copy = on_index_copy(self._git, self._index.draft)
            if fixes:
                copy.run("update-index", "-z", "--index-info", stdin=fixes)
            copy.ask("update-index", "-q", "--refresh")
            answer = copy.ask("read-tree", "-m", "-u", source, target, keep_open=[held])
            if answer.code == 0:
                sync_changes(self._top, self._differences(note))
                self._index.replace()
                problem = "" if target == note.old else self._set_branch(note, held)
        finally:
            self._index.clear()  # whatever happened, the user can work on; the note stays until all is settled
        if answer.code != 0:
            return self._give_up(note, target, answer.complaint, held)
        if problem:
            # The branch moved in the last instant, or git cannot move it: the files follow the branch, not us.
            self._move(note, note.new, note.old, b"", held)
            if self._tip(note.branch) == note.old:
                raise failure(("update-ref",), problem)
            return LandingResult(LandingState.BRANCH_MOVED, "the branch moved while landing")
        self._notebook.erase()
        return _LANDED

    def _set_branch(self, note: Note, held: int) -> str:
        """Why the branch is not at the new commit; "" where it is."""
        arguments = ("update-ref", "-m", "autopilot: landed", note.branch, note.new, note.old)
        answer = self._git.ask(*arguments, keep_open=[held])
        if answer.code != 0 and self._tip(note.branch) != note.new:
            return answer.complaint or "git named no reason"
        sync_ref(self._common, note.branch)
        return ""

    def _give_up(self, note: Note, target: str, complaint: str, held: int) -> LandingResult:
        """Git refuses before it touches anything, but fails in the middle where a file cannot be written."""
        if target == note.new:
            halfway = self._halfway(note)
            if not halfway.at_new and not halfway.missing:
                self._notebook.erase()
            elif not halfway.changed:
                self._undo(note, halfway, held)
            refused = self._look(note.old, note.new) or self._rehearse(note.old, note.new)
            if refused.state is LandingState.LANDED:  # nothing of the user's is in the way: git itself failed
                raise failure(("read-tree",), complaint)
            return refused
        return LandingResult(LandingState.NOT_CLEAN, complaint)

    def _undo(self, note: Note, halfway: Halfway, held: int) -> LandingResult:
        _remove(halfway.torn)
        return self._move(note, note.new, note.old, halfway.fixes(from_old=False), held)

    def _resume(self, begun: Note, forward: bool, held: int) -> LandingResult:
        if foreign := self._index.foreign_lock():
            return LandingResult(LandingState.LOCKED, foreign)
        self._index.clear()
        answer = self._halfway_answer(begun)
        if answer is not None:
            if answer.state is not LandingState.NOT_CLEAN:
                self._notebook.erase()
                return answer
            saved = save_snapshot(self._git, self._vault.path)
            return LandingResult(answer.state, f"{answer.because}; all of it is saved as {saved}", answer.paths)
        halfway = self._halfway(begun)
        if forward and halfway.rest_is_old:
            _remove(halfway.torn)
            return self._move(begun, begun.old, begun.new, halfway.fixes(from_old=True), held)
        undone = self._undo(begun, halfway, held)
        if undone.state is LandingState.LANDED:
            return LandingResult(LandingState.NOT_CLEAN, "an interrupted landing was undone: other changes are staged")
        return undone

    def _remove_dead_locks(self) -> None:
        """The user's git would be stopped by them as well."""
        remove_dead_lock(self._own / "HEAD.lock")
        if branch := branch_of(self._own):
            remove_dead_lock(self._common / f"{branch}.lock")

    def _halfway_answer(self, begun: Note) -> LandingResult | None:
        """What can be said of an interrupted landing without going on; None when it can be settled."""
        branch = branch_of(self._own)
        tip = self._tip(begun.branch)
        if tip and self._reached(tip, begun.new):
            return _LANDED
        if branch != begun.branch or tip != begun.old:
            return LandingResult(LandingState.BRANCH_MOVED, "the branch moved after a landing was interrupted")
        changed = self._halfway(begun).changed
        if changed:
            return _not_clean("a landing was interrupted and these files were changed since", changed)
        return None

    def _halfway(self, begun: Note) -> Halfway:
        return look(self._git, self._vault.path, self._differences(begun), begun.old)

    def _differences(self, begun: Note) -> tuple[Difference, ...]:
        return self._vault.differences(begun.old, begun.new)

    def _tip(self, branch: str) -> str:
        return self._git.ask("rev-parse", "--verify", "-q", branch).output.decode().strip()

    def _reached(self, tip: str, new: str) -> bool:
        """Landed already, perhaps with the user's own commits on top."""
        return tip == new or self._git.ask("merge-base", "--is-ancestor", new, tip).code == 0


def _remove(torn: tuple[Path, ...]) -> None:
    for path in torn:
        with translated(path):
            path.unlink(missing_ok=True)


def _not_clean(because: str, paths: tuple[bytes, ...]) -> LandingResult:
    return LandingResult(LandingState.NOT_CLEAN, because, tuple(shown(path) for path in paths))
