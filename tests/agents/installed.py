"""Where the real agents are that the tests drive: installed by scripts/setup.sh, never looked for elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = Path(os.environ.get("AUTOPILOT_TEST_AGENTS") or ROOT / ".agents" / "node_modules")
# Where an agent's program is not called as the agent.
PROGRAMS = {"claude-acp": "claude-agent-acp"}


def installed(name: str) -> Path:
    """The program as npm puts it on a PATH. A test that needs it fails without it; it is never skipped."""
    path = MODULES / ".bin" / PROGRAMS.get(name, name)
    assert path.exists(), f"{name} is not installed at {path}; run: scripts/setup.sh agents"
    return path
