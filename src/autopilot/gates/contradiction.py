"""Does a report deny what was seen? Only a plain denial counts, and only one that makes the work look better.

A reviewer may read a green criterion as failed, or see a command fail that passed with us: that lowers, which is its
right. Commands and criteria come here in the form that reviewers were shown, without secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from autopilot.model.assessment import CheckReading, CriterionReading, MiniVerification, Rating, Score, Verification
from autopilot.model.evidence.deciding import deciding, script_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import SubjectKind, script_subject
from autopilot.model.planning.criterion import Criterion, Expectation, Want, identity
from autopilot.model.policy import CHECKS
from autopilot.text.lazy_regex import lazy_regex

RED = (Seen.FAILED, Seen.TIMED_OUT)
QUOTED_CHARS = 150  # a longer output is a quotation that was cut, and its words are no verdict


class Fact(Struct, frozen=True):
    """One command we ran, what was seen, and what it had to show."""

    observation: Observation
    expectation: Expectation = Expectation()

    @property
    def is_script(self) -> bool:
        return self.observation.about.is_plain(SubjectKind.SCRIPT)


def contradictions(
    verification: Verification, observations: Sequence[Observation], criteria: Sequence[Criterion]
) -> tuple[str, ...]:
    return (
        *_denied_checks(verification.automated_checks, observations),
        *_denied_criteria(verification.criteria_results, observations, criteria),
        *_denied_commands(verification.commands_run, _facts(observations, criteria)),
    )


def mini_contradictions(
    mini: MiniVerification, observations: Sequence[Observation], criteria: Sequence[Criterion]
) -> tuple[str, ...]:
    return (
        *_denied_criteria(mini.criteria_results, observations, criteria),
        *_denied_commands(mini.commands_run, _facts(observations, criteria)),
    )


def rating_contradictions(
    rating: Rating, observations: Sequence[Observation], criteria: Sequence[Criterion]
) -> tuple[str, ...]:
    """Also: each score of a criterion with a command rests on that command or on its task's test script."""
    facts = _facts(observations, criteria)
    return (
        *(denial for entry in rating.scorecard for denial in _denied_score(entry, facts, criteria)),
        *_denied_commands(rating.commands_run, facts),
    )


def _facts(observations: Sequence[Observation], criteria: Sequence[Criterion]) -> tuple[Fact, ...]:
    expected = {criterion.id: criterion.expectation for criterion in criteria}
    return tuple(Fact(observation, expected.get(observation.subject, Expectation())) for observation in observations)


def _denied_checks(readings: Sequence[CheckReading], observations: Sequence[Observation]) -> Iterator[str]:
    """A check is not read but run, so here the better and the worse word are both wrong.

    Where nothing is red but what was before, or the check never ran, either word is right.
    """
    seen = {observation.subject: observation.seen for observation in observations}
    either = {seen.subject for seen in observations if seen.is_excused or seen.is_not_run}
    for reading in readings:
        name = reading.check.strip().casefold().removesuffix("s")
        if name not in CHECKS or name in either:
            continue
        if name not in seen:
            if reading.passed:
                yield f"{name} is reported as passed, but no {name} command is configured"
        elif seen[name] is not Seen.NOTHING and reading.passed != (seen[name] is Seen.PASSED):
            yield f"{name} is reported as {'passed' if reading.passed else 'failed'}, but it {seen[name].text}"


def _denied_criteria(
    readings: Sequence[CriterionReading], observations: Sequence[Observation], criteria: Sequence[Criterion]
) -> Iterator[str]:
    by_subject = {observation.subject: observation for observation in observations}
    for reading in readings:
        if reading.status != "verified":
            continue
        meant = [c for c in criteria if c.is_named_by(reading.criterion)]
        decided = [deciding(c, observations, script_of(c.task, observations)).seen for c in meant]
        if not meant and (named := by_subject.get(reading.criterion.strip())) and not named.is_excused:
            decided = [named.seen]
        # Of two criteria with the same text one may hold: then it is not known which is meant.
        if decided and all(seen in RED for seen in decided):
            yield f"{_short(reading.criterion)!r} is called verified, but its check {_describe(decided[0])}"


