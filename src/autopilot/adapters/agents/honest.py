"""Truthful replies of the scripted agent for every role, from the facts at hand and nothing else.

Runs inside the agent's sandbox with the standard library alone. The facts are in the read-only context folder:
``.autopilot/facts.json`` says what is wanted, ``.autopilot/observations.json`` what was seen.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SHOWN_AT = Path(".autopilot")
SHOWN_FILES = 20
HUNK = re.compile(r"^@@ -\S+ \+(\d+)", re.MULTILINE)
CATEGORIES = {"compile": "compilation_failure", "lint": "lint_failure", "build": "build_failure"}

Reply = dict[str, Any]


def reply(order: Reply, before: str) -> Reply:
    """``before`` is the commit that was current when the call began."""
    # Without a sandbox nothing can be shown inside the clone; then the folder is read where it lies.
    folder = SHOWN_AT if SHOWN_AT.is_dir() or not order["context"] else Path(order["context"])
    return ROLES[order["role"]](gather(folder, order["task"], before))


class Known(NamedTuple):
    """Everything an honest reply may rest on, besides the clone itself."""

    task: str
    before: str
    facts: Reply
    observations: list[Reply]
    plan: str
    scripts: dict[str, str]


def gather(folder: Path, task: str, before: str) -> Known:
    plans = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("plan/*PLAN*.md"))]
    return Known(
        task=task,
        before=before,
        facts=_read(folder / "facts.json", {}),
        observations=_read(folder / "observations.json", []),
        plan="\n".join(plans),
        scripts=_read(folder / "plan/scripts.json", {}),
    )


def research(known: Known) -> Reply:
    files = git("ls-files").split()
    criteria = known.facts.get("criteria", [])
    return {
        "key_findings": [f"{len(files)} files are tracked", *files[:SHOWN_FILES]],
        "recommended_approach": "make these hold: " + "; ".join(each["text"] for each in criteria) if criteria else "",
        "risks": [],
        "open_questions": [] if criteria else ["no criteria are given: what must be true when this phase is done?"],
    }


def plan(known: Known) -> Reply:
    from autopilot.adapters.agents import honest_plan

    written = honest_plan.make_plan(known.facts)
    for path, text in written.files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    if written.files:
        # Where the planning folder is ignored nothing can be committed; the files are there all the same.
        git("add", "--", *written.files)
        git("commit", "--quiet", "-m", "Plan the phase")
    return {
        "plans_created": 1 if written.files else 0,
        "waves": 1 if written.files else 0,
        "total_tasks": written.tasks,
        "complexity": "simple",
        "dependencies": [],
        "concerns": written.concerns,
    }


def check_plan(known: Known) -> Reply:
    from autopilot.adapters.agents import honest_plan

    phase = known.facts.get("phase", {})
    found = honest_plan.find_faults(known.plan, known.scripts, phase.get("requirements", []))
    issues = [
        {"plan": phase.get("id", ""), "dimension": where, "severity": "blocker", "description": what, "fix_hint": fix}
        for where, what, fix in found
    ]
    return {"passed": not issues, "issues": issues, "confidence": 3.2 if issues else 9.0}


def execute(known: Known) -> Reply:
    commits = commits_since(known.before)
    criteria = (known.facts.get("task") or {}).get("criteria", []) if commits else []
    return {
        "tasks_completed": f"{1 if commits else 0}/1",
        "tasks_failed": f"{0 if commits else 1}/1",
        "commit_shas": commits,
        "evidence": [{"task_id": known.task, "criteria_met": [], "commands_run": []}] if commits else [],
        "deviations": [f"not checked: {each['text']}" for each in criteria] if commits else ["nothing was done"],
        "confidence": 5.0 if commits else 0.0,
    }


def debug(known: Known) -> Reply:
    commits = commits_since(known.before)
    return {
        "fixed": False,
        "changes": [git("show", "--no-patch", "--format=%s", sha).strip() for sha in commits],
        "commits": commits,
        "remaining_issues": ["not checked whether the changes help"] if commits else ["nothing was done"],
        "failure_categories": [],
    }


def verify(known: Known) -> Reply:
    seen, places = known.observations, changed_places()
    failed = [each for each in seen if not has_passed(each)]
    return {
        "passed": bool(seen) and not failed,
        "criteria_results": [
            {
                "criterion": name(each),
                "status": "verified" if has_passed(each) else "failed",
                "evidence": evidence(each, places),
            }
            for each in seen
        ],
        "commands_run": commands_run(seen, places),
        "failures": [{"failure": evidence(each, places), "category": category(each)} for each in failed],
        "scope_creep": [],
        "concerns": [] if seen else ["nothing was observed"],
        "autonomous_confidence": 9.0 if seen and not failed else 2.0,
    }


def judge(known: Known) -> Reply:
    seen, places = known.observations, changed_places()
    failed = [each for each in seen if not has_passed(each)]
    proceed = bool(seen) and not failed
    return {
        "recommendation": "proceed" if proceed else "debug",
        "concerns": [evidence(each, places) for each in failed] if seen else ["nothing was observed"],
        "independent_evidence": [f"{path}:{line} -- changed here" for path, line in places.items()] or ["no change"],
        "verifier_missed": [],
        "scope_creep": [],
        "missing_requirements": [],
        "notes": f"{len(seen) - len(failed)} of {len(seen)} observations passed",
    }


def rate(known: Known) -> Reply:
    seen, places = known.observations, changed_places()
    return {
        "scorecard": [
            {
                "criterion": name(each),
                "score": 9.6 if has_passed(each) else 3.2,
                "verification_command": each.get("command", ""),
                "command_output": each.get("excerpt", "")[:200],
                "evidence": evidence(each, places),
                "justification": f"the check {each['seen']}",
            }
            for each in rated(known)
        ],
        "side_effects": [],
        "commands_run": commands_run(seen, places),
        "aggregate_justification": f"{sum(map(has_passed, seen))} of {len(seen)} observations passed",
    }


ROLES: dict[str, Callable[[Known], Reply]] = {
    "researcher": research,
    "planner": plan,
    "plan_checker": check_plan,
    "executor": execute,
    "debugger": debug,
    "verifier": verify,
    "judge": judge,
    "rater": rate,
}


def rated(known: Known) -> list[Reply]:
    """What is scored: every criterion, seen or not; where none are given, whatever was seen."""
    by_subject = {each["subject"]: each for each in known.observations}
    unseen = [{**each, "subject": each["id"], "seen": "was not made"} for each in known.facts.get("criteria", [])]
    return [by_subject.get(each["subject"], each) for each in unseen] or known.observations


def name(observation: Reply) -> str:
    return str(observation.get("text") or observation["subject"])


def has_passed(observation: Reply) -> bool:
    return bool(observation["seen"] == "passed")


def category(observation: Reply) -> str:
    if observation["seen"] == "could not be run":
        return "tool_failure"
    return CATEGORIES.get(observation["subject"], "acceptance_criteria_unmet")


def evidence(observation: Reply, places: dict[str, int]) -> str:
    """``file:line -- what was seen``; the file is one that the check names, else one that the change touched."""
    about = f"{observation.get('command', '')} {observation.get('text', '')}"
    named = {path: line for path, line in places.items() if path in about}
    place = next((f"{path}:{line} -- " for path, line in (named or places).items()), "")
    return f"{place}{name(observation)}: the check {observation['seen']}"


def commands_run(seen: list[Reply], places: dict[str, int]) -> list[str]:
    return [
        f"git diff HEAD~1 HEAD -> {len(places)} files with added lines",
        f"cat .autopilot/observations.json -> {sum(map(has_passed, seen))} of {len(seen)} passed",
    ]


def changed_places() -> dict[str, int]:
    """The first changed line of every file that the last commit changed."""
    diff = git("diff", "--no-ext-diff", "--unified=0", "HEAD~1", "HEAD")
    places = {}
    for part in diff.split("\n+++ b/")[1:]:
        if hunk := HUNK.search(part):
            places[part.split("\n", 1)[0].rstrip("\t")] = max(1, int(hunk[1]))
    # Where nothing was changed, what is there already is what there is to look at.
    return places or {path: 1 for path in git("ls-files").splitlines() if not path.startswith(".planning/")}


def commits_since(before: str) -> list[str]:
    return git("rev-list", f"{before}..HEAD").split() if before else []


def git(*arguments: str) -> str:
    """What git prints; nothing when it fails, as it does where there is no commit yet."""
    done = subprocess.run(["git", *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def _read(path: Path, otherwise: Any) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return otherwise
