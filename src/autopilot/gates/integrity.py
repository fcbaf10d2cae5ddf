"""The integrity checks: is a phase's result founded on what its records hold, and was each review a review?

Numbers are those of the list the checks come from. 1, 4 and 6 ask what the engine knows by construction, 5 is a rail,
15 and 16 are actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.gates.deferral import is_generic
from autopilot.model.assessment import CriterionReading, Failure, Judgement, MiniVerification, Verification
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.place import named_places
from autopilot.model.failure import WORDS
from autopilot.model.planning.criterion import identity
from autopilot.model.result import PhaseResult
from autopilot.model.ruling import NEEDLESS_DEFERRAL, Finding
from autopilot.model.run import PhaseStatus
from autopilot.model.step import REVIEWS, Step, that_ask

# Subjects of what is looked at by phase type; a part stands after a colon ("validity:data/shelf.json").
CROSS_REFERENCE, VALIDITY = "cross_reference", "validity"
DEMANDED: Mapping[str, tuple[str, ...]] = {
    "ui": ("compile", "build"),
    "protocol": (CROSS_REFERENCE,),
    "data": (VALIDITY,),
    "mixed": ("compile", "build", CROSS_REFERENCE, VALIDITY),
}
FAST_S = 300.0
# A review by a program is left out where the project names no command for it: that is no haste.
EXPECTED = (Step.EXECUTE, *that_ask(REVIEWS))
# Exactly so: statuses are compared as strings, and "FAILED" would not count as a failure.
READ_AS = frozenset({"verified", "failed", "unverifiable", "BEHAVIORAL_UNVERIFIABLE"})


class Records(Struct, frozen=True):
    """What was recorded of a phase beside its result. Criteria by their texts, as reviewers were shown them."""

    criteria: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    verification: Verification | None = None
    judgement: Judgement | None = None
    duration_s: float | None = None  # of the whole phase
    verifier_min_s: float = 0.0
    minimum_concerns: int = 1
    unread: tuple[str, ...] = ()  # what the verifier had to read and did not
    unplaced: tuple[str, ...] = ()  # what it read, and where it says so nothing was found
    asked_by_owner: bool = False  # the roadmap itself asks for what a person has to look at
    handlers: tuple[str, ...] = ()  # changed files that handle what people do
    asked_again: bool = False  # a reviewer had to report once more already


Check = Callable[[PhaseResult, Records], Iterator[Finding]]


def check_result(result: PhaseResult, records: Records) -> tuple[Finding, ...]:
    """All findings of the checks about a phase's result, by number."""
    return tuple(finding for check in CHECKS.values() for finding in check(result, records))


def refuse_verification(verification: Verification, duration_s: float | None, min_s: float) -> str:
    """Why a verifier's report is no verification, or "" (CHK-10)."""
    if min_s > 0 and (duration_s is None or not duration_s >= min_s):
        took = "an unknown time" if duration_s is None else f"{duration_s:.0f} s"
        return f"the verifier took {took}, below the minimum of {min_s:g} s"
    if _is_empty(verification.commands_run):
        return "the verifier ran no command"
    return _refuse_readings(verification.criteria_results)


def refuse_mini(mini: MiniVerification) -> str:
    """Why a reading of one task is none, or ""."""
    if _is_empty(mini.commands_run):
        return "the reviewer ran no command"
    if not mini.criteria_results:
        return "the reviewer read no criterion"
    return _refuse_readings(mini.criteria_results)


def refuse_judgement(judgement: Judgement, minimum_concerns: int = 1) -> str:
    """Why a judge's report is no judgement of its own, or "" (CHK-9, CHK-11)."""
    return _adds_nothing(judgement) or _waves_through(judgement) or _lacks_concerns(judgement, minimum_concerns)


def unclassified(failures: Sequence[Failure]) -> tuple[str, ...]:
    """Failures without a category of the taxonomy."""
    return tuple(failure.failure for failure in failures if failure.category not in WORDS)


