"""The user's uncommitted work, saved under a hidden ref without touching index, files or stash."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.adapters.git.command import Git, failure

_REFS = "refs/autopilot/wip/"
_EVERYTHING = (".", ":(exclude,top).autopilot")


def save_snapshot(git: Git, scratch: Path) -> str:
    """The ref; "" when all is committed. Shaped like a stash, so ``git stash apply <ref>`` brings it back.

    The same work saved again is the same ref.
    """
    if not git.run(
        "status", "--porcelain=v2", "-z", "--untracked-files=normal", "--no-renames", "--ignore-submodules=dirty"
    ):
        return ""  # the usual case, for one process instead of four
    head, head_tree = git.run("rev-parse", "HEAD", "HEAD^{tree}").decode().split()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="snapshot-") as folder:
        copy = on_index_copy(git, Path(folder) / "index")
        staged = copy.ask("write-tree")  # fails while a merge is unresolved; the files are saved all the same
        staged_tree = staged.output.decode().strip() if staged.code == 0 else ""
        _add_all(copy)
        tree = copy.run("write-tree").decode().strip()
    if tree == head_tree and staged_tree in ("", head_tree):
        return ""
    parents = ["-p", head]
    if staged_tree:
        parents += ["-p", _commit(git, staged_tree, ["-p", head], "index before Autopilot")]
    return _keep(git, _commit(git, tree, parents, "uncommitted work before Autopilot"))


def on_index_copy(git: Git, path: Path) -> Git:
    """Git working on a copy of the index, with its times: git trusts them to know what is unchanged."""
    source = git.git_dir / "index"
    with translated(path):
        path.unlink(missing_ok=True)
        if source.is_file():
            with source.open("rb") as old, path.open("xb") as new:  # never through a link left under this name
                shutil.copyfileobj(old, new)
            shutil.copystat(source, path)
    return git.with_env({"GIT_INDEX_FILE": str(path)})


def _add_all(git: Git) -> None:
    # What cannot be read is left out; saving the rest beats saving nothing.
    answer = git.ask("add", "-A", "--ignore-errors", "--", *_EVERYTHING)
    if answer.code not in (0, 1):
        raise failure(["add"], answer.complaint)


def _commit(git: Git, tree: str, parents: list[str], message: str) -> str:
    return git.run("commit-tree", tree, *parents, "-m", message).decode().strip()


def _keep(git: Git, commit: str) -> str:
    numbers = _numbers(git)
    if numbers and _work(git, f"{_REFS}{max(numbers)}") == _work(git, commit):
        return f"{_REFS}{max(numbers)}"
    ref = f"{_REFS}{max(numbers, default=0) + 1}"
    git.run("update-ref", ref, commit, "0" * 40)
    return ref


def _work(git: Git, commit: str) -> bytes:
    """What a snapshot holds, apart from when it was made."""
    parts = (f"{commit}^{{tree}}", f"{commit}^1", f"{commit}^2^{{tree}}")
    return git.ask("rev-parse", *parts).output


def _numbers(git: Git) -> list[int]:
    names = git.run("for-each-ref", "--format=%(refname)", _REFS).decode().split()
    return [int(name.rpartition("/")[2]) for name in names if name.rpartition("/")[2].isdigit()]
