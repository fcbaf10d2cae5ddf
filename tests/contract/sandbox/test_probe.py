"""Whether this machine can confine commands is found out by trying, and every no comes with a remedy (T5)."""

from __future__ import annotations

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.probe import parse_version
from autopilot.ports.sandbox import CommandSpec, Running

# covers: T5


def test_a_machine_that_can_says_with_what(confined) -> None:
    probe = confined.probe()
    assert probe.usable, probe
    assert "bubblewrap" in probe.detail


def test_without_bubblewrap_it_says_how_to_get_it(place) -> None:
    probe = Bubblewrap(place.state, bwrap="no-such-bwrap").probe()
    assert not probe.usable
    assert "apt-get install bubblewrap" in probe.remedy


@pytest.mark.parametrize("answer", ["bubblewrap 0.6.1", "nonsense"])
def test_a_bubblewrap_that_is_too_old_is_not_good_enough(place, answer) -> None:
    old = place.folder / "bwrap"
    old.write_text(f"#!/bin/sh\necho {answer}\n")
    old.chmod(0o755)
    probe = Bubblewrap(place.state, bwrap=str(old)).probe()
    assert not probe.usable
    assert "0.8" in probe.remedy


def test_a_sandbox_in_which_nothing_runs_is_not_usable(place) -> None:
    broken = place.folder / "bwrap"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && exec echo bubblewrap 0.9.0\necho refused >&2; exit 1\n')
    broken.chmod(0o755)
    place.open_to_all()
    probe = Bubblewrap(place.state, bwrap=str(broken)).probe()
    assert not probe.usable
    assert "refused" in probe.detail


@pytest.mark.parametrize(
    ("text", "version"), [("bubblewrap 0.8.0", (0, 8)), ("bubblewrap 0.11.0", (0, 11)), ("", None), ("x", None)]
)
def test_versions_compare_as_numbers(text, version) -> None:
    assert parse_version(text) == version


class Counting(Bubblewrap):
    starts = 0

    def start(self, spec: CommandSpec) -> Running:
        self.starts += 1
        return super().start(spec)


def test_a_machine_that_could_confine_commands_is_tried_out_once(place) -> None:
    sandbox = Counting(place.state)
    first = sandbox.probe()
    assert first.usable, first
    assert (sandbox.probe(), sandbox.starts) == (first, 1)
