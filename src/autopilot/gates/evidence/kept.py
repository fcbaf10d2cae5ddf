"""Tests that stand in another file, order or table than before, the same in meaning: which ids they had and have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from autopilot.gates.evidence.test_id import file, is_to_be_removed, parts
from autopilot.gates.evidence.test_id import name as name_of
from autopilot.model.evidence.control import Kept
from autopilot.model.evidence.testing import Ended, TestReport

Origin = tuple[str, Kept]  # the file in which the test stood, and where it stands now


def was_kept(id: str, path: str, kept: Iterable[Origin]) -> bool:
    """Whether this is the id that one of them had."""
    return any(is_called(id, path, old, test.name) for old, test in kept)


def that_ran(kept: Sequence[Origin], reports: Iterable[TestReport]) -> tuple[Origin, ...]:
    """Those that some run shows where they stand now: a place that no tool looks at keeps nothing."""
    ran = _by_name(reports)
    return tuple(
        (old, test)
        for old, test in kept
        if any(is_called(id, path, test.path, test.now) for id, path in ran.get(_last(test.now), ()))
    )


def known_ids(report: TestReport, kept: Sequence[Origin]) -> frozenset[str]:
    """Ids of the report that belong to tests which were there before, wherever these stood.

    A table that has more rows than tests were put into it holds new ones, and which ones those are is not known.
    """
    places = Counter((test.path, test.now) for _, test in kept)
    found, ran = set[str](), _by_name([report])
    for (place, now), count in places.items():
        ids = {id for id, path in ran.get(_last(now), ()) if is_called(id, path, place, now)}
        found |= ids if len(ids) <= count else set()
    return frozenset(found)


def only_moved_as_planned(
    report: TestReport, kept: Sequence[Origin], moved: Sequence[tuple[str, str]], text: str
) -> bool:
    """Whether every test that passed was there before, and the plan says that its file is to be moved, split or merged.

    Such a criterion promises no new behaviour, so there is none that could be taken away.
    """
    passed = report.of(Ended.PASSED)
    places = {new for _, new in moved}
    known = known_ids(report, kept) | {r.id for r in report.results if (r.file or file(r.id)) in places}
    origins = {old for old, _ in (*kept, *moved)}
    announced = any(is_to_be_removed(word, text) for old in origins for word in (old, old.rsplit("/", 1)[-1]))
    return bool(passed) and passed <= known and announced


def is_called(id: str, path: str, place: str, name: str) -> bool:
    """Whether the id of a test in ``path`` is that of the test ``name`` in the file ``place``."""
    wanted = tuple(name.split("::"))
    return path.removeprefix("./") == place and parts(id)[-len(wanted) :] == wanted


def _by_name(reports: Iterable[TestReport]) -> dict[str, list[tuple[str, str]]]:
    """Ids with their files, by the last part of each id."""
    found: dict[str, list[tuple[str, str]]] = {}
    for result in (result for report in reports for result in report.results):
        found.setdefault(name_of(result.id), []).append((result.id, result.file or file(result.id)))
    return found


def _last(name: str) -> str:
    return name.rpartition("::")[2]