def check_commits(result: PhaseResult, _records: Records) -> Iterator[Finding]:
    """CHK-2: finished tasks without a commit may be already there; it is written down."""
    if _tasks(result.tasks_completed)[0] and not result.commit_shas:
        yield Finding(2, False, None, "tasks are complete and nothing was committed: the work possibly existed before")


def check_pace(result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-3: several tasks in a few minutes: were all the steps done? Where they were, there is nothing to tell."""
    if records.duration_s is None or records.duration_s >= FAST_S or _tasks(result.tasks_completed)[1] < 2:
        return
    missing = [step.value for step in EXPECTED if _status(result, step) in ("", "skipped")]
    if missing:
        took = f"the phase took only {records.duration_s:.0f} s and skipped {', '.join(missing)}"
        yield Finding(3, False, None, took)


def check_evidence(result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-7: the checks that its type demands were made, and there is a change to show."""
    if not _has_finished_work(result):
        return
    seen = {observation.about.looked_at for observation in records.observations if observation.seen is not Seen.NOTHING}
    demanded = [name for name in DEMANDED.get(result.phase_type, ()) if result.automated_checks.get(name) != "n/a"]
    if missing := [name for name in demanded if name not in seen]:
        message = f"a phase of type {result.phase_type} requires these checks: {', '.join(missing)}"
        yield Finding(7, True, Step.VERIFY, message)
    if _is_empty(result.evidence.commands_run):
        yield Finding(7, True, Step.VERIFY, "the phase ended without running any command")
    if not result.already_implemented and not result.evidence.git_diff_summary.strip():
        yield Finding(7, True, Step.EXECUTE, "nothing was changed, and no report says that the work already existed")


def check_already_there(result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-8: where nothing was committed, each criterion has a file and line among those checked."""
    if result.commit_shas or not _has_finished_work(result):
        return
    if not (_tasks(result.tasks_completed)[0] or result.already_implemented):
        return
    checked = {place for line in result.evidence.files_checked for place in named_places(line)}
    shown = {
        identity(reading.criterion)
        for reading in (records.verification.criteria_results if records.verification else ())
        if checked.intersection(named_places(reading.evidence))
    }
    if missing := [text for text in records.criteria if identity(text) not in shown]:
        message = f"nothing was committed, and no file and line shows: {'; '.join(missing[:3])}"
        yield Finding(8, True, Step.VERIFY, message)


def check_divergence(result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-9: a judge that was asked left a report, and one with nothing to add brought evidence of its own."""
    if records.judgement is None:
        if result.pipeline_steps.get(Step.JUDGE.value, {}).get("agent_spawned") is True:
            yield Finding(9, True, Step.JUDGE, "the judge was called and left no report")
    elif reason := _adds_nothing(records.judgement):
        yield Finding(9, True, Step.JUDGE, reason)


def check_verifier(result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-10: the verifier took its time and ran something."""
    if records.verification is None:
        return
    took = result.verification_duration_seconds
    if reason := refuse_verification(records.verification, took, records.verifier_min_s):
        yield Finding(10, True, Step.VERIFY, reason)


def check_judge(_result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-11: a judge that agrees on every point brought evidence of its own, and named its concerns."""
    if (judgement := records.judgement) is None:
        return
    if reason := _waves_through(judgement) or _lacks_concerns(judgement, records.minimum_concerns):
        yield Finding(11, True, Step.JUDGE, reason)


def check_categories(_result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-12: every failure has a category of the taxonomy."""
    for failure in unclassified(records.verification.failures if records.verification else ()):
        yield Finding(12, False, None, f"unclassified failure: {failure}")


def check_justification(result: PhaseResult, _records: Records) -> Iterator[Finding]:
    """CHK-13: a phase that waits for a person names the task."""
    if result.status != PhaseStatus.NEEDS_HUMAN_VERIFICATION:
        return
    asked = result.human_verify_justification
    if asked is None or not asked.checkpoint_task_id.strip():
        yield Finding(13, True, Step.VERIFY, "the phase waits for a person and names no checkpoint task")


def check_deferral(result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-14: when every automatic task passed, a visual check alone is no reason to wait for a person.

    A plan without automatic tasks has nothing that passed, so its checkpoint is not needless.
    """
    asked = result.human_verify_justification
    if result.status != PhaseStatus.NEEDS_HUMAN_VERIFICATION or asked is None:
        return
    all_passed = asked.auto_tasks_passed >= asked.auto_tasks_total > 0
    if all_passed and not records.asked_by_owner and is_generic(asked.task_description):
        message = (
            f"every automatic task passed, and the checkpoint names no workflow: {asked.task_description.strip()!r}"
        )
        yield Finding(NEEDLESS_DEFERRAL, True, Step.VERIFY, message)


def check_readings(_result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-17, ours: the verifier read everything that no command decides."""
    messages = []
    if records.unread:
        messages.append(f"the verifier's report has no reading with file and line of: {'; '.join(records.unread)}")
    if records.unplaced:
        messages.append(
            "the verifier's report names no place that the tree has (write path:line, the path from the root of the "
            f"repository) in its reading of: {'; '.join(records.unplaced)}"
        )
    if messages:
        yield Finding(17, True, Step.VERIFY, "; ".join(messages))


def check_traces(_result: PhaseResult, records: Records) -> Iterator[Finding]:
    """CHK-18, ours: what people act on was followed from its trigger. Asked for once; then it is written down."""
    if not records.handlers or records.verification is None or records.verification.traces:
        return
    named = ", ".join(records.handlers[:3])
    message = f"the change handles what people do ({named}), and the verifier's report follows no handler: add traces"
    yield Finding(18, not records.asked_again, Step.VERIFY, message)


CHECKS: Mapping[int, Check] = {
    2: check_commits,
    3: check_pace,
    7: check_evidence,
    8: check_already_there,
    9: check_divergence,
    10: check_verifier,
    11: check_judge,
    12: check_categories,
    13: check_justification,
    NEEDLESS_DEFERRAL: check_deferral,
    17: check_readings,
    18: check_traces,
}


def _adds_nothing(judgement: Judgement) -> str:
    findings = (*judgement.disagreements, *judgement.verifier_missed, *judgement.independent_evidence)
    return (
        "the judge names no difference from the verifier and shows no evidence of its own"
        if _is_empty(findings)
        else ""
    )


def _waves_through(judgement: Judgement) -> str:
    own = (*judgement.verifier_missed, *judgement.independent_evidence)
    if judgement.verifier_agreement and _is_empty(own):
        return "the judge agrees with the verifier on every point without evidence of its own"
    return ""


def _lacks_concerns(judgement: Judgement, minimum: int) -> str:
    concerns = {" ".join(concern.split()) for concern in judgement.concerns} - {""}
    return f"the judge names {len(concerns)} of {minimum} required concerns" if len(concerns) < minimum else ""


def _refuse_readings(readings: Sequence[CriterionReading]) -> str:
    odd = next((reading for reading in readings if reading.status not in READ_AS), None)
    return f"{odd.status!r} is not a valid status of a criterion: use verified or failed" if odd else ""


def _has_finished_work(result: PhaseResult) -> bool:
    if result.status == PhaseStatus.NEEDS_HUMAN_VERIFICATION:
        return _tasks(result.tasks_completed)[0] > 0
    return result.status == PhaseStatus.COMPLETED


def _tasks(counted: str) -> tuple[int, int]:
    """ "2/3" as numbers; what cannot be read is none."""
    done, _, total = counted.partition("/")
    return (int(done), int(total)) if done.isdecimal() and total.isdecimal() else (0, 0)


def _status(result: PhaseResult, step: Step) -> str:
    return str(result.pipeline_steps.get(step.value, {}).get("status", ""))


def _is_empty(lines: Sequence[str]) -> bool:
    return not any(line.strip() for line in lines)
