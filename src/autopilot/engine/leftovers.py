"""What a killed process left behind in a repository, cleared away by the next process that holds the lock."""

from __future__ import annotations

from datetime import timedelta

from autopilot.ports.bundle import Ports

LAYERS_KEPT = timedelta(days=30)  # after a layer was used last


def clear_leftovers(ports: Ports) -> tuple[str, ...]:
    """End its processes, then remove its workspaces: clones, context folders, and agents' homes with login files.

    None of it is used again, whether a resume, a fresh run or a cancel comes next: every step starts from a fresh
    workspace. Returns the processes that were ended.
    """
    ended = ports.sandbox.end_orphans()
    ports.workspaces.remove_all()
    return ended


def prune_records(ports: Ports) -> None:
    """Remove what can be made again: checkouts of commits, and what setup installed for manifests of long ago.

    A run that is over does it; one that stopped needs its checkouts when it is resumed.
    """
    ports.workspaces.prune()
    ports.layers.prune(ports.clock.now() - LAYERS_KEPT)
