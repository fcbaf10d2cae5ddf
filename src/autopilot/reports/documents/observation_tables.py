"""What was run and inspected at the phase's last commit, as the tables of VERIFICATION.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autopilot.events.criteria import texts_of
from autopilot.events.earlier_journals import trouble_of
from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.markdown import bullets, shorten, table

SANDBOX_HEAD = ("Criterion", "Command", "Exit Code", "Output (truncated)", "Assessment")
SCRIPT_HEAD = ("Task", "Test File", "Assertions Passed", "Assertions Failed", "Exit Code", "Status")
TYPE_HEAD = ("Check", "Inspected", "Result", "Findings")
ASSESSED = {
    Seen.PASSED: "VERIFIED",
    Seen.FAILED: "FAILED",
    Seen.TIMED_OUT: "TIMEOUT",
    Seen.NOTHING: "NOT RUN",
}
OUTPUT_CHARS = 120


def sandbox_results(phase: PhaseState) -> str:
    """Every command that was executed: checks and criteria. Test scripts have a table of their own."""
    texts = texts_of(phase)
    verdicts = {verdict.subject: verdict.outcome for verdict in phase.gate.verdicts}
    rows = [
        (
            texts.get(seen.subject, seen.subject),
            f"`{seen.command}`",
            exit_word(seen),
            shorten(seen.excerpt or seen.reason, OUTPUT_CHARS),
            assess(seen, verdicts.get(seen.subject)),
        )
        for seen in executed(phase.observed.observations or ())
    ]
    return table(SANDBOX_HEAD, rows) if rows else "Nothing was executed.\n"


def executed(observations: Sequence[Observation]) -> list[Observation]:
    """Without scripts, and without what was inspected but not run."""
    return [
        observation
        for observation in observations
        if not (observation.about.is_plain(SubjectKind.SCRIPT) or observation.about.is_inspection)
    ]


def assess(seen: Observation, verdict: Outcome | None = None) -> str:
    """The word for one execution. Where the verdict is another one (a script decided, or it was green before), both."""
    word = "VIOLATION" if _is_violation(seen) else "NOT RUN" if seen.is_not_run else ASSESSED[seen.seen]
    disagrees = verdict is not None and (verdict is Outcome.PASS) is not (word == "VERIFIED")
    return f"{word} (verdict: {verdict.value})" if verdict is not None and disagrees else word


def _is_violation(seen: Observation) -> bool:
    """Only what was recorded as one: it is shown as seen, never inferred from an output."""
    return seen.seen is not Seen.PASSED and trouble_of(seen) is Trouble.VIOLATION


def exit_word(seen: Observation) -> str:
    return "-" if seen.exit_code is None else str(seen.exit_code)


def script_results(phase: PhaseState) -> str:
    scripts = scripts_of(phase)
    if not scripts:
        return "No task has a test script: the criteria's own commands decide.\n"
    rows = []
    for task, seen in scripts.items():
        passed = sum(ok for _, ok in seen.lines)
        word = "ALL PASS" if seen.seen is Seen.PASSED else ASSESSED[seen.seen]
        counted = (str(passed), str(len(seen.lines) - passed))
        rows.append((task, f"tests/task-{task}.sh", *counted, exit_word(seen), word))
    failed = [f"{task}: {text}" for task, seen in scripts.items() for text, ok in seen.lines if not ok]
    failed += [f"{task}: {seen.reason}" for task, seen in scripts.items() if seen.reason and not any_failed(seen)]
    return table(SCRIPT_HEAD, rows) + (f"\nNot passed:\n\n{bullets(failed)}\n" if failed else "")


def any_failed(script: Observation) -> bool:
    return any(not ok for _, ok in script.lines)


def scripts_of(phase: PhaseState) -> Mapping[str, Observation]:
    """Test scripts by task."""
    found = (
        observation
        for observation in phase.observed.observations or ()
        if observation.about.is_plain(SubjectKind.SCRIPT)
    )
    return {observation.about.name: observation for observation in found}


def type_results(phase: PhaseState) -> str:
    """What a phase of its type is looked at for without running anything."""
    seen = [
        observation
        for observation in phase.observed.observations or ()
        if observation.about.is_plain(SubjectKind.TYPE_CHECK)
    ]
    rows = [
        (
            observation.subject,
            shorten(observation.excerpt or observation.command, OUTPUT_CHARS),
            observation.seen.text,
            observation.reason or "-",
        )
        for observation in seen
    ]
    kind = f"The phase is of type `{phase.intake.phase_type}`.\n\n" if phase.intake.phase_type else ""
    return kind + (table(TYPE_HEAD, rows) if rows else "No check by type was run.\n")


def wire_check(phase: PhaseState) -> str:
    """New files that nothing refers to: a concern, as a file may be named only at run time."""
    seen = next(
        (
            observation
            for observation in phase.observed.observations or ()
            if observation.about.is_plain(SubjectKind.WIRING)
        ),
        None,
    )
    if seen is None:
        return "Not checked.\n"
    if seen.seen is Seen.NOTHING:
        return f"Could not be checked: {shorten(seen.reason, OUTPUT_CHARS)}\n"
    loose = [name.strip() for name in seen.reason.replace("\n", ";").split(";") if name.strip()]
    return bullets((f"ORPHANED FILE: {name}" for name in loose), "Something refers to every new file.") + "\n"
