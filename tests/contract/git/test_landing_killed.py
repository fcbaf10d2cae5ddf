"""A landing that was cut off at any point is finished or undone by the next call. covers: T4.5, R-KILL"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.checkout.locked_index import LockedIndex
from autopilot.adapters.git.checkout.note import Note, Notebook
from autopilot.adapters.git.transport import Load
from autopilot.model.git import LandingResult, LandingState
from tests.contract.git.world import Repo, World, make_repo, make_world

LANDED = LandingResult(LandingState.LANDED)
EDITS: dict[str, bytes | None] = {
    "README.md": b"two\nmore\n", "src/app.py": b"print('two')\n", "src/lib.py": None, "new/one.txt": b"1\n",
    "new/with space\n.txt": b"2\n", "run.sh": b"echo two\n",
}  # fmt: skip


class Cut:
    """A landing taken apart, to stop it between any two of its parts."""

    def __init__(self, world: World) -> None:
        self.world, self.user = world, world.user
        self.old = world.user.head
        self.new = world.change(EDITS)
        world.user.write("untracked.txt", "mine\n")
        self.git_dir = world.user.path / ".git"
        world.vault.send(Load(self.new, (self.old,)), world.checkout._git())
        self.notebook = Notebook(world.vault.path, self.git_dir)
        self.notebook.write(Note("refs/heads/main", self.old, self.new))

    def lock(self) -> None:
        assert LockedIndex(self.git_dir).lock()

    def move_some(self, *paths: str) -> None:
        """Write some files as git does inside read-tree: the index still says OLD."""
        (self.git_dir / "autopilot-index").write_bytes(b"half")
        (self.git_dir / "autopilot-index.lock").write_bytes(b"")
        for path in paths:
            content = EDITS[path]
            file = self.user.path / path
            file.unlink(missing_ok=True)
            if content is not None:
                self.user.write(path, content)

    def move_index(self) -> None:
        self.user.git("read-tree", "-m", "-u", self.old, self.new, env={"GIT_INDEX_FILE": self._copy()})
        (self.git_dir / "copy").replace(self.git_dir / "index")

    def _copy(self) -> str:
        (self.git_dir / "copy").write_bytes((self.git_dir / "index").read_bytes())
        return str(self.git_dir / "copy")

    def land(self) -> LandingResult:
        assert self.world.checkout.blockers(self.old, self.new).state is not LandingState.BRANCH_MOVED
        return self.world.checkout.land(self.old, self.new)

    def assert_landed(self) -> None:
        assert self.user.head == self.new
        assert self.user.git("status", "--porcelain", "-uall") == b"?? untracked.txt\n"
        self.assert_tidy()

    def assert_tidy(self) -> None:
        left = [*self.git_dir.glob("autopilot*"), *self.git_dir.glob("*.lock"), *self.world.vault.path.glob("*.json")]
        assert not left
        assert (self.user.path / "untracked.txt").read_text() == "mine\n"


@pytest.fixture
def cut(world: World) -> Cut:
    return Cut(world)


def test_cut_off_before_anything_it_is_finished(cut: Cut) -> None:
    assert cut.land() == LANDED
    cut.assert_landed()


def test_cut_off_with_the_lock_taken_it_is_finished(cut: Cut) -> None:
    cut.lock()
    assert cut.land() == LANDED
    cut.assert_landed()


@pytest.mark.parametrize("count", range(len(EDITS) + 1))
def test_cut_off_after_some_files_it_is_finished(cut: Cut, count: int) -> None:
    cut.lock()
    cut.move_some(*list(EDITS)[:count])
    assert cut.land() == LANDED
    cut.assert_landed()


def test_cut_off_inside_a_file_it_is_finished(cut: Cut) -> None:
    cut.lock()
    cut.move_some("src/lib.py")
    (cut.user.path / "README.md").write_bytes(b"two\nmo")  # the beginning of the new content
    cut.user.write("new/one.txt", "")
    (cut.user.path / "run.sh").unlink()  # removed and not yet written
    assert cut.land() == LANDED
    cut.assert_landed()


def test_cut_off_between_index_and_branch_it_is_finished(cut: Cut) -> None:
    cut.lock()
    cut.move_index()
    assert cut.user.head == cut.old
    assert cut.land() == LANDED
    cut.assert_landed()


def test_cut_off_after_the_branch_it_is_tidied_up(cut: Cut) -> None:
    cut.lock()
    cut.move_index()
    cut.user.git("update-ref", "refs/heads/main", cut.new, cut.old)
    assert cut.land() == LANDED
    cut.assert_landed()


def test_a_file_the_user_changed_since_stops_it_and_nothing_is_lost(cut: Cut) -> None:
    cut.lock()
    cut.move_some("README.md", "new/one.txt")
    cut.user.write("src/app.py", "the user's own words\n")
    result = cut.land()
    assert (result.state, result.paths) == (LandingState.NOT_CLEAN, ("src/app.py",))
    assert "refs/autopilot/wip/1" in result.because
    assert cut.user.git("show", "refs/autopilot/wip/1:src/app.py") == b"the user's own words\n"
    assert (cut.user.path / "src/app.py").read_text() == "the user's own words\n"
    assert cut.user.head == cut.old
    assert not (cut.git_dir / "index.lock").exists()  # the user can work
    cut.user.git("checkout", "--", "src/app.py")
    assert cut.land() == LANDED
    cut.assert_landed()


def test_a_new_file_the_user_changed_since_stops_it(cut: Cut) -> None:
    cut.lock()
    cut.move_some("new/one.txt")
    cut.user.write("new/one.txt", "1\nand the user's\n")
    assert cut.land().paths == ("new/one.txt",)
    assert (cut.user.path / "new/one.txt").read_text() == "1\nand the user's\n"


def test_staged_work_elsewhere_makes_it_undone(cut: Cut) -> None:
    cut.lock()
    cut.move_some("README.md", "src/lib.py", "new/one.txt")
    (cut.user.path / "run.sh").unlink()
    (cut.git_dir / "index.lock").unlink()  # the user removed it by hand and went on
    cut.user.write("mine.txt", "mine\n")
    cut.user.git("add", "mine.txt")
    result = cut.land()
    assert result.state is LandingState.NOT_CLEAN and "undone" in result.because
    assert cut.user.head == cut.old
    assert cut.user.git("status", "--porcelain", "-uall") == b"A  mine.txt\n?? untracked.txt\n"
    assert (cut.user.path / "README.md").read_text() == "hello\n"
    cut.assert_tidy()


def test_changes_in_other_files_are_kept_while_it_is_finished(cut: Cut) -> None:
    cut.user.write("other.txt", "mine\n")
    cut.lock()
    cut.move_some("README.md")
    assert cut.land() == LANDED
    assert (cut.user.path / "other.txt").read_text() == "mine\n"


def test_a_branch_the_user_moved_since_is_left_alone(cut: Cut) -> None:
    cut.lock()
    cut.move_some("README.md")
    (cut.git_dir / "index.lock").unlink()
    mine = cut.user.commit("whatever is there")
    assert cut.world.checkout.land(cut.old, cut.new).state is LandingState.BRANCH_MOVED
    assert cut.user.head == mine and cut.user.git("status", "--porcelain") == b""
    cut.assert_tidy()


def test_another_landing_undoes_the_one_that_was_cut_off(cut: Cut) -> None:
    cut.lock()
    cut.move_some("README.md", "src/lib.py")
    other = cut.world.change({"other.txt": b"other\n"}, cut.old)
    cut.world.checkout.land(cut.old, other)
    assert (cut.user.path / "README.md").read_text() == "hello\n"
    assert cut.world.checkout.land(cut.old, other) == LANDED
    assert cut.user.head == other
    assert cut.user.git("status", "--porcelain", "-uall") == b"?? untracked.txt\n"
    cut.assert_tidy()


def test_a_lock_of_another_git_is_not_taken_for_ours(cut: Cut) -> None:
    cut.move_some("README.md")
    (cut.git_dir / "index.lock").write_bytes(b"DIRC")
    result = cut.world.checkout.land(cut.old, cut.new)
    assert result.state is LandingState.LOCKED and "index.lock" in result.because
    (cut.git_dir / "index.lock").unlink()
    assert cut.land() == LANDED
    cut.assert_landed()


def test_files_and_folders_that_change_places_are_finished_too(world: World) -> None:
    old = world.user.head
    new = world.change({"src": b"a file now\n", "README.md/part.txt": b"a folder now\n"})
    world.vault.send(Load(new, (old,)), world.checkout._git())
    Notebook(world.vault.path, world.user.path / ".git").write(Note("refs/heads/main", old, new))
    (world.user.path / "README.md").unlink()
    (world.user.path / "README.md").mkdir()
    (world.user.path / "src/app.py").unlink()
    assert world.checkout.land(old, new) == LANDED
    assert world.user.head == new and world.user.git("status", "--porcelain", "-uall") == b""


LANDER = """
import sys
from pathlib import Path
from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.vault import GitVault
vault = GitVault(Path(sys.argv[1]), Path(sys.argv[2]))
checkout = GitCheckout(Path(sys.argv[2]), vault)
print("ready", flush=True)
sys.stdin.readline()
checkout.land(sys.argv[3], sys.argv[4])
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("moment", range(12))
def test_killed_for_real_at_some_moment_it_is_finished(tmp_path: Path, moment: int) -> None:
    files = {f"d{n % 5}/f{n}.txt": f"{n}\n" * 50 for n in range(300)}
    user = make_repo(tmp_path / "project", files)
    world = make_world(tmp_path, user)
    edits: dict[str, bytes | None] = {path: (text + "more\n").encode() for path, text in files.items()}
    edits |= dict.fromkeys(list(files)[::7]) | {f"new/{n}": b"new\n" for n in range(100)}
    old, new = user.head, world.change(edits)
    user.write("untracked.txt", "mine\n")
    arguments = [sys.executable, "-c", LANDER, str(world.vault.path), str(user.path), old, new]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin and child.stdout
        assert child.stdout.readline() == b"ready\n"
        child.stdin.write(b"\n")
        child.stdin.flush()
        _wait_for_note(world.vault.path, child)
        time.sleep(0.004 * moment)
        child.send_signal(signal.SIGKILL)
    if moment % 2:
        _kill_git_below(world.vault.path)
    assert world.checkout.land(old, new) == LANDED
    assert user.head == new
    assert user.git("status", "--porcelain", "-uall") == b"?? untracked.txt\n"
    assert not list((user.path / ".git").glob("*.lock"))
    user.git("fsck", "--strict")


