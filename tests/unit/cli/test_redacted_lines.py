"""Lines of a command are shown without secrets, whole or broken, and a reader gets them while it runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from autopilot.cli.redacted_lines import MOST_LINES, redact_lines
from autopilot.model.secrecy.redaction import Redactor

# covers: T7.redaction, WHY-2
SECRET = "tk-0a1b2c3d4e5f6a7b8c9d0e1f"
clean = Redactor({"TOKEN": SECRET}).clean


def show(*lines: bytes) -> str:
    return "".join(redact_lines(iter(lines), clean))


def test_a_value_is_hidden_as_it_is_and_broken_over_lines() -> None:
    assert show(b"got " + SECRET.encode(), b"more") == "got [redacted:TOKEN]\nmore\n"
    pieces = [SECRET[place : place + 7].encode() for place in range(0, len(SECRET), 7)]
    assert show(b"got", *pieces, b"more") == "got\n[redacted:TOKEN]\nmore\n"
    assert "\n".join(map(clean, [piece.decode() for piece in pieces])).replace("\n", "") == SECRET, "the control"


def test_all_lines_are_shown_in_their_order_and_nothing_for_none() -> None:
    lines = [f"line {number}".encode() for number in range(3 * MOST_LINES)]
    assert show(*lines).encode().splitlines() == lines
    assert show() == "" and show(b"") == "\n" and show(b"\xff\x1b[31mred") == "\ufffdred\n"


def test_what_was_printed_is_shown_while_the_command_goes_on() -> None:
    """It would wait for ever here: it ends when its first line was shown."""
    shown = threading.Event()

    def command() -> Iterator[bytes]:
        yield b"working"
        assert shown.wait(60)
        yield b"done"

    texts = redact_lines(command(), clean)
    assert next(texts) == "working\n"
    shown.set()
    assert list(texts) == ["done\n"]
