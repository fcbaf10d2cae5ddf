"""A checkout cannot make us write into another repository, or into any file elsewhere. covers: T1, T3, R-GIT

Each redirection is shown to work on plain git afterwards (the control), against a decoy made here.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from autopilot.adapters.git.repository import locate
from autopilot.model.errors import UsageError
from tests.contract.git.hostile import Act, Scene, both, git, make_scene, make_template, use
from tests.contract.git.world import Repo

pytestmark = pytest.mark.one_in(4)

ELSEWHERE = "the repository leads elsewhere"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("hostile"))


@pytest.fixture
def scene(template: Path, tmp_path: Path) -> Scene:
    return make_scene(template, tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    """Everything below a folder; what a link leads to is not below it."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    return {str(path): path.read_bytes() for path in files}


def without_git(scene: Scene) -> Path:
    shutil.rmtree(scene.user.path / ".git")
    return scene.user.path / ".git"


def git_link(scene: Scene) -> None:
    without_git(scene).symlink_to(scene.victim.path / ".git")


def git_link_inside(scene: Scene) -> None:
    (scene.user.path / ".git").rename(scene.user.path / "kept")
    (scene.user.path / ".git").symlink_to("kept")


def git_file(text: str) -> Act:
    return lambda scene: without_git(scene).write_bytes(scene.text(f"gitdir: {text}\n"))


def common(text: str) -> Act:
    return lambda scene: scene.user.write(".git/commondir", scene.text(text))


def common_link(scene: Scene) -> None:
    (scene.folder / "pointer").write_bytes(scene.text("VICTIM/.git\n"))
    (scene.user.path / ".git/commondir").symlink_to(scene.folder / "pointer")


def other_worktree(scene: Scene) -> None:
    """The worktree of another folder of the user's."""
    scene.victim.git("worktree", "prune")
    scene.victim.git("worktree", "add", "-q", "-b", "mine", "../mine")
    git_file("VICTIM/.git/worktrees/mine")(scene)


def forged_worktree(where: str) -> Act:
    """A directory of the attacker's that claims to be a worktree of the victim."""

    def plant(scene: Scene) -> None:
        own = scene.user.path / where
        own.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(scene.user.path / ".git", own)
        (own / "HEAD").write_text("ref: refs/heads/main\n")
        (own / "commondir").write_bytes(scene.text("VICTIM/.git\n"))
        (own / "gitdir").write_text(f"{scene.user.path}/.git\n")
        git_file(str(own))(scene)

    return plant


def part_link(name: str, target: str = "") -> Act:
    """A part of the git directory is a link to the victim's, or to a file elsewhere."""

    def plant(scene: Scene) -> None:
        place = scene.user.path / ".git" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        elsewhere = scene.victim.path / ".git" / (target or name)
        elsewhere.parent.mkdir(parents=True, exist_ok=True)
        if not elsewhere.exists():
            elsewhere.mkdir()
        if place.is_dir():
            shutil.copytree(place, elsewhere, dirs_exist_ok=True)
            shutil.rmtree(place)
        place.unlink(missing_ok=True)
        place.symlink_to(elsewhere)

    return plant


def log_link(name: str) -> Act:
    def plant(scene: Scene) -> None:
        place = scene.user.path / ".git/logs" / name
        place.unlink()
        place.symlink_to(scene.victim.path / "own.txt")

    return plant


def object_folder(scene: Scene) -> None:
    """The folder that the commit made by the control falls into."""
    for number in range(256):
        part_link(f"objects/{number:02x}")(scene)


