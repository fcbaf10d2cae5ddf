"""What was there before, without what was added to its files: nothing that came may hold up the others (layer R)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from autopilot.gates.evidence.added import judge_added, judge_helpers
from autopilot.gates.evidence.sabotage import Trial
from autopilot.gates.evidence.test_id import name
from autopilot.model.evidence.control import ControlChange, ControlKind, Meaning
from autopilot.model.evidence.objection import Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import EVIDENCE, Work, commit_with
from autopilot.steps.observing.observing import make_repeat_check, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at

_PUT_BACK = (*EVIDENCE, ControlKind.SUPPORT)


def observe_without_added(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """Test files, helpers and setup files that no task lists and that were added to, as they were."""
    # What shell tests load is not taken back: new ones may need it, and those that were there use nothing of it.
    judging = [c for c in work.control if c.kind in _PUT_BACK and not c.inline and not c.path.endswith(".bash")]
    if not any(c.meaning is Meaning.ADDS and not work.is_declared(c.path) for c in judging):
        return Proving()
    reports = {seen.subject: report_of(ctx, seen) for seen in after if seen.seen is Seen.PASSED}
    asks = _asks_known(ctx, work)
    touched = [(seen, now) for seen in after if (now := reports.get(seen.subject)) and asks(now)]
    probes = observe_again(ctx, work, _as_pinned(ctx, work, judging), [seen for seen, _ in touched], ProbeKind.PINNED)
    open_ = frozenset(c.path for c in judging if c.status == "A" or work.is_declared(c.path))
    objections: list[Objection] = []
    for (seen, now), probe in zip(touched, probes, strict=True):
        without = Trial("nothing added to these test files", probe.seen, report_of(ctx, probe))
        objections += judge_added(seen.subject, now, without, open_)
    return Proving(probes, tuple(objections))


def observe_with_helpers_back(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """Changed modules that only tests load, as they were pinned: what leans on their change is not the product's."""
    reports = {seen.command: (seen, report_of(ctx, seen)) for seen in after if seen.seen is Seen.PASSED}
    ran = [(seen, report) for seen, report in reports.values() if report is not None]
    if not work.beside or not ran:
        return Proving()
    is_known = _knows(ctx, work)
    edits = {path: ctx.ports.vault.read(work.old, path) for path in work.beside}
    probes = observe_again(ctx, work, edits, [seen for seen, _ in ran], ProbeKind.PINNED)
    objections: list[Objection] = []
    for (seen, report), probe in zip(ran, probes, strict=True):
        without = Trial("what only tests load as it was", probe.seen, report_of(ctx, probe))
        passed = {r.id for r in report.results if r.ended is Ended.PASSED and r.file and is_known(r.id, r.file)}
        objections += judge_helpers(seen.subject, frozenset(passed), without, work.beside)
    return Proving(probes, tuple(objections))


def observe_again(
    ctx: StepContext, work: Work, edits: Mapping[str, bytes | None], seen: Sequence[Observation], probe: ProbeKind
) -> tuple[Observation, ...]:
    if not seen:
        return ()
    checks = [make_repeat_check(ctx, observation, probe) for observation in seen]
    return observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, checks)


def _as_pinned(ctx: StepContext, work: Work, judging: Sequence[ControlChange]) -> dict[str, bytes | None]:
    """Tests that came are taken out with what they use; a command may name their file, so in Python it stays, empty."""
    places = {c.moved_to for c in judging}
    renamed = dict(pair for c in judging for pair in c.renamed)
    edits: dict[str, bytes | None] = {}
    for change in judging:
        path = change.path
        if change.status == "A" and change.kind is ControlKind.TEST and path.endswith(".py"):
            edits[path] = b""
        elif change.status != "A":
            edits[path] = _renamed(ctx.ports.vault.read(work.old, path), renamed)
        elif change.meaning is Meaning.ADDS or path in places:
            edits[path] = None
    return edits


def _renamed(text: bytes | None, renamed: Mapping[str, str]) -> bytes | None:
    """A test as it was, that calls the product by the names it has now."""
    for old, new in renamed.items() if text is not None else ():
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, (text or b"").decode("utf-8", "replace")).encode()
    return text


def _asks_known(ctx: StepContext, work: Work) -> Callable[[TestReport], bool]:
    """Whether a run had a test that was there before; a command may select nothing but what was added."""
    is_known = _knows(ctx, work)
    return lambda report: any(is_known(result.id, result.file) for result in report.results if result.file)


def _knows(ctx: StepContext, work: Work) -> Callable[[str, str], bool]:
    """Whether a test was there before, by its id and the file it stands in now."""
    read, texts = text_at(ctx, work.old), dict[str, str]()
    origins = {new: old for old, new in work.moves} | {test.path: old for old, test in work.kept}

    def is_known(id: str, path: str) -> bool:
        path = path if read(path) is not None else origins.get(path, path)
        if path not in texts:
            texts[path] = read(path) or ""
        return name(id) in texts[path]

    return is_known
