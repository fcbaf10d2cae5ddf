"""Landing moves branch, index and files together, or leaves everything as it is. covers: T4.5, T4.7"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autopilot.model.git import LandingResult, LandingState
from tests.contract.git.world import AWKWARD, Repo, World, make_repo, make_world

LANDED = LandingResult(LandingState.LANDED)


def land(world: World, edits: dict[str, bytes | None]) -> tuple[LandingResult, str]:
    """Ask first, then land: both must say the same."""
    old, new = world.user.head, world.change(edits)
    expected = world.checkout.blockers(old, new)
    result = world.checkout.land(old, new)
    assert result.state == expected.state and result.paths == expected.paths
    return result, new


def refused(world: World, edits: dict[str, bytes | None]) -> LandingResult:
    """A landing that must leave no trace."""
    before, head = world.user.standing(), world.user.head
    result, _ = land(world, edits)
    assert result.state is not LandingState.LANDED and result.because
    assert world.user.standing() == before and world.user.head == head
    assert no_leftovers(world)
    return result


def no_leftovers(world: World) -> bool:
    git_dir = world.user.path / ".git"
    ours = [*git_dir.glob("autopilot*"), *git_dir.glob("*.lock"), *world.vault.path.glob("landing-*.json")]
    return not [path for path in ours if path.name != "foreign.lock"]


def test_a_clean_checkout_follows_the_branch(world: World) -> None:
    edits = {"README.md": b"two\n", "new/deep.txt": b"n\n", "src/lib.py": None, "tool.sh": b"echo\n"}
    result, new = land(world, edits)
    assert result == LANDED
    user = world.user
    assert user.head == new and user.word("symbolic-ref", "HEAD") == "refs/heads/main"
    assert user.git("status", "--porcelain") == b""
    assert (user.path / "new/deep.txt").read_text() == "n\n" and not (user.path / "src/lib.py").exists()
    assert os.access(user.path / "tool.sh", os.X_OK)
    assert "autopilot: landed" in user.word("reflog", "-1", "HEAD")
    assert no_leftovers(world)
    user.git("fsck", "--strict")


def test_landing_again_says_landed_and_changes_nothing(world: World) -> None:
    old, new = world.user.head, world.change({"README.md": b"two\n"})
    assert world.checkout.land(old, new) == LANDED
    before = world.user.standing()
    assert world.checkout.land(old, new) == world.checkout.blockers(old, new) == LANDED
    assert world.user.standing() == before
    world.user.write("README.md", "the user goes on\n")
    world.user.commit()
    assert world.checkout.land(old, new) == LANDED
    assert (world.user.path / "README.md").read_text() == "the user goes on\n"


def test_several_landings_follow_each_other(world: World) -> None:
    for number in range(3):
        assert land(world, {"README.md": f"{number}\n".encode(), f"f{number}": b"x"})[0] == LANDED
    assert world.user.word("rev-list", "--count", "HEAD") == "4"


@pytest.mark.parametrize("path", ["src/app.py", "README.md"])
def test_a_changed_file_blocks_whether_the_landing_touches_it_or_not(world: World, path: str) -> None:
    world.user.write(path, "mine\n")
    result = refused(world, {"README.md": b"two\n"})
    assert (result.state, result.paths) == (LandingState.NOT_CLEAN, (path,))


def test_staged_work_blocks(world: World) -> None:
    world.user.write("staged.txt", "mine\n")
    world.user.git("add", "staged.txt")
    assert refused(world, {"README.md": b"two\n"}).paths == ("staged.txt",)


def test_a_removed_file_blocks(world: World) -> None:
    (world.user.path / "README.md").unlink()
    assert refused(world, {"README.md": b"two\n"}).paths == ("README.md",)


def test_a_changed_mode_blocks(world: World) -> None:
    (world.user.path / "run.sh").chmod(0o755)
    assert refused(world, {"run.sh": b"two\n"}).paths == ("run.sh",)


def test_files_that_do_not_collide_never_block(world: World) -> None:
    user = world.user
    user.write(".gitignore", "*.log\n")
    user.commit()
    user.write("notes.txt", "mine\n")
    user.write("new/mine.txt", "mine\n")
    user.write("debug.log", "mine\n")
    user.write("src/mine.py", "mine\n")
    for name in AWKWARD:
        user.write(f"mine/{name}", name)
    kept = {path: path.read_bytes() for path in user.path.rglob("*min*") if path.is_file()}
    edits: dict[str, bytes | None] = {"new/theirs.txt": b"n", "src/app.py": None, "src/lib.py": None, "README.md": b"x"}
    assert land(world, edits)[0] == LANDED
    assert {path: path.read_bytes() for path in kept} == kept
    assert (user.path / "debug.log").read_text() == "mine\n"


@pytest.mark.parametrize("name", ["new.txt", *AWKWARD])
def test_an_untracked_file_in_the_way_blocks_and_is_named(world: World, name: str) -> None:
    world.user.write(name, "mine\n")
    assert refused(world, {name: b"theirs\n", "README.md": b"two\n"}).paths == (name,)


def test_an_ignored_file_in_the_way_blocks_too(world: World) -> None:
    """Git itself would replace it: ignored is not worthless."""
    world.user.write(".gitignore", ".env\n")
    world.user.commit()
    world.user.write(".env", "my key\n")
    assert refused(world, {".env": b"theirs\n"}).paths == (".env",)


def test_plain_read_tree_replaces_an_ignored_file(world: World) -> None:
    """The control of the test above."""
    user = world.user
    user.write(".gitignore", ".env\n")
    old = user.commit()
    new = world.change({".env": b"theirs\n"})
    world.checkout.offer("x", new)
    user.write(".env", "my key\n")
    user.git("read-tree", "-m", "-u", old, new)
    assert (user.path / ".env").read_text() == "theirs\n"


def test_an_untracked_file_where_a_folder_must_come_blocks(world: World) -> None:
    world.user.write("folder", "a file\n")
    assert refused(world, {"folder/new.txt": b"n"}).paths == ("folder",)


def test_an_untracked_link_where_a_folder_must_come_blocks(world: World, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (world.user.path / "folder").symlink_to(tmp_path / "outside")
    assert refused(world, {"folder/new.txt": b"n"}).paths == ("folder",)
    assert not list((tmp_path / "outside").iterdir())


def test_untracked_files_in_a_folder_that_becomes_a_file_block(world: World) -> None:
    world.user.write(".gitignore", "*.log\n")
    world.user.commit()
    world.user.write("src/my.log", "ignored, but mine\n")
    world.user.write("src/mine.py", "mine\n")
    edits: dict[str, bytes | None] = {"src/app.py": None, "src/lib.py": None, "src": b"a file now\n"}
    assert set(refused(world, edits).paths) == {"src/my.log", "src/mine.py"}


def test_an_untracked_folder_where_a_file_must_come_blocks(world: World) -> None:
    world.user.write("thing/mine.txt", "mine\n")
    assert refused(world, {"thing": b"a file\n"}).paths == ("thing/mine.txt",)


def test_folders_and_files_may_change_places(world: World) -> None:
    edits: dict[str, bytes | None] = {"src": b"a file now\n", "README.md/part.txt": b"a folder now\n"}
    result, _ = land(world, edits)
    assert result == LANDED
    assert (world.user.path / "src").is_file() and (world.user.path / "README.md/part.txt").is_file()
    assert world.user.git("status", "--porcelain") == b""


def test_line_ends_modes_links_and_awkward_names_arrive_as_git_would_write_them(world: World) -> None:
    user = world.user
    old = user.head
    user.git("checkout", "-q", "-b", "made")
    user.write(".gitattributes", "*.dos text eol=crlf\n")
    user.write("lines.dos", b"one\r\ntwo\r\n")
    user.write("raw.bin", b"\0\r\n\xff")
    (user.path / "tool").write_text("x")
    (user.path / "tool").chmod(0o755)
    (user.path / "link").symlink_to("README.md")
    for name in AWKWARD:
        user.write(name, name)
    new = user.commit()
    world.vault.adopt(new)
    user.git("checkout", "-q", "main")
    assert world.checkout.land(old, new) == LANDED
    assert (user.path / "lines.dos").read_bytes() == b"one\r\ntwo\r\n"
    assert (user.path / "raw.bin").read_bytes() == b"\0\r\n\xff"
    assert (user.path / "tool").stat().st_mode & 0o111 and (user.path / "link").readlink() == Path("README.md")
    assert [(user.path / name).read_text() for name in AWKWARD] == list(AWKWARD)
    assert user.git("status", "--porcelain") == b""


def test_a_file_that_was_only_touched_does_not_block(world: World) -> None:
    os.utime(world.user.path / "README.md", (1, 1))
    assert land(world, {"README.md": b"two\n"})[0] == LANDED


def test_a_file_git_was_told_to_overlook_is_not_overwritten(world: World) -> None:
    for flag in ("--assume-unchanged", "--skip-worktree"):
        world.user.git("update-index", flag, "README.md")
        world.user.write("README.md", "my local settings\n")
        result, _ = land(world, {"README.md": b"two\n"})
        assert result.state is LandingState.NOT_CLEAN
        assert (world.user.path / "README.md").read_text() == "my local settings\n"
        assert no_leftovers(world)
        world.user.git("update-index", flag.replace("--", "--no-"), "README.md")


def test_a_detached_checkout_is_left_alone(world: World) -> None:
    world.user.git("checkout", "-q", "--detach")
    assert refused(world, {"README.md": b"two\n"}).state is LandingState.DETACHED


def test_a_branch_that_moved_is_left_alone(world: World) -> None:
    old, new = world.user.head, world.change({"README.md": b"two\n"})
    world.user.write("mine.txt", "mine")
    mine = world.user.commit()
    assert world.checkout.blockers(old, new).state is LandingState.BRANCH_MOVED
    result = world.checkout.land(old, new)
    assert result.state is LandingState.BRANCH_MOVED
    assert result.because == f"main has new commits since the run last saw it (now {mine[:12]}, then {old[:12]})"
    assert world.user.head == mine and no_leftovers(world)


def test_a_branch_that_was_set_back_has_no_new_commits(world: World) -> None:
    first = world.user.head
    old = world.user.commit()
    new = world.change({"README.md": b"two\n"})
    world.user.git("reset", "-q", "--hard", first)
    because = f"main was moved since the run last saw it (now {first[:12]}, then {old[:12]})"
    assert world.checkout.land(old, new).because == because


def test_a_branch_checked_out_twice_is_left_alone(world: World, tmp_path: Path) -> None:
    world.user.git("worktree", "add", "-q", "-f", str(tmp_path / "twin"), "main")
    result = refused(world, {"README.md": b"two\n"})
    assert result.state is LandingState.TWO_WORKTREES and "another worktree" in result.because


def test_a_merge_under_way_is_left_alone(world: World) -> None:
    user = world.user
    user.git("checkout", "-q", "-b", "other")
    user.commit("other")
    user.git("checkout", "-q", "main")
    user.commit("mine")
    user.git("merge", "-q", "--no-ff", "--no-commit", "other")
    result = refused(world, {"README.md": b"two\n"})
    assert result.state is LandingState.IN_PROGRESS and "merge" in result.because


def test_a_lock_of_another_git_is_respected(world: World) -> None:
    lock = world.user.path / ".git/index.lock"
    lock.write_bytes(b"")
    old, new = world.user.head, world.change({"README.md": b"two\n"})
    for result in (world.checkout.blockers(old, new), world.checkout.land(old, new)):
        assert result.state is LandingState.LOCKED and "index.lock" in result.because
    assert lock.exists() and (world.user.path / "README.md").read_text() == "hello\n"
    lock.unlink()
    assert world.checkout.land(old, new) == LANDED


def test_a_large_landing_arrives_whole(tmp_path: Path) -> None:
    user = make_repo(tmp_path / "large", {f"d{n % 7}/f{n}": str(n) for n in range(400)})
    world = make_world(tmp_path / "w", user)
    edits: dict[str, bytes | None] = {f"d{n % 7}/f{n}": (None if n % 3 else b"changed") for n in range(400)}
    edits |= {f"new/f{n}": b"new" for n in range(200)}
    assert land(world, edits)[0] == LANDED
    assert user.git("status", "--porcelain") == b""
    assert len(user.word("ls-files").splitlines()) == 134 + 200


def test_a_split_index_and_odd_settings_survive(world: World) -> None:
    world.user.git("config", "core.splitIndex", "true")
    world.user.git("update-index", "--split-index")
    world.user.git("config", "core.untrackedCache", "true")
    world.user.git("status")
    assert land(world, {"README.md": b"two\n", "n": b"n"})[0] == LANDED
    assert world.user.git("status", "--porcelain") == b""


def test_the_vaults_other_refs_do_not_reach_the_user(world: World) -> None:
    world.vault.set_ref("refs/autopilot/run/secret", world.change({"x": b"x"}))
    land(world, {"README.md": b"two\n"})
    assert world.user.word("for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]


def test_landing_into_a_repository_that_is_packed_and_has_alternates_works(world: World, tmp_path: Path) -> None:
    world.user.git("gc", "-q")
    world.user.git("clone", "-q", "--shared", ".", str(tmp_path / "shared"))
    shared = make_world(tmp_path / "s", Repo(tmp_path / "shared"))
    assert land(shared, {"README.md": b"two\n"})[0] == LANDED
    shared.user.git("fsck", "--strict")


def test_a_file_that_cannot_be_written_leaves_the_checkout_as_it_was(world: World) -> None:
    """The name is too long for a folder; git finds out when half of the files are written."""
    head = world.user.head
    edits: dict[str, bytes | None] = {"README.md": b"two\n", "a.txt": b"n", "src/lib.py": None, "z" * 300: b"z"}
    new = world.change(edits)
    world.user.write("untracked.txt", "mine\n")
    result = world.checkout.land(head, new)
    assert result.state is LandingState.NOT_CLEAN and "too long" in result.because
    assert world.user.head == head
    assert world.user.git("status", "--porcelain") == b"?? untracked.txt\n"
    assert (world.user.path / "README.md").read_text() == "hello\n"
    assert no_leftovers(world)
