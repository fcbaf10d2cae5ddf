"""What a killed process left behind in a repository, cleared away by the next process that holds the lock."""

from __future__ import annotations

from autopilot.ports.bundle import Ports


def clear_leftovers(ports: Ports) -> tuple[str, ...]:
    """End its processes, then remove its workspaces: clones, context folders, and agents' homes with login files.

    None of it is used again, whether a resume, a fresh run or a cancel comes next: every step starts from a fresh
    workspace. Returns the processes that were ended.
    """
    ended = ports.sandbox.end_orphans()
    ports.workspaces.remove_all()
    return ended
