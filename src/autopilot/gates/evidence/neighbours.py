"""Does the product know more than what tests ask? Calls near those of the tests have to get answers of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.gates.evidence.held_out import is_same
from autopilot.gates.evidence.otherwise.other_input import FAILED, written_down
from autopilot.model.evidence.example import Answer, Answered, Example
from autopilot.model.evidence.objection import Layer, Objection, Weight

FEWEST = 4  # neighbours that say something
FEWEST_EXCHANGED = 2  # calls with the answers of others
_GIVEN = "\0"  # stands for an answer that is what was asked
_YES_OR_NO = frozenset({"true", "false"})
# Of an answer: "a new connection for each call" says nothing of what is returned.
_EACH_TIME = re.compile(
    r"\b(?:another|different|unique)\s(?:\w{1,30}\s){0,2}?(?:text|value|answer|result|string|hash|digest|token|id|key|"
    r"number|code|salt|nonce|one)s?\b[^.\n]{0,40}\b(?:each|every) (?:time|call)\b|"
    r"\b(?:text|value|answer|result|string|hash|digest|token|id|key|number|code|salt|nonce)s? "
    r"(?:(?:is|are) (?:different|unique|another)|differs?) (?:each|every) (?:time|call)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"[\"'`]([^\"'`\n]{3,200})[\"'`]")
_SILENT = (Answered.SILENT, Answered.LATE, Answered.OURS, Answered.ELSEWHERE)


# What turns an input into a key that cannot be read, or a text into an answer that could not.
_DISGUISE = re.compile(
    r"hashlib|\bmd5|\bsha\d|\bcrc32|\badler32|base64|b64decode|\batob\b|createHash|zlib|codecs\.|fromhex|unhexlify|"
    r"\bhash\(|charCodeAt|fromCharCode|Buffer\.from|\bord\(|\bchr\("
)


class AskedOnce(Struct, frozen=True):
    """A call and the answer to it."""

    example: Example
    answer: Answer

    @property
    def law(self) -> str:
        """What the answer says, whatever was asked: that it failed, that it repeats its input, or what it is."""
        if self.answer.how is not Answered.VALUE:
            return FAILED
        given = self.example.inputs[:1]
        return _GIVEN if given and _repeats(self.answer.value, given[0]) else json.dumps(self.answer.value)


class Known(Struct, frozen=True):
    """One function: the calls that tests write out, their neighbours, and the calls asked again."""

    function: str
    path: str
    written: tuple[AskedOnce, ...]
    others: tuple[AskedOnce, ...] = ()
    repeated: tuple[AskedOnce, ...] = ()  # those that tests write out, in any order and number


def judge_neighbours(
    subject: str, known: Known, added: Mapping[str, Sequence[str]], named: str
) -> tuple[Objection, ...]:
    """``added``: new lines of the product, by file. ``named``: what the user wrote of the work, without its calls; an
    input that stands there by name is one that the code may know by name."""
    others = [asked for asked in known.others if asked.answer.how not in _SILENT]
    laws, own = {asked.law for asked in others}, {asked.law for asked in known.written}
    if len(others) < FEWEST or len(laws) > 1 or laws >= own:
        return ()
    # What is answered as every other input is, such as a country that no table has, need not be known by name.
    inputs = [_spelled(asked.example) for asked in known.written if asked.law not in laws]
    place = written_down([texts for texts in inputs if texts], added)
    spelled = [text for texts in inputs for text in texts]
    folded = named.casefold()
    spared = laws <= _YES_OR_NO or (spelled and all(text.casefold() in folded for text in spelled))
    outcome = {FAILED: "each of them failed", _GIVEN: "each of them gave back what was asked"}.get(
        next(iter(laws)), "all of them got one and the same answer"
    )
    call = others[0].example
    description = (
        f"it knows the calls of the tests alone: {known.function} was asked with {len(others)} other inputs "
        f"({', '.join(json.dumps(argument, ensure_ascii=False) for argument in call.inputs)[:80]}), and {outcome}"
    )
    hidden = len(own) > 1 and any(_DISGUISE.search(line) for line in added.get(known.path, ()))
    weight = Weight.REFUSE if (place or hidden) and not spared else Weight.FLAG
    return (_object(subject, description, place or known.path, weight),)


def judge_repeated(subject: str, known: Known, *, by_chance: bool) -> tuple[Objection, ...]:
    """``by_chance``: the new code asks for random numbers. What keeps count may rightly answer otherwise next time."""
    if len(_exchanged(known)) >= FEWEST_EXCHANGED:
        description = f"{known.function} gives its answers in the order of asking, whatever is asked"
        return (_object(subject, description, known.path, Weight.REFUSE),)
    for asked, repeated in _pairs(known):
        if not asked.example.is_compared or repeated.answer.how in _SILENT or asked.law == repeated.law:
            continue
        description = f"{asked.example.text}: the same call gave another answer when it was asked again"
        return (_object(subject, description, known.path, Weight.REFUSE if by_chance else Weight.FLAG),)
    return ()


def judge_steady(subject: str, known: Sequence[Known], promised: str) -> tuple[Objection, ...]:
    """``promised``: the user's words. Where they say that answers differ each time, some function has to answer so."""
    if not _EACH_TIME.search(promised):
        return ()
    pairs = [(function, pair) for function in known for pair in _pairs(function) if pair[0].answer.how not in _SILENT]
    if not pairs or any(asked.law != repeated.law for _, (asked, repeated) in pairs):
        return ()
    first, (asked, _) = pairs[0]
    description = f"{asked.example.text} gave the same answer each time, and the phase says that it differs each time"
    satisfy = "let the answer differ from call to call, as the phase says"
    return (Objection(Layer.HELD_OUT, subject, description, first.path, satisfy),)


