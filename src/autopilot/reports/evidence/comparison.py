"""Evidence looked at again: what was recorded beside what is seen now, subject by subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended, Tally, TestReport
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.markdown import one_line
from autopilot.text.naming import plural

SCHEMA = 1
MOST_NAMED = 3
ReadReport = Callable[[str], TestReport | None]


class Comparison(StrEnum):
    SAME = "same"
    DIFFERS = "differs"
    NOT_RUN = "could not be run"


class Compared(Struct, frozen=True):
    phase: str
    subject: str
    when: str  # before or after: at the base, or after the work
    commit: str
    command: str
    result: Comparison
    recorded: str
    now: str
    differences: tuple[str, ...] = ()
    reason: str = ""


def compare(
    phase: str, when: str, recorded: Observation, now: Observation, then: ReadReport, read: ReadReport
) -> Compared:
    """``then`` reads what was kept, ``read`` what was written just now."""
    differences: tuple[str, ...] = ()
    if now.seen is Seen.NOTHING:
        result = Comparison.NOT_RUN
    else:
        differences = tuple(_differences(recorded, now, then, read))
        result = Comparison.DIFFERS if differences else Comparison.SAME
    return Compared(
        phase=phase,
        subject=recorded.subject,
        when=when,
        commit=recorded.commit,
        command=recorded.command,
        result=result,
        recorded=recorded.seen.text,
        now=now.seen.text,
        differences=differences,
        reason=now.reason if result is not Comparison.SAME else "",
    )


def _differences(recorded: Observation, now: Observation, then: ReadReport, read: ReadReport) -> list[str]:
    differences = []
    if recorded.seen is not now.seen:
        differences.append(f"it {recorded.seen.text} and now {now.seen.text}")
    if recorded.lines != now.lines:
        old, new = dict(recorded.lines), dict(now.lines)
        differences += [f"its line {text!r} differs" for text in {**old, **new} if old.get(text) != new.get(text)]
    if recorded.tests is None:
        return differences  # nothing was known of single tests
    if now.tests is None:
        return [*differences, f"{recorded.tests.runner} wrote no report this time"]
    old_report, new_report = _report(recorded.tests, then), _report(now.tests, read)
    if old_report is None or new_report is None:
        return differences + _by_count(recorded.tests, now.tests)
    return differences + _by_id(old_report, new_report)


def _report(tests: Tally, read: ReadReport) -> TestReport | None:
    return read(tests.report) if tests.report else None


def _by_count(old: Tally, new: Tally) -> list[str]:
    counts = [(t.passed, t.failed, t.skipped, t.xfailed) for t in (old, new)]
    return [] if counts[0] == counts[1] else [f"tests passed, failed, skipped, xfailed: {counts[0]}, now {counts[1]}"]


def _by_id(old: TestReport, new: TestReport) -> list[str]:
    before, after = _ends(old), _ends(new)
    gone, came = before.keys() - after.keys(), after.keys() - before.keys()
    other = {id for id in before.keys() & after.keys() if before[id] is not after[id]}
    changes = {"missing": gone, "not in the record": came, "with another result": other}
    return [f"{plural(len(ids), 'test')} {change}: {_some(ids)}" for change, ids in changes.items() if ids]


def _ends(report: TestReport) -> dict[str, Ended]:
    return {result.id: result.ended for result in report.results}


def _some(ids: set[str]) -> str:
    return ", ".join(sorted(ids)[:MOST_NAMED]) + (" …" if len(ids) > MOST_NAMED else "")


def render_compared(compared: Compared) -> str:
    when = " before the work" if compared.when == "before" else ""
    why = "; ".join((*compared.differences, *([compared.reason] if compared.reason else [])))
    seen = f"{compared.now}, as recorded" if compared.result is Comparison.SAME else why
    place = f"phase {compared.phase}, {compared.subject}{when} at {compared.commit[:12]}"
    return one_line(strip_controls(f"{compared.result.value}: {place}: {seen}"))


def count(compared: Sequence[Compared]) -> Mapping[Comparison, int]:
    return {word: sum(piece.result is word for piece in compared) for word in Comparison}


def render_total(compared: Sequence[Compared]) -> str:
    if not compared:
        return "the record holds nothing that could be run again"
    if all(piece.result is Comparison.NOT_RUN for piece in compared):
        return f"{plural(len(compared), 'piece')} of evidence: none could be run again"
    counts = ", ".join(f"{number} {word.value}" for word, number in count(compared).items() if number)
    return f"{plural(len(compared), 'piece')} of evidence run again: {counts}"


def exit_status_of(compared: Sequence[Compared]) -> int:
    """A difference is a finding; what could not be run leaves the question open, as does an empty record."""
    results = {piece.result for piece in compared}
    if Comparison.DIFFERS in results:
        return 1
    return 0 if results == {Comparison.SAME} else 5


def reproved_document(run: str, compared: Sequence[Compared]) -> dict[str, Any]:
    counts = {word.name.lower(): number for word, number in count(compared).items()}
    return {"schema": SCHEMA, "run": run, **counts, "evidence": [msgspec.to_builtins(piece) for piece in compared]}
