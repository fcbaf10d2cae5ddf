"""Started here: calls that missed a file in another folder, made in the project's own (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.neighbours import AskedOnce
from autopilot.gates.evidence.otherwise.started import judge_started, lost
from autopilot.model.evidence.example import Place
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.otherwise.afresh import ask_calls
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import files_opened
from autopilot.text.file_kind import is_test

CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".toml", ".cfg", "package.json")


def ask_here(ctx: StepContext, work: Work, place: Place, elsewhere: Sequence[AskedOnce], named: str) -> Proving:
    """No process where nothing was missed."""
    calls = [asked.example for asked in lost(elsewhere)]
    if not calls:
        return Proving()
    seen, here = ask_calls(ctx, work, place, calls, fresh=False, elsewhere=False)
    known = frozenset(ctx.ports.vault.list(work.new))
    data = [path for path in files_opened(ctx, seen) if path in known and not path.endswith(CODE)]
    opened = [path for path in data if not is_test(path)]
    came = frozenset(change.path for change in work.changes if change.status == "A")
    return Proving((seen,), judge_started(work.subject, place.path, here, opened, came, named))
