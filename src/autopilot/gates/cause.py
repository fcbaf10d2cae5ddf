"""Why a phase is refused, for the user who reads it: each cause once, with what was run, seen and expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Expectation, Want, identity

MOST_CAUSES = 3
LONGEST_COMMAND, LONGEST_OUTPUT = 120, 80
EXIT_WORDS = {126: " (not executable)", 127: " (command not found)"}


def describe_causes(
    verdicts: Sequence[Verdict],
    outcome: Outcome,
    criteria: Sequence[Criterion],
    before: Sequence[Observation],
    after: Sequence[Observation],
) -> str:
    """The verdicts with this outcome in the words of the plan; "" without any.

    A roadmap and a plan often state one criterion twice, and a task's test script reports on it once more: that is
    one cause.
    """
    meant = [verdict for verdict in verdicts if verdict.outcome is outcome]
    known = {criterion.id: criterion for criterion in criteria}
    judged = [known[verdict.subject] for verdict in meant if verdict.subject in known]
    repeated = {criterion.task for criterion in judged}
    then, now = _by_subject(before), _by_subject(after)
    causes: dict[object, str] = {}
    for verdict in meant:
        about, criterion = verdict.about, known.get(verdict.subject)
        if about.is_plain(SubjectKind.SCRIPT) and about.name in repeated:
            continue
        cause = criterion.check if criterion else verdict.subject
        causes.setdefault(cause, _describe(verdict, criterion, known, then, now))
    shown = list(dict.fromkeys(causes.values()))
    more = f"; and {len(shown) - MOST_CAUSES} more" if len(shown) > MOST_CAUSES else ""
    return "; ".join(shown[:MOST_CAUSES]) + more


def describe_exit(code: int) -> str:
    return f"exited {code}{EXIT_WORDS.get(code, '')}"


def _by_subject(observations: Sequence[Observation]) -> dict[str, Observation]:
    return {observation.subject: observation for observation in observations}


def _describe(
    verdict: Verdict,
    criterion: Criterion | None,
    known: Mapping[str, Criterion],
    then: Mapping[str, Observation],
    now: Mapping[str, Observation],
) -> str:
    subject = verdict.about.without_layer
    name = known[subject].text if subject in known else subject
    seen = now.get(verdict.subject)
    is_run = criterion is not None or verdict.about.is_plain(SubjectKind.CHECK)
    if not is_run or verdict.outcome is not Outcome.FAIL or seen is None or seen.seen is Seen.PASSED:
        return f"{name}: {verdict.because}"
    if criterion is not None:
        return f"{name}: {_describe_run(seen, criterion.expectation)}, expected {criterion.expectation.in_words}"
    if seen.compared is not None or seen.is_not_run:
        return f"{name}: `{_shorten(seen.command, LONGEST_COMMAND)}` is red: {verdict.because}"
    return f"{name}: {_describe_run(seen, Expectation())}{_before_too(seen, then.get(verdict.subject))}"


def _describe_run(seen: Observation, expectation: Expectation) -> str:
    command = f"`{_shorten(seen.command, LONGEST_COMMAND)}`"
    if seen.seen is Seen.TIMED_OUT:
        return f"{command} timed out"
    output = seen.excerpt.strip()
    printed = f'printed "{_shorten(output, LONGEST_OUTPUT)}"' if output else "printed nothing"
    if seen.exit_code is None:
        return f"{command} {seen.seen.text}"
    if expectation.want is Want.EXIT:
        # Of many lines the first ones, which are what is kept, say little.
        with_output = f" and {printed}" if output and "\n" not in output else ""
        return f"{command} {describe_exit(seen.exit_code)}{with_output}{_reason(seen)}"
    failed = f"{describe_exit(seen.exit_code)} and " if seen.exit_code else ""
    return f"{command} {failed}{printed}{_reason(seen)}"


def _reason(seen: Observation) -> str:
    return f" ({seen.reason})" if seen.reason and identity(seen.reason) not in identity(seen.excerpt) else ""


def _before_too(seen: Observation, earlier: Observation | None) -> str:
    is_same = earlier is not None and (earlier.seen, earlier.exit_code) == (seen.seen, seen.exit_code)
    return ", before the work too" if is_same else ""


def _shorten(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
