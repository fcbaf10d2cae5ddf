"""What Codex's output means: its events, its rollout, and the one thing its log is read for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.agents.codex.failure import Failure, tell_ending, tell_reset
from autopilot.adapters.agents.listening import PartialReply
from autopilot.adapters.sandbox.output import LONGEST_LINE
from autopilot.model.agent import AgentCall, Ending, Usage
from autopilot.model.secrecy.cutting import cut_end

RETRY_LOG = "codex_core::responses_retry"
LONGEST_WAIT_S = 60.0  # what it may wait by itself for a limit to end; above that the wait is ours, and ends the call
OWN_BACKOFF_S = 5.0  # what it waits at most of its own accord: more was told by the provider
SHOWN = 120

_RETRY = re.compile(
    rf"\S+ +WARN {RETRY_LOG}: .*? in (\d{{1,9}}(?:\.\d{{1,9}})?)(s|ms|µs|ns)\)\.\.\..* sampling_error=(.*)", re.DOTALL
)
_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
_MESSAGE = re.compile(rb'\{"type":"item\.completed","item":\{"id":"[^"]*","type":"agent_message"')
_SHELL = re.compile(r"^\S*sh -l?c ")


class StreamState(Struct, frozen=True):
    partial: PartialReply
    total: Usage = Usage()  # of the session
    refused: str = ""  # why, if its latest message is
    failure: Failure = Failure()
    wait_s: float | None = None  # told by the provider


def read(lines: Iterable[bytes], call: AgentCall) -> Iterator[PartialReply]:
    """What was said, growing with every line that is understood; other lines are passed over."""
    before = call.session_total if call.session else Usage()
    state = StreamState(PartialReply(session=call.session, session_total=before), total=before)
    most = min(call.caps.reply_bytes, LONGEST_LINE - 1)
    for line in lines:
        # The sandbox cuts lines, hence the look at how it begins.
        if len(line) > most and _MESSAGE.match(line):
            detail = f"the reply has over {most} bytes"
            state = replace(state, refused=detail, partial=replace(state.partial, text="", value=None))
        elif event := _parse(line):
            state = _take_up(state, event, bool(call.schema))
        elif not line.startswith(b"{"):
            state = _take_up_log(state, line.decode(errors="replace").strip())
        partial = _conclude(state)
        yield replace(partial, usage=state.total.since(before), session_total=state.total)


def _conclude(state: StreamState) -> PartialReply:
    """A failed turn ends as its event says; what the rollout knows of the same failure may come before or after."""
    partial, failure = state.partial, state.failure
    if partial.over or not failure.message:
        return partial
    ending = tell_ending(failure)
    limited = ending in (Ending.RATE_LIMITED, Ending.OVERLOADED)
    return replace(
        partial,
        ending=ending,
        detail=failure.message,
        resets_at=tell_reset(failure) if ending is Ending.RATE_LIMITED else None,
        retry_after_s=state.wait_s if limited else None,
    )


def _take_up(state: StreamState, event: Mapping[str, Any], wants_value: bool) -> StreamState:
    partial = state.partial
    match event:
        case {"type": "thread.started", "thread_id": str(thread)}:
            return replace(state, partial=replace(partial, session=thread))
        case {"type": "turn.started"}:
            partial = replace(partial, ending=None, detail="", activity="waits for its model")
            return replace(state, partial=partial, failure=Failure())
        case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
            value = _value(text) if wants_value else None
            return replace(state, refused="", partial=replace(partial, text=text, value=value, activity=_short(text)))
        case {"type": "item.started" | "item.updated" | "item.completed", "item": Mapping() as item}:
            return replace(state, partial=replace(partial, activity=_tell_item(item) or partial.activity))
        case {"type": "error", "message": str(message)}:
            return replace(state, partial=replace(partial, activity=_short(message)))
        case {"type": "turn.completed"}:
            ending = Ending.SCHEMA_UNMET if state.refused else Ending.COMPLETED
            partial = replace(partial, ending=ending, detail=state.refused)
            return replace(_count(state, event.get("usage")), partial=partial)
        case {"type": "turn.failed", "error": {"message": str(message)}}:
            return replace(state, failure=replace(state.failure, message=message or "it failed and did not say why"))
        case {"type": "turn_context", "payload": {"model": str(model)}}:
            return replace(state, partial=replace(partial, model=model))
        case {"type": "token_usage_record", "payload": {"thread_token_usage": usage}}:
            return _count(state, usage)
        case {"type": "event_msg", "payload": Mapping() as payload}:
            return _take_up_rollout(state, payload, _when(event.get("timestamp")))
    return state


def _take_up_rollout(state: StreamState, payload: Mapping[str, Any], time: datetime | None) -> StreamState:
    match payload:
        case {"type": "token_count", **found}:
            match found.get("rate_limits"):
                case Mapping() as limits:
                    state = replace(state, failure=replace(state.failure, limits=limits))
            match found.get("info"):
                case {"total_token_usage": usage}:
                    return _count(state, usage)
        case {"type": "task_complete", "error": {"message": str(message), "codex_error_info": info}}:
            return replace(state, failure=replace(state.failure, known=message, info=info, time=time))
    return state


def _take_up_log(state: StreamState, line: str) -> StreamState:
    """Only a plain last word is kept, for a program that ends before it says anything else; and how long it waits."""
    found = _RETRY.match(line)
    if found is None:
        return replace(state, partial=replace(state.partial, detail=_short(line))) if line else state
    wait_s = float(found.group(1)) * _UNITS[found.group(2)]
    why = found.group(3)
    partial = replace(state.partial, activity=_short(f"waits {wait_s:.0f} s: {why}"))
    if wait_s > LONGEST_WAIT_S:
        ending = tell_ending(Failure(message=why))
        ending = Ending.RATE_LIMITED if ending is Ending.RATE_LIMITED else Ending.OVERLOADED
        partial = replace(partial, ending=ending, detail=_short(why), retry_after_s=wait_s, over=True)
    return replace(state, partial=partial, wait_s=wait_s if wait_s > OWN_BACKOFF_S else state.wait_s)


def _count(state: StreamState, usage: Any) -> StreamState:
    """Totals only grow: the rollout may be behind the events, and is not safe from the agent's hands."""
    if not isinstance(usage, Mapping):
        return state
    given = (usage.get(name) for name in ("input_tokens", "output_tokens", "cached_input_tokens"))
    tokens_in, out, cached = (figure if isinstance(figure, int) and figure > 0 else 0 for figure in given)
    total = Usage(tokens_in, out, cached)
    return replace(state, total=total) if total.tokens > state.total.tokens else state


def _tell_item(item: Mapping[str, Any]) -> str:
    match item:
        case {"type": "command_execution", "command": str(command)}:
            return _short(f"runs {_SHELL.sub('', command)}")
        case {"type": "file_change", "changes": [*changes]}:
            paths = (str(change.get("path", "")) for change in changes if isinstance(change, Mapping))
            return _short(f"changes {', '.join(paths)}")
        case {"type": "reasoning", "text": str(text)}:
            return _short(text)
        case {"type": "web_search", "query": str(query)}:
            return _short(f"searches for {query}")
        case {"type": "mcp_tool_call", "tool": str(tool)}:
            return _short(f"calls {tool}")
        # A warning and no failure: an unknown model, an unknown setting, another way to connect.
        case {"type": "error", "message": str(message)}:
            return _short(message)
    return ""


def _value(text: str) -> dict[str, Any] | None:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parse(line: bytes) -> dict[str, Any] | None:
    return _value(line.decode(errors="replace")) if line.startswith(b"{") else None


def _when(stamp: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None


def _short(text: str) -> str:
    return cut_end(" ".join(text.split()), SHOWN)
