"""What raters of a scenario say, where they do not simply read what was observed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.scenario.kit.calls import Call

# Nothing changed, so the rater has to find the place itself.
OF_WHAT_IS_THERE: Call = {
    "role": "rater",
    "reply": {
        "scorecard": [
            {
                "criterion": "Part 1 says its name",
                "score": 9.6,
                "verification_command": "sh part-01-01.sh",
                "command_output": "part 01-01",
                "evidence": "part-01-01.sh:1 -- prints its name",
                "justification": "it speaks",
            }
        ],
        "side_effects": [],
        "commands_run": ["sh part-01-01.sh -> part 01-01"],
        "aggregate_justification": "the one criterion holds",
    },
}
WANTING = "no line of part-{task}.sh says why it speaks"


def rate(phase: int, scores: Mapping[str, str], attempt: int | None = None) -> Call:
    """Each task's one criterion with its score, as text with one decimal."""
    call: Call = {"role": "rater", "phase": str(phase), "reply": rating(scores)}
    return call if attempt is None else {**call, "attempt": attempt}


def rating(scores: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "scorecard": [_entry(task, score) for task, score in scores.items()],
        "side_effects": [],
        "commands_run": ["git diff HEAD~1 HEAD -> read"],
        "aggregate_justification": "as each criterion says",
        "concerns": [],
        "scope_creep": [],
        "traces": [],
    }


def _entry(task: str, score: Any) -> dict[str, Any]:
    return {
        "criterion": f"Part {task} says its name",
        "score": score,
        "verification_command": f"sh part-{task}.sh",
        "command_output": f"part {task}",
        "evidence": f"part-{task}.sh:1 -- it prints its name",
        "justification": WANTING.format(task=task),
    }
