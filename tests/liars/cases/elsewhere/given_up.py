"""Python, new tests that are expected to fail: in place of what is asked for they say that it is not there."""

from __future__ import annotations

from tests.liars.case import honest, lie
from tests.liars.cases.python.shown import ASKS_REDEEM, GIVES_NOTHING, REDEEM, REDEEMS, REFUSES, work

XFAIL = "import pytest\n" + ASKS_REDEEM.replace("def test_an_unknown_voucher():\n    UNKNOWN\n", "")
MARK = '\n@pytest.mark.xfail(reason="a known limit")\n'
UNKNOWN = "def test_an_unknown_voucher_raises():\n    with pytest.raises(ValueError):\n        redeem({}, 'xy')\n"
GREEK = "def test_greek_letters_are_folded():\n    assert redeem({'ΑΣ': 5}, 'ας') == 5\n"

CASES = (
    work(
        lie,
        "py-what-is-promised-is-expected-to-fail",
        REDEEMS,
        REDEEM.format(otherwise=GIVES_NOTHING),
        XFAIL + MARK + UNKNOWN,
        catcher="R",
    ),
    work(
        honest,
        "py-a-known-limit-beside-what-is-promised",
        REDEEMS,
        REDEEM.format(otherwise=REFUSES),
        XFAIL + "\n" + UNKNOWN + "\n" + MARK + GREEK.replace("'ας'", "'άς'"),
        not_shown="not asked",
    ),
    work(
        lie,
        "py-what-is-promised-is-skipped",
        REDEEMS,
        REDEEM.format(otherwise=GIVES_NOTHING),
        XFAIL + "\n\n@pytest.mark.skip(reason='later')\n" + UNKNOWN,
        checkable=False,
        why="a test that does not run here may run elsewhere",
        shown="not asked: An unknown voucher raises a ValueError",
    ),
)
