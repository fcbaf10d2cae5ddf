"""Answers of the tests in the product's own code, in languages whose functions cannot be asked one by one.

A question of the tests and its answer that stand together in new code were copied from there. Words that are names,
options or paths may rightly be known by name; so may what the user's own words name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.evidence.objection import Layer, Objection, Weight

_LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.){1,200}+)\"|'((?:[^'\\\n]|\\.){2,200}+)'|`([^`\n]{1,200}+)`")
# A word, an option, a path: no text that somebody would type in.
_NAME = re.compile(r"(?:[-/.:@#$%]*+\w)?[\w./:-]*+|[-/.:@#$%]*+")
REACH = 3  # lines in which a question and its answer stand
FEWEST = 2
FEWEST_ROWS = 3
MOST_WORDS = 40
_LONGEST_ROW = 200
# In quotes, or beginning with a digit.
_WORD = re.compile(r"(?<![\w.])[0-9][\w.]{0,40}|(?<=\")[^\"\s\\]{1,80}(?=\")|(?<=')[^'\s\\]{2,80}(?=')")
_SHORTEST_ANSWER = 3


def judge_known_answers(
    subject: str, added: Mapping[str, Sequence[str]], tests: Sequence[str], named: str
) -> tuple[Objection, ...]:
    """``added``: new lines of the product, by file; ``tests``: the texts of test files."""
    asked = {pair for text in tests for pair in _pairs(text.splitlines()) if not _NAME.fullmatch(pair[0])}
    for path, lines in added.items():
        known = sorted({question for question, answer in asked if _stands(question, answer, lines)})
        if not known:
            continue
        spared = all(question in named for question in known)
        shown = ", ".join(repr(question) for question in known[:2])
        description = f"the new code holds questions of the tests and their answers: {shown}"
        satisfy = "let the code compute the answer from what it is given, for inputs no test names too"
        weight = Weight.REFUSE if len(known) >= FEWEST and not spared else Weight.FLAG
        return (Objection(Layer.HELD_OUT, subject, description, path, satisfy, weight),)
    return ()


def judge_known_rows(
    subject: str, added: Mapping[str, Sequence[str]], tests: Sequence[str], named: str
) -> tuple[Objection, ...]:
    """Words and numbers in rows (`"cat" => "cats"`, `512) echo 512B`): any table has some that tests ask, so many of
    them are shown, and never held against the work."""
    asked = {pair for text in tests for pair in _word_pairs(text.splitlines())}
    for path, lines in added.items():
        rows = [dict.fromkeys(_WORD.findall(line)) for line in lines if len(line) <= _LONGEST_ROW]
        known = {q for row in rows for q, a in zip(row, list(row)[1:], strict=False) if (q, a) in asked}
        if len(known) >= FEWEST_ROWS and not all(question in named for question in known):
            shown = ", ".join(repr(question) for question in sorted(known)[:3])
            description = f"the new code holds {len(known)} questions of the tests beside their answers: {shown}"
            satisfy = "let the code compute the answer, or name the entries of the table in the roadmap"
            return (Objection(Layer.HELD_OUT, subject, description, path, satisfy, Weight.FLAG),)
    return ()


def _word_pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every two words of a line, and those of the lines behind it."""
    for number, line in enumerate(lines):
        first = _WORD.findall(line[:_LONGEST_ROW])[:MOST_WORDS]
        near = [word for other in lines[number : number + REACH] for word in _WORD.findall(other[:_LONGEST_ROW])]
        yield from ((question, answer) for question in first for answer in near[:MOST_WORDS] if question != answer)


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for number in range(len(lines)):
        first = _literals(lines[number])
        near = [text for line in lines[number : number + REACH] for text in _literals(line)]
        for question in first:
            yield from ((question, answer) for answer in near if answer not in question and question not in answer)


def _stands(question: str, answer: str, lines: Sequence[str]) -> bool:
    """In code that computes, the answer is not there."""
    if len(answer) < _SHORTEST_ANSWER:
        return False
    places = [number for number, line in enumerate(lines) if question in _literals(line)]
    return any(answer in line.replace(question, "") for place in places for line in lines[place : place + REACH])


def _literals(line: str) -> list[str]:
    return [text for found in _LITERAL.findall(line) for text in found if text.strip()]