def _wait_for_note(folder: Path, child: subprocess.Popen[bytes]) -> None:
    """Before it there is nothing to cut off."""
    for _ in range(100_000):
        if list(folder.glob("landing-*.json")) or child.poll() is not None:
            return
        time.sleep(0.0002)


def _kill_git_below(folder: Path) -> None:
    """Kill what the killed one had started: the processes that hold its landing lock open."""
    for place in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            target = place.readlink()
        except OSError:
            continue
        if target.parent == folder and target.name.startswith("landing-"):
            os.kill(int(place.parts[2]), signal.SIGKILL)


def test_a_worktree_has_a_note_of_its_own(world: World, tmp_path: Path) -> None:
    cut = Cut(world)
    cut.user.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = GitCheckout(tmp_path / "side", world.vault)
    assert side.land(cut.old, cut.new) == LANDED
    assert Repo(tmp_path / "side").git("status", "--porcelain") == b""
    assert cut.land() == LANDED
    cut.assert_landed()


def test_a_torn_file_that_cannot_be_read_is_named_and_the_landing_goes_on_afterwards(tmp_path: Path) -> None:
    """R-IO"""
    program = Path(__file__).with_name("unreadable.py")
    done = subprocess.run(
        ["unshare", "-Ur", "-m", "--propagation", "private", sys.executable, str(program), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(program.parents[3])},
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    because = f"{tmp_path}/project/README.md cannot be used: Input/output error"
    assert answers["blockers"] == answers["land"] == ["Unavailable", because]
    assert answers["landed"]
