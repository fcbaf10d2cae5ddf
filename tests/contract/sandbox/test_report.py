"""A command hands out one report besides its output: no file of the host, nothing that can grow (T5, T8)."""

from __future__ import annotations

import pytest

from autopilot.adapters.sandbox.report import LARGEST
from autopilot.ports.sandbox import Exited, run

# covers: T5, T8
pytestmark = pytest.mark.usefixtures("no_leaks")

SEND = "/bin/bash -c 'cat /etc/hostname >/dev/null; printf \"one\\ntwo\" >&$REPORT_FD; echo said'"


def test_what_is_written_to_the_descriptor_comes_back_apart_from_the_output(sandbox, place) -> None:
    outcome = run(sandbox, place.sh(SEND, report=True))
    assert (outcome.ended, outcome.report, outcome.output) == (Exited(0), b"one\ntwo", b"said\n")


def test_without_being_asked_for_there_is_none(sandbox, place) -> None:
    outcome = run(sandbox, place.sh('echo "[$REPORT_FD]"'))
    assert (outcome.report, outcome.output) == (b"", b"[]\n")


def test_a_report_ends_at_its_bound(sandbox, place) -> None:
    flood = "/bin/bash -c 'head -c 70000000 /dev/zero | tr \"\\0\" x >&$REPORT_FD'; echo ended"
    outcome = run(sandbox, place.sh(flood, report=True))
    assert len(outcome.report) == LARGEST
    assert b"ended" in outcome.output
