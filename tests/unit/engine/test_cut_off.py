"""What a killed process left open: on resume what its calls had used is recorded once, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.adapters.transcripts import FileTranscripts
from autopilot.engine.opening import open_run
from autopilot.events import happened as h
from autopilot.events.provision import AgentCutOff
from autopilot.model.agent import AgentCall, Role, Usage
from autopilot.model.policy import AgentSettings, Choice
from autopilot.model.run import RunRequest, Step
from autopilot.ports.transcripts import Abandoned
from tests.unit.engine.house import A, House
from tests.unit.making import ONE, make_policy
from tests.unit.steps.world import Checkout, Ear

# covers: T7.resume, MTRC-02, T6.registry
USED = Usage(tokens_in=900, tokens_out=100, usd=0.25)


class NoOrphans:
    def end_orphans(self) -> tuple[str, ...]:
        return ()


class Unread(Checkout):
    def read(self, path: str) -> None: ...

    def branch(self) -> str:
        return "main"


class Killed(BaseException):
    """The process is gone in this very moment."""


class Interrupted(FileTranscripts):
    """Forgets nothing: the process is killed just before."""

    def forget(self, calls: Sequence[Abandoned]) -> None:
        raise Killed


def house(folder: Path, transcripts: FileTranscripts | None = None) -> House:
    built = House(folder)
    kept = transcripts or FileTranscripts(folder / "live", built.ports.blobs)
    parts: dict[str, Any] = {"sandbox": NoOrphans(), "checkout": Unread(), "transcripts": kept, "agents": Ear()}
    built.ports = replace(built.ports, **parts)
    return built


def leave_open(house: House, phase: str = A, step: str = "execute", task: str = "01-01", run: str = "run-1") -> None:
    """A call under way when its process is killed: nobody closes its transcript."""
    label = "/".join(word for word in (run, phase, step, task) if word)
    place = PurePosixPath("/clone")
    call = AgentCall(Role.EXECUTOR, phase, "Do it.", place, place, None, {}, task=task, label=label)
    transcript = house.ports.transcripts.open("claude", call)
    transcript.line(b'{"type": "assistant"}')
    transcript.doing("runs make test", USED)


def resume(house: House, **more: Any) -> None:
    list(open_run(RunRequest((), resume_only=True, **more), house.policy, house.ports))


def cuts(house: House) -> list[AgentCutOff]:
    return [stored.event for stored in house.journal.read() if isinstance(stored.event, AgentCutOff)]


def test_what_a_killed_call_had_used_is_recorded_on_resume_and_never_again(tmp_path: Path) -> None:
    found = house(tmp_path)
    leave_open(found)
    resume(found)
    [cut] = cuts(found)
    assert (cut.phase, cut.step, cut.role, cut.agent, cut.task) == (A, Step.EXECUTE, Role.EXECUTOR, "claude", "01-01")
    assert cut.usage == USED
    assert b"assistant" in found.ports.blobs.get(cut.transcript)
    state = found.ledger().state
    assert state.totals.usage == state.parts[A].totals.usage == USED
    resume(found)
    assert len(cuts(found)) == 1 and found.ledger().state.totals.usage == USED
    assert found.ports.transcripts.abandoned() == ()


def test_killed_between_the_record_and_the_tidying_up_nothing_counts_twice(tmp_path: Path) -> None:
    found = house(tmp_path)
    leave_open(found)
    leave_open(found, ONE, "research", "")
    whole = found.ports
    found.ports = replace(whole, transcripts=Interrupted(tmp_path / "live", whole.blobs))
    with pytest.raises(Killed):
        resume(found)
    assert len(cuts(found)) == 2
    found.ports = whole
    resume(found)
    assert len(cuts(found)) == 2
    assert found.ledger().state.totals.usage == USED + USED
    assert whole.transcripts.abandoned() == ()


def test_killed_in_the_midst_of_tidying_up_the_next_resume_goes_on(tmp_path: Path) -> None:
    """What says that the call is open goes last, so it may be found once more, with nothing of what was said."""
    found = house(tmp_path)
    leave_open(found)
    whole = found.ports
    found.ports = replace(whole, transcripts=Interrupted(tmp_path / "live", whole.blobs))
    with pytest.raises(Killed):
        resume(found)
    for log in (tmp_path / "live").glob("*.log"):
        log.unlink()
    found.ports = whole
    resume(found)
    assert len(cuts(found)) == 1 and found.ledger().state.totals.usage == USED
    assert whole.transcripts.abandoned() == ()


def test_two_calls_of_one_step_are_two(tmp_path: Path) -> None:
    found = house(tmp_path)
    leave_open(found)
    leave_open(found)
    resume(found)
    assert len(cuts(found)) == 2 and found.ledger().state.totals.usage == USED + USED


@pytest.mark.parametrize("other", [{"phase": "99"}, {"step": "dance"}, {"phase": "99", "step": "", "task": ""}])
def test_what_no_step_of_this_run_started_is_not_its_usage(tmp_path: Path, other: dict[str, str]) -> None:
    found = house(tmp_path)
    leave_open(found, **other)
    resume(found)
    assert cuts(found) == [] and found.ledger().state.totals.usage == Usage()
    assert found.ports.transcripts.abandoned() == ()


def test_a_call_of_another_killed_run_is_left_to_be_counted_when_that_run_is_resumed(tmp_path: Path) -> None:
    found = house(tmp_path)
    leave_open(found, run="run-0")
    resume(found)
    assert cuts(found) == [] and found.ledger().state.totals.usage == Usage()
    assert [call.label.partition("/")[0] for call in found.ports.transcripts.abandoned()] == ["run-0"]


def resumed(house: House) -> h.RunResumed:
    return [stored.event for stored in house.journal.read() if isinstance(stored.event, h.RunResumed)][-1]


def test_a_resume_says_who_does_what_only_when_the_settings_have_changed(tmp_path: Path) -> None:
    found = house(tmp_path)
    resume(found)
    assert resumed(found).assignments is None
    chain: dict[str, Choice] = {"default": ("codex", "claude:opus")}
    found.policy = make_policy(agents=chain, providers={"codex": "openai"}, max_wait_minutes=5.0)
    resume(found)
    assert resumed(found).assignments == AgentSettings(chain, {}, {"codex": "openai"}, 5.0)
    assert found.ledger().state.policy.chain("judge") == found.policy.chain("judge")
    resume(found)
    assert resumed(found).assignments is None, "read back from the record it is the same"
    found.policy = make_policy(agents={})
    resume(found)
    assert resumed(found).assignments is None, "no agent named leaves those of before"


def test_an_agent_that_was_given_the_whole_network_stays_named_in_later_reports(tmp_path: Path) -> None:
    found = house(tmp_path)
    warning = "codex may reach any host and every service of this machine, by your settings"
    for unrestricted, warnings in ((("codex",), 1), (("codex",), 1), ((), 1)):
        found.policy = make_policy(agents={"default": "codex"}, open_egress=unrestricted)
        resume(found)
        assert found.ledger().state.policy.open_agents == ("codex",)
        texts = [stored.event.text for stored in found.journal.read() if isinstance(stored.event, h.Warned)]
        assert texts.count(warning) == warnings


def test_the_options_that_chose_the_agents_are_kept_until_another_call_chooses(tmp_path: Path) -> None:
    found = house(tmp_path)
    for agents, options, kept in (
        ({"default": "scripted"}, " --script s", " --script s"),
        ({"default": "scripted"}, "", " --script s"),
        ({"default": "codex"}, "", ""),
    ):
        found.policy = make_policy(agents=agents, agent_options=options)
        resume(found)
        assert found.ledger().state.policy.agent_options == kept


@pytest.mark.parametrize("now", [True, False])
def test_only_who_says_so_lifts_the_limits(tmp_path: Path, now: bool) -> None:
    found = house(tmp_path)
    resume(found, skip_cooldown=now)
    assert resumed(found).limits_over is now
