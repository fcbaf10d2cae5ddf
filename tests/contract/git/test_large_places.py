"""Places of a large repository share what they have in common, and hold the same as whole ones. covers: T3.workspace"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autopilot.adapters.git.workspaces import GitWorkspaces
from tests.contract.git.world import Repo, World

EDITS = {"src/app.py": b"print('two')\n", "new/deep/file.txt": b"new\n", "README.md": None}


@pytest.fixture
def large(world: World, tmp_path: Path) -> GitWorkspaces:
    """As if every repository were a large one."""
    world.user.write("gone/only.txt", "of a folder that goes")
    world.user.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (world.user.path / "link").symlink_to("run.sh")
    world.user.commit("more")
    world.vault.adopt(world.user.head)
    return GitWorkspaces(tmp_path / "large", world.vault, lambda _: None, large=0)


def files_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    paths = [path for path in folder.rglob("*") if ".git" not in path.parts]
    return {
        str(path.relative_to(folder)): (path.lstat().st_mode, b"" if path.is_dir() else path.read_bytes())
        for path in paths
    }


def test_an_export_made_from_another_holds_what_a_whole_one_does_and_shares_what_is_the_same(
    world: World, large: GitWorkspaces
) -> None:
    changed = world.change({**EDITS, "gone/only.txt": None})
    first, second = large.export(world.user.head), large.export(changed)
    whole = world.workspaces.export(changed)
    assert files_of(second) == files_of(whole)
    assert not (second / "gone").exists(), "nor an empty folder"
    assert (first / "run.sh").stat().st_ino == (second / "run.sh").stat().st_ino
    assert (first / "src/app.py").stat().st_ino != (second / "src/app.py").stat().st_ino
    assert (first / "src/app.py").read_text() == "print('one')\n", "what it was made from is as it was"
    for place in (first, second):
        clone = Repo(place)
        assert clone.git("status", "--porcelain") == b""
        clone.git("fsck", "--strict")
    assert Repo(second).head == changed


def test_where_attributes_change_everything_is_written_anew(world: World, large: GitWorkspaces) -> None:
    changed = world.change({".gitattributes": b"*.sh text eol=crlf\n"})
    first, second = large.export(world.user.head), large.export(changed)
    assert files_of(second) == files_of(world.workspaces.export(changed))
    assert (first / "run.sh").stat().st_ino != (second / "run.sh").stat().st_ino


def in_overlay(clone: Path, below: Path, script: str) -> str:
    """As a sandbox shows it: the clone is the upper layer."""
    work, merged = clone.with_name("work"), clone.with_name("merged")
    for folder in (work, merged):
        folder.mkdir(exist_ok=True)
    mount = 'mount -t overlay overlay -o "lowerdir=$1,upperdir=$2,workdir=$3,userxattr" "$4" && cd "$4" && eval "$5"'
    places = map(str, (below, clone, work, merged))
    words = ("unshare", "-rm", "--propagation", "private", "sh", "-ec", mount, "sh", *places, script)
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(words, check=True, capture_output=True, env=env).stdout.decode(errors="replace")


def test_a_layered_clone_is_a_repository_over_its_checkout_and_its_work_is_taken(
    world: World, large: GitWorkspaces
) -> None:
    head = world.user.head
    clone = large.clone("task-1", head, ("*.pyc",), layered=True)
    below = large.below("task-1")
    assert below == large.export(head) and sorted(path.name for path in clone.iterdir()) == [".git"]
    said = in_overlay(
        clone,
        below,
        "git status --porcelain; git log --format=%H; git rev-parse --abbrev-ref HEAD; "
        "echo more >>src/app.py; rm -r gone; touch x.pyc; git add -A; git commit -qm work; git status --porcelain",
    )
    assert said.split() == [head, "autopilot"], "clean, one commit, on our branch; nothing left to commit"
    taken = world.vault.take(clone, "refs/autopilot/claims/x")
    assert taken is not None
    assert {change.path for change in world.vault.changes(head, taken)} == {"src/app.py", "gone/only.txt"}
    assert (below / "src/app.py").read_text() == "print('one')\n", "the checkout below is as it was"
    assert Repo(below).git("status", "--porcelain") == b""
    large.remove("task-1")
    assert large.below("task-1") is None and not clone.exists()


def test_a_layered_review_holds_two_commits_and_no_object_of_what_is_left_out(
    world: World, large: GitWorkspaces
) -> None:
    large.export(world.user.head)  # what its checkout may be made from
    base = world.change({"secret.md": b"what another reviewer said"})
    head = world.change(EDITS, base)
    clone = large.review("review", base, head, ["secret.md"], layered=True)
    below = large.below("review")
    assert below is not None
    said = in_overlay(clone, below, "git log --format=%s; git diff --name-status HEAD~1; ls; git status --porcelain")
    assert said.split()[:2] == ["change", "base"]
    assert "M\tsrc/app.py" in said and "D\tREADME.md" in said and "secret.md" not in said
    objects = in_overlay(clone, below, "git cat-file --batch-all-objects --batch='%(objecttype)'")
    assert "what another reviewer said" not in objects and objects.count("commit\n") == 2


def test_only_what_is_asked_for_is_layered_and_pruning_leaves_nothing(
    world: World, large: GitWorkspaces, tmp_path: Path
) -> None:
    clone = large.clone("whole", world.user.head)
    assert large.below("whole") is None and (clone / "src/app.py").exists()
    hidden = world.change({".autopilot/x": b"where the agent's context is mounted"})
    assert (large.clone("own", hidden, layered=True) / "src/app.py").exists()
    large.export(world.user.head)
    large.prune()
    assert [place for folder in (tmp_path / "large").iterdir() for place in folder.iterdir()] == []
