"""Truthful replies of an auditor that understands nothing: what was seen to hold is there, and where it was built."""

from __future__ import annotations

from pathlib import Path

from autopilot.simulation.honest.known import Known, Reply, changed_places, git

BAD = ("failed", "timed out", "could not be run")
MOST_PLACES = 5


def audit(known: Known) -> Reply:
    """Which of its three questions it is asked is the task's name."""
    match known.task:
        case "requirements":
            return check_requirements(known)
        case "version":
            return read_rules()
        case _:
            return check_integration(known)


def check_integration(known: Known) -> Reply:
    issues = [
        {
            "description": f"phase {phase['id']}: {each['text']} was not seen to hold",
            "file": next(iter(phase["files"]), ""),
            "suggested_fix": "",
            "check": each["command"],
        }
        for phase in phases(known)
        for each in phase["criteria"]
        if each["seen"] in BAD
    ]
    looked_at = [place for phase in phases(known) for place in places(phase)] or places(
        {"files": list(changed_places())}
    )
    return {"passed": not issues, "issues": issues, "evidence": looked_at[:MOST_PLACES]}


def check_requirements(known: Known) -> Reply:
    by_id = {str(phase["id"]): phase for phase in phases(known)}
    asked = known.facts.get("requirements", [])
    return {"results": [reading(each, by_id.get(str(each["phase"]))) for each in asked]}


def reading(wanted: Reply, phase: Reply | None) -> Reply:
    """A requirement is there when what its phase promised was seen to hold and something of it is in the tree."""
    red = [each["text"] for each in phase["criteria"] if each["seen"] in BAD] if phase else []
    shown = places(phase or {"files": list(changed_places())})
    missing = f"not seen to hold: {'; '.join(red)}" if red else "" if shown else "nothing of it is in the tree"
    return {
        "requirement_id": wanted["id"],
        "phase_id": wanted["phase"],
        "expected": wanted["text"],
        "actual_found": missing or "every criterion of its phase was seen to hold; the code itself was not understood",
        "file_line_evidence": shown[0] if shown else "",
        "status": "gap" if missing else "pass",
        "gap_description": missing,
        "fix_complexity": "large" if missing else "",
        "suggested_fix": "",
        "check": "",
    }


def read_rules() -> Reply:
    """It cannot read a rule, so it quotes none: the usual rule holds."""
    return {"part": "none", "rule": "", "version": "", "why": "a scripted agent has no judgement of its own"}


def phases(known: Known) -> list[Reply]:
    return list(known.facts.get("phases", []))


def places(phase: Reply) -> list[str]:
    """``file:line`` of what was changed and is still there."""
    changed = changed_places()
    there = [path for path in phase["files"] if is_text(path) and not path.startswith(".planning/")]
    there = there or [path for path in git("ls-files").splitlines() if is_text(path) and not path.startswith(".")]
    return [f"{path}:{changed.get(path, 1)} -- changed here" for path in there]


def is_text(path: str) -> bool:
    """Whether it has a line to point at."""
    file = Path(path)
    return file.is_file() and not file.is_symlink() and file.stat().st_size > 0
