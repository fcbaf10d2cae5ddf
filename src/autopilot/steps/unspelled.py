"""Unspelled clauses: numbers and names that the owner asks for, and that no code and no test of the work spells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.idle import judge_unspelled
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.subject import PHASE
from autopilot.planning.spec.spelling import find_unspelled
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.work import Work
from autopilot.text.file_kind import is_ours
from autopilot.text.masking import is_masked, mask
from autopilot.text.python_tree import docstring_lines

LONGEST = 200_000  # bytes of a file


def refuse_unspelled(ctx: StepContext, work: Work, left: Sequence[str]) -> tuple[Objection, ...]:
    """``left``: clauses that no check speaks of. What stands in a comment alone does nothing."""
    return judge_unspelled(PHASE, [*find_unspelled(left, _code(ctx, work)).items()])


def _code(ctx: StepContext, work: Work) -> Iterator[str]:
    """All code, and what else the work changed, but for documents and plans; what it changed first."""
    changed = {change.path for change in work.changes}
    paths = [p for p in ctx.ports.vault.list(work.new) if not is_ours(p) and (is_masked(p) or p in changed)]
    for path in sorted(paths, key=lambda path: path not in changed):
        content = ctx.ports.vault.read(work.new, path) or b""
        if len(content) <= LONGEST and not path.endswith((".md", ".rst", ".txt", ".adoc")):
            yield _without_comments(path, content.decode("utf-8", "replace"))


def _without_comments(path: str, text: str) -> str:
    documented = docstring_lines(text) if path.endswith(".py") else frozenset[int]()
    kept = "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in documented)
    return mask(path, kept, strings=False) if is_masked(path) else kept