BRANCH = git("branch", "autopilot/x")
COMMIT = git("commit", "-q", "--allow-empty", "-m", "x")
REFUSED: dict[str, tuple[Act, Act]] = {
    "link": (git_link, BRANCH),
    "link to a folder inside": (git_link_inside, git("update-ref", "refs/heads/x", "HEAD")),
    "git file": (git_file("VICTIM/.git"), BRANCH),
    "git file by a relative path": (git_file("../victim/.git"), BRANCH),
    "git file through a link": (
        both(git_file("hop/.git"), lambda s: (s.user.path / "hop").symlink_to(s.victim.path)), BRANCH),
    "commondir": (common("VICTIM/.git\n"), BRANCH),
    "commondir by a relative path": (common("../../victim/.git"), BRANCH),
    "commondir that is a link": (common_link, BRANCH),
    "worktree of another folder": (other_worktree, BRANCH),
    "forged worktree": (forged_worktree("forged"), BRANCH),
    "forged worktree in a folder of worktrees": (forged_worktree("worktrees/forged"), BRANCH),
    "refs": (part_link("refs"), BRANCH),
    "branches": (part_link("refs/heads"), BRANCH),
    "our branches": (part_link("refs/heads/autopilot"), BRANCH),
    "our refs": (part_link("refs/autopilot"), git("update-ref", "refs/autopilot/wip/1", "HEAD")),
    "our snapshots": (part_link("refs/autopilot/wip"), git("update-ref", "refs/autopilot/wip/1", "HEAD")),
    "objects": (part_link("objects"), COMMIT),
    "packs": (part_link("objects/pack"), git("repack", "-adq")),
    "folders of objects": (object_folder, COMMIT),
    "logs": (part_link("logs"), COMMIT),
    "log of HEAD": (log_link("HEAD"), COMMIT),
    "log of the branch": (log_link("refs/heads/main"), COMMIT),
    "logs of branches": (part_link("logs/refs/heads", "elsewhere"), COMMIT),
    "logs of our branches": (part_link("logs/refs/heads/autopilot", "elsewhere"), BRANCH),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_git_directory_that_leads_elsewhere_is_refused_by_name(scene: Scene, name: str) -> None:
    plant, control = REFUSED[name]
    plant(scene)
    victim = scene.user.path / "kept" if name == "link to a folder inside" else scene.victim.path
    before = contents(victim)
    with pytest.raises(UsageError, match=ELSEWHERE) as refusal:
        locate(scene.user.path)
    assert refusal.value.hint
    assert [failure for failure in use(scene) if ELSEWHERE not in failure] == []
    assert contents(victim) == before
    control(scene)
    assert contents(victim) != before, "the control changed nothing: this attack proves nothing"


# Names that we write ourselves, in a git directory that somebody else filled.


@pytest.mark.parametrize("name", ["autopilot-lock", "autopilot-index", "index"])
def test_a_link_under_a_name_of_ours_is_replaced_and_not_followed(scene: Scene, name: str) -> None:
    decoy = scene.victim.path / "own.txt"
    place = scene.user.path / ".git" / name
    if name == "index":
        shutil.copy2(place, decoy)
        place.unlink()
    place.symlink_to(decoy)
    before = contents(scene.victim.path)
    assert use(scene) == []
    assert contents(scene.victim.path) == before
    place.unlink(missing_ok=True)
    place.symlink_to(decoy)
    place.write_bytes(b"x")
    assert contents(scene.victim.path) != before, "the control changed nothing: this attack proves nothing"


@pytest.mark.parametrize(("name", "refused"), [("index.lock", True), ("autopilot-index.lock", False)])
def test_a_lock_that_is_a_link_is_not_followed(scene: Scene, name: str, refused: bool) -> None:
    """One of git's stops a landing. One of ours was left behind by a loss of power, and is cleared away itself."""
    (scene.user.path / ".git" / name).symlink_to(scene.victim.path / "own.txt")
    before = contents(scene.victim.path)
    assert bool(use(scene)) is refused
    assert contents(scene.victim.path) == before


def test_a_work_tree_elsewhere_is_not_written_to(scene: Scene) -> None:
    scene.configure("[core]\n\tworktree = VICTIM\n")
    before = contents(scene.victim.path)
    assert use(scene) == []
    assert contents(scene.victim.path) == before
    git("checkout", "-q", "HEAD~1", "--", "notes.md")(scene)
    assert contents(scene.victim.path) != before, "the control changed nothing: this attack proves nothing"


def test_a_link_in_place_of_a_folder_of_the_work_tree_is_not_landed_through(scene: Scene) -> None:
    scene.user.git("checkout", "-q", "HEAD~1")
    scene.user.git("checkout", "-q", "main")
    shutil.rmtree(scene.user.path / "src")
    (scene.user.path / "src").symlink_to(scene.victim.path)
    before = contents(scene.victim.path)
    assert use(scene)
    assert contents(scene.victim.path) == before
    scene.user.write("src/app.md", "through the link")
    assert contents(scene.victim.path) != before, "the control changed nothing: this attack proves nothing"


@pytest.mark.parametrize("name", ["HEAD", "index", "packed-refs", "shallow", "info/exclude", "config", "commondir"])
def test_a_pipe_in_place_of_a_file_does_not_hold_us_up(scene: Scene, name: str) -> None:
    place = scene.user.path / ".git" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    assert bool(use(scene)) == (name != "config"), "without a configuration git's own defaults hold"


# What git itself makes stays usable.


@pytest.mark.parametrize("style", ["as git made it", "moved and repaired", "by relative paths", "of a bare repository"])
def test_a_real_worktree_is_used(scene: Scene, style: str) -> None:
    if style == "of a bare repository":
        scene.user.git("clone", "-q", "--bare", ".", str(scene.folder / "bare.git"))
        Repo(scene.folder / "bare.git").git("worktree", "add", "-q", "-b", "mine", str(scene.folder / "mine"), "main")
    else:
        scene.user.git("worktree", "add", "-q", "-b", "mine", str(scene.folder / "mine"), "main")
    place = scene.folder / "mine"
    if style == "moved and repaired":
        place = place.rename(scene.folder / "moved")
        with pytest.raises(UsageError, match="is not the worktree of this folder") as refusal:
            locate(place)
        assert refusal.value.hint == "git worktree repair"
        Repo(place).git("worktree", "repair")
    if style == "by relative paths":  # as git writes them from 2.48 on
        (place / ".git").write_text("gitdir: ../project/.git/worktrees/mine\n")
        (scene.user.path / ".git/worktrees/mine/gitdir").write_text("../../../../mine/.git\n")
    assert use(Scene(scene.folder, Repo(place), scene.victim)) == []


def test_a_submodule_is_used_as_a_checkout_of_its_own(scene: Scene) -> None:
    protocol = ("-c", "protocol.file.allow=always")
    scene.victim.git(*protocol, "submodule", "add", "-q", str(scene.user.path), "sub")
    assert use(Scene(scene.folder, Repo(scene.victim.path / "sub"), scene.victim)) == []
