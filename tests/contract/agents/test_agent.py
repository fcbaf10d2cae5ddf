"""What every agent adapter promises, whichever program it drives (agents.md §0, T5 agent profile, T6)."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.adapters.sandbox.unconfined import Unconfined
from autopilot.model.agent import Caps, Ending, Usage
from autopilot.model.claim import ExecutorClaim
from autopilot.model.errors import Unavailable
from autopilot.ports.agent import Agent
from autopilot.ports.blobs import Blobs
from autopilot.ports.reply import read_reply
from autopilot.ports.sandbox import Sandbox
from autopilot.ports.transcripts import Transcripts
from tests.contract.agents.harness import REPLY, Part, Subject, Watched, World, alive_with

# covers: T2, T5, T6

Maker = Callable[[Part], Agent]


@pytest.fixture(params=[Bubblewrap, Unconfined], ids=["confined", "unconfined"])
def walls(request: pytest.FixtureRequest) -> Callable[..., Sandbox]:
    """The promises hold in either; only those about the walls themselves are asked of the confined one alone."""
    found: Callable[..., Sandbox] = request.param
    return found


@pytest.fixture
def sandbox(walls: Callable[..., Sandbox], tmp_path: Path) -> Watched:
    return Watched(walls(tmp_path / "state"))


@pytest.fixture
def make(subject: Subject, sandbox: Watched, transcripts: Transcripts, tmp_path: Path) -> Maker:
    return lambda part: subject.make(part, sandbox, transcripts, tmp_path)


def test_it_has_a_name_and_a_version(make: Maker, subject: Subject) -> None:
    agent = make(Part())
    assert agent.name == subject.name
    assert agent.version()


def test_a_long_prompt_arrives_whole_and_never_on_the_command_line(
    make: Maker, subject: Subject, sandbox: Watched, world: World, blobs: Blobs
) -> None:
    prompt = "BEGIN ünïcode\n" + "word " * 60_000 + "END"
    reply = make(Part()).call(world.call(prompt=prompt))
    assert reply.ending is Ending.COMPLETED
    assert subject.heard(blobs.get(reply.transcript), prompt)
    [spec] = sandbox.specs
    assert not any("word word" in word for word in (*spec.argv, *spec.env.values()))


def test_what_it_writes_and_commits_is_in_its_clone_and_nowhere_else(make: Maker, world: World) -> None:
    part = Part(writes={"src/new.py": "value = 1\n"}, commit="add value")
    assert make(part).call(world.call()).ending is Ending.COMPLETED
    assert world.git("show", "HEAD:src/new.py") == "value = 1\n"
    assert world.git("log", "-1", "--format=%s").strip() == "add value"
    assert world.git("ls-files", ".autopilot") == ""
    assert not (world.project / "src").exists()


def test_it_works_where_the_users_repository_stands_and_sees_its_context_there(
    subject: Subject, world: World, transcripts: Transcripts, tmp_path: Path
) -> None:
    (world.context / "facts.json").write_text('{"known": true}')
    part = Part(commands=("pwd > where; cat .autopilot/facts.json > known; ! touch .autopilot/mine",))
    agent = subject.make(part, Watched(Bubblewrap(tmp_path / "state")), transcripts, tmp_path)
    assert agent.call(world.call()).ending is Ending.COMPLETED
    assert (world.clone / "where").read_text().strip() == str(world.project)
    assert (world.clone / "known").read_text() == '{"known": true}'
    assert not (world.context / "mine").exists()


def test_its_structured_reply_fits_the_type_of_its_role(make: Maker, subject: Subject, world: World) -> None:
    used = Usage(tokens_in=10, tokens_out=5, usd=0.25)
    reply = make(Part(usage=used)).call(world.call())
    assert reply.ending is Ending.COMPLETED
    assert reply.value == REPLY
    claim = read_reply(reply.value, ExecutorClaim)
    assert isinstance(claim, ExecutorClaim)
    assert claim.confidence == 8.5
    assert replace(reply.usage, usd=round(reply.usage.usd, 9)) == subject.expect(used)


def test_a_crash_is_an_ending_with_a_reason_and_not_an_exception(make: Maker, world: World) -> None:
    reply = make(Part(crash=True)).call(world.call())
    assert reply.ending is Ending.CRASHED
    assert reply.value is None
    assert reply.detail


def test_an_agent_that_hangs_is_ended_by_the_clock(make: Maker, subject: Subject, world: World) -> None:
    reply = make(Part(hang=True)).call(world.call(caps=Caps(wall_s=1 + subject.start_s, stall_s=60)))
    assert reply.ending is Ending.TIMED_OUT


def test_an_agent_that_falls_silent_is_ended_before_its_time_is_up(make: Maker, subject: Subject, world: World) -> None:
    reply = make(Part(hang=True)).call(world.call(caps=Caps(wall_s=60, stall_s=1 + subject.start_s)))
    assert reply.ending is Ending.STALLED


def test_a_flood_is_kept_within_bounds_and_does_not_drown_the_reply(make: Maker, world: World, blobs: Blobs) -> None:
    reply = make(Part(flood_bytes=20_000_000)).call(world.call())
    assert reply.ending is Ending.COMPLETED
    assert reply.value == REPLY
    assert len(blobs.get(reply.transcript)) < 3_000_000


def test_a_reply_over_its_cap_is_refused_and_not_cut(make: Maker, world: World) -> None:
    large = Part(reply={**REPLY, "deviations": ["x" * 50_000]})
    reply = make(large).call(world.call(caps=Caps(wall_s=60, reply_bytes=10_000)))
    assert reply.ending is Ending.SCHEMA_UNMET
    assert reply.value is None
    assert "10000 bytes" in reply.detail


@pytest.mark.parametrize(
    ("usage", "caps"),
    [
        (Usage(tokens_in=1100, tokens_out=200), Caps(wall_s=60, tokens=1000)),
        (Usage(tokens_in=500, usd=2.5), Caps(wall_s=60, usd=2.0)),
    ],
    ids=["tokens", "money"],
)
def test_an_agent_over_its_budget_is_stopped_while_it_runs(
    make: Maker, subject: Subject, world: World, usage: Usage, caps: Caps
) -> None:
    reply = make(Part(usage=usage, hang=True)).call(world.call(caps=caps))
    assert reply.ending is Ending.BUDGET
    assert reply.usage.tokens == usage.tokens if subject.counts_output_at_once else reply.usage.tokens > usage.tokens_in
    assert reply.usage.usd == usage.usd or reply.usage.usd_is_estimate, "money it does not report is estimated"
    assert "over the cap" in reply.detail


def test_a_stop_from_another_thread_cancels_the_call(make: Maker, sandbox: Watched, world: World) -> None:
    stopping: list[threading.Thread] = []

    def stop_once(_: bytes) -> None:
        if not stopping:
            stopping.append(threading.Thread(target=sandbox.started[0].stop))
            stopping[0].start()

    sandbox.on_line = stop_once
    reply = make(Part(hang=True)).call(world.call())
    stopping[0].join()
    assert reply.ending is Ending.CANCELLED


def test_a_cancelled_run_cancels_the_call(
    subject: Subject, walls: Callable[..., Sandbox], world: World, transcripts: Transcripts, tmp_path: Path
) -> None:
    started = world.clone / "started"
    sandbox = walls(tmp_path / "state", should_stop=lambda: "cancelled by the user" if started.exists() else "")
    sandbox.give_away(world.clone)
    agent = subject.make(Part(commands=("touch started",), hang=True), sandbox, transcripts, tmp_path)
    reply = agent.call(world.call())
    assert reply.ending is Ending.CANCELLED
    assert reply.detail == "cancelled by the user"


@pytest.mark.parametrize("part", [Part(), Part(hang=True), Part(crash=True)], ids=["completed", "stopped", "crashed"])
def test_nothing_it_started_is_left_alive(
    subject: Subject, walls: Callable[..., Sandbox], world: World, transcripts: Transcripts, tmp_path: Path, part: Part
) -> None:
    marker = f"left-behind-{secrets.token_hex(8)}"
    leave = f"setsid bash -c 'exec -a {marker} sleep 300' >/dev/null 2>&1 & sleep 0.2; kill -0 $! && echo alive > seen"
    seen = world.clone / "seen"
    sandbox = walls(tmp_path / "state", should_stop=lambda: "enough" if part.hang and seen.exists() else "")
    sandbox.give_away(world.clone)
    agent = subject.make(Part(commands=(leave,), hang=part.hang, crash=part.crash), sandbox, transcripts, tmp_path)
    agent.call(world.call())
    assert seen.exists(), "the process never ran, so this test shows nothing"
    assert alive_with(marker) == []


def test_its_private_files_are_gone_afterwards(make: Maker, world: World, tmp_path: Path) -> None:
    agent = make(Part())
    before = {path.name for path in tmp_path.iterdir()}
    agent.call(world.call())
    assert {path.name for path in tmp_path.iterdir()} - before <= {"state"}


def test_an_agent_that_could_not_be_started_is_an_error_of_ours(
    subject: Subject, world: World, transcripts: Transcripts, tmp_path: Path
) -> None:
    agent = subject.make(Part(), Bubblewrap(tmp_path / "state", bwrap="no-such-bwrap"), transcripts, tmp_path)
    with pytest.raises(Unavailable, match=r"bubblewrap \(bwrap\) is not installed") as raised:
        agent.call(world.call())
    assert raised.value.hint
