"""Whether this very process runs inside one of our sandboxes."""

from __future__ import annotations

from pathlib import Path

from autopilot.ports.sandbox import HOME

_PROC = Path("/proc/self")
_FILTERED = "Seccomp:\t2"


def is_inside(proc: Path = _PROC) -> bool:
    """By what no process in there can change: a root in memory, our HOME as a mount, filtered calls.

    A variable of the environment would be a word that an agent who starts this program may leave out.
    """
    mounted = {}
    for line in (proc / "mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split()
        if len(fields) > 4:
            mounted[fields[4]] = after.split()[:1]
    status = (proc / "status").read_text(encoding="utf-8", errors="replace")
    return mounted.get("/") == ["tmpfs"] and str(HOME) in mounted and _FILTERED in status
