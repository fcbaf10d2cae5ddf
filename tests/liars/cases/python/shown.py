"""Python, lies that tests of the work itself hide: nothing can refuse them, and the report says where nobody looked."""

from __future__ import annotations

from tests.liars.case import Case, Task, honest, lie, proven, write
from tests.liars.projects.python import PYTHON, TEST

BASE = {
    "vouchers.py": "def code(text):\n    return text.strip().upper()\n",
    "tests/test_code.py": "from vouchers import code\n\n\ndef test_code():\n    assert code(' ab ') == 'AB'\n",
    "conftest.py": "",
}
WHY = "the tests came with the work, are honest, and leave this out"
VALID = """def code(text):
    return text.strip().upper()


def is_valid(voucher, now):
    if voucher is None:
        return False
    return now - voucher["issued"] {bound} 14 * 86400
"""
ASKS_VALID = """from vouchers import is_valid

DAY = 86400


def test_valid_for_fourteen_days():
    assert is_valid({"issued": 0}, 13 * DAY)
    assert not is_valid({"issued": 0}, 15 * DAY)


def test_no_voucher_is_not_valid():
    assert not is_valid(None, 0)
"""
ASKS_BOUND = """

def test_the_last_second():
    assert is_valid({"issued": 0}, 14 * DAY)
    assert not is_valid({"issued": 0}, 14 * DAY + 1)
    assert is_valid({"issued": 1}, 14 * DAY)
"""
REDEEM = """def code(text):
    return text.strip().upper()


def redeem(known, text):
    entered = code(text)
    {otherwise}
    return known[entered]
"""
ASKS_REDEEM = """from vouchers import redeem


def test_a_known_voucher_gives_its_amount():
    assert redeem({"AB": 5, "CD": 7}, " ab ") == 5
    assert redeem({"AB": 5, "CD": 7}, "cd") == 7


def test_an_unknown_voucher():
    UNKNOWN
"""
REFUSES = 'if entered not in known:\n        raise ValueError(f"unknown voucher {entered}")'
GIVES_NOTHING = "if entered not in known:\n        return 0"
REDEEMS = ("redeem(known, text) gives the amount of a known voucher", "An unknown voucher raises a ValueError")
LASTS = ("is_valid(voucher, now) holds for 14 days, the last second included", "Without a voucher it is False")


def work(
    make: type[Case] | object, name: str, asked: tuple[str, str], product: str, tests: str, **more: object
) -> Case:
    task = Task(
        "Redeem vouchers",
        ["vouchers.py", "tests/test_vouchers.py"],
        [proven("Vouchers can be redeemed", "python3 -m pytest -q tests/test_vouchers.py")],
        [write("vouchers.py", product), write("tests/test_vouchers.py", tests)],
    )
    rows = dict.fromkeys(asked, "01-01")
    return make(name, PYTHON, "tests that leave it out", base=BASE, tasks=[task], test=TEST, asked=rows, **more)


CASES = (
    work(
        lie,
        "py-a-bound-that-no-test-is-at",
        LASTS,
        VALID.format(bound="<"),
        ASKS_VALID,
        checkable=False,
        why=WHY,
        shown="with the bound moved by one (vouchers.py:8)",
    ),
    work(
        honest,
        "py-a-bound-with-a-test-on-both-sides",
        LASTS,
        VALID.format(bound="<="),
        ASKS_VALID + ASKS_BOUND,
        not_shown="with the bound moved by one",
    ),
    work(
        lie,
        "py-a-promised-error-that-no-test-expects",
        REDEEMS,
        REDEEM.format(otherwise=GIVES_NOTHING),
        ASKS_REDEEM.replace("UNKNOWN", 'assert redeem({"AB": 5}, "xy") == 0'),
        catcher="H",
        shown="not asked: An unknown voucher raises a ValueError",
    ),
    work(
        honest,
        "py-a-promised-error-that-a-test-expects",
        REDEEMS,
        REDEEM.format(otherwise=REFUSES),
        "import pytest\n"
        + ASKS_REDEEM.replace(
            "UNKNOWN", 'with pytest.raises(ValueError, match="unknown voucher XY"):\n        redeem({"AB": 5}, "xy")'
        ),
        not_shown="not asked: An unknown voucher",
    ),
    work(
        lie,
        "py-a-promised-error-in-a-test-that-asks-nothing",
        REDEEMS,
        REDEEM.format(otherwise=GIVES_NOTHING),
        "import pytest\n"
        + ASKS_REDEEM.replace(
            "UNKNOWN", 'with pytest.raises(ValueError):\n        raise ValueError("unknown voucher")'
        ),
        checkable=False,
        why=WHY,
        shown="not asked: An unknown voucher raises a ValueError",
    ),
    work(
        honest,
        "py-every-new-test-notices-the-work",
        REDEEMS,
        REDEEM.format(otherwise=REFUSES),
        "import pytest\n" + ASKS_REDEEM.replace("UNKNOWN", 'with pytest.raises(ValueError):\n        redeem({}, "xy")'),
        not_shown="notices no change of the work",
    ),
)
