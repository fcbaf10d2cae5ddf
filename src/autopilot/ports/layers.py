"""What a project's setup installs, made once and put below every checkout with the same manifests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Protocol

from msgspec import Struct

from autopilot.model.conditions import Environment
from autopilot.ports.sandbox import Outcome


class Layer(Struct, frozen=True):
    """Read-only lower layers, for ``CommandSpec.layers`` and ``CommandSpec.home_layers``."""

    key: str
    project: PurePosixPath
    home: PurePosixPath
    copies: bool = False  # holds a copy of the product, and so belongs to one tree of it
    made: tuple[str, ...] = ()  # what setup put beside the files of this checkout, from its top; folders as one name
    environment: Environment = Environment()  # programs of the project that this checkout has no part in


class SetupRun(Struct, frozen=True):
    """A project's setup command, and how it is run."""

    command: str
    project: PurePosixPath  # where the project stands for it
    timeout_s: float
    label: str
    network: bool = True
    env: Mapping[str, str] = {}
    grants: tuple[str, ...] = ()  # variables of the machine that it is given


class Layers(Protocol):
    def ensure(self, setup: SetupRun, backing: PurePosixPath) -> Layer | Outcome:
        """The layer for this setup command, the manifests in ``backing`` and these tools; an Outcome when setup failed.

        ``backing`` is a checkout of ours, never an agent's workspace. Setup runs at most once for a key. A failed one
        leaves nothing behind and is tried again the next time. A setup that installs a copy of the product runs again
        for every other version of it.
        """

    def repeat(self, setup: SetupRun, backing: PurePosixPath) -> Outcome:
        """Run setup once more, whether there is a layer or not, and keep nothing of it: does it still succeed?"""

    def forget(self, layer: Layer) -> None:
        """Remove the layer of a tree that was made for one check."""

    def prune(self, unused_since: datetime) -> None:
        """Remove the layers that nothing has asked for since then. Only when none is in use."""
