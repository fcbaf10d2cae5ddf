"""Words at a terminal, continued below the words they belong to. covers: INV-2"""

from __future__ import annotations

import pytest

from autopilot.cli.terminal import show


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. first second third", "1. first second\n   third\n"),
        ("1.1  first second third", "1.1  first second\n     third\n"),
        ("first second 3. third", "first second 3.\nthird\n"),
    ],
)
def test_a_long_line_goes_on_below_its_first_words(
    text: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    show(text)
    assert capsys.readouterr().err == shown
