"""The pure halves of the scripted agent: how a call is spelled and how its events are read (T5, T6, R-BUDGET)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from autopilot.adapters.agents.listening import PartialReply, find_overrun, tell_ending
from autopilot.model.agent import AgentCall, Caps, Ending, Role, Usage
from autopilot.ports.sandbox import Ended, Exited, Killed, Mount, Outcome, Profile, Stalled, TimedOut
from autopilot.simulation.scripted.agent import PACKAGE, PROGRAM, confirm_reports, make_command, read

PRIVATE = PurePosixPath("/state/call-1")
HOME_PYTHON = PurePosixPath("/home/you/python/bin/python3")
CALL = AgentCall(
    role=Role.EXECUTOR,
    phase="1",
    prompt="secret words",
    workspace=PurePosixPath("/state/clone"),
    project=PurePosixPath("/home/you/project"),
    context=PurePosixPath("/state/context"),
    caps=Caps(wall_s=7, stall_s=3),
    label="run/1/execute",
)


def event(kind: str, **fields: Any) -> bytes:
    return json.dumps({"type": kind, **fields}).encode()


def last(lines: list[bytes], limit: int = 10_000) -> PartialReply:
    return (PartialReply(), *read(lines, limit))[-1]


def test_a_call_is_spelled_with_its_limits_its_clone_and_its_prompt_by_file() -> None:
    spec = make_command(CALL, PRIVATE, HOME_PYTHON)
    assert spec.argv == (str(HOME_PYTHON), "-I", "-S", str(PROGRAM), "/state/call-1/order.json")
    assert (spec.profile, spec.network) == (Profile.AGENT, False)
    assert (spec.backing, spec.project) == (CALL.workspace, CALL.project)
    assert (spec.timeout_s, spec.stall_s, spec.label) == (7, 3, "run/1/execute")
    assert spec.stdin == PRIVATE / "prompt"
    assert "secret words" not in repr(spec)


def test_everything_it_needs_is_mounted_read_only_and_nothing_else() -> None:
    own, package, home = (Mount(path, path) for path in (PRIVATE, PACKAGE, HOME_PYTHON.parents[1]))
    context = Mount(PurePosixPath("/state/context"), PurePosixPath("/home/you/project/.autopilot"))
    assert make_command(CALL, PRIVATE, HOME_PYTHON).mounts == (own, package, home, context)
    assert make_command(CALL, PRIVATE, PurePosixPath("/usr/bin/python3")).mounts == (own, package, context)


def test_the_program_lies_in_the_package_that_is_mounted() -> None:
    assert PACKAGE.name == "autopilot"
    assert PROGRAM.is_relative_to(PACKAGE)


def test_the_program_is_imported_so_that_it_is_compiled_once(tmp_path: Path) -> None:
    order = {"role": "judge", "phase": "1", "task": "", "attempt": 1, "nth": 1, "default": "honest", "context": ""}
    (tmp_path / "order.json").write_text(json.dumps({**order, "call": {"reply": {"a": 1}}}))
    words = (sys.executable, "-I", "-S", "-X", "importtime", str(PROGRAM), str(tmp_path / "order.json"))
    ran = subprocess.run(words, cwd=tmp_path, input="words", capture_output=True, text=True, check=True)
    assert [json.loads(line)["type"] for line in ran.stdout.splitlines()] == ["start", "usage", "result"]
    assert "autopilot.simulation.scripted.program" in ran.stderr


def test_usage_is_known_before_the_result() -> None:
    said = list(read([event("start"), event("usage", tokens_in=5, usd=0.5)], 1000))
    assert [each.usage.tokens for each in said] == [0, 5]
    assert said[-1].ending is None


def test_a_result_brings_value_text_and_ending() -> None:
    assert last([event("result", ending="auth", reply=None)]) == PartialReply(ending=Ending.AUTH)
    assert last([event("result", ending="completed", text="words")]) == PartialReply(
        ending=Ending.COMPLETED, text="words"
    )
    said = last([event("result", ending="completed", reply={"a": 1})])
    assert (said.value, said.text) == ({"a": 1}, '{"a":1}')


def test_lines_that_are_no_events_are_passed_over() -> None:
    noise = [b"~~~", b"", b"{broken", b"[1]", b'{"type": "unknown"}', b"\xff\xfe", b"{" * 100_000]
    assert last([*noise, event("result", ending="completed", reply={})]).ending is Ending.COMPLETED


@pytest.mark.parametrize("size", [2_000, 1024 * 1024])
def test_a_result_over_the_cap_is_refused_even_when_it_arrives_cut(size: int) -> None:
    said = last([event("result", ending="completed", reply={"a": "x" * size})[: 1024 * 1024]], limit=1_500)
    assert (said.ending, said.value) == (Ending.SCHEMA_UNMET, None)


def test_a_result_cut_by_the_sandbox_is_refused_whatever_the_cap() -> None:
    cut = event("result", ending="completed", reply={"a": "x" * 2_000_000})[: 1024 * 1024]
    assert last([cut], limit=5_000_000).ending is Ending.SCHEMA_UNMET


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        (PartialReply(ending=Ending.OVERLOADED, detail="502"), Ending.OFFLINE),
        (PartialReply(), Ending.OFFLINE),
        (PartialReply(ending=Ending.COMPLETED), Ending.COMPLETED),
        (PartialReply(ending=Ending.AUTH), Ending.AUTH),
    ],
)
def test_an_agent_whose_model_cannot_be_reached_is_offline_and_not_overloaded(
    said: PartialReply, ending: Ending
) -> None:
    nobody = "model.example cannot be reached: No route to host"
    told = tell_ending(Outcome(Exited(0), unreached_hosts=(nobody,)), said)
    assert told[0] is ending and (told[1] == nobody) is (ending is Ending.OFFLINE)


@pytest.mark.parametrize(
    ("ended", "said", "ending", "detail"),
    [
        (Exited(0), PartialReply(ending=Ending.COMPLETED), Ending.COMPLETED, ""),
        (Exited(0), PartialReply(ending=Ending.RATE_LIMITED, detail="later"), Ending.RATE_LIMITED, "later"),
        (Exited(0), PartialReply(), Ending.CRASHED, "without a result"),
        (Exited(1), PartialReply(ending=Ending.COMPLETED), Ending.CRASHED, "exit code 1"),
        (Exited(70), PartialReply(detail="action 2 (patch): no"), Ending.CRASHED, "action 2"),
        (TimedOut(7.0), PartialReply(ending=Ending.COMPLETED), Ending.TIMED_OUT, "after 7 s"),
        (Stalled(3.0), PartialReply(), Ending.STALLED, "silent for 3 s"),
        (Killed("cancelled"), PartialReply(), Ending.CANCELLED, "cancelled"),
    ],
)
def test_how_a_call_ended(ended: Ended, said: PartialReply, ending: Ending, detail: str) -> None:
    told, because = tell_ending(Outcome(ended), said)
    assert told is ending
    assert detail in because


def test_a_cap_that_is_just_reached_is_not_overrun() -> None:
    caps = Caps(tokens=100, usd=1.0)
    assert find_overrun(Usage(tokens_in=60, tokens_out=40, tokens_cached=500, usd=1.0), caps) == ""
    assert "101 tokens" in find_overrun(Usage(tokens_in=61, tokens_out=40), caps)
    assert "1.5 USD" in find_overrun(Usage(usd=1.5), caps)


def test_a_report_is_answered_once_the_listener_had_its_look_and_never_after_one_over_the_cap(tmp_path: Path) -> None:
    figures = (0, 60, 60, 100, 101, 40)
    lines = [event("start"), *(event("usage", tokens_in=tokens) for tokens in figures), event("action")]
    answered = []
    for _ in confirm_reports(read(lines, 1000), Caps(tokens=100), tmp_path):
        answered.append(len(list(tmp_path.iterdir())))  # what was answered before this one
    assert answered == [0, 0, 1, 2, 3, 4, 4, 4]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["heard-1", "heard-2", "heard-3", "heard-4"]
