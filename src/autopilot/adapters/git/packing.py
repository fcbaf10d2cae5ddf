"""Commits of the vault as one pack in a file, and back: for another machine, which has the user's history already."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.adapters.git.command import THROW_AWAY, Git, quoted
from autopilot.model.errors import RecordBroken, Unavailable

_EMPTY = 32  # bytes of a pack without objects


def pack_up(git: Git, tips: Sequence[str], known: str) -> bytes:
    """Everything reachable from the tips and not from ``known``. No object in it leans on one outside of it."""
    return git.run("pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset", stdin=_revisions(tips, known))


def read_packed(git: Git, tips: Sequence[str], known: str) -> Iterator[tuple[str, bytes]]:
    """Id and content of every object that ``pack_up`` would pack."""
    listed = git.run("rev-list", "--objects", "--no-object-names", "--stdin", stdin=_revisions(tips, known))
    printed = git.run("cat-file", "--batch", stdin=listed) if listed else b""
    place = 0
    while place < len(printed):
        line_end = printed.index(b"\n", place)
        name, _, size = printed[place:line_end].decode("ascii", "replace").split(" ")
        start = line_end + 1
        yield name, printed[start : start + int(size)]
        place = start + int(size) + 1


def unpack(git: Git, pack: bytes) -> None:
    """Check every object in a place apart, and that all it links to is there; only then does it come in."""
    if len(pack) <= _EMPTY:
        return
    objects = git.git_dir / "objects"
    with translated(git.git_dir), tempfile.TemporaryDirectory(dir=git.git_dir, prefix="quarantine-") as folder:
        env = {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted(objects)}
        try:
            git.with_env(env, THROW_AWAY).run("index-pack", "--stdin", "--strict", stdin=pack)
        except Unavailable as error:
            hint = "Export it again where it comes from."
            raise RecordBroken(f"the commits of the artefact are not whole: {error}", hint) from error
        for found in Path(folder).glob("pack/*.pack"):
            with found.open("rb", buffering=0) as file:
                git.run("index-pack", "--stdin", stdin=file)


def _revisions(tips: Sequence[str], known: str) -> bytes:
    return "".join(f"{line}\n" for line in (*tips, *([f"^{known}"] if known else []))).encode()
