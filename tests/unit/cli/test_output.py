"""Printing where nothing can be written."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from autopilot.cli.inert_json import render_json
from autopilot.cli.output import print_json, print_message, print_output

FULL = Path("/dev/full")


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("gates",), ("status", "--help")])
def test_a_full_disk_below_standard_output_is_named_and_is_no_bug_of_autopilot(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    ended = _call(arguments, tmp_path, FULL)
    assert (ended.returncode, ended.stderr) == (
        4,
        "error: standard output cannot be written: the disk is full\n"
        "hint: free some space, or send the output elsewhere\n",
    )


def test_a_reader_that_closes_the_pipe_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = _call(("gates",), tmp_path, Path(f"/dev/fd/{writing}"), writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("call", "status"),
    [("--version >&-", 0), ("gates >&-", 0), ("status --line >&-", 2), ("fly 2>&-", 2), ("gates <&- >&- 2>&-", 0)],
)
def test_a_stream_that_the_caller_closed_is_no_error(call: str, status: int, tmp_path: Path) -> None:
    ended = subprocess.run(
        ("sh", "-c", f"{shlex.quote(sys.executable)} -m autopilot {call}"),
        env={"HOME": str(tmp_path), "AUTOPILOT_STATE_HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == status
    assert "Traceback" not in ended.stderr


def _call(
    arguments: tuple[str, ...], folder: Path, stdout: Path, descriptor: int | None = None
) -> subprocess.CompletedProcess[str]:
    target = os.open(stdout, os.O_WRONLY) if descriptor is None else descriptor
    try:
        return subprocess.run(
            (sys.executable, "-m", "autopilot", *arguments),
            env={"HOME": str(folder), "AUTOPILOT_STATE_HOME": str(folder), "PATH": os.environ["PATH"]},
            cwd=folder,
            stdout=target,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(target)


def test_json_steers_no_terminal_and_says_the_same() -> None:
    """Names of tests and phases are strangers' words: a control character of eight bits would be obeyed."""
    said = {"name": "a\x9b31m \x7f\x85 \u202egnp.exe\u2066 ünï \x1b[0m", "plain": "x"}
    text = render_json(said)
    assert json.loads(text) == said
    assert not set(text) & set("\x9b\x7f\x85\x1b\u202e\u2066") and "ünï" in text
    assert "\x9b" in json.dumps(said, ensure_ascii=False), "the control"


def test_what_is_printed_steers_no_terminal_whoever_wrote_it(capsys: pytest.CaptureFixture[str]) -> None:
    said = "a\x1b[2J\x1b]0;title\x07b \x9b31mc\u202edé\rend\n"
    print_output(said)
    print_message(said)
    print_json(said)
    out, err = capsys.readouterr()
    assert (out.splitlines()[:2], err.splitlines()) == (["ab cdé", "end"], ["ab cdé", "end"])
    assert not set(out + err) & set("\x1b\x07\x9b\u202e\r")
