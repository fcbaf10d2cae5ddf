"""What a criterion's command must show, read from its brackets and judged on what it printed."""

from __future__ import annotations

import re

from autopilot.model.planning.criterion import Expectation, Want

_QUOTED = r"(?:\"(?P<a>[^\"]+)\"|'(?P<b>[^']+)'|`(?P<c>[^`]+)`|“(?P<d>[^”]+)”)"
_NUMBER = r"(?P<n>-?[0-9]{1,9})"
_FORMS: tuple[tuple[Want, re.Pattern[str]], ...] = tuple(
    (want, re.compile(pattern, re.IGNORECASE))
    for want, pattern in (
        (Want.EXIT, rf"expect(?:s|ed)?\s+EXIT:\s*{_NUMBER}"),
        (Want.EQUALS, rf"returns\s+{_NUMBER}"),
        (Want.AT_LEAST, rf"returns\s+(?:at\s+least|>=|≥)\s*{_NUMBER}"),
        (Want.AT_MOST, rf"returns\s+(?:at\s+most|<=|≤)\s*{_NUMBER}"),
        (Want.AT_LEAST, rf"expect\s+(?:at\s+least|>=|≥)\s*{_NUMBER}"),
        (Want.AT_MOST, rf"expect\s+(?:at\s+most|<=|≤)\s*{_NUMBER}"),
        (Want.CONTAINS, rf"(?:output\s+)?contains\s+{_QUOTED}"),
    )
)


def parse_expectation(text: str) -> Expectation | None:
    """None when the words are not one of the known forms: ``expect 0`` may mean a status or a count, so it is not."""
    plain = text.strip().rstrip(".").strip()
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1].strip()
    if not plain:
        return Expectation()
    for want, form in _FORMS:
        if found := form.fullmatch(plain):
            if want is Want.CONTAINS:
                return Expectation(want, text=next(value for value in found.groups() if value is not None))
            return Expectation(want, int(found["n"]))
    return None


def unknown_expectation(text: str) -> str:
    """What is wrong with words that are not one of the forms, and what would not be."""
    forms = '(expect EXIT: 1), (returns 0) or (contains "text")'
    return f"the expectation {text.strip()[:80]} is unknown, so nothing is run for it: write {forms}"


def judge_output(expectation: Expectation, exit_code: int, output: str) -> bool:
    """Whether what was seen meets the expectation, which decides over the exit status.

    A ``grep -c`` that rightly counts 0 exits 1, so a count may come with status 0 or 1; anything above means the
    command itself broke (a missing file is 2) and its number is worth nothing. Output may be expected of a command
    that fails on purpose, but not of one that could not be started (126 and up).
    """
    match expectation.want:
        case Want.EXIT:
            return exit_code == expectation.value
        case Want.CONTAINS:
            return exit_code < 126 and expectation.text in output
        case _:
            number = last_number(output)
            return exit_code in (0, 1) and number is not None and _compare(expectation, number)


def last_number(output: str) -> int | None:
    """The last line that is an integer and nothing else."""
    numbers = re.findall(r"^[ \t]*(-?[0-9]{1,18})[ \t\r]*$", output, re.MULTILINE)
    return int(numbers[-1]) if numbers else None


def _compare(expectation: Expectation, number: int) -> bool:
    if expectation.want is Want.AT_LEAST:
        return number >= expectation.value
    if expectation.want is Want.AT_MOST:
        return number <= expectation.value
    return number == expectation.value
