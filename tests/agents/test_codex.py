"""Codex itself, in the real sandbox, against a scripted model: it still speaks the way its adapter hears it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autopilot.model.agent import Caps, Ending
from autopilot.simulation.model_server.script import Fault, Reply, Run, Say, Tokens, Turn, Write, Wrong
from tests.agents.installed import MODULES
from tests.agents.kit import ANSWER, COMMIT, KEY, Stage
from tests.chaos.level import LEVEL
from tests.contract.agents.harness import alive_with

WAIT_S = 20.0
POLL_S = 0.05


def test_it_writes_commits_and_answers_and_is_asked_again(stage: Stage) -> None:
    server = stage.serve(
        Write(path="new.py", text="x = 1\n", usage=Tokens(input=1000, output=50, cached=400)),
        Run(command=COMMIT),
        Reply(value=ANSWER),
    )
    agent, home = stage.hire("codex", server), stage.home()
    first = agent.call(stage.call("Make the one new file, please.", home=home))
    assert (first.ending, first.value) == (Ending.COMPLETED, ANSWER)
    assert stage.world.git("show", "--format=%an %s", "--name-only", "HEAD").split("\n") == [
        "codex by its own tools", "", "new.py", ""
    ]  # fmt: skip
    assert (first.usage.tokens_in, first.usage.tokens_out, first.usage.tokens_cached) == (1200, 70, 400)
    assert first.usage.usd > 0
    assert first.usage.usd_is_estimate
    assert agent.version() == "codex-cli 0.166.0"
    assert [request.prompt for request in server.requests] == ["Make the one new file, please."] * 3

    again = agent.call(stage.call("And now?", home=home, session=first.session, session_total=first.session_total))
    assert (again.ending, again.session) == (Ending.COMPLETED, first.session)
    # The same three turns once more; Codex itself reports the sum of both calls.
    assert (again.usage.tokens_in, again.usage.tokens_out) == (1200, 70)
    assert (again.session_total.tokens_in, again.session_total.tokens_out) == (2400, 140)


def test_no_word_of_the_prompt_and_no_key_is_in_its_words(stage: Stage) -> None:
    seen: list[str] = []
    stage.sandbox.on_line = lambda _: seen.extend(alive_with(str(stage.folder)))
    reply = stage.hire("codex", stage.serve(Reply(value=ANSWER))).call(stage.call("the-secret-plan"))
    assert reply.ending is Ending.COMPLETED
    assert any("--output-schema" in words for words in seen)
    assert not [words for words in seen if "the-secret-plan" in words or KEY in words]


def test_commands_it_runs_keep_the_sandboxes_path_and_do_not_see_the_key(stage: Stage) -> None:
    server = stage.serve(Run(command="env"), Reply(value=ANSWER))
    # A name it does not know makes it warn, by an item of the type "error".
    reply = stage.hire("codex", server, model="m1").call(stage.call())
    (printed,) = server.requests[-1].outputs
    assert reply.value == ANSWER
    assert ":/usr/local/bin:/usr/bin:/bin\n" in printed
    assert f"HOME={stage.folder}" in printed
    assert not [word for word in (KEY, "RUST_LOG", "TZ=") if word in printed]


# Every one of them is a rule of how a call ends, or goes on. Those that take long come last, and only at length.
HOUR = 3600.0
CASES: list[tuple[str, tuple[Turn, ...], Ending]] = [
    ("limited twice", (Fault(kind=Wrong.RATE_LIMIT, retry_after_s=1, first=2), Reply(value=ANSWER)), Ending.COMPLETED),
    ("limited", (Fault(kind=Wrong.RATE_LIMIT),), Ending.RATE_LIMITED),
    ("limited for an hour", (Fault(kind=Wrong.RATE_LIMIT, retry_after_s=HOUR),), Ending.RATE_LIMITED),
    ("overloaded", (Fault(kind=Wrong.OVERLOADED),), Ending.OVERLOADED),
    ("not signed in", (Fault(kind=Wrong.AUTH),), Ending.AUTH),
    ("context full", (Fault(kind=Wrong.CONTEXT),), Ending.CONTEXT_EXHAUSTED),
    ("dropped once", (Fault(kind=Wrong.DROP, first=1), Reply(value=ANSWER)), Ending.COMPLETED),
    ("hung once", (Fault(kind=Wrong.HANG, first=1), Reply(value=ANSWER)), Ending.COMPLETED),
    ("overloaded for an hour", (Fault(kind=Wrong.OVERLOADED, retry_after_s=HOUR),), Ending.OVERLOADED),
    ("overloaded twice", (Fault(kind=Wrong.OVERLOADED, first=2), Reply(value=ANSWER)), Ending.COMPLETED),
    ("server error", (Fault(kind=Wrong.ERROR),), Ending.OVERLOADED),
    ("bad request", (Fault(kind=Wrong.ERROR, status=400),), Ending.CRASHED),
    ("forbidden", (Fault(kind=Wrong.AUTH, status=403),), Ending.AUTH),
    ("dropped", (Fault(kind=Wrong.DROP),), Ending.OVERLOADED),
    ("hung", (Fault(kind=Wrong.HANG),), Ending.OVERLOADED),
    ("malformed", (Fault(kind=Wrong.MALFORMED),), Ending.OVERLOADED),
    ("malformed once", (Fault(kind=Wrong.MALFORMED, first=1), Reply(value=ANSWER)), Ending.COMPLETED),
    ("limited for seconds", (Fault(kind=Wrong.RATE_LIMIT, retry_after_s=6),), Ending.RATE_LIMITED),
]
QUICK = 8
PLAYED = CASES if LEVEL.every_story else CASES[:QUICK]


@pytest.mark.parametrize(("turns", "ending"), [case[1:] for case in PLAYED], ids=[case[0] for case in PLAYED])
def test_trouble_with_its_model_ends_a_call_by_rule(stage: Stage, turns: tuple[Turn, ...], ending: Ending) -> None:
    server = stage.serve(Run(command="echo 'unexpected status 401 Unauthorized'"), *turns)
    reply = stage.hire("codex", server).call(stage.call(caps=Caps(wall_s=90, stall_s=9)))
    assert (reply.ending, reply.value) == (ending, ANSWER if ending is Ending.COMPLETED else None)
    # What came before the trouble is counted, once, whether or not Codex said so in the end.
    assert reply.usage.tokens == 110 * (2 if ending is Ending.COMPLETED else 1)
    assert alive_with(str(stage.folder)) == []


def test_a_long_wait_is_told_and_not_sat_out(stage: Stage) -> None:
    server = stage.serve(Fault(kind=Wrong.RATE_LIMIT, retry_after_s=HOUR))
    reply = stage.hire("codex", server).call(stage.call())
    assert reply.retry_after_s == pytest.approx(HOUR, abs=5)
    assert len(server.requests) == 1


def test_a_plan_that_is_used_up_says_when_it_is_free_again(stage: Stage) -> None:
    server = stage.serve(Fault(kind=Wrong.USAGE_LIMIT, retry_after_s=HOUR))
    reply = stage.hire("codex", server).call(stage.call())
    assert reply.ending is Ending.RATE_LIMITED
    assert reply.resets_at is not None
    assert abs(reply.resets_at - datetime.now(UTC) - timedelta(hours=1)) < timedelta(minutes=2)


def test_words_instead_of_the_structured_reply_are_kept(stage: Stage) -> None:
    reply = stage.hire("codex", stage.serve(Say(text="I have made it."))).call(stage.call())
    assert (reply.ending, reply.text, reply.value) == (Ending.COMPLETED, "I have made it.", None)


def test_killed_in_the_middle_of_a_tool_it_leaves_no_process(stage: Stage) -> None:
    marker = f"sleeper-{stage.folder.name}"
    server = stage.serve(Run(command=f"exec -a {marker} sleep 300"), Reply(value=ANSWER))
    seen: list[str] = []

    def stop_in_tool(line: bytes) -> None:
        if b'"item.started"' in line:
            seen.extend(_await(marker))
            stage.sandbox.started[-1].stop()

    stage.sandbox.on_line = stop_in_tool
    reply = stage.hire("codex", server).call(stage.call())
    assert seen
    assert reply.ending is Ending.CANCELLED
    assert reply.usage.tokens == 110
    assert alive_with(marker) == alive_with(str(stage.folder)) == []


def test_silence_ends_it_and_its_tool(stage: Stage) -> None:
    marker = f"sleeper-{stage.folder.name}"
    server = stage.serve(Run(command=f"exec -a {marker} sleep 300"), Reply(value=ANSWER))
    reply = stage.hire("codex", server).call(stage.call(caps=Caps(wall_s=60, stall_s=3)))
    assert reply.ending is Ending.STALLED
    assert alive_with(marker) == alive_with(str(stage.folder)) == []


def test_the_cap_on_tokens_ends_it_while_it_works(stage: Stage) -> None:
    server = stage.serve(
        Run(command="sleep 300", usage=Tokens(input=5000, output=100)),
        Run(command="touch too-late"),
        Reply(value=ANSWER),
    )
    reply = stage.hire("codex", server).call(stage.call(caps=Caps(wall_s=60, stall_s=30, tokens=1000)))
    assert (reply.ending, reply.usage.tokens) == (Ending.BUDGET, 5100)
    assert len(server.requests) == 1
    assert not Path(stage.world.clone, "too-late").exists()


def test_a_plain_program_outside_npm_works_as_well(stage: Stage) -> None:
    (native,) = MODULES.glob("@openai/codex-linux-*/vendor/*/bin/codex")
    assert stage.hire("codex", stage.serve(), program=str(native)).version() == "codex-cli 0.166.0"


def test_a_program_in_a_folder_that_the_sandbox_hides_is_shown_by_itself(stage: Stage) -> None:
    program = stage.folder / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nls ${0%/*}\n")
    program.chmod(0o755)
    (program.parent / "secret").touch()
    assert stage.hire("codex", stage.serve(), program=str(program)).version() == "codex"


def _await(marker: str) -> list[str]:
    """A bounded wait for the tool to be there."""
    for _ in range(int(WAIT_S / POLL_S)):
        if found := alive_with(marker):
            return found
        time.sleep(POLL_S)
    return []
