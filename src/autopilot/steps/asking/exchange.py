"""One question and its answer: asked again when the answer does not match the schema, at most twice."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Usage
from autopilot.model.errors import Unavailable
from autopilot.ports.agent import Agent
from autopilot.ports.reply import Problem, read_reply
from autopilot.steps.asking.prompt import render_prompt

Clean = Callable[[str], str]  # a text without secrets
# Of an answer that is read once more. A longer one is given up: half a list of concerns reads like fewer concerns.
EXTRACTED_CHARS = 20_000


class Exchange(Struct, frozen=True):
    """The last reply, with what all of them together used; ``earlier`` are the transcripts before it."""

    reply: AgentReply
    earlier: tuple[str, ...] = ()


def exchange_messages(agent: Agent, call: AgentCall, reply_type: type, clean: Clean) -> Exchange:
    """Ask; once more in the same session when the answer does not match the schema; then have its text converted.

    An agent that keeps no session is asked once: it would not know the question. If it cannot be asked again, the
    replies and the usage until then still count.
    """
    exchange = Exchange(agent.call(call))
    for rung in (_ask_again, _extract):
        problem = find_problem(exchange.reply, reply_type)
        if not problem or not exchange.reply.session:
            return exchange
        follow_up = rung(call, exchange.reply, problem)
        if follow_up is None:
            break
        try:
            # It may have read a secret and repeated it: the prompt goes to its provider once more.
            exchange = _add(exchange, agent.call(replace(follow_up, prompt=clean(follow_up.prompt))))
        except Unavailable:
            break
    if problem := find_problem(exchange.reply, reply_type):
        return replace(exchange, reply=replace(exchange.reply, ending=Ending.SCHEMA_UNMET, detail=problem))
    return exchange


def find_problem(reply: AgentReply, reply_type: type) -> str:
    """Why the answer of an agent that came to its end cannot be taken; "" when it can, or when there is none."""
    if reply.ending is Ending.SCHEMA_UNMET:
        return reply.detail or "the reply does not match the schema"
    if reply.ending is not Ending.COMPLETED:
        return ""
    answer = read_reply(reply.value if reply.value is not None else reply.text, reply_type)
    return answer.because if isinstance(answer, Problem) else ""


def _ask_again(call: AgentCall, reply: AgentReply, problem: str) -> AgentCall | None:
    return replace(
        call,
        prompt=render_prompt("ask_again", problem=problem, schema=_schema(call)),
        session=reply.session,
        session_total=reply.session_total,
        caps=_left(call.caps, reply),
        earlier=reply.usage,
    )


def _extract(call: AgentCall, reply: AgentReply, problem: str) -> AgentCall | None:
    """A session of its own: one that has failed twice is full of its own mistakes.

    None where the reply is empty or too long: converting it would mean to invent, or to leave out.
    """
    text = "\n\n".join(dict.fromkeys(part for part in (reply.text.strip(), _as_text(reply.value)) if part))
    if not text or len(text) > EXTRACTED_CHARS:
        return None
    prompt = render_prompt("extract", problem=problem, schema=_schema(call), text=text)
    left = _left(call.caps, reply)
    return replace(call, prompt=prompt, session="", session_total=Usage(), caps=left, earlier=reply.usage)


def _as_text(value: object) -> str:
    try:
        return "" if value is None else msgspec.json.encode(value).decode()
    except RecursionError:
        return ""


def _schema(call: AgentCall) -> str:
    return msgspec.json.encode(call.schema).decode()


def _left(caps: Caps, reply: AgentReply) -> Caps:
    """``reply`` holds what the whole exchange has used so far."""
    return replace(
        caps,
        wall_s=max(1.0, caps.wall_s - reply.duration_ms / 1000),
        tokens=max(0, caps.tokens - reply.usage.tokens_counted),
        usd=max(0.0, caps.usd - reply.usage.usd),
    )


def _add(exchange: Exchange, reply: AgentReply) -> Exchange:
    """Where the last reply is empty, the text of the one before it counts."""
    before = exchange.reply
    summed = replace(
        reply,
        text=reply.text or before.text,
        usage=before.usage + reply.usage,
        duration_ms=before.duration_ms + reply.duration_ms,
        refused_hosts=tuple(dict.fromkeys((*before.refused_hosts, *reply.refused_hosts))),
    )
    return Exchange(summed, (*exchange.earlier, before.transcript))
