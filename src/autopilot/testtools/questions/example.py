"""A criterion that is one example: it asks the product once, with values that are written out, and nothing else does.

Such a check is green for any code that knows its one answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from autopilot.model.planning.criterion import Criterion, Strength
from autopilot.testtools.instrument import ask_for_reports
from autopilot.testtools.questions.question import Question, read_question

_FILE_NAME = re.compile(r"[\w.-]*\.[A-Za-z]\w{0,5}")
_NUMBER = re.compile(r"(?<![\w./-])[0-9]\w{0,20}(?![\w./-])")
_LIST = re.compile(r"\[[\s,'\"\\\0]{1,2000}\]")  # of nothing but values
_REDIRECTED = re.compile(r"\s2>&1(?=\s*\Z)")
_CLOCK = re.compile(
    r"\b(?:process_time|perf_counter|monotonic|time\.time(?:_ns)?|timeit|hyperfine|performance\.now|hrtime|Date\.now|time\.(?:Now|Since)|"
    r"Instant::now|SECONDS)\b"
)
ONE_EXAMPLE = "this criterion is one example"
FURTHER = "code that knows this one answer would pass: add one with another value, or a test"


def lone_examples(
    criteria: Iterable[Criterion], beside: Iterable[Criterion] = (), *, strict: bool = False
) -> tuple[Criterion, ...]:
    """Those among them that nothing supports: none of the same form has other values, and none runs tests.

    ``criteria`` are those of one task, or those of a roadmap's phase; ``beside`` others of the phase. ``strict``: tests
    that the work is still to write support nothing yet.
    """
    asked = [criterion for criterion in criteria if criterion.is_runnable]
    if not strict and any(c.is_new and _runs_tests(c.command) for c in asked):
        return ()
    questions = {criterion.id: _question(criterion.command) for criterion in (*asked, *beside) if criterion.command}
    forms = {(question.form, question.values) for question in questions.values()}
    spread = Counter(_outline(form) for form, _ in forms)
    return tuple(
        criterion
        for criterion in asked
        if criterion.is_new
        and criterion.strength is Strength.COMMAND
        and not _runs_tests(criterion.command)
        and questions[criterion.id].calls == 1
        and spread[_outline(questions[criterion.id].form)] == 1
    )


def measures_time(command: str) -> bool:
    """Whether it asks how long the product takes: other values would not say more."""
    return _CLOCK.search(command) is not None


def _outline(form: str) -> str:
    """A number may stand deeper than an argument, in `fold(chr(0x1F600))`, and a list may have more values or fewer."""
    return _LIST.sub("[]", _NUMBER.sub(" ", form))


def _runs_tests(command: str) -> bool:
    """Where its output goes makes no difference."""
    return ask_for_reports(_REDIRECTED.sub("", command), lambda _: None) is not None


def _question(command: str) -> Question:
    return read_question(command, lambda text: _FILE_NAME.fullmatch(text) is not None)
