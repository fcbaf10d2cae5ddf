"""The judge's comparison of its own observations with the verifier's report."""

from __future__ import annotations

from autopilot.simulation.honest.plain import Any

# The statuses that the tables of the report use.
STATUSES = {
    "verified": True,
    "passed": True,
    "pass": True,
    "failed": False,
    "fail": False,
    "timed out": False,
    "could not be run": False,
    "unproven": False,
}
FAILED = ("failed", "fail", "timed out")
BY_SEVERITY = ("proceed", "debug", "rollback", "halt")


def compare(seen: dict[str, bool], report: str, findings: dict[str, Any], recommendation: str) -> dict[str, Any]:
    """``seen``: by name, whether a check passed; ``recommendation`` follows from these alone."""
    reported = parse_report(report)
    observed = {" ".join(name.split()): passed for name, passed in seen.items()}
    shared = [name for name in observed if name in reported]
    disagreements = [name for name in shared if observed[name] is not STATUSES[reported[name]]]
    verifier_missed = [name for name, passed in observed.items() if not passed and name not in reported]
    judge_missed = [name for name, status in reported.items() if status in FAILED and name not in observed]
    candidates = [
        str(findings.get("recommendation", "")),
        recommendation,
        *(["debug"] if disagreements or judge_missed else []),
    ]
    return {
        "recommendation": max(candidates, key=severity),
        "verifier_agreement": bool(shared) and not (disagreements or verifier_missed or judge_missed),
        "agreements": [f"{name}: {reported[name]}" for name in shared if name not in disagreements],
        "disagreements": [f"{name}: the verifier says {reported[name]}, I saw otherwise" for name in disagreements],
        "verifier_missed": [f"{name}: it did not pass, and the report does not name it" for name in verifier_missed],
        "judge_missed": [f"{name}: the verifier says {reported[name]}, I did not look at it" for name in judge_missed],
    }


def parse_report(text: str) -> dict[str, str]:
    """Subject of each table row -> its status; of several rows the last, which is the verifier's own, counts."""
    statuses = {}
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        cells = [" ".join(cell.split()) for cell in line.replace("\\|", "\0").strip().strip("|").split("|")]
        found = [cell.lower() for cell in cells[1:] if cell.lower() in STATUSES]
        if found:
            statuses[cells[0].replace("\0", "|")] = found[0]
    return statuses


def severity(recommendation: str) -> int:
    known = recommendation in BY_SEVERITY
    return BY_SEVERITY.index(recommendation) if known else -1
