"""What did not hold, expected against actual: each once, however many names it was judged under.

A criterion of the roadmap, the same one in a task, the task's test script and the objections to them are one failure.
Every report shows it from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.criteria import find_criterion
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.deciding import script_of
from autopilot.model.evidence.objection import Layer
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.red_check import describe_red
from autopilot.model.evidence.subject import Subject, SubjectKind
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Expectation, Want, identity
from autopilot.model.step import Step
from autopilot.reports.documents.objections import LAYERS
from autopilot.reports.documents.tasks import UNDONE, parts_of
from autopilot.reports.markdown import shorten

LONGEST_OUTPUT = 160


class Failure(Struct, frozen=True):
    name: str  # as it was judged: "01-01.c1", "test"
    text: str  # the criterion's own words, else what it is
    outcome: Outcome
    because: str
    also: tuple[str, ...] = ()  # the other names of the same thing
    objections: tuple[str, ...] = ()
    layer: str = ""  # the checks that object to it, where nothing else is wrong with it
    command: str = ""
    commit: str = ""
    exit_status: int | None = None
    expected: str = ""
    actual: str = ""
    last_lines: tuple[str, ...] = ()
    output: str = ""  # digest of all it printed

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)


def failures_of(state: RunState, phase: PhaseState) -> tuple[Failure, ...]:
    """By the verdicts on the whole phase; of one that did not come so far, by those on its tasks."""
    if phase.gate.verdicts:
        return failures_in(phase, phase.gate.verdicts, phase.observed.observations or ())
    homes = (phase, *parts_of(state, phase))
    undone = [(home, task) for home in homes for task in home.tasks.values() if task.status in UNDONE]
    return tuple(failure for home, task in undone for failure in failures_in(home, task.verdicts, task.observations))


def failures_in(
    phase: PhaseState, verdicts: Sequence[Verdict], observations: Sequence[Observation]
) -> tuple[Failure, ...]:
    bad = [verdict for verdict in verdicts if verdict.outcome is not Outcome.PASS]
    seen = {observation.subject: observation for observation in observations}
    found: dict[object, Failure] = {}
    for verdict in (v for v in bad if not v.about.is_objection and not v.about.is_plain(SubjectKind.SCRIPT)):
        criterion = find_criterion(phase, verdict.subject)
        failure = _describe(verdict, criterion, _deciding(verdict.subject, criterion, seen))
        # The project's own check under another name is the same command.
        _add(found, criterion.check if criterion else (failure.command, str(Expectation())), failure)
    for verdict in (v for v in bad if v.about.is_plain(SubjectKind.SCRIPT)):
        _add_script(found, verdict, seen.get(verdict.subject))
    for verdict in (v for v in bad if v.about.is_objection):
        _add_objection(found, verdict, phase)
    return tuple(found.values())


def _add(found: dict[object, Failure], cause: object, failure: Failure) -> None:
    known = found.get(cause) if failure.command else None
    found[cause if failure.command else failure.name] = (
        replace(known, also=(*known.also, failure.name)) if known else failure
    )


def _add_script(found: dict[object, Failure], verdict: Verdict, script: Observation | None) -> None:
    """A line of a test script speaks of a criterion that stands here already."""
    red = {identity(text) for text, passed in script.lines if not passed} if script else set()
    for cause, failure in found.items():
        if identity(failure.text) in red:
            found[cause] = replace(failure, also=(*failure.also, verdict.subject))
            red.discard(identity(failure.text))
    if red or not (script and script.lines):
        found[verdict.subject] = _describe(verdict, None, script)


def _add_objection(found: dict[object, Failure], verdict: Verdict, phase: PhaseState) -> None:
    subject = verdict.about.without_layer
    for cause, failure in found.items():
        if subject in failure.names:
            found[cause] = replace(failure, objections=(*failure.objections, f"{_layer(verdict)}: {verdict.because}"))
            return
    criterion = find_criterion(phase, subject)
    found[verdict.subject] = Failure(
        name=subject,
        text=criterion.text if criterion else _name(verdict.about),
        outcome=verdict.outcome,
        because=verdict.because,
        layer=_layer(verdict),
        command=criterion.command if criterion else "",
    )


def _layer(verdict: Verdict) -> str:
    return LAYERS[Layer(verdict.about.layer)]


def _deciding(subject: str, criterion: Criterion | None, seen: Mapping[str, Observation]) -> Observation | None:
    """Its own command, unless that passed and a line of its test script did not."""
    own = seen.get(subject)
    script = script_of(criterion.task, tuple(seen.values())) if criterion and criterion.task else None
    lines = {identity(text): passed for text, passed in script.lines} if script else {}
    is_refuted = criterion is not None and lines.get(criterion.identity) is False
    return script if is_refuted and (own is None or own.seen is Seen.PASSED) else own


def _describe(verdict: Verdict, criterion: Criterion | None, seen: Observation | None) -> Failure:
    text = criterion.text if criterion else _name(verdict.about)
    if seen is None:
        command = criterion.command if criterion and criterion.is_runnable else ""
        return Failure(verdict.subject, text, verdict.outcome, verdict.because, command=command)
    expectation = criterion.expectation if criterion and seen.subject == criterion.id else Expectation()
    return Failure(
        name=verdict.subject,
        text=text,
        outcome=verdict.outcome,
        because=seen.reason or verdict.because,
        command=seen.command,
        commit=seen.commit,
        exit_status=seen.exit_code,
        expected=_expected(seen, expectation),
        actual=_actual(verdict, seen, expectation),
        last_lines=seen.last_lines or _first_lines(seen),
        output=seen.output,
    )


def _expected(seen: Observation, expectation: Expectation) -> str:
    if seen.seen is Seen.PASSED:
        return "that it fails before the work and passes after it"
    if seen.about.is_plain(SubjectKind.SCRIPT):
        return "a PASS line for every criterion, exit status 0"
    return expectation.in_words


def _actual(verdict: Verdict, seen: Observation, expectation: Expectation) -> str:
    match seen.seen:
        case Seen.PASSED:
            return verdict.because
        case Seen.NOTHING:
            return f"it could not be run: {seen.reason}"
        case Seen.TIMED_OUT:
            return seen.reason or seen.seen.text
        case Seen.FAILED:
            return ", ".join(_pieces(seen, expectation))


def _pieces(seen: Observation, expectation: Expectation) -> Iterator[str]:
    if expectation.want is not Want.EXIT:
        printed = shorten(seen.excerpt, LONGEST_OUTPUT)
        yield f'it printed "{printed}"' if printed else "it printed nothing"
    if seen.exit_code is not None:
        yield f"exit status {seen.exit_code}"
    if seen.tests is not None and seen.tests.ran:
        yield f"{seen.tests.runner}: {seen.tests.failed} failed, {seen.tests.passed} passed"
    if seen.about.is_plain(SubjectKind.CHECK) and (seen.compared is not None or seen.is_not_run):
        yield describe_red(seen)
    elif seen.reason and seen.reason not in (f"exit {seen.exit_code}", *seen.last_lines):
        yield seen.reason


def _first_lines(seen: Observation) -> tuple[str, ...]:
    """A record of an earlier version holds the beginning of the output alone."""
    return tuple(seen.excerpt.splitlines()) if seen.seen is not Seen.PASSED else ()


def _name(subject: Subject) -> str:
    if subject.kind is SubjectKind.SCRIPT:
        return f"the test script of task {subject.name}"
    return subject.without_layer


def is_refused_by_evidence(phase: PhaseState) -> bool:
    """Whether the failures are all there is to say: after a red check no reviewer is asked."""
    return phase.ending.failure_step == Step.GATE and phase.reviews.judgement is None
