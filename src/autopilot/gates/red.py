"""Was a criterion red at the base because the behaviour was missing, or only because something could not run?"""

from __future__ import annotations

import re

from autopilot.model.evidence.absence import is_absent
from autopilot.model.evidence.objection import Layer, Objection
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import SubjectKind
from autopilot.model.evidence.testing import By
from autopilot.model.planning.criterion import Criterion

IN_A_TEST = (By.ASSERTION, By.ERROR)
# Of the command itself, not of a file that it reads: the work may fix that file.
SYNTAX = re.compile(
    r"^\S+: (?:-c: )?(?:line )?\d+: (?:syntax error|unexpected EOF)"
    r"|File \"<string>\", line \d+\n[^\n]*\n[ \t^~]*+\n\w{0,40}(?:Syntax|Indentation)Error"
    r"|^\[eval\]:\d+\n[\s\S]{0,2000}?^SyntaxError",
    re.IGNORECASE | re.MULTILINE,
)


def judge_red(criterion: Criterion | None, base: Observation) -> Objection | None:
    """What forbids to take this red as evidence at all; None also where a replay has yet to show what it is worth.

    Without a criterion ``base`` is a task's test script.
    """
    if base.seen is not Seen.FAILED or (criterion is not None and not criterion.is_new):
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


def _object(base: Observation, description: str, satisfy: str) -> Objection:
    return Objection(Layer.RED, base.subject, description, base.command, satisfy)
