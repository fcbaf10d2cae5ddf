"""Does the answer depend on what is asked? Asked with inputs that are written down nowhere, answers have to differ.

By behaviour, not by the look of the code: an answer that is put together from parts, decoded or looked up is given to
every other input alike, or to none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from autopilot.model.evidence.objection import Layer, Objection, Weight, unfinished
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion, Want
from autopilot.testtools.questions.value import Value

FAILED = "failed"  # what all failures have in common: how a product fails is its own affair
_GIVEN = "\0"  # stands for what was asked, in an answer that repeats it
_NO_ANSWER = frozenset({"", _GIVEN, "None", "null", "undefined", "nil", "[]", "{}"})
_NOTHING_FOUND = _NO_ANSWER | {"0", "False", "false"}
_MOST_WORDS = 12  # of an answer whose parts are looked for
_BETWEEN_ENTRIES = str.maketrans(dict.fromkeys(",;:=|\"'[]{}()", " "))
_QUOTABLE = re.compile(r"\w[\w.,-]{1,60}")  # of what is printed: words and numbers that may come from data
_QUOTED = re.compile(r"'([^'\"\\\n]{1,200})'|\"([^'\"\\\n]{1,200})\"")


class Reply(Struct, frozen=True):
    """What came of one question."""

    value: Value  # what was changed
    given: str  # what stood in its place
    seen: Observation
    printed: str

    @property
    def is_data(self) -> bool:
        return not self.value.is_name


class Replies(Struct, frozen=True):
    example: Reply  # the criterion's own
    others: tuple[Reply, ...] = ()

    @property
    def decisive(self) -> tuple[Reply, ...]:
        """Another name asks for something else: where data is handed over too, that is what answers depend on."""
        return tuple(reply for reply in self.others if reply.is_data) or self.others

    @property
    def laws(self) -> frozenset[str]:
        """The answers to unseen inputs: one where all are the same, or the same but for what they repeat."""
        plain = frozenset(self._printed(reply) for reply in self.decisive)
        return plain if len(plain) == 1 else frozenset(self.law(reply) for reply in self.decisive)

    def _printed(self, reply: Reply) -> str:
        return reply.printed if reply.seen.exit_code == self.example.seen.exit_code else FAILED

    def law(self, reply: Reply) -> str:
        """The answer, freed of what it repeats of its question."""
        if self._printed(reply) == FAILED:
            return FAILED
        pattern = re.escape(reply.given)
        pattern = pattern if len(reply.given) > 1 else rf"(?<!\w){pattern}(?!\w)"
        return re.sub(pattern, _GIVEN, reply.printed)

    @property
    def depend(self) -> bool:
        """Whether unseen inputs get different answers, or each the same that the example got: a greeting by name."""
        if len(self.laws) > 1:
            return True
        own = {self.law(Reply(r.value, r.value.text, self.example.seen, self.example.printed)) for r in self.decisive}
        return self.laws == own and any(_GIVEN in law for law in own)

    @property
    def is_number(self) -> bool:
        return self.example.printed.strip().isdecimal()

    def is_one_more(self, reply: Reply) -> bool:
        """What a list with one item more gets from who counts its items."""
        return self.is_number and reply.printed.strip() == str(int(self.example.printed) + 1)

    @property
    def are_none(self) -> bool:
        """Whether no unseen input got an answer: a failure, nothing, or itself. "No" is an answer."""
        return all(law == FAILED or law.strip().strip("'\"") in _NO_ANSWER for law in self.laws)

    @property
    def found_nothing(self) -> bool:
        """Whether the example itself gets what most inputs rightly get: that nothing is found, or nothing counted."""
        return self.example.printed.strip().strip("'\"") in _NOTHING_FOUND

    @property
    def is_ignored(self) -> bool:
        """Whether every input gets the example's answer."""
        return all(self._printed(reply) == self.example.printed for reply in self.decisive)


def judge_replies(
    criterion: Criterion, replies: Replies, added: Mapping[str, Iterable[str]], *, tested: bool, looked_up: bool = False
) -> tuple[Objection, ...]:
    """``added``: the new lines by file; ``tested``: the work brings tests of its own, which other layers look at;
    ``looked_up``: the answer stands in data that the command read, and these may hold no other input."""
    if undone := [reply.seen for reply in replies.others if reply.seen.seen is Seen.NOTHING]:
        return (_not_run(criterion, undone[0]),)
    if not replies.decisive or replies.depend:
        return ()
    if late := [reply.seen for reply in replies.decisive if reply.seen.seen is Seen.TIMED_OUT]:
        return (unfinished(Layer.HELD_OUT, criterion.id, f"`{late[0].command}`"),)
    first, count = replies.decisive[0], len(replies.decisive)
    if replies.is_ignored:
        asked = first.seen.command
        observed = f"the same answer whatever is asked: `{asked}` gives it too, and so do {count - 1} others"
        return (_object(criterion, observed, first.seen.command, _weight(replies)),)
    place = written_down([(reply.value.text,) for reply in replies.decisive if reply.value.is_quoted], added)
    outcome = "each of them failed" if replies.laws == {FAILED} else "all of them got one and the same answer"
    observed = f"it knows the example alone: asked with {count} other inputs (`{first.seen.command}`), {outcome}"
    certain = place or (replies.are_none and not tested and not looked_up)
    weight = _weight(replies) if certain else Weight.FLAG
    if any(reply.value.is_name for reply in replies.decisive) and {law.strip() for law in replies.laws} != {_GIVEN}:
        weight = Weight.FLAG  # the one name that there is may rightly be the only one; no program gives back the others
    return (_object(criterion, observed, place or first.seen.command, weight),)