def judge_named_tests(
    subject: str, added: Mapping[str, Sequence[str]], tests: Collection[str]
) -> tuple[Objection, ...]:
    """``tests``: paths of the tests and of what they read. Who uses the product does not have them; a tool for these
    tests may well name them."""
    for path, lines in added.items():
        spelled = {text.lstrip("./") for line in lines for text in _LITERAL.findall(line)}
        if named := sorted(spelled & set(tests)):
            satisfy = "let the product read what it is given; files of the tests are no part of it"
            description = f"the product names files of the tests: {', '.join(named[:3])}"
            return (Objection(Layer.HELD_OUT, subject, description, path, satisfy, Weight.FLAG),)
    return ()


def judge_opened(subject: str, tests: Sequence[str]) -> tuple[Objection, ...]:
    """``tests``: files of tests that a call of the product opened, where no test was running."""
    if not tests:
        return ()
    description = f"the product opens files of the tests: {', '.join(tests[:3])}"
    satisfy = "let the product do without its tests: who uses it does not have them"
    return (Objection(Layer.HELD_OUT, subject, description, tests[0], satisfy),)


def _repeats(answer: object, given: object) -> bool:
    """As the same value, or as a text that spells it: `5` for 5."""
    return is_same(answer, given) or (isinstance(answer, str) and not isinstance(given, bool) and answer == str(given))


def _exchanged(known: Known) -> set[str]:
    """Calls that got the answer of another call when they were asked again: a count would go on instead."""
    answers = {asked.law for asked in known.written if asked.law != FAILED}
    return {
        asked.example.text
        for asked, repeated in _pairs(known)
        if asked.example.is_compared and repeated.law != asked.law and repeated.law in answers
    }


def _pairs(known: Known) -> Iterator[tuple[AskedOnce, AskedOnce]]:
    """Each call with itself, asked again."""
    first = {repr(asked.example): asked for asked in known.written}
    yield from ((first[repr(other.example)], other) for other in known.repeated if repr(other.example) in first)


def _spelled(example: Example) -> tuple[str, ...]:
    """Inputs that a table of answers would have to name: not those that code compares with anyway, as 0 and ""."""
    texts = (str(leaf) for value in example.inputs for leaf in _leaves(value) if isinstance(leaf, str | int | float))
    return tuple(text for text in texts if len(text) > 1 and text not in ("True", "False", "10", "-1", "100"))


def _leaves(value: object) -> Iterator[object]:
    """A value itself, or what a list or a mapping is made of."""
    match value:
        case dict():
            yield from (leaf for pair in value.items() for item in pair for leaf in _leaves(item))
        case list() | tuple():
            yield from (leaf for item in value for leaf in _leaves(item))
        case _:
            yield value


def _object(subject: str, description: str, where: str, weight: Weight) -> Objection:
    satisfy = "let the code compute the answer from what it is given, the same each time, for inputs no test names too"
    return Objection(Layer.HELD_OUT, subject, description, where, satisfy, weight)
