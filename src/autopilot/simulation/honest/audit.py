"""Honest replies of an auditor without judgement: it reports what was observed and where it was changed."""

# ruff: noqa: PTH113, PTH114, PTH202 - plain strings, as in context.py

from __future__ import annotations

import os

from autopilot.simulation.honest.context import Context, Reply, find_changed_lines, git

BAD = ("failed", "timed out", "could not be run")
MOST_PLACES = 5


def audit(known: Context) -> Reply:
    """The name of the task says which of its three questions is asked."""
    match known.task:
        case "requirements":
            return check_requirements(known)
        case "version":
            return read_rules()
        case _:
            return check_integration(known)


def check_integration(known: Context) -> Reply:
    issues = [
        {
            "description": f"phase {phase['id']}: {criterion['text']} was not seen to hold",
            "file": next(iter(phase["files"]), ""),
            "suggested_fix": "",
            "check": criterion["command"],
        }
        for phase in read_phases(known)
        for criterion in phase["criteria"]
        if criterion["seen"] in BAD
    ]
    evidence = [line for phase in read_phases(known) for line in find_evidence(phase)] or find_evidence(
        {"files": list(find_changed_lines())}
    )
    return {"passed": not issues, "issues": issues, "evidence": evidence[:MOST_PLACES]}


def check_requirements(known: Context) -> Reply:
    by_id = {str(phase["id"]): phase for phase in read_phases(known)}
    asked = known.facts.get("requirements", [])
    return {"results": [check_requirement(requirement, by_id.get(str(requirement["phase"]))) for requirement in asked]}


def check_requirement(requirement: Reply, phase: Reply | None) -> Reply:
    """A requirement is met when the criteria of its phase were observed to pass and a changed file exists."""
    failed = [criterion["text"] for criterion in phase["criteria"] if criterion["seen"] in BAD] if phase else []
    evidence = find_evidence(phase or {"files": list(find_changed_lines())})
    missing = f"not seen to hold: {'; '.join(failed)}" if failed else "" if evidence else "nothing of it is in the tree"
    return {
        "requirement_id": requirement["id"],
        "phase_id": requirement["phase"],
        "expected": requirement["text"],
        "actual_found": missing or "every criterion of its phase was seen to hold; the code itself was not understood",
        "file_line_evidence": evidence[0] if evidence else "",
        "status": "gap" if missing else "pass",
        "gap_description": missing,
        "fix_complexity": "large" if missing else "",
        "suggested_fix": "",
        "check": "",
    }


def read_rules() -> Reply:
    """It cannot interpret rules, so it quotes none and the default rule applies."""
    return {"part": "none", "rule": "", "version": "", "why": "a scripted agent has no judgement of its own"}


def read_phases(known: Context) -> list[Reply]:
    return list(known.facts.get("phases", []))


def find_evidence(phase: Reply) -> list[str]:
    """``file:line`` of changed files that still exist."""
    changed = find_changed_lines()
    files = [path for path in phase["files"] if is_text(path) and not path.startswith(".planning/")]
    files = files or [path for path in git("ls-files").splitlines() if is_text(path) and not path.startswith(".")]
    return [f"{path}:{changed.get(path, 1)} -- changed here" for path in files]


def is_text(path: str) -> bool:
    """Whether the file has a line that can be cited."""
    return os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) > 0
