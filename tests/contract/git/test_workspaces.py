"""Workspaces hold what they shall and nothing else, whole or not at all. covers: T3"""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from autopilot.adapters.git.workspaces import GitWorkspaces
from autopilot.gates.work_area import WorkAreas
from autopilot.model.errors import Unavailable
from autopilot.ports.git import Workspaces
from tests.contract.git.world import AWKWARD, Repo, World

# covers: T3.workspace, T3.reviewers, T3.verify


@pytest.fixture
def full(world: World) -> World:
    """A vault with things of other runs in it."""
    world.vault.adopt(world.user.head)
    world.vault.anchor("head", "secret anchor")
    world.vault.set_ref("refs/autopilot/run/other", world.change({"other.txt": b"of another run"}))
    return world


def test_a_clone_is_a_whole_repository_on_our_branch(full: World) -> None:
    workspaces: Workspaces = full.workspaces
    clone = Repo(workspaces.clone("task-1", full.user.head))
    assert clone.word("symbolic-ref", "HEAD") == "refs/heads/autopilot"
    assert clone.head == full.user.head
    assert clone.git("status", "--porcelain") == b""
    assert (clone.path / "src/app.py").read_text() == "print('one')\n"
    clone.git("fsck", "--strict")


def test_a_clone_leads_nowhere_and_knows_nothing_else(full: World) -> None:
    clone = Repo(full.workspaces.clone("task-1", full.user.head))
    assert clone.git("remote") == b""
    assert clone.word("for-each-ref", "--format=%(refname)") == "refs/heads/autopilot"
    git_dir = clone.path / ".git"
    places = [str(path).encode() for path in (full.vault.path, full.user.path)]
    for file in (path for path in git_dir.rglob("*") if path.is_file()):
        assert file.stat().st_nlink == 1
        assert not any(place in file.read_bytes() for place in places)
    assert not (git_dir / "objects/info/alternates").exists()
    objects = clone.word("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").splitlines()
    assert sorted(objects) == ["blob"] * 4 + ["commit"] + ["tree"] * 2


def test_git_adds_nothing_of_the_work_areas_of_a_clone_unless_it_is_tracked(full: World) -> None:
    areas = WorkAreas(frozenset({"node_modules", ".venv"}), frozenset({"web/dist", "odd [name] #1!"}))
    clone = Repo(full.workspaces.clone("task-1", full.user.head, areas.patterns))
    for path in ("node_modules/a.js", "web/node_modules/b.js", "web/dist/c.js", "odd [name] #1!/d"):
        clone.write(path, "made")
    (clone.path / ".venv").symlink_to("/usr")
    for path in ("web/src/dist/kept.js", "dist/kept.js", "venv.py"):
        clone.write(path, "written")
    clone.git("add", "-A")
    assert clone.word("diff", "--cached", "--name-only").split() == ["dist/kept.js", "venv.py", "web/src/dist/kept.js"]


def test_an_agent_can_commit_in_its_clone_and_never_commits_what_we_mount(full: World) -> None:
    clone = Repo(full.workspaces.clone("task-1", full.user.head))
    clone.write(".autopilot/learnings.md", "ours")
    clone.write("x", "x")
    clone.git("add", "-A")
    clone.git("commit", "-q", "-m", "x")
    assert clone.word("ls-tree", "--name-only", "HEAD").split() == ["README.md", "run.sh", "src", "x"]
    assert clone.word("config", "user.email") == "agent@localhost"


def test_a_new_clone_replaces_the_old_one(full: World) -> None:
    first = full.workspaces.clone("task-1", full.user.head)
    (first / "left behind").write_text("x")
    assert full.workspaces.clone("task-1", full.user.head) == first
    assert not (first / "left behind").exists()


def test_a_second_clone_of_a_commit_holds_nothing_of_what_was_done_to_the_first(full: World) -> None:
    first = Repo(full.workspaces.clone("task-1", full.user.head))
    for pack in (first.path / ".git/objects/pack").iterdir():
        pack.chmod(0o644)
        pack.write_bytes(b"spoilt")
    second = Repo(full.workspaces.clone("task-2", full.user.head))
    second.git("fsck", "--strict")
    modes = {stat.S_IMODE(pack.stat().st_mode) for pack in (second.path / ".git/objects/pack").iterdir()}
    assert modes == {0o444}
    export = Repo(full.workspaces.export(full.user.head))
    assert export.word("rev-list", "--count", "HEAD") == "1" and export.git("status", "--porcelain") == b""


def test_a_pack_too_large_to_be_kept_is_made_again(full: World) -> None:
    large = full.change({"large.bin": os.urandom(3 << 20)})
    clones = [Repo(full.workspaces.clone(f"task-{number}", large)) for number in (1, 2)]
    assert [clone.git("fsck", "--strict") for clone in clones] == [b"", b""]
    assert full.workspaces._packs._kept == {}