def judge_less_data(
    criterion: Criterion, green: Observation, other: Observation, asked: str, added: Mapping[str, Iterable[str]]
) -> tuple[Objection, ...]:
    """``other``: the same command on less data. The same answer may be right then, unless it stands in the code."""
    if other.seen is Seen.NOTHING:
        return (_not_run(criterion, other),)
    if (green.exit_code, green.output, green.seen) != (other.exit_code, other.output, other.seen):
        return ()
    place = written_down([*_expected(criterion), *_printed(green), *_parts(criterion)], added)
    if not place:
        return ()
    observed = f"the same answer whatever is asked: `{asked}` gives it too, and it is written into {place}"
    return (_object(criterion, observed, place),)


def is_looked_up(asked: str, printed: str, data: Iterable[str]) -> bool:
    """Whether the answer stands in one of these texts, on a line with what was asked: a table has no other rows."""
    answer, question = _entries(printed), _entries(asked)
    lines = (_entries(line) for text in data for line in text.splitlines()) if answer and question else ()
    return any(_stands_in(answer, line) and _stands_in(question, line) for line in lines)


def _entries(line: str) -> list[str]:
    return line.translate(_BETWEEN_ENTRIES).split()


def _stands_in(part: list[str], line: list[str]) -> bool:
    return any(line[start : start + len(part)] == part for start in range(len(line)))


class DataReply(Struct, frozen=True):
    """What came of the same command over other data of the same form."""

    seen: Observation
    printed: str
    old: str  # the data as they are
    new: str  # the data that it was asked with


def judge_other_data(criterion: Criterion, green: Observation, reply: DataReply, asked: str) -> tuple[Objection, ...]:
    """An answer that quotes the data, and still quotes the old ones over other data, was not taken from them."""
    seen = reply.seen
    if seen.seen is Seen.NOTHING:
        return (_not_run(criterion, seen),)
    if (green.exit_code, green.output, green.seen) != (seen.exit_code, seen.output, seen.seen):
        return ()
    quoted = dict.fromkeys(_QUOTABLE.findall(reply.printed))
    only_old = [word for word in quoted if word in reply.old and word not in reply.new and word not in seen.command]
    if not only_old:
        return ()
    observed = (
        f"the same answer whatever is asked: `{asked}` still prints {only_old[0]!r}, which these data do not hold"
    )
    return (_object(criterion, observed, asked),)


def _weight(replies: Replies) -> Weight:
    is_direct = any(reply.value.is_direct for reply in replies.decisive)
    return Weight.REFUSE if is_direct and not replies.found_nothing else Weight.FLAG


def _not_run(criterion: Criterion, seen: Observation) -> Objection:
    description = f"`{seen.command}` could not be run: {seen.reason}"
    return Objection(Layer.HELD_OUT, criterion.id, description, weight=Weight.OURS)


def _object(criterion: Criterion, description: str, where: str, weight: Weight = Weight.REFUSE) -> Objection:
    satisfy = "let the code compute the answer from what it is given, for other inputs too"
    return Objection(Layer.HELD_OUT, criterion.id, description, where, satisfy, weight)


def written_down(answers: Iterable[tuple[str, ...]], added: Mapping[str, Iterable[str]]) -> str:
    """The file in which all values of one answer are written."""
    wanted = [[re.compile(_spelled(value)) for value in answer] for answer in answers]
    for path, lines in added.items():
        new = list(lines)
        if any(all(any(value.search(line) for line in new) for value in answer) for answer in wanted):
            return path
    return ""


def _expected(criterion: Criterion) -> list[tuple[str, ...]]:
    match criterion.expectation.want:
        case Want.CONTAINS:
            return [(criterion.expectation.text,)]
        case Want.EQUALS | Want.AT_LEAST | Want.AT_MOST:
            return [(str(criterion.expectation.value),)]
        case _:
            return [(text,) for pair in _QUOTED.findall(criterion.command) for text in pair if text]


def _printed(green: Observation) -> list[tuple[str, ...]]:
    """The whole answer, where it is one line (`90.0` may be written for "90"); and all parts of one with numbers."""
    printed = green.excerpt.strip()
    whole = [(printed,)] if len(printed) > 1 and "\n" not in printed else []
    parts = tuple(printed.split())
    # Numbers that were counted or summed up, each written down.
    counted = any(part.isdigit() for part in parts) and len(parts) <= _MOST_WORDS
    return [*whole, *([parts] if counted else [])]


def _parts(criterion: Criterion) -> list[tuple[str, ...]]:
    """What the command joins may be written one by one."""
    text = criterion.expectation.text if criterion.expectation.want is Want.CONTAINS else ""
    parts = tuple(part.strip() for part in re.split(r"[|,;/]", text) if part.strip())
    return [parts] if len(parts) > 1 else []


def _spelled(value: str) -> str:
    """As a value of its own: a number, or between quotation marks."""
    word = re.escape(value)
    is_number = re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?", value)
    return rf"(?<![\w.]){word}(?![\w.])" if is_number else rf"(['\"`]){word}(?:\\n)?\1"
