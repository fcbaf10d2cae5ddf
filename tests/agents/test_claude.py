"""Claude Code itself, in the real sandbox, against a scripted model: it still speaks the way its adapter hears it."""

from __future__ import annotations

import secrets
import shutil
import threading
import time

import pytest
from msgspec.structs import replace

from autopilot.model.agent import Caps, Ending, Usage
from autopilot.simulation.model_server.script import Fault, Reply, Run, Say, Tokens, Write, Wrong
from tests.agents.kit import ANSWER, COMMIT, KEY, KEY_VARIABLE, Case, Stage
from tests.contract.agents.harness import alive_with

# covers: T5, T6

USED = Tokens(input=1000, output=50, cached=400)
FINE = Reply(value=ANSWER, usage=USED)
LOOK = "mkdir told; cat /proc/[0-9]*/cmdline >told/argv; env >told/env; ls -A ~ >told/home"


def test_it_writes_and_commits_with_its_own_tools_and_answers_in_the_form(stage: Stage) -> None:
    marker = f"prompt-{secrets.token_hex(8)}"
    turns = (Write(path="src/new.py", text="x = 1\n", usage=USED), Run(command=f"{LOOK}; {COMMIT}"), FINE)
    reply = stage.ask("claude", *turns, prompt=f"Do it, {marker}.")
    assert (reply.ending, reply.value) == (Ending.COMPLETED, ANSWER)
    world = stage.world
    assert world.git("show", "HEAD:src/new.py") == "x = 1\n"
    assert world.git("log", "-1", "--format=%an").strip() == "claude"
    assert not (world.project / "src").exists()
    assert reply.usage == Usage(
        tokens_in=2100, tokens_out=110, tokens_cached=800, usd=reply.usage.usd, tokens_discounted=720
    )
    assert reply.usage.usd > 0
    assert marker not in (world.clone / "told/argv").read_text()
    assert set((world.clone / "told/home").read_text().split()) <= {".claude", "tmp", ".cache", ".local"}
    assert KEY_VARIABLE not in (world.clone / "told/env").read_text()
    transcript = stage.blobs.get(reply.transcript)
    assert b"src/new.py" in transcript
    assert KEY.encode() not in transcript


def test_a_resumed_session_remembers_and_counts_only_what_is_new(stage: Stage) -> None:
    server = stage.serve(FINE)
    agent, call = stage.hire("claude", server), stage.call("First question.", home=stage.home())
    first = agent.call(call)
    again = replace(call, prompt="Second question.", session=first.session, session_total=first.session_total)
    second = agent.call(again)
    assert (first.ending, second.ending) == (Ending.COMPLETED, Ending.COMPLETED)
    assert second.session == first.session
    assert second.usage.tokens == first.usage.tokens == 1050
    assert second.usage.usd == pytest.approx(first.usage.usd)
    assert second.session_total.usd == pytest.approx(2 * first.usage.usd)
    assert [request.session for request in server.requests if request.rule == 0] == [first.session] * 2


def test_a_limit_that_passes_soon_is_waited_for(stage: Stage) -> None:
    reply = stage.ask("claude", Fault(kind=Wrong.RATE_LIMIT, retry_after_s=1, first=2), FINE)
    assert (reply.ending, reply.value) == (Ending.COMPLETED, ANSWER)


def test_a_limit_that_lasts_is_told_with_its_time_and_not_sat_out(stage: Stage) -> None:
    reply = stage.ask("claude", Fault(kind=Wrong.RATE_LIMIT, retry_after_s=45), FINE, caps=Caps(wall_s=40))
    assert (reply.ending, reply.retry_after_s) == (Ending.RATE_LIMITED, 45.0)


def test_a_hung_stream_is_ended_by_our_cap(stage: Stage) -> None:
    reply = stage.ask("claude", Fault(kind=Wrong.HANG), caps=Caps(wall_s=60, stall_s=6))
    assert reply.ending is Ending.STALLED


def test_it_is_stopped_as_soon_as_its_messages_are_over_the_cap(stage: Stage) -> None:
    forever = Run(command="python3 -c 'import time; time.sleep(300)'", usage=Tokens(input=5000))
    reply = stage.ask("claude", forever, FINE, caps=Caps(wall_s=60, tokens=1000))
    assert reply.ending is Ending.BUDGET
    assert reply.usage.tokens >= 5000


def test_stopped_in_the_middle_of_a_tool_it_leaves_no_process_behind(stage: Stage) -> None:
    marker = f"left-behind-{secrets.token_hex(8)}"
    stopped: list[threading.Thread] = []

    def stop_when_it_runs() -> None:
        deadline = time.monotonic() + 180
        while not alive_with(marker) and time.monotonic() < deadline:
            time.sleep(0.05)
        seen.extend(alive_with(marker))
        stage.sandbox.started[-1].stop()

    def watch(line: bytes) -> None:
        if marker.encode() in line and not stopped:
            stopped.append(threading.Thread(target=stop_when_it_runs))
            stopped[0].start()

    seen: list[str] = []
    stage.sandbox.on_line = watch
    reply = stage.ask("claude", Run(command=f"python3 -c 'import time; time.sleep(300)' {marker}"), FINE)
    stopped[0].join()
    assert reply.ending is Ending.CANCELLED
    assert seen, "the tool never ran, so this test shows nothing"
    assert alive_with(marker) == []


QUICK = (
    Case("dropped once", Ending.COMPLETED, (Fault(kind=Wrong.DROP, first=1), FINE), value=ANSWER),
    Case("schema never met", Ending.COMPLETED, (Say(text="No form."),)),
    Case("overloaded for ever", Ending.OVERLOADED, (Fault(kind=Wrong.OVERLOADED),)),
    Case("wrong key", Ending.AUTH, (Fault(kind=Wrong.AUTH),)),
)


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_whatever_its_model_does_the_ending_says_it(stage: Stage, case: Case) -> None:
    stage.act_out("claude", case)


def test_a_native_install_in_a_hidden_home_is_found_and_shown(stage: Stage) -> None:
    home = stage.folder / "user"  # below /tmp, which no sandbox shows
    program, link = home / ".local/share/claude/versions/9.9.9", home / ".local/bin/claude"
    for path in (program, link):
        path.parent.mkdir(parents=True)
    shutil.copy("/bin/true", program)  # small, native, and it says its version
    link.symlink_to(program)
    assert stage.hire("claude", stage.serve(), program=str(link)).version()
    [spec] = stage.sandbox.specs
    assert [str(mount.source) for mount in spec.mounts] == [str(program)]
