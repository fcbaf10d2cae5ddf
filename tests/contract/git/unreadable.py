"""Reads an interrupted landing whose half-written file cannot be read; prints what happened as JSON.

The memory of a process is a regular file whose first byte cannot be read: the kernel answers EIO.
"""

import ctypes
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from autopilot.adapters.git.checkout.note import Note, Notebook
from autopilot.adapters.git.transport import Load
from autopilot.model.errors import AutopilotError
from tests.contract.git.world import make_repo, make_world

MS_BIND = 4096
LIBC = ctypes.CDLL(None, use_errno=True)


def main(folder: Path) -> None:
    world = make_world(folder, make_repo(folder / "project", {"README.md": "one\n"}))
    checkout, old, new = world.checkout, world.user.head, world.change({"README.md": b"two\nmore\n"})
    world.vault.send(Load(new, (old,)), checkout._git())
    Notebook(world.vault.path, world.user.path / ".git").write(Note("refs/heads/main", old, new))
    torn = world.user.path / "README.md"
    torn.write_bytes(b"two\nmo")
    assert LIBC.mount(b"/proc/self/mem", os.fsencode(torn), None, MS_BIND, None) == 0, ctypes.get_errno()
    attempts = {"blockers": lambda: checkout.blockers(old, new), "land": lambda: checkout.land(old, new)}
    answers = {name: outcome(attempt) for name, attempt in attempts.items()}
    assert LIBC.umount2(os.fsencode(torn), 0) == 0, ctypes.get_errno()
    print(json.dumps({**answers, "afterwards": outcome(attempts["land"]), "landed": world.user.head == new}))


def outcome(attempt: Callable[[], object]) -> list[str]:
    try:
        return ["answered", str(attempt())]
    except (AutopilotError, OSError) as error:
        return [type(error).__name__, str(error)]


main(Path(sys.argv[1]))