def _denied_commands(entries: Sequence[str], facts: Sequence[Fact]) -> Iterator[str]:
    """Of the entries ``command -> result``, those that name one of our commands and deny what it showed."""
    known: dict[str, list[Fact]] = {}
    for fact in facts:
        for spelling in _spellings(fact):
            known.setdefault(spelling, []).append(fact)
    for entry in entries:
        named, result = _read_entry(entry, known)
        if reason := _denial(result, named):
            yield f"`{_short(named[0].observation.command)}`: {reason}"


def _read_entry(entry: str, known: Mapping[str, Sequence[Fact]]) -> tuple[Sequence[Fact], str]:
    for arrow in islice(ARROW.finditer(entry), 20):  # a command may hold arrows of its own
        if named := known.get(plain(entry[: arrow.start()])):
            return named, entry[arrow.end() :]
    return (), ""


def _denied_score(entry: Score, facts: Sequence[Fact], criteria: Sequence[Criterion]) -> Iterator[str]:
    meant = [c for c in criteria if c.identity == identity(entry.criterion)]
    if not meant or any(not criterion.is_runnable for criterion in meant):
        return
    subjects = {subject for criterion in meant for subject in (criterion.id, script_subject(criterion.task))}
    own = [fact for fact in facts if fact.observation.subject in subjects]
    allowed = {plain(c.command) for c in meant}.union(*(_spellings(fact) for fact in own))
    command = plain(entry.verification_command)
    if not command or not _consists_of(command, allowed):
        problem = f"`{_short(entry.verification_command)}` is not its command" if command else "no command is given"
        yield f"{_short(entry.criterion)!r} is scored, but {problem}"
        return
    used = [fact for fact in own if any(spelling in command for spelling in _spellings(fact))]
    if reason := _denial(entry.command_output, used):
        yield f"{_short(entry.criterion)!r}: {reason}"


def _consists_of(command: str, allowed: set[str]) -> bool:
    """Whether nothing but these commands is run, one or several of them."""
    for known in sorted(allowed - {""}, key=len, reverse=True):
        command = command.replace(known, " ")
    return JOINED.fullmatch(command) is not None


def _spellings(fact: Fact) -> set[str]:
    command = plain(fact.observation.command)
    if not fact.is_script or not command:
        return {command} - {""}  # what was observed without a command has no name to be reported under
    path = command.removeprefix("bash ").removeprefix("./")
    return {before + path for before in ("bash ", "sh ", "bash ./", "sh ./", "./", "")}


def plain(command: str) -> str:
    """A command without what only wraps it or shapes its output: back-quotes, ``2>&1; echo EXIT:$?``, ``| tail``."""
    text = " ".join(command.split())
    for _ in range(6):
        text = WRAPPED.sub("", TRAILING.sub("", text.strip("` ")))
    return text.strip("` ")


# --- what a result says ------------------------------------------------------------------------------------------
ARROW = lazy_regex(r"->|→|=>")
WRAPPED = lazy_regex(r"\A(?:\$ |timeout \d+s? )")
TRAILING = lazy_regex(
    r"(?:; ?echo (['\"]?)EXIT: ?\$\?\1|2>&1|;|\| ?(?:head|tail)(?: [\w=-]+)*|"
    r"\((?:expects?|returns|contains|output) [^()]*\))\Z",
    re.IGNORECASE,
)
JOINED = lazy_regex(r"(?:[\s;&`,+]|\band\b|\bthen\b|2>&1)*")
PIPE = lazy_regex(r"(?<!\|)\|(?!\|)")
EXIT_CODE = lazy_regex(
    r"\b(?:exit(?:ed|s)?|return(?:ed)? code|rc)\b[ -]?(?:with )?(?:code|status)? ?(?:was |is |of )?[:=]? ?"
    r"(-?\d{1,3})\b",
    re.IGNORECASE,
)
NUMBER = lazy_regex(
    r"(?:(?:returns?|returned|prints?|printed|counts?|counted|output)[:=]? ?)?(-?\d{1,9})", re.IGNORECASE
)
PASS_LINE = lazy_regex(r"\bPASS: ([^\n;]+)")
GREEN_WORD = lazy_regex(
    r"\b(?:pass(?:e[sd]|ing)?|ok|okay|success(?:ful(?:ly)?)?|succeed(?:s|ed)|green|clean)\b|✓|✅", re.IGNORECASE
)
RED_WORD = lazy_regex(
    r"\b(?:fail\w*|error\w*|red|brok\w+|timed?[ -]?out|timeouts?|crash\w*|exception\w*|traceback|abort\w*|killed|"
    r"missing)\b|✗|✘|❌",
    re.IGNORECASE,
)
NONE_RED = lazy_regex(r"\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:fail\w*|errors?|issues|problems)\b", re.IGNORECASE)
SHARE = lazy_regex(r"\b(\d{1,6}) ?(?:/|of|out of) ?(\d{1,6})\b", re.IGNORECASE)
HEDGE = lazy_regex(
    r"\b(?:not|never|no longer|cannot|but|except|should|would|will|expect(?:s|ed)?|before|base|earlier|previously|"
    r"skip(?:s|ped)?|partial(?:ly)?|if|unless|only|some|most|first|(?:0|no|zero|none) (?:\w+ )?pass\w*)\b|n['’]t\b",
    re.IGNORECASE,
)


