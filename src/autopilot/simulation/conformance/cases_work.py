"""Cases about work: the prompt arrives, tools are run as the model requests, and the reply matches the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from autopilot.model.agent import AgentReply, Ending, Usage
from autopilot.model.claim import ExecutorClaim
from autopilot.ports.reply import Problem, read_reply
from autopilot.simulation.conformance.environment import AgentSession, CaseEnvironment
from autopilot.simulation.conformance.processes import find_command_lines
from autopilot.simulation.conformance.result import Finding, describe_end, not_supported, passed, require
from autopilot.simulation.model_server.conversation import Conversation
from autopilot.simulation.model_server.script import Reply, Rule, Run, Say, Tokens, Turn, Write

SIDE_USAGE = Tokens()
TURN_USAGE = Tokens(input=1000, output=100)
COMMIT = "git add -A && git commit --quiet -m 'by its own tools'"
SPECIAL_CHARACTERS = "quotes ' \" ` $HOME $(id) \\ %s {x} <tag> é 漢 🙂 --help\n"
PROMPT_LINES = 400


def make_reply(environment: CaseEnvironment) -> Reply:
    """A complete reply of a role, with a random mark that no agent can invent."""
    claim: Mapping[str, Any] = {
        "tasks_completed": "1/1",
        "tasks_failed": "0/1",
        "commit_shas": [],
        "evidence": [{"task_id": "01-01", "criteria_met": [environment.mark], "commands_run": [SPECIAL_CHARACTERS]}],
        "deviations": [],
        "confidence": 8.5,
    }
    return Reply(value=claim, usage=TURN_USAGE)


def is_found(environment: CaseEnvironment) -> Finding:
    return passed(environment.version())


def receives_prompt(environment: CaseEnvironment) -> Finding:
    lines = "".join(f"{number}: {environment.mark} {SPECIAL_CHARACTERS}" for number in range(PROMPT_LINES))
    prompt = f"Read all of this.\n{lines}The end of {environment.mark}."
    received: list[str] = []
    leaks: list[str] = []

    def answer_model(conversation: Conversation) -> Turn:
        """The agent waits for this answer, so all its processes are running and can be searched."""
        received.append(conversation.prompt)
        leaks.extend(find_command_lines(environment.mark))
        return make_reply(environment)

    with environment.start_session(rule=Rule("", answer=answer_model)) as session:
        session.complete(prompt)
    require(bool(received), "it never sent a request to the model")
    require(
        prompt in received[0], f"{len(received[0])} of {len(prompt)} characters reached the model, or they were changed"
    )
    require(
        not leaks,
        f"the prompt appears on a command line, which every user of the machine can read: {' '.join(leaks)[:120]}",
    )
    return passed(f"{len(prompt)} characters, and none of them on a command line")


def uses_tools(environment: CaseEnvironment) -> Finding:
    order = Run(command="tr a-z A-Z <note.txt >loud.txt")
    with environment.start_session(
        Write(path="note.txt", text=f"{environment.mark}\n"), order, make_reply(environment)
    ) as session:
        session.complete()
        written, made = session.read("note.txt").strip(), session.read("loud.txt").strip()
    require(written == environment.mark, "it did not write the file that the model requested")
    require(made == environment.mark.upper(), "it did not run the command that the model requested")
    return passed("a file was written and a command run, as the model requested")


def makes_commit(environment: CaseEnvironment) -> Finding:
    with environment.start_session(
        Write(path="work.txt", text=f"{environment.mark}\n"), Run(command=COMMIT), make_reply(environment)
    ) as session:
        session.complete()
        head = environment.vault.take(session.clone, f"refs/autopilot/test/{environment.mark}")
    require(head is not None and head != environment.base, "it reported success, but there is no commit")
    assert head is not None
    require(
        environment.vault.is_ancestor(environment.base, head),
        "its commit does not descend from the commit that it was given",
    )
    work = environment.vault.read(head, "work.txt") or b""
    require(work.decode(errors="replace").strip() == environment.mark, "its commit lacks the file that it wrote")
    return passed(f"commit {head[:12]}, made with its own tools")


def replies_with_schema(environment: CaseEnvironment) -> Finding:
    expected = make_reply(environment)
    with environment.start_session(expected) as session:
        reply = session.complete()
    read = read_reply(_reply_content(reply), ExecutorClaim)
    require(not isinstance(read, Problem), f"its reply does not match the schema: {getattr(read, 'because', '')}")
    require(read == msgspec.convert(expected.value, ExecutorClaim), "its reply is not the one that the model gave")
    return passed("an executor's report, " + ("as structured data" if reply.value is not None else "found in its text"))


def invents_no_reply(environment: CaseEnvironment) -> Finding:
    with environment.start_session(Say("I would rather put it in my own words.")) as session:
        reply = session.ask()
        require(bool(session.played("say")), "it never sent a request to the model")
    read = read_reply(_reply_content(reply), ExecutorClaim)
    require(isinstance(read, Problem), "the model gave no reply, but the agent returned one")
    allowed = (Ending.COMPLETED, Ending.SCHEMA_UNMET)
    require(reply.ending in allowed, describe_end(reply))
    return passed(f"no reply was invented; it {reply.ending.in_words}")


def resumes_session(environment: CaseEnvironment) -> Finding:
    prompts: list[int] = []

    def answer_model(conversation: Conversation) -> Turn:
        prompts.append(conversation.prompts)
        return make_reply(environment)

    with environment.start_session(rule=Rule("", answer=answer_model)) as session:
        first = session.complete("Remember what you did.")
        if not first.session:
            return not_supported("it reports no session that could be resumed")
        first_requests = len(session.server.requests)
        second = session.complete("Say it once more.", session=first.session, session_total=first.session_total)
        served = _served_usage(session, first_requests)
    require(bool(prompts), "it never sent a request to the model")
    require(prompts[-1] >= 2, "the second call in the same session did not contain the first prompt")
    counted = second.usage
    require(
        counted.tokens <= served.tokens, f"{counted.tokens} tokens counted for the second call, {served.tokens} used"
    )
    require(
        counted.usd <= 1.5 * first.usage.usd,
        f"{counted.usd:g} USD counted for the second call, {first.usage.usd:g} for an equal first",
    )
    return passed("the second call contains the first prompt and counts only its own usage")


def counts_usage(environment: CaseEnvironment) -> Finding:
    with environment.start_session(Run(command="true", usage=TURN_USAGE), make_reply(environment)) as session:
        usage = session.complete().usage
        served = _served_usage(session)
    if not usage.tokens:
        return not_supported("it reports no usage, so caps on tokens and cost have no effect for it")
    require(usage.tokens <= served.tokens, f"{usage.tokens} tokens counted, {served.tokens} used")
    require(usage.usd > 0, "no cost was counted, neither reported nor estimated")
    how = "estimated from a price table" if usage.usd_is_estimate else "reported by the agent"
    return passed(f"{usage.tokens} of {served.tokens} tokens; {usage.usd:.4f} USD, {how}")


def _reply_content(reply: AgentReply) -> object:
    return reply.value if reply.value is not None else reply.text


def _served_usage(session: AgentSession, after: int = 0) -> Usage:
    """The total usage of all answers of the model, side requests included."""
    played = [request.played for request in session.server.requests[after:]]
    side, main = played.count("side"), sum(kind in ("say", "run", "write", "reply") for kind in played)
    return Usage(main * TURN_USAGE.input + side * SIDE_USAGE.input, main * TURN_USAGE.output + side * SIDE_USAGE.output)
