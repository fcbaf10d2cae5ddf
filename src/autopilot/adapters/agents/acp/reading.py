"""What an ACP agent says, read from the lines of acp_bridge.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from autopilot.adapters.agents.acp.failure import judge_facts, judge_failure, judge_message
from autopilot.adapters.agents.acp.presets import AcpPreset
from autopilot.adapters.agents.acp.usage import Meter
from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import AgentCall, Ending
from autopilot.model.secrecy.cutting import cut_end

STOPS: Mapping[str, Ending] = {
    "end_turn": Ending.COMPLETED,
    "max_tokens": Ending.CONTEXT_EXHAUSTED,
    "max_turn_requests": Ending.MAX_TURNS,
    "refusal": Ending.REFUSED,
    "cancelled": Ending.CANCELLED,
}
LONGEST_ACTIVITY = 120
LONGEST_DETAIL = 500


def read(lines: Iterable[bytes], call: AgentCall, preset: AcpPreset) -> Iterator[PartialReply]:
    hearing = Hearing(call, preset)
    for line in lines:
        if event := _parse_object(line):
            hearing.take(event)
        yield hearing.partial
    yield hearing.whole()


class Hearing:
    """What was heard up to now. The text is put together once, at the end: it comes in hundreds of pieces."""

    def __init__(self, call: AgentCall, preset: AcpPreset) -> None:
        self.partial = PartialReply()
        self._call = call
        self._preset = preset
        self._meter = Meter(call.session_total.usd if preset.cost_of_session else 0.0)
        self._text: list[str] = []
        self._message: object = None  # which one the text is of
        self._is_over = False  # something else came after it: the next piece begins another
        self._trouble: Mapping[str, Any] = {}  # what the agent told of a failure of its model

    def whole(self) -> PartialReply:
        return replace(self.partial, text="".join(self._text))

    def take(self, event: Mapping[str, Any]) -> None:
        match event:
            case {"type": "session", "id": str(session), "lasting": True} if self._preset.sessions:
                self.partial = replace(self.partial, session=session)
            case {"type": "update", "update": {"sessionUpdate": str(kind)}}:
                self._update(kind, event["update"])
            case {"type": "permission", "title": str(title)}:
                self._do(title)
            case {"type": "stop", "stopReason": str(reason)}:
                self._meter.settle(event)
                self._stop(reason)
            case {"type": "error"}:
                self._fail(event)
        usage, total = self._meter.usage, self._meter.session_total
        self.partial = replace(self.partial, usage=usage, session_total=total)

    def _update(self, kind: str, update: Mapping[str, Any]) -> None:
        match kind:
            case "agent_message_chunk":
                self._meter.produced()
                self._apply_update(update)
            case "agent_thought_chunk":
                self._meter.produced()
                self._do("thinking")
            case "tool_call":
                self._meter.produced()
                self._is_over = True
                self._do(str(update.get("title", "")))
            case "tool_call_update" if isinstance(title := update.get("title"), str):
                self._do(title)
            case "usage_update":
                self._meter.report(update)
                self._note_limit(update)
            case "session_info_update":
                self._note_trouble(update)

    def _apply_update(self, update: Mapping[str, Any]) -> None:
        match update:
            case {"content": {"text": str(text)}}:
                message = update.get("messageId")
                if self._is_over or message != self._message:
                    self._text.clear()
                self._text.append(text)
                self._message, self._is_over = message, False
                self._do("writing")

    def _do(self, activity: str) -> None:
        self.partial = replace(self.partial, activity=cut_end(" ".join(activity.split()), LONGEST_ACTIVITY))

    def _note_limit(self, update: Mapping[str, Any]) -> None:
        """Claude Code tells of the limits of its plan, also while they are far."""
        match update:
            case {"_meta": {"_claude/rateLimit": {"status": "rejected", "resetsAt": int(reset)}}} if (
                0 < reset < 1 << 33
            ):
                self.partial = replace(self.partial, resets_at=datetime.fromtimestamp(reset, UTC))

    def _note_trouble(self, update: Mapping[str, Any]) -> None:
        """A Codex whose model is gone ends its turn in order, and says so only here and in its chat."""
        match update:
            case {"_meta": {"codex": {"error": dict()}}}:
                self._trouble = {**update["_meta"]["codex"]["error"], "fatal": False}
            case {"_meta": {"codex": {"threadStatus": {"type": "systemError"}}}}:
                self._trouble = {**self._trouble, "fatal": True}

    def _stop(self, reason: str) -> None:
        text = "".join(self._text)
        ending, detail = STOPS.get(reason, Ending.CRASHED), "" if reason in STOPS else f"it stopped for {reason!r}"
        if ending is Ending.COMPLETED and (failed := self._failed_in_words(text)):
            ending, detail = failed, text
        elif ending is Ending.COMPLETED and len(text.encode()) > self._call.caps.reply_bytes:
            ending, detail = Ending.SCHEMA_UNMET, f"the reply has over {self._call.caps.reply_bytes} bytes"
        self._end(ending, detail)
        if ending is Ending.COMPLETED and self._call.schema:
            self.partial = replace(self.partial, value=_parse_object(text.encode()))

    def _failed_in_words(self, text: str) -> Ending | None:
        """A failure in the form of an answer: the agent reports that it broke, or all it says is a known error."""
        lament = judge_message(text, self._preset.wordings) if "{" not in text else None
        if self._trouble.get("fatal"):
            return lament or judge_facts(self._trouble) or Ending.CRASHED
        return lament

    def _fail(self, event: Mapping[str, Any]) -> None:
        message = str(event.get("message", ""))
        inner = (event.get("data") or {}).get("message") if isinstance(event.get("data"), dict) else None
        ending = judge_failure(event, self._preset.wordings)
        if event.get("during") == "session" and self._call.session and ending is Ending.CRASHED:
            ending = Ending.NOT_FOUND
        self._end(ending, f"{message}: {inner}" if isinstance(inner, str) else message)

    def _end(self, ending: Ending, detail: str) -> None:
        self.partial = replace(self.partial, ending=ending, detail=cut_end(detail.strip(), LONGEST_DETAIL))


def _parse_object(text: bytes) -> dict[str, Any] | None:
    """Nothing else than one JSON object; what stands around or in place of it is for others to make out."""
    if not text.startswith(b"{"):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
