"""What settings say about a forge, checked: a wrong word would show only when there is something to show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.forge import ForgeConfig, ForgeKind

# One word that no program takes for an option.
_WORD = re.compile(r"[^-\s]\S*\Z")


def forge_faults(forge: ForgeConfig) -> Iterator[tuple[str, str]]:
    """What is wrong, and what to do about it. A remote is not repeated: an address may hold a key."""
    if forge.kind not in list(ForgeKind):
        yield f'kind is "{forge.kind}"', f"write any of {', '.join(ForgeKind)}"
    if not _WORD.match(forge.remote):
        yield "remote is no name and no address", 'write the name of a remote: remote = "origin"'
    if forge.base and not _WORD.match(forge.base):
        yield f'base is "{forge.base}"', "write the name of a branch, or leave it out for the forge's own default"