def test_removing_works_whatever_an_agent_left(full: World, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("keep me")
    clone = full.workspaces.clone("task-1", full.user.head)
    (clone / "link").symlink_to(precious)
    deep = clone / "a/b/c"
    deep.mkdir(parents=True)
    (deep / "file").write_text("x")
    os.mkfifo(clone / "pipe")
    for folder in (deep, deep.parent, deep.parent.parent):
        folder.chmod(0o000)
    full.workspaces.remove("task-1")
    assert not clone.exists()
    assert (precious / "file").read_text() == "keep me"
    full.workspaces.remove("task-1")  # once more is nothing


def test_a_workspace_that_became_a_link_is_unlinked_only(full: World, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    clone = full.workspaces.clone("task-1", full.user.head)
    clone.rename(tmp_path / "away")
    clone.symlink_to(precious)
    full.workspaces.remove("task-1")
    assert precious.is_dir() and not clone.is_symlink()


@pytest.mark.parametrize("name", ["a/b", "..", "../../x", ".hidden", "with space", "a:b,c", "ü", "6.1"])
def test_any_name_is_one_folder_below_ours(full: World, name: str) -> None:
    root = full.vault.path.parent / "workspaces" / "named"
    place = full.workspaces.folder(name, {"x": b"x"})
    assert place.parent == root and place.is_dir()
    assert not set(":,") & set(str(place.relative_to(root)))
    full.workspaces.remove(name)
    assert not place.exists() and root.is_dir()


def test_a_reviewer_gets_two_neutral_commits(full: World) -> None:
    base = full.change({"phase/PLAN.md": b"plan"})
    middle = full.change({"phase/EXECUTION-LOG.md": b"I did well", "src/app.py": b"two"}, base)
    head = full.change({"phase/HANDOFF.md": b"trust me", "src/lib.py": b"three"}, middle)
    left_out = ["phase/EXECUTION-LOG.md", "phase/HANDOFF.md", "not/there"]
    clone = Repo(full.workspaces.review("judge", base, head, left_out))
    assert clone.word("log", "--format=%s %an %at").splitlines() == [
        "change Autopilot 946684800", "base Autopilot 946684800",
    ]  # fmt: skip
    assert clone.word("diff", "--name-only", "HEAD~1", "HEAD").split() == ["src/app.py", "src/lib.py"]
    assert (clone.path / "phase/PLAN.md").exists() and not (clone.path / "phase/HANDOFF.md").exists()
    packed = clone.git("cat-file", "--batch-all-objects", "--batch")
    assert b"I did well" not in packed and b"trust me" not in packed
    first = clone.head
    assert Repo(full.workspaces.review("judge", base, head, left_out)).head == first


def test_what_is_left_out_of_a_review_is_left_out_of_its_base_too(full: World) -> None:
    base = full.change({"phase/JUDGE-REPORT.md": b"old report", "keep": b"k"})
    clone = Repo(full.workspaces.review("rater", base, full.change({"new": b"n"}, base), ["phase"]))
    assert not (clone.path / "phase").exists()
    assert b"old report" not in clone.git("cat-file", "--batch-all-objects", "--batch")


def test_an_export_holds_one_commit_alone(full: World) -> None:
    new = full.change({"src/app.py": b"two"})
    export = Repo(full.workspaces.export(new))
    assert export.head == new and export.git("status", "--porcelain") == b""
    assert export.word("rev-list", "--count", "HEAD") == "1"
    assert (export.path / "src/app.py").read_text() == "two"
    assert export.path.name == new
    export.git("fsck")


def test_the_same_commit_is_exported_once(full: World) -> None:
    export = full.workspaces.export(full.user.head)
    before = (export / ".git/index").stat().st_ino
    assert full.workspaces.export(full.user.head) == export
    assert (export / ".git/index").stat().st_ino == before


def test_threads_that_export_the_same_commit_share_it(full: World) -> None:
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(full.workspaces.export(full.user.head))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1
    assert not list((full.vault.path.parent / "workspaces/drafts").iterdir())


def test_a_commit_that_is_not_there_leaves_no_half_export(full: World) -> None:
    with pytest.raises(Unavailable):
        full.workspaces.export("1" * 40)
    assert not (full.vault.path.parent / "workspaces/exports" / ("1" * 40)).exists()


def test_drafts_of_a_killed_process_are_swept_and_those_of_a_live_one_are_not(full: World) -> None:
    drafts = full.vault.path.parent / "workspaces/drafts"
    (drafts / "draft-999999999-0").mkdir()
    (drafts / f"draft-{os.getppid()}-0").mkdir()
    GitWorkspaces(drafts.parent, full.vault, lambda _: None)
    assert [draft.name for draft in drafts.iterdir()] == [f"draft-{os.getppid()}-0"]


def test_files_are_as_the_commit_has_them(full: World) -> None:
    user = full.user
    for name in AWKWARD:
        user.write(name, name)
    user.write("crlf.txt", b"one\r\ntwo\r\n")
    user.write("unix.txt", b"one\ntwo\n")
    user.write(".gitattributes", "unix.txt text eol=crlf\n")
    (user.path / "tool").write_text("x")
    (user.path / "tool").chmod(0o755)
    (user.path / "link").symlink_to("../outside")
    commit = user.commit()
    full.vault.adopt(commit)
    for place in (full.workspaces.clone("c", commit), full.workspaces.export(commit)):
        assert [(place / name).read_text() for name in AWKWARD] == list(AWKWARD)
        assert (place / "crlf.txt").read_bytes() == b"one\r\ntwo\r\n"
        assert (place / "unix.txt").read_bytes() == b"one\r\ntwo\r\n"  # as git would check it out
        assert (place / "tool").stat().st_mode & 0o777 == 0o755
        assert (place / "link").readlink() == Path("../outside")


def test_filters_of_a_commit_are_not_run(full: World, tmp_path: Path) -> None:
    fired = tmp_path / "fired"
    full.user.write(".gitattributes", "* filter=x\n")
    full.user.git("config", "filter.x.smudge", f": >{fired}; cat")
    commit = full.user.commit()
    full.vault.adopt(commit)
    full.workspaces.clone("c", commit)
    full.workspaces.export(commit)
    assert not fired.exists()
    (full.user.path / "README.md").unlink()
    full.user.git("checkout", "--", "README.md")  # the control
    assert fired.exists()


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_places_are_readable_whatever_our_umask(full: World, umask: int) -> None:
    before = os.umask(umask)
    try:
        places = [
            full.workspaces.clone("c", full.user.head),
            full.workspaces.export(full.user.head),
            full.workspaces.folder("f", {"deep/er/x.md": b"x", "tool.sh": b"echo"}),
        ]
    finally:
        os.umask(before)
    for place in places:
        for path in (place, *place.rglob("*")):
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode & 0o044 == 0o044, path
            assert not path.is_dir() or mode & 0o055 == 0o055, path
            assert mode & 0o022 == 0, path


def test_a_folder_holds_plain_files(full: World) -> None:
    place = full.workspaces.folder("mount", {"learnings.md": b"one", "deep/answers.md": b"two", "check.sh": b"echo"})
    assert (place / "deep/answers.md").read_bytes() == b"two"
    assert (place / "check.sh").stat().st_mode & 0o111
    assert not (place / ".git").exists()
    full.workspaces.folder("mount", {"only.md": b"three"})
    assert [path.name for path in place.iterdir()] == ["only.md"]


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x"])
def test_no_file_is_put_outside_its_folder(full: World, path: str) -> None:
    with pytest.raises(AssertionError):
        full.workspaces.folder("mount", {path: b"x"})


def test_all_that_a_killed_process_left_is_removed_under_whatever_name(full: World) -> None:
    clone = full.workspaces.clone("task-1", full.user.head)
    home = full.workspaces.folder("task-1-home", {"auth.json": b"{}"})
    beside = clone.parent / "call-of-somebody"
    beside.mkdir()
    export = full.workspaces.export(full.user.head)
    passing = full.workspaces.export(full.change({"made.txt": b"to be looked at"}), kept=False)
    full.workspaces.remove_all()
    assert not any(place.exists() for place in (clone, home, beside, passing))
    assert export.exists(), "what is ours alone is kept"


def test_an_export_that_is_not_kept_is_reused_until_it_is_forgotten_and_no_other_is(full: World) -> None:
    kept = full.workspaces.export(full.user.head)
    passing = full.workspaces.export(full.change({"made.txt": b"to be looked at"}), kept=False)
    assert full.workspaces.export(passing.name) == passing
    assert full.workspaces.export(full.user.head, kept=False) == kept
    for commit in (passing.name, passing.name, full.user.head):
        full.workspaces.forget(commit)
    assert (kept.exists(), passing.exists()) == (True, False)


@pytest.mark.parametrize("depth", [1_100, 2_500])
def test_however_deep_an_agent_dug_its_place_can_be_removed(full: World, depth: int) -> None:
    """Longer than a path may be, deeper than a walk may go: what stays would be met again at every start."""
    home = full.workspaces.folder("task-1-home", {})
    folder = os.open(home, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("dd", dir_fd=folder)
        inner = os.open("dd", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.fchmod(folder, 0)
    os.close(folder)
    full.workspaces.remove("task-1-home")
    assert not home.exists()
    assert list((home.parent.parent / "drafts").iterdir()) == []
