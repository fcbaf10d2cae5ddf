"""New tests, file by file: each has to notice when the work is taken away, whether or not a criterion runs it (M)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.criteria import criteria_of
from autopilot.gates.evidence.idle import NewTests, judge_idle
from autopilot.gates.evidence.kept import known_ids
from autopilot.gates.evidence.moved import follow_moves
from autopilot.gates.evidence.sabotage import Trial, is_killed, is_usable, judge_sabotage
from autopilot.gates.evidence.test_id import file, name
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.evidence.testing import Ended, TestReport, TestResult
from autopilot.model.planning.criterion import Kind
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import make_repeat_check, observe_made
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.commands.narrowing import narrow
from autopilot.testtools.mutants.mutant import Mutant, can_mutate, mutants
from autopilot.text.file_kind import is_ours, is_test

MOST_FILES = 6
BLANK = "every function of the product returning a constant"


def run_idle_tests(
    ctx: StepContext,
    work: Work,
    before: Mapping[str, Observation],
    after: Sequence[Observation],
    probes: Sequence[Observation],
) -> Proving:
    """``probes``: what was run already on trees with constants. What was noticed there is not asked again."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    earlier = probes_of(ctx, probes, ProbeKind.MUTANT)
    proving = Proving()
    for green, new in list(new_tests_by_file(ctx, work, before, after))[:MOST_FILES]:
        known = trials_of(ctx, new, earlier)
        if not any(is_usable(trial.report) and is_killed(new.green, trial) for trial in known):
            proving += _try(Attempt(ctx, work, green, new), noticed=any(report_of(ctx, probe) for probe in earlier))
    return proving


def probes_of(ctx: StepContext, probes: Sequence[Observation], kind: ProbeKind) -> list[Observation]:
    """Of the phase so far, those of its tasks included."""
    every = [*probes, *(probe for task in ctx.phase.tasks.values() for probe in task.probes)]
    return [probe for probe in every if probe.about.probe is kind]


def trials_of(ctx: StepContext, new: NewTests, probes: Sequence[Observation]) -> list[Trial]:
    """Those that ran tests of this file."""
    tried = ((probe, report_of(ctx, probe)) for probe in probes)
    return [Trial("", p.seen, report) for p, report in tried if report and _runs(report, new.path)]


class Attempt(Struct):
    """The new tests of one file, run on trees where they should fail."""

    ctx: StepContext
    work: Work
    green: Observation
    new: NewTests
    probes: list[Observation] = []

    def run(self, description: str, edits: Mapping[str, bytes | None]) -> Trial:
        """Its file alone, where the tool can select one."""
        ctx, tree = self.ctx, self.work.evidence
        check = make_repeat_check(ctx, self.green, ProbeKind.MUTANT)
        alone = narrow(self.green.command, text_at(ctx, tree), self.new.path, str(ctx.project))
        made = commit_with(ctx, tree, edits)
        (seen,) = observe_made(ctx, made, tree, [replace(check, command=alone or check.command)])
        self.probes.append(seen)
        return Trial(description, seen.seen, report_of(ctx, seen))


def _try(attempt: Attempt, *, noticed: bool) -> Proving:
    ctx, work, new = attempt.ctx, attempt.work, attempt.new
    reverted = reverted_files(ctx, work, [attempt.green.command])
    if not reverted:
        return Proving()
    changed = changed_contents(ctx, work, reverted)
    trials: list[Trial] = []
    for mutant in mutants(changed):
        trials.append(attempt.run(mutant.description, mutant.edits))
        if is_killed(new.green, trials[-1]):
            return Proving(tuple(attempt.probes))
    taken = attempt.run("the implementation reverted", reverted)
    mutable = any(can_mutate(path) for path in changed)
    found = judge_sabotage(work.subject, new.green, taken, trials, mutable=mutable, noticed=noticed)
    all_blank = _blank(ctx, work) if found else None
    blank = attempt.run(BLANK, all_blank.edits) if all_blank else None
    return Proving(tuple(attempt.probes), judge_idle(work.subject, new, found, blank))


def _blank(ctx: StepContext, work: Work) -> Mutant | None:
    """All functions of the product, not only the changed ones."""
    vault = ctx.ports.vault
    paths = [p for p in vault.list(work.evidence) if can_mutate(p) and not is_test(p) and not is_ours(p)]
    made = mutants(
        {path: (None, vault.read(work.evidence, path) or b"") for path in paths if not work.is_control(path)}
    )
    return made[0] if made else None


def new_tests_by_file(
    ctx: StepContext, work: Work, before: Mapping[str, Observation], after: Sequence[Observation]
) -> Iterator[tuple[Observation, NewTests]]:
    """By file, each from the first run that knows it."""
    came = {c.path: c.status == "A" for c in work.control if c.kind is ControlKind.TEST and not c.inline}
    sources = {path: text_at(ctx, work.new)(path) or "" for path in came}
    old = [follow_moves(report_of(ctx, seen), work.moves) for seen in before.values()]
    known = frozenset(id for report in old if report for id in report.of(*Ended))
    done: set[str] = set()
    for seen in after:
        report = report_of(ctx, seen) if seen.seen is Seen.PASSED else None
        if report is None or not is_usable(report):
            continue
        places = {result.id: _place(result, sources) for result in report.results if result.ended is Ended.PASSED}
        new = [id for id in places if id not in known | known_ids(report, work.kept)]
        for path in dict.fromkeys(places[id] for id in new if places[id] in came and places[id] not in done):
            done.add(path)
            ids = tuple(id for id in new if places[id] == path)
            own = replace(report, results=tuple(r for r in report.results if places.get(r.id) == path))
            yield seen, NewTests(path, ids, own, came[path], _is_declared(ctx, path))


def _place(result: TestResult, sources: Mapping[str, str]) -> str:
    """Where no report tells the file, the one that holds the test's name."""
    known = (result.file or file(result.id)).removeprefix("./")
    if known in sources:
        return known
    title = name(result.id)
    return known or next((path for path, source in sources.items() if title and title in source), "")


def _runs(report: TestReport, path: str) -> bool:
    return any((result.file or file(result.id)).removeprefix("./") in (path, "") for result in report.results)


def _is_declared(ctx: StepContext, path: str) -> bool:
    """A promise that holds before the work and after it, about these very tests."""
    return any(c.kind is Kind.KEEP and path in c.command for c in criteria_of(ctx.phase))
