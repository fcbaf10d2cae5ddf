"""Can a hypothesis be refuted, was it refuted before, and what did its test show?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.model.debugging.session import Hypothesis, HypothesisResult, Prediction
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.text.shell import cannot_fail, normalise_command

NEVER_RAN = (126, 127)  # of a shell: the command is not there, or is no program
PASSES = frozenset({Seen.PASSED})
NEVER_PASSES = re.compile(r"(?:/(?:usr/)?bin/)?false|exit\s+[1-9]\d*|!\s*(?:true|:)")
FAILS = frozenset({Seen.FAILED, Seen.TIMED_OUT})


def refuse_hypothesis(new: Hypothesis, eliminated: Sequence[Hypothesis], reproduction: str) -> str:
    """Why it is not tested, or "" when it is. What was eliminated is never tried again."""
    if not new.statement.strip() or not new.test.strip():
        return "a hypothesis needs a statement and the command that would refute it"
    for old in eliminated:
        if _words(old.statement) == _words(new.statement):
            return f"hypothesis {old.number} says the same and was eliminated"
        if normal_test(old) == normal_test(new):
            return f"its test is that of hypothesis {old.number}, which was eliminated by it"
    if _command(new.test) == _command(reproduction):
        return "its test is the reproduction itself: that fails whatever the cause is"
    if why := cannot_fail(new.test):
        return f"its test cannot fail, so nothing could refute it: {why}"
    if NEVER_PASSES.fullmatch(_command(new.test)):
        return "its test cannot pass, so nothing could refute it"
    return ""


def normal_test(hypothesis: Hypothesis) -> tuple[str, str, str]:
    return _command(hypothesis.test), hypothesis.predicts.value, " ".join(hypothesis.printing.split())


def judge_test(
    hypothesis: Hypothesis, seen: Sequence[Observation], printed: Sequence[str]
) -> tuple[HypothesisResult, str]:
    """By the observed result against the prediction; what the agent makes of it does not count."""
    odd = [
        observation for observation in seen if observation.seen is Seen.NOTHING or observation.exit_code in NEVER_RAN
    ]
    if odd:
        return HypothesisResult.UNCLEAR, f"its test did not run: {odd[0].reason or f'exit {odd[0].exit_code}'}"
    wanted = PASSES if hypothesis.predicts is Prediction.PASSES else FAILS
    held = [
        observation.seen in wanted and hypothesis.printing in text
        for observation, text in zip(seen, printed, strict=True)
    ]
    shown = f"`{hypothesis.test}` {_how(seen[-1])}; predicted: {_predicted(hypothesis)}"
    if all(held):
        return HypothesisResult.SUPPORTED, shown
    if any(held):
        return HypothesisResult.UNCLEAR, f"{shown}; it ended as predicted in {sum(held)} of {len(held)} runs"
    return HypothesisResult.ELIMINATED, shown


def _how(seen: Observation) -> str:
    ended = f"exit {seen.exit_code}" if seen.exit_code is not None else seen.reason or seen.seen.text
    output = " ".join(seen.excerpt.split())[:120]
    return f"ended with {ended}" + (f", printed {output!r}" if output else "")


def _predicted(hypothesis: Hypothesis) -> str:
    return f"it {hypothesis.predicts.value}" + (f" and prints {hypothesis.printing!r}" if hypothesis.printing else "")


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _command(text: str) -> str:
    return " ".join(normalise_command(text).split())