def _denial(result: str, facts: Sequence[Fact]) -> str:
    """Why this result cannot be what was seen, or "" as long as it agrees with any of these."""
    reasons = [_denies(result, fact) for fact in facts]
    return reasons[0] if reasons and all(reasons) else ""


def _denies(result: str, fact: Fact) -> str:
    seen = fact.observation
    untouched = seen.seen is Seen.FAILED and seen.exit_code is None  # the setup before it failed
    if seen.seen not in RED or untouched or _is_quoted(result, seen.excerpt):
        return ""
    text = " ".join(result.replace("as expected", "").split())
    if HEDGE.search(text):
        return ""
    codes = {int(code) for code in EXIT_CODE.findall(text)}
    if seen.exit_code in codes or len(codes) > 1:
        return ""
    if codes and _would_do(fact, *codes) and not PIPE.search(seen.command):  # a pipe's status is the last one's
        return f"it is reported with exit status {codes.pop()}, but it {_shown(seen)}"
    if (printed := NUMBER.fullmatch(text)) and seen.exit_code in (0, 1) and _is_met(fact.expectation, int(printed[1])):
        return f"it is reported to print {printed[1]}, but it {_shown(seen)}"
    if line := _denied_line(result, seen):
        return f"its line {line!r} is reported as passed, but that line failed"
    if (fact.is_script or seen.exit_code != 0) and len(result) <= QUOTED_CHARS and _says_green(PASS_LINE.sub("", text)):
        return f"it is reported as {_short(text)!r}, but it {_shown(seen)}"
    return ""


def _would_do(fact: Fact, code: int) -> bool:
    return fact.expectation.want is Want.EXIT and code == fact.expectation.value


def _is_met(expectation: Expectation, number: int) -> bool:
    match expectation.want:
        case Want.EQUALS:
            return number == expectation.value
        case Want.AT_LEAST:
            return number >= expectation.value
        case Want.AT_MOST:
            return number <= expectation.value
        case _:
            return False


def _denied_line(result: str, seen: Observation) -> str:
    failed = {identity(text) for text, passed in seen.lines if not passed}
    return next((line.strip() for line in PASS_LINE.findall(result) if identity(line) in failed), "")


def _says_green(text: str) -> bool:
    left, none_red = NONE_RED.subn("", text)
    if RED_WORD.search(left) or any(int(part) != int(total) for part, total in SHARE.findall(text)):
        return False
    return bool(none_red or GREEN_WORD.search(left))


def _is_quoted(result: str, excerpt: str) -> bool:
    """What we saw printed ourselves is a quotation, whatever its words; figures such as times may differ."""
    reported, printed = _figureless(result), _figureless(excerpt)
    if not reported or not printed:
        return False
    long_enough = min(len(reported), len(printed)) >= 20
    is_start = long_enough and (printed.startswith(reported) or reported.startswith(printed))
    return is_start or reported in {_figureless(line) for line in excerpt.splitlines()}


def _figureless(text: str) -> str:
    """With its figures blurred, unless it is nothing but a figure."""
    folded = " ".join(text.split()).casefold()
    return re.sub(r"\d+", "#", folded) if re.search(r"[^\W\d_]", folded) else folded


def _shown(seen: Observation) -> str:
    return seen.seen.text if seen.exit_code is None else f"{seen.seen.text} with exit status {seen.exit_code}"


def _describe(seen: Seen | None) -> str:
    return seen.text if seen else "was not run"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
