"""Commented: criteria that look for text in code, run again on code without its comments and strings (layer H)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.commented import judge_commented
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion, Strength
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import list_criterion_checks, observe_made
from autopilot.steps.observing.texts import text_at
from autopilot.text.masking import is_masked, mask
from autopilot.text.python_tree import docstring_lines

_LOOKS = re.compile(r"\A\s*+(?:!\s*+)?(?:(?:git\s++)?[ef]?grep|rg|ack|ag)\b")


def run_commented(ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]) -> Proving:
    green = {seen.subject for seen in after if seen.seen is Seen.PASSED}
    asked = [c for c in criteria if c.is_new and c.id in green and _looks_for_text(c)]
    proving = Proving()
    for criterion in asked if ctx.policy.evidence.held_out else ():
        for strings in (False, True):
            edits = _without_comments(ctx, work, strings=strings)
            if not edits or proving.objections:
                break
            (check,) = list_criterion_checks(ctx, [criterion])
            probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id))
            seen = observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, [probe])
            proving += Proving(seen, judge_commented(criterion, seen[0], strings=strings))
    return proving


def _looks_for_text(criterion: Criterion) -> bool:
    return criterion.strength is Strength.GREP or _LOOKS.search(criterion.command) is not None


def _without_comments(ctx: StepContext, work: Work, *, strings: bool) -> dict[str, bytes]:
    """Only of product code that the work changed."""
    read, edits = text_at(ctx, work.new), dict[str, bytes]()
    for path in (c.path for c in work.changes if not work.is_evidence(c.path) and is_masked(c.path)):
        text = read(path)
        if text:
            documented = docstring_lines(text) if path.endswith(".py") else frozenset[int]()
            lines = mask(path, text, strings=strings).splitlines(keepends=True)
            bare = "".join("\n" if number in documented else line for number, line in enumerate(lines, start=1))
            edits |= {path: bare.encode()} if bare != text else {}
    return edits
