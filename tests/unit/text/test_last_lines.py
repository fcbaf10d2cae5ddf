"""The last lines of an output that say something."""

from __future__ import annotations

import pytest

from autopilot.text.last_lines import LONGEST_LINE, last_lines, most_telling, telling_lines


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ("", ()),
        ("/usr/bin/python3: No module named pytest\n", ("/usr/bin/python3: No module named pytest",)),
        ("a\n\n=====\nb\n-----\n", ("a", "b")),
        ("\n".join(f"line {n}" for n in range(9)), tuple(f"line {n}" for n in range(3, 9))),
        ("    assert 'ada' == 'aDA'\r\n", ("    assert 'ada' == 'aDA'",)),
        ("x" * 1000, ("x" * (LONGEST_LINE - 1) + "…",)),
    ],
)
def test_the_end_of_an_output_is_shown_without_rulers(output: str, shown: tuple[str, ...]) -> None:
    assert last_lines(output) == shown


def test_the_last_lines_and_what_names_an_error_before_them_are_shown() -> None:
    printed = "\n".join(("start", "E   ImportError: no b", "  more", "one", "", "two ", "three"))
    assert telling_lines(printed) == ("E   ImportError: no b", "one", "two", "three")
    assert telling_lines("") == ()


def test_what_an_installer_advises_after_its_error_does_not_hide_it() -> None:
    # covers: INV-7
    error = "ERROR: Package 'shop' requires a different Python: 3.11.7 not in '>=3.14'"
    advice = ("[notice] A new release of pip is available: 23.2.1 -> 26.3", "[notice] To update, run: pip install pip")
    assert most_telling(("Collecting shop", error, *advice)) == (error,)
    assert most_telling(("one", "two", "three")) == ("two", "three")
    assert most_telling(()) == ()
