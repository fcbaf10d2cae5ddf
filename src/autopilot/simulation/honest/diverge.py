"""A judge's second word: what it saw for itself beside what the verifier's report says."""

from __future__ import annotations

from typing import Any

# What the report's tables say of a check or a criterion, in any of their columns.
WORDS = {
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
FROM_MILD_TO_GRAVE = ("proceed", "debug", "rollback", "halt")


def compare(seen: dict[str, bool], report: str, findings: dict[str, Any], recommendation: str) -> dict[str, Any]:
    """``seen`` says of each thing by its name whether it passed; ``recommendation`` follows from that alone."""
    said = parse_report(report)
    known = {" ".join(name.split()): passed for name, passed in seen.items()}
    both = [name for name in known if name in said]
    disagreements = [name for name in both if known[name] is not WORDS[said[name]]]
    verifier_missed = [name for name, passed in known.items() if not passed and name not in said]
    judge_missed = [name for name, word in said.items() if word in FAILED and name not in known]
    own = [
        str(findings.get("recommendation", "")),
        recommendation,
        *(["debug"] if disagreements or judge_missed else []),
    ]
    return {
        "recommendation": max(own, key=grave),
        "verifier_agreement": bool(both) and not (disagreements or verifier_missed or judge_missed),
        "agreements": [f"{name}: {said[name]}" for name in both if name not in disagreements],
        "disagreements": [f"{name}: the verifier says {said[name]}, I saw otherwise" for name in disagreements],
        "verifier_missed": [f"{name}: it did not pass, and the report does not name it" for name in verifier_missed],
        "judge_missed": [f"{name}: the verifier says {said[name]}, I did not look at it" for name in judge_missed],
    }


def parse_report(text: str) -> dict[str, str]:
    """What each table row is about -> its word of judgement; of several rows the last, the verifier's own, counts."""
    said = {}
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        cells = [" ".join(cell.split()) for cell in line.replace("\\|", "\0").strip().strip("|").split("|")]
        words = [cell.lower() for cell in cells[1:] if cell.lower() in WORDS]
        if words:
            said[cells[0].replace("\0", "|")] = words[0]
    return said


def grave(recommendation: str) -> int:
    known = recommendation in FROM_MILD_TO_GRAVE
    return FROM_MILD_TO_GRAVE.index(recommendation) if known else -1
