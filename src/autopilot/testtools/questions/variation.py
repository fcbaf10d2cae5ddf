"""Other values in the place of one: of the same kind, near it and far from it, and such as the new code speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from autopilot.testtools.expectations.site import Draw
from autopilot.testtools.questions.value import Value

MOST_OWN = 4  # words of the code's own
MOST_EXCHANGED = 3
_DIGIT = re.compile(r"[0-9]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LAST_WORD = re.compile(r"[A-Za-z]{2,}(?=[^A-Za-z]*\Z)")


def variations(value: Value, draw: Draw, own: Sequence[str]) -> list[str]:
    """In the order in which they are worth asking. ``own``: what stands in the new code; a table has its keys there."""
    if value.is_number:
        near = _numbers(value.text, draw)
        fitting = [text for text in own if _DIGIT.match(text)]
    else:
        near = _strings(value.text, draw)
        fitting = sorted(own, key=lambda text: _shape(text) != _shape(value.text))
    mixed = [text for pair in zip_longest(near, _own(value.text, fitting)) for text in pair if text]
    return [text for text in dict.fromkeys(mixed) if text != value.text and value.can_be(text)]


def exchanged(values: Sequence[Value]) -> list[tuple[Value, str]]:
    """One value of a command in the place of another: where nothing is found, what was put in may be found."""
    pairs = ((value, other.text) for value in values if value.is_direct for other in values if _is_alike(value, other))
    return list(islice(pairs, MOST_EXCHANGED))


def longer(command: str, values: Sequence[Value]) -> list[tuple[Value, str]]:
    """The first item of a list twice: the answer of what counts the items is one more."""
    for value in values:
        before, quote = command[: max(value.start - 1, 0)].rstrip(), command[value.start - 1 : value.start]
        if value.is_quoted and before.endswith("[") and quote and command[value.end : value.end + 1] == quote:
            return [(value, f"{value.text}{quote}, {quote}{value.text}")]
    return []


def _is_alike(value: Value, other: Value) -> bool:
    return other.is_number == value.is_number and other.text != value.text and value.can_be(other.text)


def _numbers(text: str, draw: Draw) -> Iterator[str]:
    if "." in text:
        whole, _, part = text.partition(".")
        yield f"{int(whole) + 1}.{part}"
        yield f"{int(whole) + draw.number()}.{part}"
        return
    number = int(text)
    yield str(number + 1)
    yield str(number + draw.number())
    yield from (str(other) for other in (number - 1, number * 2, number + 2, 0) if other >= 0)


def _strings(text: str, draw: Draw) -> Iterator[str]:
    if digits := list(_DIGIT.finditer(text)):
        yield _another_digit(text, digits[-1].start())
        yield _another_digit(text, digits[0].start())
    yield _LAST_WORD.sub(lambda found: _cased(draw.word(), found[0]), text, count=1)
    yield "".join(_next_letter(char) for char in text)
    if len(parts := _WORD.findall(text)) > 1:
        yield text.replace(parts[0], "\0").replace(parts[-1], parts[0]).replace("\0", parts[-1])
    yield text + draw.word()
    yield "".join(_next_letter(char, -1) for char in text)
    yield text + text
    yield text[:-1]
    yield f"{draw.word()} 7-{text}"
    yield text[:1] + draw.word()[:1]


def _another_digit(text: str, place: int) -> str:
    """The one before it, if there is one: `31` may be the last of a month."""
    digit = int(text[place])
    return f"{text[:place]}{digit - 1 if digit else 1}{text[place + 1 :]}"


def _next_letter(char: str, step: int = 1) -> str:
    """Every letter by the next, so that what was equal stays equal: `<a>b</a>` becomes `<b>c</b>`."""
    if not char.isascii() or not char.isalpha():
        return char
    first = ord("A" if char.isupper() else "a")
    return chr(first + (ord(char) - first + step) % 26)


def _cased(word: str, like: str) -> str:
    """With another first letter: some answers rest on that one alone, such as initials."""
    if word[0].lower() == like[0].lower():
        word = _next_letter(word[0]) + word[1:]
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word


def _own(text: str, fitting: Sequence[str]) -> Iterator[str]:
    """Whole, and in the place of a part that the code speaks of: of `a.html` it may know `.html` and `.css`."""
    others = [word for word in fitting if word != text]
    inside = next((word for word in fitting if 1 < len(word) < len(text) and word in text), "")
    alike = [word for word in others if inside and word != inside and _shape(word)[:1] == _shape(inside)[:1]]
    yield from (text.replace(inside, word) for word in alike[:2])
    yield from others[:MOST_OWN]


def _shape(text: str) -> str:
    kinds = ("9" if c.isdigit() else "A" if c.isupper() else "a" if c.islower() else c for c in text)
    shape = ""
    for kind in kinds:
        shape += "" if shape.endswith(kind) else kind
    return shape
