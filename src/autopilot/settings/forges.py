"""Validates the settings about a forge: an error would otherwise appear only when work is published."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.forge import ForgeConfig, ForgeKind

# One word that no program can take for an option.
_WORD = re.compile(r"[^-\s]\S*\Z")


def forge_faults(forge: ForgeConfig) -> Iterator[tuple[str, str]]:
    """Fault and remedy. The remote is not repeated, because an address may contain a key."""
    if forge.kind not in list(ForgeKind):
        yield f'kind is "{forge.kind}"', f"write one of {', '.join(ForgeKind)}"
    if not _WORD.match(forge.remote):
        yield "remote is neither a name nor an address", 'write the name of a remote: remote = "origin"'
    if forge.base and not _WORD.match(forge.base):
        yield f'base is "{forge.base}"', "write the name of a branch, or omit it for the default branch of the forge"
