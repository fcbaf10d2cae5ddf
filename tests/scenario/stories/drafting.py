"""Stories of drafts: one that is sent back once and then waits, with what its user makes of it."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import Call, commit_all, usage
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World
from tests.scenario.stories.story import Story

ROADMAP = ".planning/ROADMAP.md"
WISH = "it greets who calls it"
VAGUE = "# Roadmap\n\n### Phase 1: Greet\n**Goal**: It greets\n"
GOOD = f"""{VAGUE}**Depends on**: Nothing
**Success Criteria** (what must be TRUE):
  1. It greets -- verified by: `sh hello.sh Ann` (contains "hello Ann")
"""


def round_of(text: str, *concerns: str, number: int = 1, also: str = "") -> Call:
    files = [{"write": ROADMAP, "text": text}, *([{"write": also, "text": "x\n"}] if also else [])]
    reply = {"concerns": list(concerns)}
    do = [*files, *commit_all("Draft")]
    task = f"round-{number}"
    return {"role": "planner", "phase": "draft", "task": task, "do": do, "reply": reply, "usage": usage()}


def wishing(folder: Path, *rounds: Call) -> World:
    world = World(folder, Plot(phases=0))
    world.git("init", "-q", "-b", "main")
    world.write("README.md", "# greeting\n")
    world.commit("Begin")
    world.play(*rounds)
    return world


def sent_back(folder: Path) -> World:
    return wishing(folder, round_of(VAGUE), round_of(GOOD, "whom it greets was left open", number=2, also="extra.txt"))


STORIES = (Story("draft", sent_back, 3, first=("plan", WISH)),)
