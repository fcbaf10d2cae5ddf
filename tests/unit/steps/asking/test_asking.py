"""How an agent's call ended, and what that says of its work: often nothing (CB, R-BUDGET, T7.redaction)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import AgentReplied, TaskRefused
from autopilot.events.pieces import Limit, OpenStep
from autopilot.events.provision import AgentCutOff
from autopilot.model.agent import Act, AgentCall, AgentReply, Ending, Role, Usage
from autopilot.model.claim import ResearchClaim
from autopilot.model.errors import AgentMissing, CapReached, Interrupted
from autopilot.model.run import Step
from autopilot.steps.asking.asking import Question, ask
from autopilot.steps.context import Result, StepContext
from tests.unit.making import ONE, START, alter, make_brief, make_policy, make_state
from tests.unit.steps.sample import CONFLICT, sample_context, sample_state, sample_world
from tests.unit.steps.snapshots import ASKING, Asked
from tests.unit.steps.world import World

# covers: CB, T7.redaction, T7.resume
POSTPONED = (Ending.RATE_LIMITED, Ending.OVERLOADED, Ending.AUTH, Ending.NOT_FOUND)
# A cap of ours pauses the run; who cannot be asked just now is asked later, or another is.
BLAMELESS = ((Ending.BUDGET, "unproven"), *((ending, "put_off") for ending in POSTPONED))
BLAMED = (Ending.CRASHED, Ending.TIMED_OUT, Ending.STALLED, Ending.SCHEMA_UNMET)


def perform(context: StepContext) -> tuple[list[AgentReplied], Result]:
    running, replies = STEPS[context.step](context), []
    try:
        while True:
            replies += [event for event in next(running) if isinstance(event, AgentReplied)]
    except StopIteration as end:
        return replies, end.value


def ending_as(world: World, ending: Ending) -> World:
    world.ear.reply = AgentReply(ending, detail="as it was told")
    return world


@pytest.mark.parametrize("name", ["research", "plan", "plan_check", "split", "verify", "judge", "rate"])
@pytest.mark.parametrize(("ending", "status"), [*BLAMELESS, *((ending, "error") for ending in BLAMED)])
def test_an_ending_that_says_nothing_of_the_work_is_no_breakdown_and_any_other_is(
    tmp_path: Path, name: str, ending: Ending, status: str
) -> None:
    asked = ASKING[name]
    world = World(tmp_path) if name == "plan" else sample_world(tmp_path)  # there is no plan before it is made
    _, result = perform(sample_context(ending_as(world, ending), asked.step, **asked.fields))
    assert (result.status, result.events) == (status, ())
    assert result.detail.endswith(f"{ending.in_words}: as it was told")


@pytest.mark.parametrize(("ending", "status"), BLAMELESS)
def test_a_reader_that_cannot_be_asked_leaves_the_task_unjudged(tmp_path: Path, ending: Ending, status: str) -> None:
    asked, world = ASKING["mini_verify"], ending_as(sample_world(tmp_path), ending)
    _, result = perform(sample_context(world, asked.step, asked.task, **asked.fields))
    assert (result.status, result.events) == (status, ())


@pytest.mark.parametrize(("ending", "status"), BLAMELESS)
@pytest.mark.parametrize("name", ["execute", "debug", "batch", "mend", "resolve"])
def test_a_task_whose_agent_was_cut_off_with_nothing_done_is_not_refused(
    tmp_path: Path, name: str, ending: Ending, status: str
) -> None:
    world = ending_as(sample_world(tmp_path), ending)
    asked = Asked(Step.DEBUG) if name == "mend" else ASKING[name]
    fields = {**asked.fields, "conflict": replace(CONFLICT, commit="head")} if name == "resolve" else asked.fields
    context = sample_context(world, asked.step, asked.task, **fields)
    state = make_state(context.phase, tip="head", policy=context.policy)
    _, result = perform(world.context(state, context.phase, asked.step, asked.task))
    assert (result.status, result.events) == (status, ())


@pytest.mark.parametrize("ending", BLAMED)
def test_a_task_whose_agent_broke_down_with_nothing_done_is_refused_as_unclaimed(
    tmp_path: Path, ending: Ending
) -> None:
    _, result = perform(at_its_tip(ending_as(sample_world(tmp_path), ending), Step.EXECUTE))
    [refused] = result.events
    assert isinstance(refused, TaskRefused)
    assert (result.status, refused.claimed) == ("refused", False)
    assert refused.reason.startswith("the agent committed nothing; the executor ")


def at_its_tip(world: World, step: Step) -> StepContext:
    """The clone ends where it began: what `take` brings back is the tip."""
    context = sample_context(world, step, "01-01")
    return world.context(make_state(context.phase, tip="head", policy=context.policy), context.phase, step, "01-01")


def test_an_agent_that_stops_itself_crashed_and_one_that_we_stop_was_interrupted(tmp_path: Path) -> None:
    [reply], result = perform(
        sample_context(ending_as(sample_world(tmp_path / "own"), Ending.CANCELLED), Step.RESEARCH)
    )
    assert (reply.ending, result.status) == (Ending.CRASHED, "error")
    stopped = ending_as(World(tmp_path / "ours", interrupted="SIGTERM"), Ending.CANCELLED)
    with pytest.raises(Interrupted) as stop:
        perform(sample_context(stopped, Step.RESEARCH))
    assert stop.value.exit_status == 143


def test_who_breaks_down_on_a_full_disk_is_not_to_blame_and_what_it_used_is_told(tmp_path: Path) -> None:
    world = ending_as(sample_world(tmp_path), Ending.CRASHED)
    world.places.free = 1000
    with pytest.raises(CapReached, match="the disk is full") as full:
        perform(sample_context(world, Step.RESEARCH))
    assert isinstance(full.value.spent, AgentCutOff) and full.value.spent.usage == world.ear.reply.usage


KEY = "-----BEGIN " + "RSA PRIVATE KEY-----"


def test_a_reply_with_half_a_private_key_in_it_is_kept_and_read_again_after_a_kill(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    said = {"key_findings": [f"{KEY} is its first line", "so it is"], "recommended_approach": f"{KEY}\nand on"}
    world.ear.reply = AgentReply(Ending.COMPLETED, text="x", value={**said, "risks": [], "open_questions": [KEY]})
    context = sample_context(world, Step.RESEARCH)
    [reply], first = perform(context)
    assert KEY.encode() not in world.blobs.get(reply.reply)
    opened = OpenStep(Step.RESEARCH, 1, 2, "", (reply,))
    phase = replace(context.phase, open=opened)
    _, again = perform(world.context(sample_state(phase), phase, Step.RESEARCH))
    assert again == first and first.status == "completed"
    assert len(world.ear.calls) == 1, "nobody is paid twice"


def test_a_value_nested_without_end_is_no_reply_and_breaks_nothing(tmp_path: Path) -> None:
    world = sample_world(tmp_path)
    value = msgspec.json.decode('{"a":' * 900 + "1" + "}" * 900)
    world.ear.reply = AgentReply(Ending.COMPLETED, value=value)
    [reply], result = perform(sample_context(world, Step.RESEARCH))
    assert result.status == "error"
    assert world.blobs.get(reply.reply)


# -- who is asked, what it is told, and what is recorded of it


class Chain:
    """Several agents by name; one that is missing says so when it is called, or when its version is asked."""

    def __init__(self, world: World, missing: str = "", silent: str = "") -> None:
        self.asked: list[str] = []
        self._world, self._missing, self._silent = world, missing, silent

    def named(self, name: str) -> _Member:
        return _Member(name, self)

    def call(self, name: str, call: AgentCall) -> AgentReply:
        self.asked.append(name)
        if name == self._missing:
            raise AgentMissing(f"{name} is not on your PATH", "install it")
        return self._world.ear.call(call)

    def version(self, name: str) -> str:
        if name == self._silent:
            raise AgentMissing(f"{name} does not say its version", "install it anew")
        return f"{name} 1.2"


class _Member:
    def __init__(self, name: str, chain: Chain) -> None:
        self.name, self._chain = f"another name of {name}", chain

    def version(self) -> str:
        return self._chain.version(self.name.rpartition(" ")[2])

    def trouble(self) -> None:
        return None

    def call(self, call: AgentCall) -> AgentReply:
        return self._chain.call(self.name.rpartition(" ")[2], call)


CHAIN = make_policy(agents={"default": ("claude:opus", "codex")}, providers={"claude": "anthropic"})
RESEARCHED = {"key_findings": [], "recommended_approach": "x", "risks": [], "open_questions": []}


def asked_by_chain(world: World, chain: Chain, **more: Any) -> StepContext:
    world.ports = replace(world.ports, agents=chain)
    world.ear.reply = more.pop("reply", AgentReply(Ending.COMPLETED, value=RESEARCHED))
    context = sample_context(world, Step.RESEARCH)
    return replace(context, ports=world.ports, state=alter(context.state, policy=CHAIN, **more))


def test_the_first_of_the_chain_is_asked_with_its_model_and_recorded_as_the_chain_names_it(tmp_path: Path) -> None:
    """By that name its limits are known; another would never be heard of again, and be asked without end."""
    world = World(tmp_path)
    chain = Chain(world)
    [reply], _ = perform(asked_by_chain(world, chain))
    assert (reply.agent, reply.model, reply.version, reply.asked) == ("claude", "opus", "claude 1.2", 1)
    assert world.ear.calls[0].model == "opus"
    assert chain.asked == ["claude"]


def test_who_stepped_in_is_asked(tmp_path: Path) -> None:
    world = World(tmp_path)
    chain = Chain(world)
    limit = Limit(START + timedelta(minutes=5), START, 1, "limited")
    [reply], _ = perform(asked_by_chain(world, chain, limits={"anthropic": limit}, serving={"researcher": "codex"}))
    assert (reply.agent, reply.model, chain.asked) == ("codex", "", ["codex"])


def test_a_step_killed_between_two_questions_asks_whoever_served_when_nobody_can_be_asked(tmp_path: Path) -> None:
    world = World(tmp_path)
    chain = Chain(world)
    limited = AgentReply(Ending.RATE_LIMITED)
    gone = {"claude": "gone", "codex": "gone"}
    context = asked_by_chain(world, chain, out=gone, serving={"researcher": "codex"}, reply=limited)
    _, result = perform(context)
    assert (result.status, chain.asked) == ("put_off", ["codex"])


@pytest.mark.parametrize("how", ["missing", "silent"])
def test_an_agent_that_is_missing_is_recorded_as_not_found_and_the_step_is_put_off(tmp_path: Path, how: str) -> None:
    world = World(tmp_path)
    chain = Chain(world, **{how: "claude"})
    [reply], result = perform(asked_by_chain(world, chain))
    assert (reply.agent, reply.ending, reply.version) == ("claude", Ending.NOT_FOUND, "")
    assert (result.status, result.events) == ("put_off", ())
    assert reply.detail.startswith("claude ") and "; install it" in reply.detail
    assert len(chain.asked) == (how == "missing"), "nobody is paid who cannot even say its version"


def test_what_a_provider_says_about_its_limit_is_recorded(tmp_path: Path) -> None:
    world = World(tmp_path)
    reset = START + timedelta(hours=3)
    said = AgentReply(Ending.RATE_LIMITED, resets_at=reset, retry_after_s=9.0, detail="weekly limit")
    [reply], _ = perform(asked_by_chain(world, Chain(world), reply=said))
    assert (reply.resets_at, reply.retry_after_s, reply.detail) == (reset, 9.0, "weekly limit")


def test_a_question_asked_three_times_is_one_reply_with_all_it_used(tmp_path: Path) -> None:
    world = World(tmp_path)
    told = world.blobs.put(b'{"type": "action", "kind": "write", "what": "a.py"}\n')
    said = AgentReply(Ending.COMPLETED, "no", usage=Usage(tokens_in=7), session="s", transcript=told)
    [reply], result = perform(asked_by_chain(world, Chain(world), reply=said))
    assert (reply.ending, reply.asked, reply.usage.tokens) == (Ending.SCHEMA_UNMET, 3, 21)
    assert result.status == "error"
    kept = msgspec.json.decode(world.blobs.get(reply.reply))
    assert (kept["transcript"], kept["earlier"]) == (told, [told] * 2)
    assert reply.acts == (Act("file_write", "a.py"),), "once, though it was asked three times"


def test_it_has_one_home_for_the_whole_question_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    world = World(tmp_path)
    said = AgentReply(Ending.COMPLETED, "no", session="s")
    perform(asked_by_chain(world, Chain(world), reply=said))
    assert {str(call.home) for call in world.ear.calls} == {f"/folders/{world.places.homes[0]}"}
    assert len(world.places.homes) == 1
    name = world.places.homes[0].removesuffix("-home")
    assert set(world.places.removed) == {name, f"{name}-context", f"{name}-home"}


SECRET = "hunter2-hunter2-hunter2"


def test_no_secret_reaches_a_prompt_or_a_file_that_an_agent_is_given(tmp_path: Path) -> None:
    world = World(tmp_path, secrets={"API_TOKEN": SECRET})
    world.ear.reply = AgentReply(Ending.COMPLETED, f"I found {SECRET}", session="s")
    brief = replace(make_brief(), goal=f"use {SECRET}", name=f"Part {SECRET}")
    context = sample_context(world, Step.RESEARCH)
    perform(replace(context, phase=replace(context.phase, brief=brief)))
    assert len(world.ear.calls) == 3
    told = [call.prompt for call in world.ear.calls] + [str(files) for files in world.places.folders]
    assert all(SECRET not in text for text in told)
    assert any("use [" in text for text in told), "the control: something was there to be hidden"


def test_no_secret_of_a_reply_is_kept_not_even_as_the_name_of_a_field(tmp_path: Path) -> None:
    world = World(tmp_path, secrets={"API_TOKEN": SECRET})
    world.ear.reply = AgentReply(Ending.COMPLETED, value={**RESEARCHED, SECRET: {SECRET: [SECRET]}})
    [reply], _ = perform(sample_context(world, Step.RESEARCH))
    kept = world.blobs.get(reply.reply)
    assert SECRET.encode() not in kept
    assert kept.count(b"[redacted:API_TOKEN]") == 3


def test_files_that_are_no_text_reach_an_agent_as_they_are(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.ear.reply = AgentReply(Ending.COMPLETED, value=RESEARCHED)
    raw = b"caf\xe9 \xff\xfe"
    context = sample_context(world, Step.RESEARCH)
    asked = ask(context, Question(Role.RESEARCHER, "Read.", "clone", {"raw": raw}), ResearchClaim)
    next(asked)
    assert world.places.folders[0] == {"raw": raw}


@pytest.mark.parametrize(("again", "tokens"), [(0, 7), (1, 14), (2, 21)])
def test_an_interruption_tells_what_was_used_until_then(tmp_path: Path, again: int, tokens: int) -> None:
    world = World(tmp_path, interrupted="SIGTERM")
    missed = AgentReply(Ending.COMPLETED, "no", usage=Usage(tokens_in=7), session="s")
    world.ear.replies = [missed] * again
    world.ear.reply = AgentReply(Ending.CANCELLED, usage=Usage(tokens_in=7), transcript="t" * 64)
    with pytest.raises(Interrupted) as stop:
        perform(sample_context(world, Step.RESEARCH))
    expected = AgentCutOff(ONE, Step.RESEARCH, Role.RESEARCHER, "ear", Usage(tokens_in=tokens), "", "t" * 64)
    assert stop.value.spent == expected


def test_time_that_was_waited_is_not_taken_from_the_time_of_a_call(tmp_path: Path) -> None:
    """With the caps as they are, two hours of waiting would leave every call after it one second."""
    world = World(tmp_path)
    now = START + timedelta(hours=3)
    context = asked_by_chain(world, Chain(world), now=now, waited_s=10_500.0)
    phase = alter(context.phase, waited_s=10_500.0)
    context = replace(context, phase=phase, state=context.state.with_phase(phase))
    perform(context)
    assert world.ear.calls[0].caps.wall_s == 3_600.0
