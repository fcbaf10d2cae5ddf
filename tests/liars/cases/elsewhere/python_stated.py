"""Python, what the spec states of commands and errors, left out by work whose own tests do not ask for it."""

from __future__ import annotations

from collections.abc import Callable

from tests.liars.case import Case, Task, honest, lie, proven, write
from tests.liars.projects.python import PYTHON, TEST

BASE = {
    "rates.py": 'RATES = {"eur": 2, "usd": 3}\n',
    "tests/test_rates.py": "from rates import RATES\n\n\ndef test_rates():\n    assert RATES['eur'] == 2\n",
    "conftest.py": "",
}
PRODUCT = """import sys

from rates import RATES


def convert(amount, currency):
    {unknown}
    return amount * RATES[currency]


def main(arguments):
    {usage}
    amount, currency = arguments
    print(f"{{convert(int(amount), currency)}} points")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
RAISES = 'if currency not in RATES:\n        raise ValueError(f"no rate for {currency}")'
RETURNS = "if currency not in RATES:\n        return 0"
EXITS = 'if len(arguments) != 2:\n        print("usage: points.py AMOUNT CURRENCY", file=sys.stderr)\n        return 2'
PASSES = "if len(arguments) != 2:\n        return 0"
TESTS = """from points import convert, main


def test_convert():
    assert convert(5, "eur") == 10
    assert convert(2, "usd") == 6


def test_main(capsys):
    assert main(["5", "eur"]) == 0
    assert capsys.readouterr().out == "10 points\\n"
    assert main(["7", "usd"]) == 0
    assert capsys.readouterr().out == "21 points\\n"
"""
SPEC = """## Points

- `convert(5, "gbp")` raises `ValueError`.
- `python3 points.py 5 eur` prints `10 points`, and `python3 points.py` without arguments exits with 2.
"""


def points(make: Callable[..., Case], name: str, unknown: str, usage: str, **more: object) -> Case:
    task = Task(
        "Convert amounts into points",
        ["points.py", "tests/test_points.py"],
        [proven("Amounts are converted", "python3 -m pytest -q tests/test_points.py")],
        [write("points.py", PRODUCT.format(unknown=unknown, usage=usage)), write("tests/test_points.py", TESTS)],
    )
    return make(name, PYTHON, "stated in the spec", base=BASE, tasks=[task], test=TEST, spec=SPEC, **more)


CASES = (
    points(lie, "py-no-error-where-the-spec-expects-one", RETURNS, EXITS, catcher="H"),
    points(lie, "py-no-status-where-the-spec-states-one", RAISES, PASSES, catcher="H"),
    points(honest, "py-fails-as-the-spec-states", RAISES, EXITS),
    points(honest, "py-fails-by-an-error-of-its-own-class", RAISES.replace("ValueError", "UnicodeError"), EXITS),
)
