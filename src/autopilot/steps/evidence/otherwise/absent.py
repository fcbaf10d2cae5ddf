"""Absent names: what the user says is to be gone is looked up in the code of the phase (layer L)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.gates.evidence.absent import Lookup, judge_absent
from autopilot.model.evidence.objection import Objection
from autopilot.planning.spec.absences import is_spelled, read_absences
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.users_tests import text_by_user
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import text_at
from autopilot.text.file_kind import is_ours, is_test
from autopilot.text.masking import is_masked, mask

MOST_NAMES = 20
MOST_FILES = 3_000
LARGEST = 1 << 20
_DEFINES = r"(?<![\w$-])(?:def|class|function|func|fn|const|type|struct|enum|interface|trait)\s{1,9}"


def find_present(ctx: StepContext, work: Work) -> tuple[Objection, ...]:
    """Nothing is run. What was not there before the phase is no name of the code.

    No part of a split phase is asked: another part may be to take the name out.
    """
    if ctx.phase.parent or not ctx.policy.evidence.look:
        return ()
    names = read_absences(text_by_user(ctx))[:MOST_NAMES]
    lookups = [Lookup(name, tuple(_places(ctx, work.old, name)), tuple(_places(ctx, work.new, name))) for name in names]
    return judge_absent(work.subject, lookups)


def _places(ctx: StepContext, commit: str, name: str) -> Iterator[str]:
    """Of the product: tests may well ask that it is gone, and documents may say so."""
    paths = [p for p in ctx.ports.vault.list(commit) if not is_ours(p) and not is_test(p)]
    if "/" in name or name in paths:
        yield from (path for path in paths if path == name)
        return
    last = re.escape(name.rpartition(".")[2] or name)
    # An everyday word may be used for something else too; only where it is defined it is certain.
    word = re.compile(rf"(?<![\w$-]){last}(?![\w$-])" if is_spelled(name) else rf"{_DEFINES}{last}(?![\w$-])")
    read = text_at(ctx, commit)
    for path in [path for path in paths if is_masked(path)][:MOST_FILES]:
        source = read(path) or ""
        if len(source) <= LARGEST and word.search(source):
            code = mask(path, source, strings=not name.startswith("-"))
            yield from (f"{path}:{source.count(chr(10), 0, found.start()) + 1}" for found in word.finditer(code))
