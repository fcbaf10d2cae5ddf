"""Parts of a phase run in threads of one process: each has its own clones, all share one vault and one export (T3)."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.git.transport import Load
from autopilot.adapters.git.vault import GitVault
from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.model.errors import Unavailable
from tests.contract.git.world import AT, AUTHOR, Repo, World, make_repo, make_world
from tests.contract.threads import CROWD, together

# covers: T3.vault


class CountingVault(GitVault):
    """Knows what was carried out of it."""

    sent: list[str]

    def pack(self, load: Load, objects: Path) -> None:
        self.sent.append(load.want)
        time.sleep(0.1)  # long enough for the others to come and ask
        super().pack(load, objects)


@pytest.fixture
def full(world: World) -> World:
    world.vault.adopt(world.user.head)
    return world


@pytest.fixture(autouse=True)
def nothing_left(full: World) -> Iterator[None]:
    full.vault.has("0" * 40)  # its reader is running
    descriptors, threads = open_descriptors(), threading.active_count()
    yield
    assert open_descriptors() <= descriptors  # fewer when what an earlier test left open is collected meanwhile
    assert threading.active_count() <= threads
    assert list((full.vault.path.parent / "workspaces/drafts").iterdir()) == []
    assert not list(full.vault.path.rglob("*.lock")) + list(full.vault.path.glob("quarantine-*"))


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


def test_parts_work_at_once_and_are_merged_one_after_the_other(full: World) -> None:
    base, vault = full.user.head, full.vault

    def work(number: int) -> str:
        clone = Repo(full.workspaces.clone(f"part/{number}", base))
        clone.write(f"part-{number}.txt", f"{number}\n")
        clone.write("shared/same.txt", "the same for all\n")
        tip = clone.commit(f"part {number}")
        assert vault.take(clone.path, f"refs/autopilot/parts/{number}") == tip
        review = full.workspaces.review(f"review/{number}", base, tip)
        assert (review / f"part-{number}.txt").read_text() == f"{number}\n"
        folder = full.workspaces.folder(f"context/{number}", {"a/b.md": b"%d" % number})
        assert (folder / "a/b.md").read_bytes() == b"%d" % number
        exported = full.workspaces.export(tip)
        assert (exported / "shared/same.txt").exists()
        for name in (f"part/{number}", f"review/{number}", f"context/{number}"):
            full.workspaces.remove(name)
        return tip

    tips = together(work)
    tip = base
    for number, theirs in enumerate(tips):
        result = vault.merge(tip, theirs)
        assert result.clean
        tip = vault.commit(result.tree, [tip, theirs], f"merge part {number}", AT, AUTHOR)
    assert {f"part-{number}.txt" for number in range(CROWD)} <= set(vault.list(tip))
    assert set(vault.refs("refs/autopilot/parts/").values()) == set(tips)
    vault.set_ref("refs/autopilot/merged", tip)
    Repo(vault.path).git("fsck", "--strict")


def test_the_same_commit_asked_for_at_once_is_exported_once(full: World) -> None:
    vault = CountingVault(full.vault.path, full.user.path)
    vault.sent = []
    workspaces = GitWorkspaces(full.vault.path.parent / "workspaces", vault, lambda _: None)
    other = full.change({"other.txt": b"x\n"})
    wanted = [full.user.head, other]
    places = together(lambda number: workspaces.export(wanted[number % 2]))
    assert sorted(vault.sent) == sorted(wanted)
    assert [place.name for place in places] == wanted * (CROWD // 2)
    assert all(Repo(place).word("status", "--porcelain") == "" for place in set(places))
    vault.close()


def test_a_failed_export_fails_for_all_who_wait_and_is_tried_again(full: World) -> None:
    missing = "1" * 40

    def work(_: int) -> str:
        with pytest.raises(Unavailable) as caught:
            full.workspaces.export(missing)
        return str(caught.value)

    assert len(together(work)) == CROWD
    with pytest.raises(Unavailable):
        full.workspaces.export(missing)


def test_one_ref_moved_by_all_ends_where_one_of_them_put_it(full: World) -> None:
    commits = [full.change({"a.txt": b"%d\n" % number}) for number in range(CROWD)]

    def work(number: int) -> None:
        for step in range(3):
            full.vault.set_ref("refs/autopilot/tip", commits[(number + step) % CROWD])
            assert full.vault.ref("refs/autopilot/tip") in commits

    together(work)
    assert full.vault.ref("refs/autopilot/tip") in commits


def test_of_all_who_compare_before_they_move_a_ref_one_wins(full: World) -> None:
    commits = [full.change({"a.txt": b"%d\n" % number}) for number in range(CROWD)]

    def work(number: int) -> bool:
        try:
            full.vault.set_ref("refs/autopilot/tip", commits[number], "0" * 40)
        except Unavailable:
            return False
        return True

    won = together(work)
    assert won.count(True) == 1
    assert full.vault.ref("refs/autopilot/tip") == commits[won.index(True)]


def test_the_same_commit_and_tree_made_by_all_is_one(full: World) -> None:
    def work(_: int) -> str:
        tree = full.vault.edit_tree(full.user.head, {"deep/new.txt": b"same\n", "README.md": None})
        full.vault.anchor("head", "12 abc")
        return full.vault.commit(tree, [full.user.head], "same", AT, AUTHOR)

    (commit,) = set(together(work))
    assert full.vault.read(commit, "deep/new.txt") == b"same\n"
    assert full.vault.anchored("head") == "12 abc"


def test_merging_and_reading_at_once_gives_everybody_the_answer_they_asked_for(full: World) -> None:
    base = full.user.head
    sides = [full.change({"README.md": b"%d\n" % number, f"{number}": b"x" * 50_000}) for number in range(CROWD)]

    def work(number: int) -> None:
        ours, theirs = sides[number], sides[(number + 1) % CROWD]
        for _ in range(3):
            result = full.vault.merge(ours, theirs)
            assert result.conflicts == ("README.md",)
            assert f"<<<<<<< {ours}" in (full.vault.read(result.tree, "README.md") or b"").decode()
            assert full.vault.read(ours, f"{number}") == b"x" * 50_000
            assert [entry.sha for entry in full.vault.log(base, ours)] == [ours]
            assert full.vault.diff_stat(base, ours) == "2 files changed, 2 insertions(+), 1 deletion(-)"

    together(work)


def test_one_reader_serves_all_threads_and_no_other_process_stays(full: World) -> None:
    before = children()
    together(lambda number: full.workspaces.clone(f"{number}", full.user.head))
    together(lambda number: full.vault.patch(full.user.head, full.change({"a": b"%d" % number})))
    assert len([pid for pid in children() if pid not in before]) <= 1  # ps itself


def test_the_edges_of_shallow_histories_adopted_at_once_are_all_kept(tmp_path: Path) -> None:
    user = make_repo(tmp_path / "shallow", {"a.txt": "0\n"})
    edges = []
    for number in range(CROWD):
        user.git("checkout", "-q", "--orphan", f"b{number}")
        user.commit(f"root {number}")
        user.write("a.txt", f"{number}\n")
        edges.append(user.commit(f"edge {number}"))
    (user.path / ".git/shallow").write_text("".join(f"{edge}\n" for edge in edges))
    world = make_world(tmp_path / "s", user)
    together(lambda number: world.vault.adopt(edges[number]))
    assert world.vault.shallow.read_text().split() == sorted(edges)
    Repo(world.vault.path).git("fsck")
    world.vault.close()


def test_a_draft_of_an_earlier_process_with_our_number_is_swept_and_never_in_the_way(full: World) -> None:
    drafts = full.vault.path.parent / "workspaces/drafts"
    for name in (f"draft-{os.getpid()}-0", f"draft-{os.getpid()}-0badcafe-1"):
        (drafts / name / "half").mkdir(parents=True)
    again = GitWorkspaces(drafts.parent, full.vault, lambda _: None)
    assert list(drafts.iterdir()) == []
    assert again.clone("one", full.user.head).is_dir()


def test_a_place_that_could_not_be_filled_leaves_no_draft(full: World) -> None:
    drafts = full.vault.path.parent / "workspaces/drafts"
    with pytest.raises(Unavailable):
        full.workspaces.clone("one", "1" * 40)
    with pytest.raises(AssertionError):
        full.workspaces.folder("two", {"../out": b""})
    assert list(drafts.iterdir()) == []
