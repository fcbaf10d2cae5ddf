"""What reviewers of a scenario say, where they do not simply read what was observed."""

from __future__ import annotations

from typing import Any

from tests.scenario.kit.calls import Call

Reply = dict[str, Any]
TRIED = ("sh part-01-01.sh", "git diff HEAD~1")


def verifier(phase: int, task: str, confidence: float, *cannot: Reply, attempt: int | None = None) -> Call:
    """Everything that can be run holds; how sure of the rest, and what could not be settled, is told."""
    reading = {"status": "verified", "evidence": f"part-{task}.sh:1 -- it prints its name"}
    unbuilt = {"criterion": "SC-1", "status": "verified", "evidence": "check.sh:1 -- it was there before"}
    reply = {
        "passed": True,
        "criteria_results": [{"criterion": f"Part {task} says its name", **reading}] if task else [unbuilt],
        "commands_run": ["git diff HEAD~1 -> read"],
        "failures": [],
        "scope_creep": [],
        "concerns": [],
        "autonomous_confidence": confidence,
        "automated_checks": [],
        "traces": [],
        "deferral_evidence": list(cannot),
    }
    call: Call = {"role": "verifier", "phase": str(phase), "reply": reply}
    return call if attempt is None else {**call, "attempt": attempt}


def cannot_settle(criterion: str, why: str) -> Reply:
    return {"criterion": criterion, "methods_attempted": list(TRIED), "why_insufficient": why}


def reader(task: str, against: str, *, attempt: int) -> Call:
    """A mini-verifier that is not content with what the commands were."""
    reply = {
        "passed": False,
        "criteria_results": [{"criterion": f"Part {task} says its name", "status": "failed", "evidence": against}],
        "concerns": [],
        "commands_run": ["git diff HEAD~1 -> read"],
    }
    return {"role": "mini_verifier", "phase": str(int(task[:2])), "task": task, "attempt": attempt, "reply": reply}


def judge_message(word: str, why: str, *, second: bool = False) -> Call:
    """A judge's recommendation, in its own findings or only beside the verifier's report."""
    if second:
        lists = ("agreements", "verifier_missed", "judge_missed")
        compared = {"recommendation": word, "verifier_agreement": False, "disagreements": [why]}
        return {"role": "judge", "phase": "1", "call": 2, "reply": {**compared, **{name: [] for name in lists}}}
    lists = ("scope_creep", "missing_requirements", "traces")
    found = {"recommendation": word, "concerns": [why], "independent_evidence": ["part-01-01.sh:1 -- read it"]}
    return {"role": "judge", "phase": "1", "reply": {**found, **{name: [] for name in lists}, "notes": "read twice"}}
