"""Reports that cannot be: what each role says that contradicts the facts or is no report, and why it is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.scenario.kit.calls import Call
from tests.scenario.kit.hearing import SHOW_PROMPT
from tests.scenario.kit.ratings import rating
from tests.scenario.kit.reviews import verifier

TEN_MB = 10_000_000
HUGE = "verifier: 10 MB"


@dataclass(frozen=True)
class Lie:
    """Fields of a true reply that are replaced, or a text instead of it, and words of the refusal."""

    role: str
    reason: str
    fields: dict[str, Any] = field(default_factory=dict)
    without: str = ""
    raw: str = ""
    entry: dict[str, Any] = field(default_factory=dict)  # of a rater: fields of the one line of its card

    def call(self, task: str, attempt: int) -> Call:
        """Told in this attempt; whoever lies shows first what it was told."""
        said: Call = {"raw": self.raw} if self.raw else {"reply": self.reply(task)}
        phase = str(int(task.split("-")[0]))
        return {"role": self.role, "phase": phase, "attempt": attempt, "do": [SHOW_PROMPT], **said}

    def reply(self, task: str) -> dict[str, Any]:
        told = {**TRUE[self.role](task), **self.fields}
        if self.entry:
            told["scorecard"] = [{**told["scorecard"][0], **self.entry}]
        return {name: value for name, value in told.items() if name != self.without}


def findings(task: str) -> dict[str, Any]:
    said = {"recommendation": "proceed", "concerns": ["the name is spelt out"], "notes": "read"}
    none: dict[str, Any] = {"scope_creep": [], "missing_requirements": [], "traces": []}
    return {**said, **none, "independent_evidence": [f"part-{task}.sh:1 -- it prints its name"]}


def mini(task: str) -> dict[str, Any]:
    reading = {"criterion": f"Part {task} says its name", "status": "verified", "evidence": f"part-{task}.sh:1"}
    return {"passed": True, "criteria_results": [reading], "concerns": [], "commands_run": ["git diff HEAD~1 -> read"]}


TRUE = {
    "plan_checker": lambda task: {"passed": True, "issues": [], "confidence": 9.0},
    "mini_verifier": mini,
    "verifier": lambda task: verifier(1, task, 9.0)["reply"],
    "judge": findings,
    "rater": lambda task: rating({task: "9.6"}),
}

READ_ODDLY = [{"criterion": "It speaks", "status": "FAILED", "evidence": "part.sh:1"}]

# Of one role two each are told in the same phase, so an even number of each.
LIES = {
    "plan checker: prose": Lie(
        "plan_checker", "the plan_checker's reply does not match the schema", raw="Looks good to me!"
    ),
    "plan checker: no such mark": Lie("plan_checker", "a mark lies between 0 and 10, not 42", {"confidence": 42.0}),
    "verifier: a green check is red": Lie(
        "verifier",
        "test is reported as failed, but it passed",
        {"automated_checks": [{"check": "test", "passed": False}]},
    ),
    "verifier: a check nobody runs is green": Lie(
        "verifier",
        "compile is reported as passed, but no compile command is configured",
        {"automated_checks": [{"check": "compile", "passed": True}]},
    ),
    "verifier: no command": Lie("verifier", "the verifier ran no command", {"commands_run": []}),
    "verifier: a blank command": Lie("verifier", "the verifier ran no command", {"commands_run": ["  "]}),
    "verifier: prose": Lie(
        "verifier", "the verifier's reply does not match the schema", raw="All tests pass, ship it."
    ),
    "verifier: a field is missing": Lie("verifier", "missing required field `passed`", without="passed"),
    HUGE: Lie("verifier", "the verifier sent a reply that did not have the required form", raw="x" * TEN_MB),
    "verifier: no such reading": Lie(
        "verifier", "'FAILED' is not a valid status of a criterion", {"criteria_results": READ_ODDLY}
    ),
    "judge: agrees without evidence": Lie(
        "judge", "names no difference from the verifier and shows no evidence", {"independent_evidence": []}
    ),
    "judge: no concern": Lie("judge", "the judge names 0 of 1 required concerns", {"concerns": []}),
    "judge: no such recommendation": Lie("judge", "Invalid enum value 'perhaps'", {"recommendation": "perhaps"}),
    "judge: a field is missing": Lie("judge", "missing required field `concerns`", without="concerns"),
    "rater: a whole number": Lie("rater", "9 is a whole number: scores have one decimal", entry={"score": 9}),
    "rater: an invented command": Lie(
        "rater", "`pytest -q` is not its command", entry={"verification_command": "pytest -q"}
    ),
    "rater: another criterion": Lie("rater", "no score for: Part", entry={"criterion": "Another part speaks"}),
    "rater: an empty card": Lie("rater", "the scorecard is empty", {"scorecard": []}),
    "rater: no command": Lie("rater", "the rater ran no command", {"commands_run": []}),
    "rater: two decimals": Lie("rater", "'9.55' is not a score", entry={"score": "9.55"}),
}
