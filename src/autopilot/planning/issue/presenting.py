"""What of an issue's work a person is shown: decisions and lines at first, then finding by finding what changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.events.issue.state import IssueState
from autopilot.model.issue.hunk import Answered, Artefact, Hunk, Showing, ShownHunk
from autopilot.model.issue.issue import (
    PLAN_FILE,
    PRD,
    STORIES_FILE,
    TESTS_FILE,
    AcceptanceState,
    Decision,
    Route,
    SeedFinding,
)
from autopilot.planning.issue.acceptance import lint_criteria, parse_tests, place_criteria
from autopilot.planning.issue.acceptance_ids import named_criteria
from autopilot.planning.issue.hunks import key_lines, parse_hunks, quotes_of, show
from autopilot.planning.issue.test_command import find_test_command
from autopilot.text.file_kind import is_ours, is_test
from autopilot.text.lines import heading, scan_lines
from autopilot.text.visible import visible

ARTEFACTS = (STORIES_FILE, PLAN_FILE, TESTS_FILE)
_STEP = re.compile(r" {0,3}\d{1,3}[.)]\s+\S")
READ = (PRD, *ARTEFACTS)  # names of what has to be read to be shown


def is_repeated(issue: IssueState) -> bool:
    """Whether it answers findings of a person; whatever else brings it here again is a first presentation."""
    return bool(issue.design.rejected) and issue.presentation.last is not None


def gather_showing(issue: IssueState, branch: str, commit: str, patch: str, texts: Mapping[str, str]) -> Showing:
    """``patch``: since the presentation before, or of the whole work; ``texts``: the documents, by path."""
    hunks = [hunk for hunk in parse_hunks(patch) if not is_ours(hunk.path)]
    warnings = tuple(find_gaps(issue, texts)) if issue.route is Route.FULL else ()
    if is_repeated(issue):
        answered = tuple(_answer(issue, hunks))
        used = [shown.hunk for answer in answered for shown in answer.hunks]
        others = tuple(hunk for hunk in hunks if hunk not in used)
        return Showing(branch, commit, answered=answered, others=others, warnings=warnings)
    artefacts = tuple(_artefact(issue, name, texts) for name in ARTEFACTS) if issue.route is Route.FULL else ()
    return Showing(branch, commit, tuple(map(show, hunks)), artefacts=artefacts, warnings=warnings)


def find_key_hunks(issue: IssueState, hunks: Sequence[Hunk]) -> tuple[ShownHunk, ...]:
    """Those with key lines, the implementation before its tests; without the issue's own documents, which are known.

    Where no key line is found, as in a fix inside of a function, all that is implemented is key.
    """
    folder = f"{issue.brief.folder}/"
    others = [hunk for hunk in hunks if not is_ours(hunk.path) and not hunk.path.startswith(folder)]
    built = [hunk for hunk in others if not is_test(hunk.path)]
    key = [hunk for hunk in built if key_lines(hunk)] or built
    return tuple(map(show, (*key, *(hunk for hunk in others if is_test(hunk.path) and key_lines(hunk)))))


def find_gaps(issue: IssueState, texts: Mapping[str, str]) -> Iterator[str]:
    """What an approval would let through: nothing is refused here, a person decides."""
    defined = [text for name in (PRD, STORIES_FILE) if (text := texts.get(issue.brief.path(name)))]
    criteria = dict.fromkeys(id for text in defined for id in place_criteria(text))
    tests = parse_tests(texts.get(issue.brief.path(TESTS_FILE), ""))
    covered = {id for test in tests for id in test.covers}
    yield from (f"{id}: no acceptance test names it yet" for id in criteria if id not in covered)
    for test in tests:
        if not test.covers:
            yield f"{test.id}: it names no acceptance criterion"
        if test.state == AcceptanceState.REGRESSION:
            yield f"{test.id}: marked [regression], so Autopilot does not check whether it was ever red"
        yield from (f"{test.id}: it names {id}, which is defined nowhere" for id in test.covers if id not in criteria)
    yield from _find_slips(issue, texts)


def _find_slips(issue: IssueState, texts: Mapping[str, str]) -> Iterator[str]:
    """What a reader may take for a criterion, or for the project's own tests, and the oracle does not."""
    defined = {name: texts.get(issue.brief.path(name), "") for name in (PRD, STORIES_FILE)}
    known = {id for text in defined.values() for id in place_criteria(text)}
    for name, text in defined.items():
        yield from map(str, lint_criteria(text, name))
        named = (id for id in named_criteria(visible(text, closed_only=True)) if id not in known)
        yield from (
            f"{name}: it mentions {id}, which is defined nowhere, so no test is required for it" for id in named
        )
    command = find_test_command(texts.get(issue.brief.path(PLAN_FILE), ""))
    if command and not issue.options.at_command:
        yield f"{PLAN_FILE}: the acceptance tests are run by `{command}`"


def _answer(issue: IssueState, hunks: Sequence[Hunk]) -> Iterator[Answered]:
    for finding in issue.design.rejected:
        quoted = quotes_of(finding.evidence_ref)
        yield Answered(finding, tuple(show(hunk, quoted) for hunk in hunks_for(finding, hunks)))


def _artefact(issue: IssueState, name: str, texts: Mapping[str, str]) -> Artefact:
    path = issue.brief.path(name)
    decided = tuple(decision for decision in issue.decisions if decision.file == path)
    return Artefact(name, decided or tuple(_contents(path, texts.get(path, ""))), decided=bool(decided))


def _contents(path: str, text: str) -> Iterator[Decision]:
    """Never the text itself: its criteria, its acceptance tests, or else its headings and numbered steps, by line."""
    if path.endswith(TESTS_FILE):
        for test in parse_tests(text):
            covers = f" ({', '.join(test.covers)})" if test.covers else ""
            yield Decision(path, test.line, f"{test.id}: {test.text}{covers}")
        return
    if path.endswith(STORIES_FILE) and (placed := place_criteria(text)):
        yield from (Decision(path, line, f"{id}: {wording}") for id, (line, wording) in placed.items())
        return
    for line in scan_lines(text):
        step = None if line.hidden else _STEP.match(line.text)
        title = heading(line)
        if title is not None or step:
            yield Decision(path, line.number, title.text if title else line.text.strip())


FILES: Mapping[str, str] = {"stories": STORIES_FILE, "plan": PLAN_FILE, "tests": TESTS_FILE}
_WORD = re.compile(r"[^\W\d_]{5,}")
_COMMON = """
    about after again before being could every instead needs other please should since still their there these thing
    those under until where which while without would wrong missing change changed because story stories tests
    acceptance criterion criteria
"""
_ENOUGH = 2  # words in common; one alone is chance


def hunks_for(finding: SeedFinding, hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """Of the file it is about those that name it, where any does; else all of that file, else whatever names it."""
    file = FILES.get(finding.about, "")
    own = [hunk for hunk in hunks if file and hunk.path.rsplit("/", 1)[-1] == file]
    named = [hunk for hunk in hunks if _speaks_of(hunk, finding.evidence_ref)]
    return tuple([hunk for hunk in own if hunk in named] or own or named)


def _speaks_of(hunk: Hunk, comment: str) -> bool:
    text = "\n".join(line.text for line in hunk.changed).casefold()
    if any(_stands_in(text, quote.casefold()) for quote in quotes_of(comment)):
        return True
    telling = set(_WORD.findall(comment.casefold())) - set(_COMMON.split())
    shared = telling & set(_WORD.findall(text))
    return bool(shared) and len(shared) >= min(_ENOUGH, len(telling))


def _stands_in(text: str, quote: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(quote)}(?!\w)", text) is not None
