"""Our own bare repository. All judgement about code is made here, where no other configuration is read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from autopilot.adapters.files import translated, write_atomically
from autopilot.adapters.git.clones import find_branches, object_folder, read_head
from autopilot.adapters.git.command import DURABLE, Git, failure, never_stop, shown
from autopilot.adapters.git.commits import render_commit
from autopilot.adapters.git.differences import Difference, differences, render_patch
from autopilot.adapters.git.history import MOST_ENTRIES, count_changes, list_commits
from autopilot.adapters.git.isolation import isolated_git
from autopilot.adapters.git.merging import MERGING, merge
from autopilot.adapters.git.objects import Objects
from autopilot.adapters.git.refs import RefWriter, read_refs
from autopilot.adapters.git.repository import git_dirs, read_plain
from autopilot.adapters.git.skeleton import make_vault
from autopilot.adapters.git.transport import Load, carry, carry_checked, write_pack
from autopilot.adapters.git.trees import (
    FILE,
    FOLDER,
    LINK,
    PROGRAM,
    REPOSITORY,
    Edits,
    Entry,
    Made,
    Tree,
    edited,
    nested,
    object_id,
    render_tree,
)
from autopilot.model.git import Change, LogEntry, Merge
from autopilot.ports.git import Author

_ADOPTED = "refs/autopilot/adopted/"
_ANCHORS = "refs/autopilot/anchors/"
_EMPTY_TREE = object_id("tree", b"")  # every git knows it
_SUBMODULE = f"{REPOSITORY:06o}"
_MOST_LISTED = 4  # trees whose files are remembered
_MOST_TAKEN = 1 << 30  # bytes; an agent that commits more has lost its way
# Side files of an object folder that are not checked by their name; the agent's clone may carry forged ones.
_SIDE_FILES = {"core.commitGraph": "false", "core.multiPackIndex": "false"}
# Several threads may move the same ref; each waits for the other, and a sync to disk takes longer than git would wait.
_PATIENCE = {"core.filesRefLockTimeout": "10000"}
_SETTINGS = {**DURABLE, **MERGING, **_SIDE_FILES, **_PATIENCE}


class GitVault:
    def __init__(self, path: Path, repository: Path, should_stop: Callable[[], str] = never_stop) -> None:
        """``path``: where the vault lies or shall lie. ``repository``: the user's checkout.

        ``should_stop``: asked while many objects are carried or files written, for a run that is to stop.
        """
        self.path = path
        self.should_stop = should_stop
        if not path.exists():
            make_vault(path)
        self.git = Git(path, settings=_SETTINGS)
        self._objects = Objects(self.git)
        self._refs = RefWriter(self.git)
        self._repository = repository
        self._adopting = threading.Lock()
        # By tree: what a tree holds never changes, and the same few are asked for in every step.
        self._listed: dict[tuple[str, str], tuple[str, ...]] = {}

    def adopt(self, commit: str) -> None:
        if self.ref(_ADOPTED + commit):
            return  # whole: the ref was set last
        with self._adopting:  # the edge of a shallow history is read, added to and written back
            user = isolated_git(self._repository, self.path)
            carry(Load(commit, self._known_to(user)), user, self.git, self.should_stop)
            self._adopt_shallow(git_dirs(self._repository)[1])
            self.set_ref(_ADOPTED + commit, commit)

    def take(self, clone: Path, keep_as: str) -> str | None:
        """Read the clone's objects beside ours and pack what is new. The clone's processes must have ended."""
        head = read_head(clone)
        objects = object_folder(clone)
        if head is None or objects is None:
            return None
        known = self._tips()
        if head not in known and not carry_checked(Load(head, known), objects, self.git, _MOST_TAKEN):
            return None
        if not self.has(head):
            return None
        self.set_ref(keep_as, head)
        return head

    def branches_of(self, clone: Path, without: str) -> tuple[str, ...]:
        return find_branches(clone, without)

    def commit(self, tree: str, parents: Sequence[str], message: str, time: datetime, author: Author) -> str:
        self.tree_of(tree)
        for parent in parents:
            self._must_have(parent)
        return self._objects.store_plain("commit", render_commit(tree, parents, message, time, author))

    def edit_tree(self, base: str, edits: Mapping[str, bytes | None]) -> str:
        made: Made = []
        entries: dict[tuple[bytes, ...], Entry | None] = {}
        for path, content in edits.items():
            if content is None:
                entries[_parts(path)] = None
                continue
            before = self._entry(base, path)
            fresh = PROGRAM if path.endswith(".sh") else FILE
            mode = before.mode if before and before.is_file else fresh
            entries[_parts(path)] = Entry(mode, object_id("blob", content))
            made.append(("blob", content))
        return self._edited(base, nested(entries), made)

    def tree_of(self, commit: str) -> str:
        found = self._objects.root_id(commit)
        if found is None:
            raise failure(["cat-file"], f"there is no commit {commit}")
        return found

    def tree_without(self, commit: str, prefix: str) -> str:
        return self.trees_without(commit, (prefix,))

    def trees_without(self, commit: str, paths: Sequence[str]) -> str:
        left_out = [_parts(path.rstrip("/")) for path in paths if path.strip("/")]
        if len(left_out) < len(paths):
            return self._stored_tree({}, [])
        return self._edited(commit, nested(dict.fromkeys(left_out)), [])

    def read(self, commit: str, path: str) -> bytes | None:
        entry = self._entry(commit, path)
        found = self._objects.read(entry.id) if entry and entry.is_file else None
        return found.content if found else None

    def read_link(self, commit: str, path: str) -> bytes | None:
        entry = self._entry(commit, path)
        found = self._objects.read(entry.id) if entry and entry.mode == LINK else None
        return found.content if found else None

    def list(self, commit: str, prefix: str = "") -> tuple[str, ...]:
        """Symbolic links are listed too, though ``read`` gives nothing for them: hiding them would hide a trick."""
        root = self.tree_of(commit)
        below = prefix.rstrip("/")
        entry = self._entry(root, below) if below else Entry(FOLDER, root)
        if entry is None or entry.mode == REPOSITORY:
            return ()
        if entry.mode != FOLDER:
            return (prefix,)
        start = f"{below}/" if below else ""
        key = (entry.id, start)
        found = self._listed.get(key)
        if found is None:
            files = differences(self.git, self._objects, _EMPTY_TREE, entry.id)
            found = tuple(start + shown(file.path) for file in files if file.new_mode != _SUBMODULE)
            self._listed = {**dict(list(self._listed.items())[1 - _MOST_LISTED :]), key: found}
        return found

    def changes(self, old: str, new: str, most: int | None = None) -> tuple[Change, ...]:
        return tuple(difference.as_change for difference in self.differences(old, new, most))

    def differences(self, old: str, new: str, most: int | None = None) -> tuple[Difference, ...]:
        return differences(self.git, self._objects, old, new, most)

    def patch(self, old: str, new: str, limit: int = 400_000) -> str:
        return render_patch(self.git, old, new, limit)

    def diff_stat(self, old: str, new: str, leave_out: str = "") -> str:
        return count_changes(self.git, old, new, leave_out)

    def log(self, old: str, new: str, most: int = MOST_ENTRIES) -> tuple[LogEntry, ...]:
        return tuple(list_commits(self.git, old, new, most))

    def merge(self, ours: str, theirs: str) -> Merge:
        for commit in (ours, theirs):
            self._must_have(commit)
        return merge(self.git, ours, theirs)

    def is_ancestor(self, old: str, new: str) -> bool:
        if self.has(old) and (old == new or old in self._objects.parents(new)):
            return True  # the usual question, answered without a process
        answer = self.git.ask("merge-base", "--is-ancestor", old, new)
        if answer.code not in (0, 1):
            raise failure(["merge-base"], answer.complaint)
        return answer.code == 0

    def has(self, commit: str) -> bool:
        found = self._objects.read(commit)
        return found is not None and found.kind == "commit" and found.id == commit

    def ref(self, name: str) -> str | None:
        assert name.startswith("refs/"), name
        found = self._objects.read(name)
        return found.id if found else None

    def set_ref(self, name: str, new: str, old: str | None = None) -> None:
        assert name.startswith("refs/"), name
        if old is None and self.ref(name) == new:
            return
        self._refs.move(name, new, old)

    def refs(self, prefix: str) -> Mapping[str, str]:
        assert prefix.startswith("refs/"), prefix
        return read_refs(self.path, prefix)

    def anchor(self, name: str, text: str) -> None:
        self.set_ref(_ANCHORS + name, self._objects.store_plain("blob", text.encode()))

    def anchored(self, name: str) -> str | None:
        found = self._objects.read(_ANCHORS + name)
        return found.content.decode() if found else None

    def send(self, load: Load, target: Git) -> None:
        """Carry commits of the vault into another repository."""
        carry(load, self.git, target)

    def pack(self, load: Load, objects: Path) -> None:
        """Put commits of the vault into the object folder of a throw-away place, readable for everybody."""
        write_pack(load, Git(self.path, settings=_SETTINGS, umask=0o022, should_stop=self.should_stop), objects)

    @property
    def shallow(self) -> Path:
        """The commits whose parents we do not have, as git keeps them; mostly not there."""
        return self.path / "shallow"

    def close(self) -> None:
        self._objects.close()
        self._refs.close()

    def _must_have(self, commit: str) -> None:
        if not self.has(commit):
            raise failure(["cat-file"], f"there is no commit {commit}")

    def _entry(self, commit: str, path: str) -> Entry | None:
        found = self._objects.root_id(commit)
        names = path.encode("utf-8", "surrogateescape").split(b"/")
        entry = Entry(FOLDER, found) if found else None
        for name in names:
            entry = self._objects.tree(entry.id).get(name) if entry and entry.mode == FOLDER else None
        return entry

    def _edited(self, base: str, edits: Edits, made: Made) -> str:
        root = self._objects.root(base)
        return self._stored_tree(edited(root, edits, self._objects.tree, made), made)

    def _stored_tree(self, tree: Tree, made: Made) -> str:
        content = render_tree(tree)
        self._objects.store([*made, ("tree", content)])
        return object_id("tree", content)

    def _tips(self) -> tuple[str, ...]:
        """The commits that refs name; an anchor names a text."""
        return tuple(sorted({commit for name, commit in self.refs("refs/").items() if not name.startswith(_ANCHORS)}))

    def _known_to(self, user: Git) -> tuple[str, ...]:
        """The commits adopted before that the user's repository still has."""
        adopted = tuple(self.refs(_ADOPTED).values())
        if not adopted:
            return ()
        printed = user.run("cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in adopted).encode())
        return tuple(line.split(" ")[0] for line in printed.decode().splitlines() if " commit " in line)

    def _adopt_shallow(self, common: Path) -> None:
        """Where the user's history is cut off, so is ours; otherwise the missing parents would look like damage."""
        with translated(common):
            edge = read_plain(common / "shallow", _MOST_TAKEN).decode("ascii", "replace").split()
            known = self.shallow.read_text().split() if self.shallow.exists() else []
        both = sorted({*known, *(commit for commit in edge if self.has(commit))})
        if both != known:
            write_atomically(self.shallow, "".join(f"{commit}\n" for commit in both).encode())


def _parts(path: str) -> tuple[bytes, ...]:
    parts = tuple(path.encode("utf-8", "surrogateescape").split(b"/"))
    assert all(part not in (b"", b".", b"..") and part.lower() != b".git" for part in parts), path
    return parts
