"""The rollout is read while it grows, and nothing an agent does to it holds us up or leads us elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.agents.codex.rollout import LONGEST_LINE, interleave

THREAD = "01a1e2c6-ba45-7921-9138-b685109fde5b"
STARTED = b'{"type":"thread.started","thread_id":"%s"}' % THREAD.encode()
COUNTED = b'{"type":"token_usage_record","payload":{}}\n'
NAME = f".codex/sessions/2026/11/16/rollout-2026-11-16T04-53-02-{THREAD}.jsonl"


@pytest.fixture
def rollout(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.parent.mkdir(parents=True)
    return path


def test_what_is_written_between_two_events_comes_between_them(tmp_path: Path, rollout: Path) -> None:
    def events() -> Iterator[bytes]:
        yield STARTED
        rollout.write_bytes(COUNTED)
        yield b"one"
        yield b"two"
        append(rollout, COUNTED)

    assert list(interleave(events(), tmp_path)) == [STARTED, COUNTED, b"one", b"two", COUNTED]


def test_a_line_is_read_when_it_is_whole(tmp_path: Path, rollout: Path) -> None:
    def events() -> Iterator[bytes]:
        rollout.write_bytes(COUNTED[:20])
        yield STARTED
        append(rollout, COUNTED[20:])
        yield b"one"

    assert list(interleave(events(), tmp_path)) == [STARTED, COUNTED, b"one"]


def test_only_what_is_wanted_is_handed_on(tmp_path: Path, rollout: Path) -> None:
    rollout.write_bytes(b'{"type":"response_item"}\n' + COUNTED)
    assert list(interleave([STARTED], tmp_path)) == [COUNTED, STARTED]


def test_a_line_without_end_does_not_hide_what_follows(tmp_path: Path, rollout: Path) -> None:
    rollout.write_bytes(b"x" * (2 * LONGEST_LINE + 5) + b"\n" + COUNTED)
    assert list(interleave([STARTED], tmp_path)) == [COUNTED, STARTED]


def test_without_a_rollout_the_events_come_alone(tmp_path: Path) -> None:
    assert list(interleave([STARTED, b"one"], tmp_path)) == [STARTED, b"one"]


def test_the_rollout_of_another_session_is_not_read(tmp_path: Path, rollout: Path) -> None:
    rollout.write_bytes(COUNTED)
    other = STARTED.replace(b"01a1e2c6", b"01a1e2c7")
    assert list(interleave([other], tmp_path)) == [other]


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_link_in_its_place_leads_nowhere(tmp_path: Path, rollout: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / rollout.name).write_bytes(COUNTED)
    if place == "file":
        rollout.symlink_to(elsewhere / rollout.name)
    else:
        rollout.parent.rmdir()
        rollout.parent.symlink_to(elsewhere)
    assert list(interleave([STARTED], tmp_path)) == [STARTED]


def test_a_pipe_in_its_place_does_not_hold_us_up(tmp_path: Path, rollout: Path) -> None:
    os.mkfifo(rollout)
    assert list(interleave([STARTED], tmp_path)) == [STARTED]


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


def test_a_link_in_place_of_its_folders_is_not_followed(tmp_path: Path) -> None:
    """Through it the whole machine would be searched, and what comes and goes there would break the search."""
    elsewhere = tmp_path / "elsewhere" / NAME.removeprefix(".codex/sessions/")
    elsewhere.parent.mkdir(parents=True)
    elsewhere.write_bytes(COUNTED)
    home = tmp_path / "home"
    (home / ".codex").mkdir(parents=True)
    for target in (tmp_path / "elsewhere", Path("/")):
        (home / ".codex/sessions").unlink(missing_ok=True)
        (home / ".codex/sessions").symlink_to(target)
        assert list(interleave([STARTED, b"one"], home)) == [STARTED, b"one"]
