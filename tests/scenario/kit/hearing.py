"""What agents were told: their prompts and the folders they saw, as their transcripts keep them."""

from __future__ import annotations

import json

from autopilot.events.happened import AgentReplied
from tests.scenario.kit.aftermath import happened
from tests.scenario.kit.calls import Call
from tests.scenario.kit.world import World

# The scripted agent reads its prompt from a file, which its own child can open again; what it prints is kept.
SHOW_PROMPT: Call = {"run": "cat /proc/$PPID/fd/0"}
SHOW_FOLDERS: Call = {"run": "find .autopilot .planning -type f"}


def heard(world: World, role: str, phase: int = 1) -> list[str]:
    """Everything the agents of this role read and printed in a phase, one text for each call, in their order."""
    blobs = world.assemble().ports.blobs
    calls = [e for e in happened(world, AgentReplied) if e.role == role and e.phase == str(phase)]
    return [blobs.get(json.loads(blobs.get(call.reply))["transcript"]).decode() for call in calls]
