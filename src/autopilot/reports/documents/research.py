"""RESEARCH.md, from what the researcher replied."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.model.claim import ResearchClaim
from autopilot.model.run import PhaseBrief
from autopilot.reports.inert import make_inert


def render_research(brief: PhaseBrief, claim: ResearchClaim) -> str:
    parts = (
        f"# Phase {brief.id} Research: {brief.name}\n",
        f"## Recommended approach\n\n{claim.recommended_approach}\n",
        _section("Key findings", claim.key_findings),
        _section("Risks", claim.risks),
        _section("Open questions", claim.open_questions),
    )
    return make_inert("\n".join(parts))


def _section(title: str, lines: Sequence[str]) -> str:
    body = "\n".join(f"- {line}" for line in lines) if lines else "None."
    return f"## {title}\n\n{body}\n"
