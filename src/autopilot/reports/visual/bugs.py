"""VISUAL-BUGS.md: what was found when the interface of a phase was looked at, and what became of it."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.visual.check import VisualCheck
from autopilot.model.visual.finding import Finding, State
from autopilot.reports.markdown import stamp, table
from autopilot.reports.visual.lines import describe_state
from autopilot.text.naming import plural

SHOTS = ("Shot", "Compared with the baseline", "Issues", "Severity")
ISSUES = ("Shot", "Type", "Severity", "Description", "Location", "Resolution")


def render_visual_bugs(state: RunState, phase: PhaseState, check: VisualCheck) -> str:
    parts = [
        f"# Phase {phase.id} Visual Bugs\n",
        f"**Phase ID:** {phase.id}\n**Timestamp:** {stamp(state.now)}\n**Commit:** {check.commit}\n"
        f"**Summary:** {_summarize(check)}\n**Debug attempts:** {len(phase.retries.debug_rounds)}\n",
    ]
    if check.problem:
        return "\n".join((*parts, f"Not looked at: {check.problem}\n"))
    rows = [(pair.shot, describe_state(pair), *_counted(check, pair.shot)) for pair in check.compared]
    parts += ["## Shots\n", table(SHOTS, rows), "## Issues\n"]
    issues = [(f.shot, f.kind, f.severity, f.text, f.where or "-", _resolution(f)) for f in check.findings]
    parts += [table(ISSUES, issues) if issues else "None.\n"]
    parts.append(f"Before, after and what differs: `autopilot visual check {phase.id}`, then `.autopilot/visual/`.\n")
    return "\n".join(parts)


def _summarize(check: VisualCheck) -> str:
    if check.problem:
        return "not looked at"
    status = "new_issues" if check.new else "no_change"
    uncompared = sum(pair.state in (State.UNSTEADY, State.LOST) for pair in check.compared)
    rest = f", {uncompared} not compared" if uncompared else ""
    return f"{plural(len(check.new), 'new issue')} in {plural(len(check.compared), 'shot')}{rest} ({status})"


def _counted(check: VisualCheck, shot: str) -> tuple[str, str]:
    found = [finding for finding in check.new if finding.shot == shot]
    worst = min((finding.severity for finding in found), key=list(type(found[0].severity)).index) if found else "-"
    return str(len(found)), worst


def _resolution(finding: Finding) -> str:
    if finding.is_known:
        return "known before the work"
    return "for you to accept" if finding.cause.is_change else "open"
