"""Honest replies of the scripted agent for every role, from the given facts only.

Runs inside the agent's sandbox with the standard library alone. The facts are in the read-only context folder:
``.autopilot/facts.json`` has the goal, ``.autopilot/observations.json`` what was observed. What one role alone needs is
imported when it is asked: every call of the demo and of tests waits for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from autopilot.simulation.honest.context import (
    Context,
    Reply,
    commits_since,
    git,
    read_context,
    read_text,
    write_text,
)

SHOWN_AT = ".autopilot"
SHOWN_FILES = 20


def reply(order: Reply, before: str) -> Reply:
    """``before`` is the commit that was current when the call began."""
    # Without a sandbox nothing is mounted inside the clone; then the folder is read in its own place.
    # A plain string: pathlib alone would add a sixth to the start-up time.
    folder = SHOWN_AT if os.path.isdir(SHOWN_AT) or not order["context"] else order["context"]  # noqa: PTH112
    return ROLES[order["role"]](read_context(folder, order["task"], before))


def research(known: Context) -> Reply:
    files = git("ls-files").split()
    criteria = known.criteria
    return {
        "key_findings": [f"{len(files)} files are tracked", *files[:SHOWN_FILES]],
        "recommended_approach": "make these hold: " + "; ".join(item["text"] for item in criteria) if criteria else "",
        "risks": [],
        "open_questions": [] if criteria else ["no criteria are given: what must be true when this phase is done?"],
    }


def draft(known: Context) -> Reply:
    from autopilot.simulation.honest import draft as honest_draft

    if commits_since(known.before):
        return {"concerns": ["not checked whether the draft is what is wanted"]}
    path = known.facts["wanted"]["path"]
    written = honest_draft.draft(known.facts["wanted"], read_text(path))
    if written.text:
        write_text(path, written.text)
        git("add", "--force", "--", path)
        git("commit", "--quiet", "-m", "Draft the roadmap")
    return {"concerns": written.concerns}


def plan(known: Context) -> Reply:
    if "wanted" in known.facts:
        return draft(known)
    from autopilot.simulation.honest import plan as honest_plan

    written = honest_plan.make_plan(known.facts, known.examples)
    for path, text in written.files.items():
        write_text(path, text)
    if written.files:
        # If git ignores the planning folder, the files exist although they cannot be committed.
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


def check_plan(known: Context) -> Reply:
    from autopilot.simulation.honest import plan as honest_plan

    phase = known.facts.get("phase", {})
    found = honest_plan.find_faults(known.plan, known.scripts, phase.get("requirements", []))
    issues = [
        {
            "plan": phase.get("id", ""),
            "dimension": dimension,
            "severity": "blocker",
            "description": description,
            "fix_hint": fix,
        }
        for dimension, description, fix in found
    ]
    return {"passed": not issues, "issues": issues, "confidence": 3.2 if issues else 9.0}


def execute(known: Context) -> Reply:
    limits = resolve(known) if known.task_facts.get("type") == "resolve" else []
    commits = commits_since(known.before)
    criteria = known.task_facts.get("criteria", []) if commits else []
    undone = ["nothing was done: this agent does what its script says and has no ideas of its own"]
    return {
        "tasks_completed": f"{1 if commits else 0}/1",
        "tasks_failed": f"{0 if commits else 1}/1",
        "commit_shas": commits,
        "evidence": [{"task_id": known.task, "criteria_met": [], "commands_run": []}] if commits else [],
        "deviations": [*limits, *(f"not checked: {item['text']}" for item in criteria)] if commits else undone + limits,
        "confidence": 5.0 if commits else 0.0,
    }


def resolve(known: Context) -> list[str]:
    """Resolve conflicts as far as possible without understanding them; returns remarks about that."""
    from autopilot.simulation.honest import conflict as honest_conflict

    done = honest_conflict.resolve(known.task_facts.get("files", []), git)
    kept = [f"{path}: both sides were kept; not checked whether they agree" for path in done.kept_both]
    return kept + [f"{path}: still in conflict, and not by markers that can be read" for path in done.left]


def debug(known: Context) -> Reply:
    commits = commits_since(known.before)
    return {
        "fixed": False,
        "changes": [git("show", "--no-patch", "--format=%s", sha).strip() for sha in commits],
        "commits": commits,
        "remaining_issues": ["not checked whether the changes help"] if commits else ["nothing was done"],
        "failure_categories": [],
    }


def define(known: Context) -> Reply:
    """Drafts nothing if the script has made commits."""
    from autopilot.simulation.honest import issue as honest_issue

    if commits_since(known.before):
        return {"decisions": [], "questions": []}
    drafted = honest_issue.draft_requirements(known.facts, known.list_findings, read_text)
    _commit(drafted.files, "Draft the requirements")
    return {"decisions": drafted.decisions, "questions": drafted.open}


def design(known: Context) -> Reply:
    from autopilot.simulation.honest import issue as honest_issue

    if commits_since(known.before):
        return {"decisions": [], "concerns": ["not checked whether the design is sound"], "cause": None}
    drafted = honest_issue.draft_design(known.facts, known.list_findings, read_text)
    _commit(drafted.files, "Design the issue")
    return {"decisions": drafted.decisions, "concerns": drafted.open, "cause": None}


def implement(known: Context) -> Reply:
    from autopilot.simulation.honest import issue as honest_issue

    commits = commits_since(known.before)
    subjects = [git("show", "--no-patch", "--format=%s", sha).strip() for sha in commits]
    return {
        "done": False,
        "summary": "; ".join(subjects) or f"nothing was done: {honest_issue.NO_IDEAS}",
        "concerns": ["not checked whether the acceptance tests pass"] if commits else [],
    }


def _commit(files: Mapping[str, str], subject: str) -> None:
    for path, text in files.items():
        write_text(path, text)
    if files:
        git("add", "--force", "--", *files)
        git("commit", "--quiet", "-m", subject)


def split(known: Context) -> Reply:
    from autopilot.simulation.honest import split as honest_split

    return honest_split.propose(known.facts.get("tasks", []))


def ask_user(known: Context) -> Reply:
    from autopilot.simulation.honest import questions as honest_questions

    return honest_questions.propose(known.facts, known.sufficiency)


def discuss(known: Context) -> Reply:
    """First the areas to discuss; later further questions, or the result of the discussion."""
    from autopilot.simulation.honest import discuss as honest_discuss

    if known.discussion is None:
        return honest_discuss.find_areas(known.facts)
    return (
        honest_discuss.follow_up(known.discussion)
        if known.discussion.get("more")
        else honest_discuss.digest(known.discussion)
    )


def verify_task(known: Context) -> Reply:
    from autopilot.simulation.honest import review as honest_review

    return honest_review.verify_task(known)


def verify(known: Context) -> Reply:
    from autopilot.simulation.honest import review as honest_review

    return honest_review.verify(known)


def judge(known: Context) -> Reply:
    from autopilot.simulation.honest import review as honest_review

    return honest_review.judge(known)


def rate(known: Context) -> Reply:
    from autopilot.simulation.honest import rate as honest_rate

    return honest_rate.rate(known)


def audit(known: Context) -> Reply:
    from autopilot.simulation.honest import audit as honest_audit

    return honest_audit.audit(known)


ROLES: dict[str, Callable[[Context], Reply]] = {
    "researcher": research,
    "planner": plan,
    "plan_checker": check_plan,
    "executor": execute,
    "mini_verifier": verify_task,
    "debugger": debug,
    "verifier": verify,
    "judge": judge,
    "rater": rate,
    "splitter": split,
    "questioner": ask_user,
    "discusser": discuss,
    "auditor": audit,
    "analyst": define,
    "designer": design,
    "implementer": implement,
}
