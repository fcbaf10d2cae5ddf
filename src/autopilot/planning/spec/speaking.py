"""What a check has to say before a clause counts as spoken of: the words in one test, the numbers and names anywhere.

Words of a clause that stand in three tests, a few in each, are asked for by none of them. A number or a name is what a
clause is exact about: a check that asks for it has to spell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FROM_THREE = "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
_FROM_THIRD = "third fourth fifth sixth seventh eighth ninth tenth"
_NUMBERS = {word: str(number) for number, word in enumerate(_FROM_THREE.split(), start=3)}
_NUMBERS |= {word: str(10 * number) for number, word in enumerate(_FROM_TWENTY.split(), start=2)}
_NUMBERS |= {word: str(number) for number, word in enumerate(_FROM_THIRD.split(), start=3)}
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-]|\.\d)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_LETTERS = re.compile(r"[A-Za-z]+")
# As code spells names: called, with an underscore or a hump, an option. A command is no name.
_NAME = re.compile(
    r"\b[A-Za-z]\w*(?=\()|\b[A-Za-z][A-Za-z0-9]*_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w+|(?<!\S)--[a-z][\w-]+"
)
_COMMAND = re.compile(r"`[^`\s]{0,200}\s[^`\n]{0,500}`")
# Where one test begins: what stands above it as decorators or attributes belongs to it.
_TEST = re.compile(
    r"^[ \t]{0,80}(?:(?:@\w|#\[)[^\n]{0,300}\n[ \t]{0,80}){0,4}"
    r"(?:(?:async )?def test|(?:test|it|specify|scenario)(?:\.\w{1,40}){0,3}\s{0,4}[(\s]['\"`]|func Test|"
    r"(?:pub )?(?:async )?fn |@test\b|(?:public )?function test|subtest\b)",
    re.MULTILINE,
)
_HEAD_LINES = 3
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"'[^'\n]{1,300}'|\"[^\"\n]{1,300}\"|`[^`\n]{1,300}`")
_IMPORT = re.compile(r"^[ \t]{0,80}(?:import|from|use|const [^\n=]{1,200}= require)\b[^\n]*", re.MULTILINE)
_PROMISES_ERROR = re.compile(
    r"\b(?:rais(?:es|ed)|throw(?:s|n)|reject(?:s|ed)|"
    r"(?:is|are) (?:an? )?(?:\w{0,60}(?:Error|Exception)|errors?\b|refused)|"
    r"exits? (?:status |code |with )?(?:is )?(?:not 0|non-?zero|[1-9])|errors? that|fails? with)",
    re.IGNORECASE,
)
_EXPECTS_ERROR = re.compile(
    r"raises|assertRaises|throws|rejects|toThrow|raise_error|expectException|is_err|\bErr\(|_err\(|should_panic|"
    r"errors\.(?:Is|As)|err(?:or)? == nil|Error\(t|status\W{1,6}(?:-(?:ne|gt)\W{1,4}0|-eq\W{1,4}[1-9])|"
    r"(?:returncode|exitCode|status|code)\W{1,8}(?:!=|(?:[1-9]|[45]\d\d)(?!\d))|(?<!\S)!\s|\$\?"
)

# That something is left as it is, is asked for by who looks at it afterwards: the words say only what is not to happen.
_PROMISES_NOTHING = re.compile(
    r"\b(?:nothing|none|untouched|unchanged|as (?:it|they) (?:was|were)|"
    r"(?:does|do|is|are) not (?:\w{1,40}ed|delete|remove|write|change|touch|overwrite|modify))\b",
    re.IGNORECASE,
)
_PROMISES_SAME = re.compile(r"\b(?:untouched|unchanged|as (?:it|they) (?:was|were))\b", re.IGNORECASE)
_LOOKS_AFTERWARDS = re.compile(
    r"(?:^|[;&|(!]\s{0,9}|\b(?:then|do|and)\s)(?:!\s{0,9})?"
    r"(?:test|ls|cat|diff|cmp|stat|find|wc|grep|git (?:status|diff))\s|"
    r"\[\[?\s|(?<!\S)!\s|not in\b|is None|assert(?:False|IsNone|NotIn|NotEqual|True)|assert not\b|assert \w|expect\(|"
    r"assert[.(]|exists\(|is_file\(|read_text|readFile|\bEqual|\[ ",
    re.MULTILINE,
)


def single_tests(text: str) -> Iterator[str]:
    """The single tests of a file, each with its name, and what stands above them; what is imported asks nothing."""
    starts = [found.start() for found in _TEST.finditer(text)]
    yield _IMPORT.sub("", text[: starts[0]] if starts else text)
    yield from (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=False))


def is_test_of(text: str, names: frozenset[str]) -> bool:
    """Whether one of ``single_tests`` has one of these names, where it begins; not in what it does.

    By what stands there, not by each name in turn: a report may have 100,000.
    """
    head = "\n".join(text.lstrip().split("\n", _HEAD_LINES)[:_HEAD_LINES])
    quoted = (found[0][1:-1] for found in _QUOTED.finditer(head))
    return not names.isdisjoint(_WORD.findall(head)) or not names.isdisjoint(quoted)


def marks_of(clause: str) -> frozenset[str]:
    """Numbers and names that only a check which spells them can ask for."""
    prose = _COMMAND.sub(" ", clause)
    return frozenset(found[0].casefold() for found in _NAME.finditer(prose)) | _numbers(prose, _NUMBER)


def are_spelled(marks: frozenset[str], checks: str) -> bool:
    """``checks``: the text of all of them."""
    numbers, text = _numbers(checks, _DIGITS), checks.casefold()
    return all(mark in numbers if mark[0].isdigit() else mark in text for mark in marks)


def asks_as_promised(clause: str, check: str) -> bool:
    """That something fails is asked for by who expects it to fail; that nothing happens by who looks."""
    if _PROMISES_NOTHING.search(clause) and not _LOOKS_AFTERWARDS.search(check):
        return False
    return not _PROMISES_ERROR.search(clause) or _EXPECTS_ERROR.search(check) is not None


def leaves_unlooked(clause: str, checks: Sequence[str]) -> bool:
    """What is unchanged when something fails is asked for by every test that expects a failure."""
    if not _PROMISES_SAME.search(clause):
        return False
    return any(_EXPECTS_ERROR.search(test) and not _LOOKS_AFTERWARDS.search(test) for test in checks if "\n" in test)


def _numbers(text: str, digits: re.Pattern[str]) -> frozenset[str]:
    spelled = (found[0].casefold() for found in _LETTERS.finditer(text))
    written = (found[0].lstrip("0") or "0" for found in digits.finditer(text))  # part-01 is part 1
    return frozenset(written) | {_NUMBERS[w] for w in spelled if w in _NUMBERS}
