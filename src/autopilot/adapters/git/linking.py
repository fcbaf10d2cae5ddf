"""A large checkout made from one that is there: hard links for what is the same, so that only what differs is written.

Only for checkouts of ours that no command and no agent writes to: they see them through an overlay.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from autopilot.adapters.git.differences import Difference

_ATTRIBUTES = b".gitattributes"


def can_link(differences: Sequence[Difference]) -> bool:
    """Attributes decide how git writes other files: where they change, equal contents may be other bytes."""
    return all(difference.path.rpartition(b"/")[2] != _ATTRIBUTES for difference in differences)


def link_tree(base: Path, target: Path, leave_out: frozenset[bytes]) -> None:
    """Every file of ``base`` but git's own and those left out. A folder without a file is not made, as git has it."""
    root, place = os.fsencode(base), os.fsencode(target)
    pending = [b""]
    while pending:
        folder = pending.pop()
        with os.scandir(root + folder) as entries:
            found = [(folder + b"/" + entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        wanted = [(name, is_folder) for name, is_folder in found if name != b"/.git" and name[1:] not in leave_out]
        pending += [name for name, is_folder in wanted if is_folder]
        files = [name for name, is_folder in wanted if not is_folder]
        if files:
            Path(os.fsdecode(place + folder)).mkdir(mode=0o755, parents=True, exist_ok=True)
        for name in files:
            os.link(root + name, place + name, follow_symlinks=False)


def link_packs(base: Path, target: Path) -> None:
    """The objects of a place of ours; a pack is never changed once it is written."""
    for pack in (base / ".git" / "objects" / "pack").iterdir():
        os.link(pack, target / ".git" / "objects" / "pack" / pack.name)


def count_entries(checkout: Path) -> int:
    """How many files its index names: the number stands in the head of it."""
    with (checkout / ".git" / "index").open("rb") as index:
        return int.from_bytes(index.read(12)[8:], "big")
