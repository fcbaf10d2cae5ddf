"""Whether the code of the agents changed: then all that is tested with the real ones is worth its minutes.

Changed means: since the commit that the upstream branch has too, or by the last commit where that is this one. What is
not in git yet counts. ``AUTOPILOT_AGENTS=all`` (or ``smoke``) decides by hand.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src/autopilot/adapters/agents", "src/autopilot/simulation", "tests/agents", "tests/contract/agents")
MCP = ("src/autopilot/mcp_server", "src/autopilot/simulation/model_server", "tests/agents/test_mcp.py")
CHAT = ("src/autopilot/api/chat", "tests/agents/test_chat_commands.py")


@cache
def agents_changed(folders: tuple[str, ...] = FOLDERS) -> bool:
    if wish := os.environ.get("AUTOPILOT_AGENTS"):
        return wish == "all"
    base = _git("merge-base", "HEAD", "@{upstream}")
    if base in ("", _git("rev-parse", "HEAD")):
        base = _git("rev-parse", "-q", "--verify", "HEAD~1")
    if not base:
        return True  # nothing to compare with
    return bool(_git("diff", "--name-only", base, "--", *folders) or _git("status", "--porcelain", "--", *folders))


def _git(*words: str) -> str:
    """What it says; nothing where it has nothing to say, or is not there."""
    try:
        done = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
