"""Was a criterion red at the base because the behaviour was missing, or only because something could not run?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from autopilot.model.evidence.absence import is_absent
from autopilot.model.evidence.deciding import deciding, script_of
from autopilot.model.evidence.objection import Layer, Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.proving import red_before
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.evidence.testing import By
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.plan import Task

IN_A_TEST = (By.ASSERTION, By.ERROR)
# Of the command itself, not of a file that it reads: the work may fix that file.
SYNTAX = re.compile(
    r"^\S+: (?:-c: )?(?:line )?\d+: (?:syntax error|unexpected EOF)"
    r"|File \"<string>\", line \d+\n[^\n]*\n[ \t^~]*+\n\w{0,40}(?:Syntax|Indentation)Error"
    r"|^\[eval\]:\d+\n[\s\S]{0,2000}?^SyntaxError",
    re.IGNORECASE | re.MULTILINE,
)


def refuse_broken(tasks: Sequence[Task], red: Sequence[Observation]) -> Iterator[tuple[str, str]]:
    """By subject. Red because it could not be read or broke off is no red: nothing that is built turns it green."""
    kept = {id for task in tasks for id in task.promises if id not in task.promises_new}
    for seen in red:
        if seen.subject not in kept and (objection := judge_red(seen)):
            yield seen.subject, f"{seen.subject}: {objection}"


def refuse_toothless(
    tasks: Sequence[Task], red: Sequence[Observation], kept: Collection[str], *, is_redo: bool
) -> Iterator[str]:
    """What could not tell done from not done: it would hold had nothing been done.

    Of a phase that is made again, what holds already is what the earlier run built, and counts as already there.
    ``kept``: identities of what the owner says is only to stay as it is; a plan need not repeat that.
    """
    for task in (task for task in tasks if task.is_automatic):
        script = script_of(task.id, red)
        if task.criteria and all(criterion.identity in kept for criterion in task.criteria):
            continue
        promised = [criterion for criterion in task.criteria if criterion.is_new and criterion.identity not in kept]
        new = [(c, deciding(c, red, script).seen) for c in promised]
        for criterion, seen in new:
            if seen is Seen.TIMED_OUT or (seen is Seen.PASSED and not is_redo):
                how = _how_it_passed(criterion, red)
                remedy = "test what is new" + (", or mark it [keep] if it only has to stay so" if not how else "")
                yield f"{criterion.id} ({criterion.text}) {seen.value} before any work{how}: {remedy}"
        if is_redo:
            continue
        if all(seen is not Seen.FAILED for _, seen in new):
            yield describe_idle(task)
        elif script is not None and script.seen is not Seen.FAILED:
            yield f"the test script of task {task.id} {script.seen.text} before any work"


def is_idle(task: Task, red: Sequence[Observation]) -> bool:
    """Whether nothing that was run for the task could tell done from not done."""
    script = script_of(task.id, red)
    is_red = bool(task.promises_new & red_before(task.criteria, red))
    return not is_red and (script is None or script.seen is not Seen.FAILED)


def describe_idle(task: Task) -> str:
    return f"nothing that task {task.id} promises fails before the work"


def judge_red(base: Observation) -> Objection | None:
    """What forbids to take this red as evidence at all; None also where a replay has yet to show what it is worth.

    ``base`` is of a criterion that is new, or of a task's test script.
    """
    if base.seen is not Seen.FAILED:
        return None
    if SYNTAX.search(base.excerpt):
        description = "red at the base because the shell could not parse it"
        return _object(base, description, "fix the command; no implementation can make it green")
    if base.about.is_plain(SubjectKind.SCRIPT) and not base.lines:
        description = (
            "the test script was red at the base without a PASS or FAIL line: it stopped before it checked anything"
        )
        return _object(
            base, description, "make it print PASS or FAIL for each criterion even before anything is implemented"
        )
    return None


def needs_replay(base: Observation | None) -> bool:
    """Whether a green of this criterion proves something only after it was seen red without the work.

    A command that stands in the plan is red by itself; tests that its agent has yet to write are not.
    """
    if base is None or base.seen is Seen.TIMED_OUT:
        return True
    if base.seen is not Seen.FAILED:
        return False
    if base.tests is None:
        return is_absent(base)
    if base.tests.by is None:
        # Nothing was red: no test was selected, or something else of the command said no.
        return base.tests.ran == 0 or bool(base.tests.problem)
    return base.tests.by not in IN_A_TEST


def _how_it_passed(criterion: Criterion, red: Sequence[Observation]) -> str:
    """A command that failed, with an error message that contains what is expected, does not explain itself."""
    own = next((seen for seen in red if seen.subject == criterion.id), None)
    if own is None or not own.exit_code:
        return ""
    return f" (`{own.command}` exited {own.exit_code}, but printed what is expected: {' '.join(own.excerpt.split())})"


def _object(base: Observation, description: str, satisfy: str) -> Objection:
    return Objection(Layer.RED, base.subject, description, base.command, satisfy)
