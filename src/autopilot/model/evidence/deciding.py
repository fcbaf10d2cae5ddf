"""Which observation decides a criterion: one rule for gates, for steps and for what reports show."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import SubjectKind, script_subject
from autopilot.model.planning.criterion import Criterion, Strength, identity
from autopilot.model.planning.plan import Task


class Deciding(Struct, frozen=True):
    """What decides one criterion: the strongest observation there is, and any weaker one that disagrees."""

    seen: Seen | None
    strength: Strength | None
    disagreement: str = ""


def deciding(criterion: Criterion, observations: Sequence[Observation], script: Observation | None) -> Deciding:
    """A line of the task's test script outranks the criterion's own command, a command outranks a grep.

    A script that an agent added to a user's plan does not: it may add to what the user asks for, no more. Nor does one
    that takes a command for green which ran no test: a shell cannot tell.
    """
    own = next((observation for observation in observations if observation.subject == criterion.id), None)
    line = _script_line(criterion, script)
    if line is None or (own is not None and ran_no_test(own)):
        return Deciding(own.seen if own else None, own.strength if own else None)
    if own is None or own.seen is line:
        return Deciding(line, Strength.SCRIPT)
    if script is not None and script.strength is not Strength.SCRIPT and not criterion.path:
        return Deciding(own.seen, own.strength, f"its command {own.seen.text}, the test script {line.text}")
    return Deciding(line, Strength.SCRIPT, f"the test script {line.text}, its command {own.seen.text}")


def script_of(task: str, observations: Sequence[Observation]) -> Observation | None:
    """What was seen of the task's test script, where it has one."""
    script = next((observation for observation in observations if observation.subject == script_subject(task)), None)
    if script is None or script.seen is not Seen.PASSED:
        return script
    empty = next((seen for seen in observations if _is_of(task, seen) and ran_no_test(seen)), None)
    return replace(script, seen=Seen.FAILED, reason=f"{empty.command}: {empty.reason}") if empty else script


def ran_no_test(seen: Observation) -> bool:
    """Whether its tools say that there was no test to run, whatever its exit status says.

    `cargo test slug`, `go test -run TestSlug` and `python3 -m unittest discover` of Python 3.11 exit 0 then.
    """
    return seen.seen is Seen.FAILED and seen.exit_code == 0 and seen.tests is not None and seen.tests.is_empty


def _is_of(task: str, seen: Observation) -> bool:
    return seen.about.is_plain(SubjectKind.CRITERION) and seen.about.name.startswith(f"{task}.")


def seen_for(task: Task, observations: Sequence[Observation]) -> tuple[Seen, ...]:
    """All that was seen of its criteria and of its test script; nothing for what cannot be run."""
    script = script_of(task.id, observations)
    decided = (deciding(criterion, observations, script).seen for criterion in task.criteria)
    return tuple(seen for seen in (*decided, script.seen if script else None) if seen is not None)


def _script_line(criterion: Criterion, script: Observation | None) -> Seen | None:
    if script is None:
        return None
    if script.seen in (Seen.NOTHING, Seen.TIMED_OUT):
        return script.seen if not criterion.is_runnable else None
    passed = {identity(text): ok for text, ok in script.lines}.get(criterion.identity)
    return None if passed is None else (Seen.PASSED if passed else Seen.FAILED)
