"""Other surroundings: what is green, run once more where a user may be (layer H)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.other_surroundings import judge_other_surroundings, red_elsewhere
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.at_stake import narrow_to_stake
from autopilot.steps.evidence.neighbours import named_by_user
from autopilot.steps.evidence.otherwise.other_input import added_lines
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, observe_work
from autopilot.steps.observing.observing import Check, list_configured_checks, list_criterion_checks, observe
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.surroundings import Surroundings, choose_surroundings, rests_on, spell_in_surroundings
from autopilot.text.masking import mask

MOST_COMMANDS = 4


class Asked(Struct, frozen=True):
    """One green command, and what may be otherwise for it."""

    check: Check
    green: TestReport | None
    tests: Mapping[str, str]  # the files of its tests
    otherwise: tuple[Surroundings, ...]


def run_other_surroundings(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """Of criteria, those first that had to turn green. One run each where new code names what differs between users,
    else none."""
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED}
    checks = list_criterion_checks(ctx, sorted((c for c in criteria if c.id in green), key=lambda c: not c.is_new))
    asked = {check.command: (check, report_of(ctx, green[check.subject])) for check in checks}
    return _try_all(ctx, work, list(asked.values()))


def run_suite_elsewhere(ctx: StepContext, work: Work, after: Sequence[Observation]) -> Proving:
    """Of the suite the tests at stake that no criterion runs."""
    green = next((seen for seen in after if seen.subject == "test" and seen.seen is Seen.PASSED), None)
    report = report_of(ctx, green)
    checks = [check for check in list_configured_checks(ctx) if check.subject == "test"]
    if report is None or not checks:
        return Proving()
    narrowed = narrow_to_stake(ctx, work, checks[0], report, after)
    return _try_all(ctx, work, [narrowed] if narrowed[1].results else [])


def _try_all(ctx: StepContext, work: Work, commands: Sequence[tuple[Check, TestReport | None]]) -> Proving:
    new = added_lines(ctx, work) if commands and ctx.policy.evidence.held_out else {}
    added = {path: mask(path, "\n".join(lines), strings=False).split("\n") for path, lines in new.items()}
    proving = Proving()
    for check, green in commands[:MOST_COMMANDS] if added else ():
        tests = _texts_of_tests(ctx, work, green)
        if otherwise := choose_surroundings(added, tests.values()):
            proving += _try(ctx, work, Asked(check, green, tests, otherwise), added)
        if proving.is_refused:
            break
    return proving


def _texts_of_tests(ctx: StepContext, work: Work, green: TestReport | None) -> dict[str, str]:
    passed = [result.file for result in green.results if result.ended is Ended.PASSED] if green else []
    read = text_at(ctx, work.evidence)
    return {path: read(path) or "" for path in dict.fromkeys(passed) if path}


def _try(ctx: StepContext, work: Work, asked: Asked, added: Mapping[str, Sequence[str]]) -> Proving:
    """All at once; only where that is red one by one, and the guilty one twice."""
    probe, red = _observe(ctx, work, asked, asked.otherwise)
    if red is None:
        return Proving((probe,))
    probes = [probe]
    for single in asked.otherwise:
        seen, red = _observe(ctx, work, asked, [single])
        probes.append(seen)
        repeated = None
        if red is not None:
            seen, repeated = _observe(ctx, work, asked, [single])
            probes.append(seen)
        if red is None or repeated is None or (red and not red & repeated):
            continue
        tests = red & repeated
        certain = not (_is_excused(ctx, work, asked, single, tests) or _was_so(ctx, work, asked, single))
        place = next((path for path, lines in added.items() if single.reads.search("\n".join(lines))), "")
        return Proving(
            tuple(probes), judge_other_surroundings(asked.check.subject, place, tests, single.name, certain=certain)
        )
    return Proving(tuple(probes))


def _observe(
    ctx: StepContext, work: Work, asked: Asked, some: Sequence[Surroundings]
) -> tuple[Observation, frozenset[str] | None]:
    command = spell_in_surroundings(asked.check.command, some)
    subject = probe_subject(ProbeKind.INPUT, asked.check.subject)
    (seen,) = observe_work(ctx, work, [replace(asked.check, subject=subject, command=command)])
    trial = Trial(", ".join(single.name for single in some), seen.seen, report_of(ctx, seen))
    return seen, red_elsewhere(asked.green, trial)


def _is_excused(ctx: StepContext, work: Work, asked: Asked, single: Surroundings, tests: frozenset[str]) -> bool:
    """Whether the user's words want it to matter, or a failing test reads it itself."""
    if single.asked_by.search(named_by_user(ctx, work)):
        return True
    files = {result.file for result in asked.green.results if result.id in tests} if asked.green else set[str]()
    return any(rests_on(single, text) for path, text in asked.tests.items() if path in files)


def _was_so(ctx: StepContext, work: Work, asked: Asked, single: Surroundings) -> bool:
    """Whether tests that were there before the work fail there as well: then the project is not made for it."""
    command = spell_in_surroundings(asked.check.command, [single])
    subject = probe_subject(ProbeKind.INPUT, asked.check.subject)
    checks = [replace(asked.check, subject=subject), replace(asked.check, subject=subject, command=command)]
    plain, other = (report_of(ctx, seen) for seen in observe(ctx, work.old, checks, at_base=True))
    if plain is None or other is None:
        return False
    return bool(plain.of(Ended.PASSED) & other.of(Ended.FAILED))
