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
from autopilot.adapters.agents.listening import Said
from autopilot.adapters.sandbox.output import LONGEST_LINE
from autopilot.model.agent import AgentCall, Ending, Usage

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


class Heard(Struct, frozen=True):
    said: Said
    total: Usage = Usage()  # of the session
    refused: str = ""  # why, if its latest message is
    failure: Failure = Failure()
    wait_s: float | None = None  # told by the provider


def read(lines: Iterable[bytes], call: AgentCall) -> Iterator[Said]:
    """What was said, growing with every line that is understood; other lines are passed over."""
    before = call.session_total if call.session else Usage()
    heard = Heard(Said(session=call.session, session_total=before), total=before)
    most = min(call.caps.reply_bytes, LONGEST_LINE - 1)
    for line in lines:
        # The sandbox cuts lines, hence the look at how it begins.
        if len(line) > most and _MESSAGE.match(line):
            words = f"the reply has over {most} bytes"
            heard = replace(heard, refused=words, said=replace(heard.said, text="", value=None))
        elif event := _parse(line):
            heard = _take_up(heard, event, bool(call.schema))
        elif not line.startswith(b"{"):
            heard = _take_up_log(heard, line.decode(errors="replace").strip())
        said = _conclude(heard)
        yield replace(said, usage=heard.total.since(before), session_total=heard.total)


def _conclude(heard: Heard) -> Said:
    """A failed turn ends as its event says; what the rollout knows of the same failure may come before or after."""
    said, failure = heard.said, heard.failure
    if said.over or not failure.message:
        return said
    ending = tell_ending(failure)
    limited = ending in (Ending.RATE_LIMITED, Ending.OVERLOADED)
    return replace(
        said,
        ending=ending,
        detail=failure.message,
        resets_at=tell_reset(failure) if ending is Ending.RATE_LIMITED else None,
        retry_after_s=heard.wait_s if limited else None,
    )


def _take_up(heard: Heard, event: Mapping[str, Any], wants_value: bool) -> Heard:
    said = heard.said
    match event:
        case {"type": "thread.started", "thread_id": str(thread)}:
            return replace(heard, said=replace(said, session=thread))
        case {"type": "turn.started"}:
            said = replace(said, ending=None, detail="", activity="waits for its model")
            return replace(heard, said=said, failure=Failure())
        case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
            value = _value(text) if wants_value else None
            return replace(heard, refused="", said=replace(said, text=text, value=value, activity=_short(text)))
        case {"type": "item.started" | "item.updated" | "item.completed", "item": Mapping() as item}:
            return replace(heard, said=replace(said, activity=_tell_item(item) or said.activity))
        case {"type": "error", "message": str(message)}:
            return replace(heard, said=replace(said, activity=_short(message)))
        case {"type": "turn.completed"}:
            ending = Ending.SCHEMA_UNMET if heard.refused else Ending.COMPLETED
            said = replace(said, ending=ending, detail=heard.refused)
            return replace(_count(heard, event.get("usage")), said=said)
        case {"type": "turn.failed", "error": {"message": str(message)}}:
            return replace(heard, failure=replace(heard.failure, message=message or "it failed and did not say why"))
        case {"type": "turn_context", "payload": {"model": str(model)}}:
            return replace(heard, said=replace(said, model=model))
        case {"type": "token_usage_record", "payload": {"thread_token_usage": usage}}:
            return _count(heard, usage)
        case {"type": "event_msg", "payload": Mapping() as payload}:
            return _take_up_rollout(heard, payload, _when(event.get("timestamp")))
    return heard


def _take_up_rollout(heard: Heard, payload: Mapping[str, Any], at: datetime | None) -> Heard:
    match payload:
        case {"type": "token_count", **told}:
            match told.get("rate_limits"):
                case Mapping() as limits:
                    heard = replace(heard, failure=replace(heard.failure, limits=limits))
            match told.get("info"):
                case {"total_token_usage": usage}:
                    return _count(heard, usage)
        case {"type": "task_complete", "error": {"message": str(message), "codex_error_info": info}}:
            return replace(heard, failure=replace(heard.failure, known=message, info=info, at=at))
    return heard


def _take_up_log(heard: Heard, line: str) -> Heard:
    """Only a plain last word is kept, for a program that ends before it says anything else; and how long it waits."""
    told = _RETRY.match(line)
    if told is None:
        return replace(heard, said=replace(heard.said, detail=_short(line))) if line else heard
    wait_s = float(told.group(1)) * _UNITS[told.group(2)]
    why = told.group(3)
    said = replace(heard.said, activity=_short(f"waits {wait_s:.0f} s: {why}"))
    if wait_s > LONGEST_WAIT_S:
        ending = tell_ending(Failure(message=why))
        ending = Ending.RATE_LIMITED if ending is Ending.RATE_LIMITED else Ending.OVERLOADED
        said = replace(said, ending=ending, detail=_short(why), retry_after_s=wait_s, over=True)
    return replace(heard, said=said, wait_s=wait_s if wait_s > OWN_BACKOFF_S else heard.wait_s)


def _count(heard: Heard, usage: Any) -> Heard:
    """Totals only grow: the rollout may be behind the events, and is not safe from the agent's hands."""
    if not isinstance(usage, Mapping):
        return heard
    given = (usage.get(name) for name in ("input_tokens", "output_tokens", "cached_input_tokens"))
    tokens_in, out, cached = (figure if isinstance(figure, int) and figure > 0 else 0 for figure in given)
    total = Usage(tokens_in, out, cached)
    return replace(heard, total=total) if total.tokens > heard.total.tokens else heard


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
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
