"""The prompts of an issue: the same facts for all, and what is to be fixed, verbatim."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.issue.issue import SeedFinding
from autopilot.steps.asking.prompt import placeholders, render_prompt
from autopilot.steps.context import StepContext
from autopilot.steps.issue.issue_context import at_command, issue_of


def render_issue_prompt(ctx: StepContext, name: str, findings: str) -> str:
    issue = issue_of(ctx)
    cause = issue.cause.agreed
    values = {
        "number": str(issue.brief.number),
        "title": issue.brief.title,
        "folder": issue.brief.folder,
        "at_command": at_command(ctx) or "none is configured",
        "findings": findings,
        "cause": f"{cause.kind}: {cause.text}" if cause else "not agreed yet",
        "test": cause.test if cause else "",
        "language": ctx.policy.response_language,
    }
    path = f"issue/{name}"
    wanted = placeholders(path)
    return render_prompt(path, **{key: value for key, value in values.items() if key in wanted})


def findings_words(findings: Sequence[SeedFinding]) -> str:
    """The person's words, or what was seen, as they are."""
    if not findings:
        return ""
    lines = [f"- [P{f.priority}] {f.evidence_ref}" + (f" ({f.detail})" if f.detail else "") for f in findings]
    return "\nFix these first; each is a fact or quotes the user:\n" + "\n".join(lines) + "\n"
