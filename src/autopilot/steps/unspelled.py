"""Unspelled clauses: numbers and names that the owner asks for, and that no code and no test of the work spells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.idle import judge_unspelled
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.subject import PHASE
from autopilot.planning.spec.spelling import read_spelled, unspelled
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.work import Work
from autopilot.text.file_kind import is_ours
from autopilot.text.masking import is_masked, mask
from autopilot.text.python_tree import docstring_lines

MOST_FILES, LONGEST = 2_000, 200_000


def refuse_unspelled(ctx: StepContext, work: Work, left: Sequence[str]) -> tuple[Objection, ...]:
    """``left``: clauses that no check speaks of. What stands in a comment alone does nothing."""
    if not left or not any(unspelled(clause, read_spelled(())) for clause in left):
        return ()
    spelled = read_spelled(_code(ctx, work))
    missing = [(clause, found) for clause in left if (found := unspelled(clause, spelled))]
    return judge_unspelled(PHASE, missing)


def _code(ctx: StepContext, work: Work) -> Iterator[str]:
    """All code, and what else the work changed, but for documents and plans."""
    changed = {change.path for change in work.changes}
    paths = [p for p in ctx.ports.vault.list(work.new) if not is_ours(p) and (is_masked(p) or p in changed)]
    for path in paths[:MOST_FILES]:
        content = ctx.ports.vault.read(work.new, path) or b""
        if len(content) <= LONGEST and not path.endswith((".md", ".rst", ".txt", ".adoc")):
            yield _without_comments(path, content.decode("utf-8", "replace"))


def _without_comments(path: str, text: str) -> str:
    documented = docstring_lines(text) if path.endswith(".py") else frozenset[int]()
    kept = "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in documented)
    return mask(path, kept, strings=False) if is_masked(path) else kept
