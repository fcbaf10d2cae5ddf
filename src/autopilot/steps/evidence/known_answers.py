"""Known answers: what the work wrote, held against the questions and answers of its tests (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.disguised import judge_disguised
from autopilot.gates.evidence.known_answers import judge_known_answers, judge_known_rows
from autopilot.gates.evidence.neighbours import judge_named_tests
from autopilot.model.evidence.observation import Observation
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.held_out import files_of_tests
from autopilot.steps.evidence.neighbours import named_by_user
from autopilot.steps.evidence.otherwise.other_input import added_lines
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import text_at
from autopilot.text.file_kind import is_test, suffix_of
from autopilot.text.masking import mask

MOST_FILES = 60
_NAMING = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".go", ".rs", ".rb", ".php", ".java")
_COMPILED = (".go", ".rs", ".java", ".kt", ".rb", ".php", ".sh", ".bash", ".c", ".cpp", ".cs", ".swift", "")


def find_known_answers(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> Proving:
    """Nothing is run. Tests inside a file of the product are no answers of the product."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    inline = {change.path for change in work.control if change.inline}
    new = {path: lines for path, lines in added_lines(ctx, work).items() if path not in inline}
    if not new:
        return Proving()
    read = text_at(ctx, work.evidence)
    tests = [read(path) or "" for path in files_of_tests(ctx, seen)[:MOST_FILES]]
    added = {path: mask(path, "\n".join(lines), strings=False).split("\n") for path, lines in new.items()}
    compiled = {path: lines for path, lines in added.items() if suffix_of(path) in _COMPILED}
    known = judge_known_answers(work.subject, compiled, tests, named_by_user(ctx, work))
    known = known or judge_known_rows(work.subject, compiled, tests, named_by_user(ctx, work))
    paths = [path for path in ctx.ports.vault.list(work.evidence) if is_test(path)]
    code = {path: lines for path, lines in added.items() if suffix_of(path) in _NAMING}
    named = judge_named_tests(work.subject, code, paths)
    return Proving(objections=known + judge_disguised(work.subject, added, tests) + named)
