"""The second look at a work's product code: a flag, and a reason to ask more of its tests (layer L)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from autopilot.inspection.control.judging_scripts import loaded_by_tests
from autopilot.inspection.second_look.look import (
    look_for_unfinished,
    refuse_stored,
    refuse_swallowed,
    refuse_usurped,
    second_look,
)
from autopilot.inspection.second_look.tables import literals_of
from autopilot.inspection.steadying import RETRY, find_evasions, is_certain_retry
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.users_tests import promised_text
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.texts import text_at
from autopilot.text.file_kind import is_document, is_ours, suffix_of

MOST_FILES = 2_000
_SETTINGS = (ControlKind.RUNNER, ControlKind.SUPPORT, ControlKind.SCRIPT)
_RETRIES = re.compile(r"\bretr(?:y|ie)|\bflak|\bre-?runs?\b|\btr(?:y|ied|ies) again", re.IGNORECASE)


def flag_suspicious_code(ctx: StepContext, work: Work) -> Iterator[Objection]:
    if not ctx.policy.evidence.look:
        return
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    texts = {change.path: text for change in work.changes if (text := after(change.path)) is not None}
    held = {word for path, text in texts.items() if work.is_evidence(path) for word in literals_of(path, text)}
    for path, text in texts.items():
        if not work.is_evidence(path):
            yield from second_look(path, before(path), text, held=held)


def flag_unfinished_code(ctx: StepContext, work: Work) -> Iterator[Objection]:
    """Of product code that the work added: what says that it is not written, does nothing, or ignores what it gets."""
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    promised = promised_text(ctx)
    for change in work.changes if ctx.policy.evidence.look else ():
        if not work.is_evidence(change.path) and (text := after(change.path)) is not None:
            yield from look_for_unfinished(change.path, before(change.path), text, promised=promised)
            code = partial(_all_code, ctx, work.new)
            yield from refuse_stored(change.path, before(change.path), text, code, promised=promised)


def _all_code(ctx: StepContext, commit: str) -> str:
    """Tests and templates too."""
    read, paths = text_at(ctx, commit), ctx.ports.vault.list(commit)
    return "\n".join(read(path) or "" for path in paths[:MOST_FILES] if not is_ours(path) and not is_document(path))


def refuse_retries(ctx: StepContext, work: Work) -> Iterator[Objection]:
    """A test that may fail and be run again asks for luck. In tests themselves it may be what the product is given, and
    in their helpers how they wait for it."""
    if not ctx.policy.evidence.look or _RETRIES.search(f"{promised_text(ctx)}\n{work.text}"):
        return
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    kinds = {c.path: c.kind for c in work.control if c.kind in (ControlKind.TEST, *_SETTINGS)}
    texts = {path: (before(path) or "", after(path) or "") for path in kinds}
    for path, evasion in find_evasions(texts):
        if evasion == RETRY:
            is_code = kinds[path] is ControlKind.SUPPORT
            is_certain = kinds[path] in _SETTINGS and is_certain_retry(*texts[path], path, settings=not is_code)
            weight = Weight.REFUSE if is_certain else Weight.FLAG
            satisfy = "let each test hold the first time, or say in the roadmap or the plan that tests are tried again"
            yield Objection(Layer.RUN, work.subject, f"the work adds {evasion}", path, satisfy, weight)


def refuse_swallowed_assertions(ctx: StepContext, work: Work) -> Iterator[Objection]:
    """Of tests that came with the work, and of shell code that tests load."""
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    for change in work.tests if ctx.policy.evidence.look else ():
        if (text := after(change.path)) is not None:
            yield from refuse_swallowed(change.path, before(change.path), text)
    changed = [c.path for c in work.changes if ctx.policy.evidence.look and suffix_of(c.path) in (".sh", ".bash", "")]
    usurping = {path: text for path in changed if (text := after(path)) and refuse_usurped(path, before(path), text)}
    loaded = loaded_by_tests(ctx.ports.vault.list(work.new), after) if usurping else frozenset[str]()
    for path in (path for path in usurping if path in loaded):
        yield from refuse_usurped(path, before(path), usurping[path])
