"""What Claude Code says in its stream of JSON lines, read tolerantly: unknown lines and fields are passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from autopilot.adapters.agents.claude.activity import tell_activity
from autopilot.adapters.agents.claude.ending import tell_ending
from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import AgentCall, Ending, Usage

PATIENCE_S = 30.0  # a longer wait for a limit is ours: other work may be done meanwhile
LIMITS = {429: Ending.RATE_LIMITED, 529: Ending.OVERLOADED}
# A result too long for a line reaches us cut; this stands before what it says.
MARK_OF_A_RESULT = b'"total_cost_usd":'
HEAD_OF_A_RESULT = 4096


def read_stream(lines: Iterable[bytes], call: AgentCall) -> Iterator[PartialReply]:
    stream = _Stream(call)
    for line in lines:
        event = _parse(line)
        if event is not None:
            stream.take_up(event)
        elif MARK_OF_A_RESULT in line[:HEAD_OF_A_RESULT]:
            stream.refuse_size()
        yield stream.partial


class _Stream:
    """What came up to now. Tool output is never looked at: whatever words stand in it, they are no signal."""

    def __init__(self, call: AgentCall) -> None:
        self.partial = PartialReply(session=call.session, session_total=call.session_total)
        self._call = call
        self._messages: dict[str, Usage] = {}  # since the last result, by id: one message comes in many lines
        self._counted = Usage()  # by results: background work may bring several
        self._fault = ""  # how the last failure of the model is classed
        self._resets_at: datetime | None = None

    def take_up(self, event: Mapping[str, Any]) -> None:
        if self.partial.over:
            return
        if isinstance(session := event.get("session_id"), str):
            self.partial = replace(self.partial, session=session)
        match event.get("type"), event.get("subtype"):
            case "assistant", _:
                self._take_message(event)
            case "system", "api_retry":
                self._take_retry(event)
            case "rate_limit_event", _:
                self._take_limit(_record(event.get("rate_limit_info")))
            case "result", _:
                self._take_result(event)

    def refuse_size(self) -> None:
        notice = f"the reply has over {self._call.caps.reply_bytes} bytes"
        self.partial = replace(self.partial, ending=Ending.SCHEMA_UNMET, text="", value=None, detail=notice)

    def _take_message(self, event: Mapping[str, Any]) -> None:
        message = _record(event.get("message"))
        if fault := event.get("error"):
            self._fault = str(fault)
            return  # words of the program itself
        self._messages[str(message.get("id"))] = _usage(_record(message.get("usage")), WIRE)
        content = message.get("content")
        blocks = [_record(block) for block in content] if isinstance(content, list) else []
        text = "\n".join(str(block["text"]) for block in blocks if block.get("type") == "text" and "text" in block)
        is_own = event.get("parent_tool_use_id") is None  # and not of an agent it started
        self.partial = replace(
            self.partial,
            text=text if text and is_own else self.partial.text,
            activity=tell_activity(blocks, str(self._call.project)) or self.partial.activity,
            usage=self._counted + self._uncounted(),
        )

    def _take_retry(self, event: Mapping[str, Any]) -> None:
        delay_s, why = _amount(event.get("retry_delay_ms")) / 1000, str(event.get("error") or "unknown")
        status = int(_amount(event.get("error_status")))
        notice = f"waiting {delay_s:.0f} s to ask its model again ({why})"
        self.partial = replace(self.partial, activity=notice)
        if status in LIMITS and delay_s > PATIENCE_S:
            detail = f"its model is to be asked again in {delay_s:.0f} s ({why})"
            self.partial = replace(
                self.partial,
                **{"ending": LIMITS[status], "over": True, "detail": detail},
                **{"retry_after_s": delay_s, "resets_at": self._resets_at},
            )

    def _take_limit(self, limit: Mapping[str, Any]) -> None:
        """Told to those with a plan whenever it changes. Only a refusal that follows makes it an ending."""
        resets_at = _amount(limit.get("resetsAt"))
        rejected = limit.get("status") == "rejected" and 0 < resets_at < LAST_SECOND
        self._resets_at = datetime.fromtimestamp(resets_at, UTC) if rejected else None

    def _take_result(self, event: Mapping[str, Any]) -> None:
        self._count(event)
        ending, detail = tell_ending(event, self._fault)
        self.partial = replace(
            self.partial,
            ending=ending,
            detail=detail,
            value=event.get("structured_output"),
            resets_at=self._resets_at if ending is Ending.RATE_LIMITED else None,
        )
        if ending is not Ending.COMPLETED:
            return
        if isinstance(text := event.get("result"), str):
            self.partial = replace(self.partial, text=text)
        if _size(self.partial) > self._call.caps.reply_bytes:
            self.refuse_size()

    def _count(self, event: Mapping[str, Any]) -> None:
        """What the result adds, exactly: totals run on from one call of a session to the next.

        A budget that ran out may report no tokens; then those of the messages stand.
        """
        before = self.partial.session_total
        total = replace(_by_model(event.get("modelUsage")), usd=_amount(event.get("total_cost_usd")))
        since = event.get("model_usage_since_last_result")
        more = _by_model(since) if isinstance(since, dict) else total.since(before)
        if not more.tokens:
            more = replace(self._uncounted(), usd=more.usd)
        self._messages.clear()
        self._counted += more
        self.partial = replace(self.partial, usage=self._counted, session_total=before + total.since(before))

    def _uncounted(self) -> Usage:
        return sum(self._messages.values(), Usage())


# Names of what was used: on the wire, and in the program's own counts. Input there never includes what a cache holds.
WIRE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
OWN = ("inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens", "outputTokens")
LARGEST = 1e15
LAST_SECOND = 253_402_300_800  # of the year 9999


def _usage(counts: Mapping[str, Any], names: tuple[str, str, str, str]) -> Usage:
    fresh, made, cached, out = (int(_amount(counts.get(name))) for name in names)
    return Usage(fresh + made + cached, out, cached, _amount(counts.get("costUSD")))


def _by_model(models: object) -> Usage:
    return sum((_usage(_record(counts), OWN) for counts in _record(models).values()), Usage())


def _size(partial: PartialReply) -> int:
    value = b"" if partial.value is None else msgspec.json.encode(partial.value)
    return max(len(value), len(partial.text.encode(errors="replace")))


def _amount(value: object) -> float:
    """What is no number, or one that cannot be, counts as nothing."""
    return float(value) if isinstance(value, int | float) and 0 < value < LARGEST else 0.0


def _record(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _parse(line: bytes) -> Mapping[str, Any] | None:
    try:
        event = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
