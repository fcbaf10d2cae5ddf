"""Landing: the user's branch, index and files move on, twice, while the user's own file stays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from autopilot.adapters.git.checkout.checkout import GitCheckout
from autopilot.adapters.git.vault import GitVault
from autopilot.model.git import LandingState
from tests.chaos.power_loss.pieces.vault import check_objects
from tests.chaos.power_loss.promising import promise
from tests.contract.git.world import Repo, World, make_repo, make_world

_BEFORE = {"README.md": "one\n" * 500, "src/app.py": "print(1)\n", "src/gone.py": "print(2)\n", "keep.txt": "kept\n"}
_FIRST: dict[str, bytes | None] = {
    "README.md": b"two\n" * 500, "src/app.py": b"print('two')\n", "src/gone.py": None, "new/deep/one.txt": b"1\n" * 900,
}  # fmt: skip
_SECOND: dict[str, bytes | None] = {"README.md": b"three\n" * 400, "new/deep/one.txt": None, "new/two.txt": b"2\n"}
_MINE = "untracked.txt"


class LandingPiece:
    def __init__(self, leftovers: Sequence[str] = ()) -> None:
        """``leftovers``: files that may stay though they were removed, for where it fails git only warns of it."""
        self._tolerated = {f"?? {path}" for path in leftovers}

    def prepare(self, folder: Path) -> None:
        user = make_repo(folder / "user", _BEFORE)
        user.write(_MINE, "mine\n")
        world = make_world(folder, user)
        with closing(world.vault):
            tips = [user.head]
            for edits in (_FIRST, _SECOND):
                tips.append(world.change(edits, tips[-1]))
                world.vault.set_ref("refs/autopilot/tip", tips[-1])
        (folder / "tips").write_text("\n".join(tips))

    def perform(self, folder: Path) -> None:
        tips = _tips(folder)
        with closing(_vault(folder)) as vault:
            for number, (old, new) in enumerate(pairwise(tips)):
                landed = GitCheckout(folder / "user", vault).land(old, new)
                assert landed.state is LandingState.LANDED, landed
                promise(f"landed {number} -")

    def judge(self, folder: Path, promised: Sequence[str]) -> None:
        tips, count = _tips(folder), len(promised)
        user = Repo(folder / "user")
        with closing(_vault(folder)) as vault:
            world = World(user, vault, None, GitCheckout(user.path, vault))  # type: ignore[arg-type]
            if promised and not self._has_note(folder):
                assert user.head in tips[count:], f"the branch went back to {user.head}"
                tip = tips.index(user.head)
                _check_files(user, vault, tips[tip])
            for old, new in pairwise(tips):
                if count:
                    count -= 1
                    continue
                landed = world.checkout.land(old, new)
                assert landed.state is LandingState.LANDED, landed
            assert user.head == tips[-1]
            _check_files(user, vault, tips[-1])
            assert (user.path / _MINE).read_text() == "mine\n"
            status = user.git("status", "--porcelain", "-uall").decode().splitlines()
            assert set(status) - self._tolerated == {f"?? {_MINE}"}, status
            check_objects(user.path / ".git")

    def _has_note(self, folder: Path) -> bool:
        """A landing had begun: its files are settled by the next call."""
        return any((folder / "state" / "vault.git").glob("landing-*.json"))


def _check_files(user: Repo, vault: GitVault, commit: str) -> None:
    for path in vault.list(commit):
        file = user.path / path
        assert file.exists(), f"{path} is gone"
        found, wanted = file.read_bytes(), vault.read(commit, path)
        assert found == wanted, f"{path} is torn: {len(found)} of {len(wanted or b'')} bytes, {found[:40]!r}"


def _vault(folder: Path) -> GitVault:
    return GitVault(folder / "state" / "vault.git", folder / "user")


def _tips(folder: Path) -> list[str]:
    return (folder / "tips").read_text().split()
