"""Claude Code itself, at length: whatever else its model, its login or its session can do to it."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from autopilot.model.agent import Caps, Ending
from autopilot.simulation.model_server.script import Fault, Reply, Run, Tokens, Wrong
from tests.agents.kit import ANSWER, Case, Stage

FINE = Reply(value=ANSWER, usage=Tokens(input=1000, output=50, cached=400))
CASES = (
    Case("another shape than the schema", Ending.SCHEMA_UNMET, (Reply(value={"done": "yes"}),)),
    Case("limited for ever", Ending.RATE_LIMITED, (Fault(kind=Wrong.RATE_LIMIT),)),
    Case("limited for an hour", Ending.RATE_LIMITED, (Fault(kind=Wrong.RATE_LIMIT, retry_after_s=3600),)),
    Case("overloaded once", Ending.COMPLETED, (Fault(kind=Wrong.OVERLOADED, first=1), FINE), value=ANSWER),
    Case("failing for ever", Ending.OVERLOADED, (Fault(kind=Wrong.ERROR),)),
    Case("dropped for ever", Ending.OVERLOADED, (Fault(kind=Wrong.DROP),)),
    Case("malformed for ever", Ending.CRASHED, (Fault(kind=Wrong.MALFORMED),)),
    Case("forbidden", Ending.AUTH, (Fault(kind=Wrong.ERROR, status=403),)),
    Case("unknown model", Ending.NOT_FOUND, (Fault(kind=Wrong.ERROR, status=404),)),
    Case("prompt too long", Ending.CONTEXT_EXHAUSTED, (Fault(kind=Wrong.CONTEXT),)),
    Case("refused", Ending.REFUSED, (Fault(kind=Wrong.REFUSAL),)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_whatever_its_model_does_the_ending_says_it(stage: Stage, case: Case) -> None:
    stage.act_out("claude", case)


def test_a_plan_that_is_used_up_is_told_with_its_reset(stage: Stage) -> None:
    (stage.logins / "claude").mkdir(parents=True)
    (stage.logins / "claude/key").write_text("sk-ant-oat01-of-nobody\n")
    server = stage.serve(Fault(kind=Wrong.USAGE_LIMIT, retry_after_s=7200))
    reply = stage.hire("claude", server, key_env="").call(stage.call())
    assert reply.ending is Ending.RATE_LIMITED
    assert reply.resets_at is not None
    assert reply.resets_at > datetime.now(UTC) + timedelta(hours=1)


def test_a_stream_that_hangs_once_is_asked_for_anew(stage: Stage) -> None:
    reply = stage.ask("claude", Fault(kind=Wrong.HANG, first=1), FINE, caps=Caps(wall_s=90, stall_s=30))
    assert (reply.ending, reply.value) == (Ending.COMPLETED, ANSWER)


def test_its_own_budget_stops_it_too(stage: Stage) -> None:
    dear = Run(command="true", usage=Tokens(input=200_000, output=10_000))
    args = ("--max-budget-usd", "0.10")
    reply = stage.hire("claude", stage.serve(dear, dear, FINE), args=args).call(stage.call())
    assert reply.ending is Ending.BUDGET
    assert reply.usage.tokens == 210_000


def test_turns_that_ran_out_are_told(stage: Stage) -> None:
    server = stage.serve(Run(command="true"), Run(command="true"), FINE)
    reply = stage.hire("claude", server, args=("--max-turns", "1")).call(stage.call())
    assert reply.ending is Ending.MAX_TURNS


def test_without_any_login_it_is_not_signed_in(stage: Stage) -> None:
    reply = stage.hire("claude", stage.serve(FINE), key_env="NOT_SET").call(stage.call())
    assert reply.ending is Ending.AUTH


def test_a_login_is_used_and_kept(stage: Stage) -> None:
    kept = stage.logins / "claude/files/.claude/.credentials.json"
    kept.parent.mkdir(parents=True)
    far = int(time.time() * 1000) + 86_400_000
    token = {
        "accessToken": "sk-ant-oat01-test",
        "refreshToken": "none",
        "expiresAt": far,
        "scopes": ["user:inference"],
    }
    kept.write_text(json.dumps({"claudeAiOauth": token}))
    server = stage.serve(FINE)
    reply = stage.hire("claude", server, key_env="NOT_SET").call(stage.call())
    assert reply.ending is Ending.COMPLETED
    assert {request.auth for request in server.requests if request.rule == 0} == {"test"}
    assert json.loads(kept.read_text())["claudeAiOauth"]["accessToken"] == "sk-ant-oat01-test"


def test_a_call_that_was_stopped_is_not_counted_again_when_its_session_goes_on(stage: Stage) -> None:
    forever = Run(command="python3 -c 'import time; time.sleep(300)'", usage=Tokens(input=5000))
    agent = stage.hire("claude", stage.serve(forever, FINE))
    call = stage.call("First.", home=stage.home(), caps=Caps(wall_s=60, tokens=1000))
    first = agent.call(call)
    assert first.ending is Ending.BUDGET
    later = stage.hire("claude", stage.serve(FINE))
    again = replace(call, prompt="Second.", session=first.session, session_total=first.session_total, caps=Caps())
    second = later.call(again)
    assert second.ending is Ending.COMPLETED
    assert second.usage.tokens == 1050


def test_an_unknown_session_is_said_to_be_one(stage: Stage) -> None:
    reply = stage.ask("claude", FINE, session="00000000-0000-4000-8000-000000000001", home=stage.home())
    assert reply.ending is Ending.CRASHED
    assert "No conversation" in reply.detail
