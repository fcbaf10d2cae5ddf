"""Another name: criteria with copies of the data that they and their tests name, asked under these names (layer H).

What fails so is run once more with the data under these names alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.other_name import (
    fails_by_name,
    judge_other_name,
    other_names,
    spell_otherwise,
    spelled_names,
)
from autopilot.gates.evidence.sabotage import Trial
from autopilot.inspection.control.behind import files_run
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.held_out import files_of_tests
from autopilot.steps.evidence.neighbours import known_before
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import list_criterion_checks, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import files_opened, text_at
from autopilot.testtools.expectations.site import Draw
from autopilot.text.file_kind import is_ours, is_test
from autopilot.text.masking import is_masked

MOST_FILES, MOST_CRITERIA, MOST_CODE, LONGEST = 8, 4, 200, 200_000
MOST_NAMED = 100  # files of data that tests name: each is looked for in all of them


def run_other_names(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """One run for each criterion that names such data, or runs tests that do; none else."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED}
    asked = [criterion for criterion in criteria if criterion.id in green and criterion.is_runnable]
    tests = _tests(ctx, work, asked, after)
    names = _names(ctx, work, [*tests.values(), *(c.command for c in asked)]) if asked else {}
    if not names:
        return Proving()
    read, proving = ctx.ports.vault.read, Proving()
    copies: dict[str, bytes | None] = {other: read(work.evidence, path) for path, other in names.items()}
    copies |= {path: spell_otherwise(text, names).encode() for path, text in tests.items()}
    for criterion in asked[:MOST_CRITERIA]:
        (check,) = list_criterion_checks(ctx, [criterion])
        command = spell_otherwise(check.command, names)
        if command == check.command and not green[criterion.id].tests and not files_run(command):
            continue
        probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id), command=command)
        report, trials, opened = report_of(ctx, green[criterion.id]), list[Trial](), list[str]()
        for edits in (copies, {**copies, **dict.fromkeys(names)}):
            made = commit_with(ctx, work.evidence, edits)
            (seen,) = observe_made(ctx, made, work.evidence, [probe], watched=not trials)
            trials.append(Trial("", seen.seen, report_of(ctx, seen)))
            proving += Proving((seen,))
            opened += files_opened(ctx, seen)
            if fails_by_name(report, trials[-1]) is None:
                break
        proving += Proving(objections=judge_other_name(criterion.id, report, trials, names, opened))
    return proving


def _tests(ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]) -> dict[str, str]:
    """Files of tests that passed, and scripts that criteria run, where these are tests."""
    scripts = [run.path for criterion in criteria for run in files_run(criterion.command)]
    read, paths = text_at(ctx, work.evidence), dict.fromkeys((*files_of_tests(ctx, after), *scripts))
    changed = {change.path for change in work.changes}
    return {path: text for path in paths if (is_test(path) or path not in changed) and (text := read(path))}


def _names(ctx: StepContext, work: Work, texts: Sequence[str]) -> dict[str, str]:
    spelled, read = spelled_names(texts), ctx.ports.vault.read
    tree = [path for path in ctx.ports.vault.list(work.evidence) if not is_ours(path) and not is_masked(path)]
    named = [path for path in tree if path.rpartition("/")[2] in spelled][:MOST_NAMED]
    contents = {path: content for path in named if len(content := read(work.evidence, path) or b"") <= LONGEST}
    # Data that names other data, as a list of files does, is not told apart from what is expected of them.
    alone = [p for p in contents if not any(p.rpartition("/")[2].encode() in content for content in contents.values())]
    code = "\n".join(text_at(ctx, work.old)(path) or "" for path in _code(ctx, work))
    found = other_names(alone, texts, f"{known_before(ctx, work)}\n{code}", _letters(Draw(f"{work.new} names")))
    return {path: other for path, other in list(found.items())[:MOST_FILES] if other not in tree}


def _code(ctx: StepContext, work: Work) -> Iterator[str]:
    yield from [path for path in ctx.ports.vault.list(work.old) if is_masked(path) and not is_test(path)][:MOST_CODE]


def _letters(draw: Draw) -> Iterator[str]:
    while True:
        yield draw.word()[:2]
