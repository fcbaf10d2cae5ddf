"""The trace of an issue both ways: from a criterion to its tests, the files and the commit, and back from each file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.events.issue.state import IssueState
from autopilot.reports.issue.evidence import judged_of

UNCOVERED = "no acceptance test names it"


class Traced(Struct, frozen=True):
    """A criterion, and what shows that it holds."""

    criterion: str
    text: str
    acceptance_tests: tuple[str, ...]
    tests: tuple[str, ...]  # that ran and passed
    problem: str
    files: tuple[str, ...]  # of the work that was judged
    commit: str


class TracedFile(Struct, frozen=True):
    """A file of the work, and the criteria that it serves."""

    path: str
    commit: str
    tests: tuple[str, ...]  # those in it
    criteria: tuple[str, ...]


def trace_criteria(issue: IssueState, texts: Mapping[str, str]) -> Iterator[Traced]:
    """``texts``: the criteria of the issue's files, by id. Criteria that only a test names come last."""
    judged = judged_of(issue)
    links = judged.links if judged else ()
    named = dict.fromkeys((*texts, *(name for link in links for name in link.covers)))
    for name in named:
        own = [link for link in links if name in link.covers]
        tests = tuple(dict.fromkeys(test for link in own for test in link.tests))
        problems = [link.problem for link in own if link.problem] or ([] if own or not judged else [UNCOVERED])
        yield Traced(
            criterion=name,
            text=texts.get(name, ""),
            acceptance_tests=tuple(link.acceptance_test for link in own),
            tests=tests,
            problem="; ".join(problems),
            files=_files(issue) if tests else (),
            commit=judged.commit if judged and tests else "",
        )


def trace_files(issue: IssueState) -> Iterator[TracedFile]:
    """Which line serves which criterion is not recorded: a file without tests serves all that its commit proves."""
    judged = judged_of(issue)
    if judged is None:
        return
    for path in _files(issue):
        tests = {test: link.covers for link in judged.links for test in link.tests if _stands_in(test, path)}
        own = [link.covers for link in judged.links if link.tests] if not tests else list(tests.values())
        criteria = tuple(dict.fromkeys(name for covers in own for name in covers))
        yield TracedFile(path, judged.commit, tuple(tests), criteria)


def _files(issue: IssueState) -> tuple[str, ...]:
    """Of the last work of every step, without the issue's own documents."""
    folder = PurePosixPath(issue.brief.folder)
    works = [step.work for step in issue.convergence.rounds.values() if step.work is not None]
    paths = dict.fromkeys(path for work in works for path in work.files)
    return tuple(path for path in paths if folder not in PurePosixPath(path).parents)


def _stands_in(test: str, path: str) -> bool:
    """Test tools name a test by its file, or by a module that is named as the file is."""
    stem = path.rpartition(".")[0] or path
    return test.startswith((path, f"{stem}.", stem.replace("/", ".")))
