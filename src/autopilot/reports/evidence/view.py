"""The evidence of one phase, piece by piece: what `autopilot evidence` shows, and prints as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.proven import Proven
from autopilot.model.evidence.subject import parse_subject
from autopilot.model.evidence.testing import Ended, TestReport
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.policy import Evidence
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.objections import objections_of
from autopilot.reports.evidence.failures import Failure, failures_of
from autopilot.reports.evidence.packages import package_lines
from autopilot.reports.evidence.planned import NOTHING_JUDGED, planned_rows
from autopilot.reports.evidence.promised import PromiseRow, is_judged, promise_rows, standing_words
from autopilot.reports.evidence.proofs import Proof, ProofKind, probes_of, proofs_of
from autopilot.reports.evidence.strength import EXIT_ONLY, Probe, ProbeName
from autopilot.reports.evidence.unchecked import unchecked_in_phase
from autopilot.text.naming import plural

SCHEMA = 1
NO_LAYERS = (
    "an earlier version without checks of single tests and sabotage started this run: its record holds commands only"
)

# The report behind a digest, None where it is not there any more.
ReadReport = Callable[[str], TestReport | None]


class TestsShown(Struct, frozen=True):
    runner: str
    grade: str  # report, text or exit
    passed: int
    failed: int
    skipped: int
    xfailed: int
    red_by: str | None
    report: str  # digest
    problem: str
    new: tuple[str, ...]  # ids that passed here and were not there before the work
    others: tuple[str, ...]  # every other id that passed
    not_passed: tuple[str, ...]  # "id: how it ended"

    __test__ = False


class RunShown(Struct, frozen=True):
    """One command, as it was run."""

    command: str
    ran: str  # the same with its report asked for; "" where it ran as written
    commit: str
    seen: str
    exit_code: int | None
    excerpt: str  # of the output, redacted
    duration_ms: int
    output: str  # digest
    reason: str
    tests: TestsShown | None


class ProbeShown(Struct, frozen=True):
    kind: ProbeName
    subject: str
    run: RunShown


class ObjectionShown(Struct, frozen=True):
    layer: str
    weight: str
    subject: str
    observed: str = field(name="saw")
    where: str
    satisfy: str


class Piece(Struct, frozen=True):
    """A criterion, check or script."""

    subject: str
    kind: ProofKind
    task: str
    text: str
    verdict: str | None  # None: nothing was judged
    because: str
    expected: str  # of a criterion's command; "" for what is not judged by one
    strength: str | None  # None: it does not hold
    replayed_by: tuple[str, ...]
    weak: tuple[str, ...]
    after: RunShown | None
    before: RunShown | None
    probes: tuple[ProbeShown, ...]
    objections: tuple[ObjectionShown, ...]
    failure: Failure | None = None  # of what does not hold


class PhaseEvidence(Struct, frozen=True):
    schema: int
    run: str
    phase: str
    name: str
    status: PhaseStatus
    commit: str
    note: str  # why less is shown than could be
    pieces: tuple[Piece, ...]
    probes: tuple[ProbeShown, ...]  # of the phase at large
    objections: tuple[ObjectionShown, ...]  # of tasks and of the phase at large
    control_files: tuple[ObjectionShown, ...]  # changed, as the task declares
    not_checked: tuple[str, ...]
    standing: str = ""  # how what the owner asked for stands
    promises: tuple[PromiseRow, ...] = ()
    packages: tuple[str, ...] = ()  # of a repository with several: whose checks were run for what

    @property
    def strengths(self) -> Mapping[str, int]:
        """How many of what was proven is how strong."""
        held = [piece.strength for piece in self.pieces if piece.strength is not None]
        return {word.value: held.count(word.value) for word in Proven if word.value in held}


def view_evidence(state: RunState, phase: PhaseState, read: ReadReport) -> PhaseEvidence:
    objections = objections_of(state, phase)
    proofs = [proof for proof in proofs_of(state, phase) if not parse_subject(proof.subject).is_objection]
    failures = {name: failure for failure in failures_of(state, phase) for name in failure.names}
    show = _Showing(objections, read, state.policy.evidence, failures)
    known = {proof.subject for proof in proofs}
    loose = [objection for objection in objections if objection.subject not in known]
    declared = [objection for objection in loose if _is_declared(objection)]
    pieces = tuple(show.piece(proof) for proof in proofs)
    return PhaseEvidence(
        schema=SCHEMA,
        run=state.run,
        phase=phase.id,
        name=phase.brief.name,
        status=phase.status,
        commit=phase.observed.commit,
        note=_note(state, phase),
        pieces=pieces,
        probes=tuple(show.probe(probe) for probe in probes_of(state, phase) if probe.subject not in known),
        objections=tuple(show_objection(objection) for objection in loose if objection not in declared),
        control_files=tuple(show_objection(objection) for objection in declared),
        not_checked=tuple(unchecked_in_phase(state, phase)),
        packages=package_lines(state, phase),
        standing=standing_words(phase) if is_judged(phase) else _unasked(pieces),
        promises=promise_rows(state, phase) if is_judged(phase) else planned_rows(phase),
    )


def _unasked(pieces: Sequence[Piece]) -> str:
    """Of a phase without a gate: a debug session judges its checks itself."""
    judged = [piece for piece in pieces if piece.verdict is not None]
    held = sum(piece.verdict == "PASS" for piece in judged)
    return f"{held} of {plural(len(judged), 'judged check')} passed" if judged else NOTHING_JUDGED


class _Showing(Struct, frozen=True):
    objections: tuple[Objection, ...]
    read: ReadReport
    layers: Evidence
    failures: Mapping[str, Failure]

    def piece(self, proof: Proof) -> Piece:
        after, before = proof.observation, proof.before
        weak = proof.weighed.weak
        if self.layers.tests and proof.subject == "test" and after is not None and after.tests is None:
            weak = (*weak, EXIT_ONLY)
        return Piece(
            subject=proof.subject,
            kind=proof.kind,
            task=proof.task or (parse_subject(proof.subject).name if proof.kind == "script" else ""),
            text=proof.text,
            verdict=proof.outcome.value if proof.outcome else None,
            because=proof.because,
            expected=proof.expected,
            strength=proof.strength or None,
            replayed_by=proof.weighed.replayed_by,
            weak=weak,
            after=self.run(after, before) if after else None,
            before=self.run(before) if before else None,
            probes=tuple(self.probe(probe) for probe in proof.probes),
            objections=tuple(
                show_objection(objection) for objection in self.objections if objection.subject == proof.subject
            ),
            failure=self.failures.get(proof.subject) if proof.outcome is not Outcome.PASS else None,
        )

    def probe(self, probe: Probe) -> ProbeShown:
        return ProbeShown(probe.kind, probe.subject, self.run(probe.seen))

    def run(self, seen: Observation, before: Observation | None = None) -> RunShown:
        return RunShown(
            command=seen.command,
            ran=seen.ran if seen.ran != seen.command else "",
            commit=seen.commit,
            seen=seen.seen.text,
            exit_code=seen.exit_code,
            excerpt=seen.excerpt,
            duration_ms=seen.duration_ms,
            output=seen.output,
            reason=seen.reason,
            tests=self._tests(seen, before),
        )

    def _tests(self, seen: Observation, before: Observation | None) -> TestsShown | None:
        tally = seen.tests
        if tally is None:
            return None
        now = self.read(tally.report) if tally.report else None
        then = self.read(before.tests.report) if before and before.tests and before.tests.report else None
        known_before = {result.id for result in then.results} if then else set()
        passed = sorted(now.of(Ended.PASSED)) if now else []
        is_known = then is not None or (before is not None and before.tests is not None and not before.tests.passed)
        return TestsShown(
            runner=tally.runner,
            grade=tally.grade.value,
            passed=tally.passed,
            failed=tally.failed,
            skipped=tally.skipped,
            xfailed=tally.xfailed,
            red_by=tally.by.value if tally.by else None,
            report=tally.report,
            problem=tally.problem or ("" if now or not tally.report else "the stored report no longer exists"),
            new=tuple(id for id in passed if is_known and id not in known_before),
            others=tuple(id for id in passed if not is_known or id in known_before),
            not_passed=tuple(_ends(now)) if now else (),
        )


def show_objection(objection: Objection) -> ObjectionShown:
    return ObjectionShown(
        objection.layer.value,
        objection.weight.value,
        objection.subject,
        objection.description,
        objection.where,
        objection.satisfy,
    )


def _ends(report: TestReport) -> Iterator[str]:
    for result in report.results:
        if result.ended is not Ended.PASSED:
            message = f": {result.message}" if result.message else ""
            yield f"{result.id}: {result.ended.value}{f' by {result.by.value}' if result.by else ''}{message}"


def _is_declared(objection: Objection) -> bool:
    return objection.layer is Layer.CHANGE and objection.weight is Weight.FLAG


def _note(state: RunState, phase: PhaseState) -> str:
    if phase.started_at is None:
        return "the phase has not started: there is no evidence yet"
    if state.debugging is not None:
        return f"`autopilot debug show {state.debugging.brief.slug}` has its hypotheses and their tests"
    return NO_LAYERS if state.policy.evidence == Evidence() else ""
