"""Both ends of the output are kept, the rest is counted, and lines arrive while the command runs (T6)."""

from __future__ import annotations

import threading
import time

import pytest

from autopilot.adapters.sandbox.output import LONGEST_LINE, UNREAD_LIMIT, HeadAndTail, Lines
from autopilot.ports.sandbox import Exited, Killed, Outcome, run

# covers: T6.output

# covers: T6
pytestmark = pytest.mark.usefixtures("no_leaks")


def test_short_output_is_kept_whole_and_in_order(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("echo one; sleep 0.3; echo two >&2; sleep 0.3; echo three"))
    assert (outcome.output, outcome.dropped) == (b"one\ntwo\nthree\n", 0)


def test_a_line_written_in_pieces_is_not_cut_in_two_by_the_other_pipe(sandbox, place) -> None:
    """Else a script's FAIL line would stand behind half an error message, and not be seen."""
    command = "printf half >&2; sleep 0.3; printf FA; sleep 0.3; echo ' line' >&2; sleep 0.3; echo 'IL: it'; printf x"
    assert run(sandbox, place.sh(command)).output == b"half line\nFAIL: it\nx"


def test_of_long_output_both_ends_are_kept_and_the_rest_counted(sandbox, place) -> None:
    outcome = run(sandbox, place.sh("printf BEGIN; head -c 3000000 /dev/zero | tr '\\0' x; printf END"))
    assert outcome.ended == Exited(0)
    assert outcome.head.startswith(b"BEGIN") and outcome.tail.endswith(b"END")
    assert len(outcome.head) == len(outcome.tail) == 32 * 1024
    assert len(outcome.head) + len(outcome.tail) + outcome.dropped == 3_000_008


def test_what_was_written_before_the_end_by_force_is_kept(sandbox, place) -> None:
    assert run(sandbox, place.sh("echo before; sleep 60", timeout_s=2)).output.startswith(b"before\n")


@pytest.mark.parametrize("sizes", [[1], [32 * 1024], [32 * 1024, 1], [10, 40_000, 300_000, 5], [70_000] * 9])
def test_no_byte_is_lost_from_the_count(sizes) -> None:
    kept = HeadAndTail()
    whole = b""
    for number, size in enumerate(sizes):
        chunk = bytes([65 + number]) * size
        kept.feed(chunk)
        whole += chunk
    assert whole.startswith(bytes(kept.head)) and whole.endswith(kept.tail)
    assert len(kept.head) + kept.dropped + len(kept.tail) == len(whole)


def test_lines_arrive_while_the_command_runs_and_standard_error_does_not(sandbox, place) -> None:
    running = sandbox.start(place.sh("echo not this >&2; echo first; sleep 60"))
    lines = running.lines()
    assert next(lines) == b"first"
    running.stop(grace_s=0.1)
    assert list(lines) == []
    outcome = running.wait()
    assert outcome.ended == Killed("stopped")
    assert b"not this" in outcome.output


def test_every_line_arrives_the_last_one_even_without_its_end(sandbox, place) -> None:
    running = sandbox.start(place.sh("seq 1 20000; printf last"))
    assert list(running.lines()) == [*(str(number).encode() for number in range(1, 20001)), b"last"]
    assert running.wait().ended == Exited(0)


def test_a_line_without_end_is_cut(sandbox, place) -> None:
    running = sandbox.start(place.sh(f"head -c {LONGEST_LINE + 5000} /dev/zero | tr '\\0' x; echo; echo next"))
    first, second = running.lines()
    assert (len(first), second) == (LONGEST_LINE, b"next")
    running.wait()


def test_a_slow_reader_holds_the_command_back_and_loses_nothing(sandbox, place) -> None:
    running = sandbox.start(place.sh("seq 1 1500000", stall_s=1.5))
    lines = running.lines()
    time.sleep(2.5)  # longer than the stall limit: it is the reader who is slow
    assert sum(1 for _ in lines) == 1_500_000
    assert running.wait().ended == Exited(0)


def test_nobody_has_to_read_the_lines(sandbox, place) -> None:
    assert run(sandbox, place.sh("seq 1 1500000")).ended == Exited(0)


def test_a_reader_who_goes_away_does_not_block_the_command(sandbox, place) -> None:
    running = sandbox.start(place.sh("seq 1 1500000"))
    lines = running.lines()
    next(lines)
    lines.close()  # type: ignore[attr-defined]
    assert running.wait().ended == Exited(0)


def test_one_may_wait_while_another_reads(sandbox, place) -> None:
    running = sandbox.start(place.sh("seq 1 300000"))
    read: list[bytes] = []
    reader = threading.Thread(target=read.extend, args=[running.lines()])
    reader.start()
    assert running.wait().ended == Exited(0)
    reader.join()
    assert len(read) == 300_000


def test_unread_lines_have_a_bound() -> None:
    lines = Lines(lambda: None)
    fed = 0
    while not lines.full:
        lines.feed(b"x" * 1023 + b"\n")
        fed += 1024
    assert fed <= UNREAD_LIMIT + 1024


def test_a_line_that_the_gap_cuts_in_two_is_left_out_whole() -> None:
    """Half a secret would not be known as one."""
    cut = Outcome(Exited(0), head=b"first\nhalf a sec", tail=b"ret\nlast\n", dropped=100)
    assert cut.output.decode() == "first\n\n… 114 bytes left out …\nlast\n"
    endless = Outcome(Exited(0), head=b"x" * 9000, tail=b"y" * 9000 + b"\n", dropped=100)
    assert len(endless.output) > 18_000
