"""The prompts as agents get them, kept as files: ``python -m tests.unit.steps.snapshots`` writes them anew.

A changed prompt is a changed product: look at the difference before you keep it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from autopilot.engine.performing import STEPS
from autopilot.model.run import Step
from tests.unit.steps.sample import sample_context, sample_world

FOLDER = Path(__file__).parent / "prompts"
ASKING = {
    Step.RESEARCH: "",
    Step.PLAN: "",
    Step.PLAN_CHECK: "",
    Step.EXECUTE: "01-01",
    Step.DEBUG: "01-01",
    Step.VERIFY: "",
    Step.JUDGE: "",
    Step.RATE: "",
}


def prompt_of(step: Step, folder: Path) -> str:
    world = sample_world(folder)
    next(STEPS[step](sample_context(world, step, ASKING[step])))
    return world.ear.calls[0].prompt


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for step in ASKING:
            (FOLDER / f"{step.value}.md").write_text(prompt_of(step, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
