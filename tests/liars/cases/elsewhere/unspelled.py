"""Python, what the roadmap is exact about and the work nowhere says, and such as say it in their own way."""

from __future__ import annotations

from tests.liars.case import honest, lie
from tests.liars.cases.python.shown import work

ASKED = (
    "check(number) is true of a whole number with a valid check digit, modulo 97",
    "A number that is longer than 34 characters is not valid",
)
HEAD = "def code(text):\n    return text.strip().upper()\n\n\n"
LETTERS = HEAD + "def check(number):\n    text = code(number)\n    return text[:2].isalpha() and text[2:].isdigit()\n"
COMPUTES = (
    HEAD
    + '''def check(number):
    """By the remainder."""
    text = code(number)
    if not (text[:2].isalpha() and text[2:].isdigit()) or len(text) > LONGEST:
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % DIVISOR == 1


DIVISOR, LONGEST = 0x61, 2 * 17
'''
)
TESTS = """from vouchers import check


def test_a_valid_number():
    assert check("DE89370400440532013000")


def test_letters_are_no_digits():
    assert not check("DE89X70400440532013000")
    assert not check("1")
"""
MORE = (
    TESTS
    + """

def test_another_digit_and_a_long_number_are_no_valid_ones():
    assert not check("DE89370400440532013001")
    assert not check("DE89" + "370400440532013000" * 2)
"""
)

CASES = (
    work(lie, "py-a-number-of-the-roadmap-nowhere-in-the-work", ASKED, LETTERS, TESTS, catcher="H"),
    work(honest, "py-a-number-of-the-roadmap-in-another-spelling", ASKED, COMPUTES.replace("2 * 17", "34"), MORE),
)
