"""The conversation that one request of any protocol describes: session, prompt, and steps so far."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from msgspec import Struct


class Wire(StrEnum):
    MESSAGES = "messages"
    RESPONSES = "responses"
    CHAT = "chat"


class Tool(Struct, frozen=True):
    name: str
    schema: dict[str, Any] = {}
    kind: str = "function"
    group: str = ""  # the namespace that it is offered in, as Codex offers the tools of a server


class Conversation(Struct, frozen=True):
    wire: Wire
    model: str = ""
    session: str = ""
    prompt: str = ""  # the latest prompt, without messages that the agent adds
    prompts: int = 0  # how many such prompts there were
    steps: int = 0  # answers of the model since that prompt
    outputs: tuple[str, ...] = ()  # tool outputs since that prompt
    last_failed: bool = False  # the latest tool output is marked as an error
    tools: tuple[Tool, ...] = ()
    schema: dict[str, Any] | None = None  # of the answer's text
    stream: bool = False
    max_tokens: int | None = None

    @property
    def key(self) -> tuple[str, int, str]:
        """The same for all requests of one prompt, retries included."""
        return self.session, self.prompts, self.prompt

    def tool(self, *names: str) -> Tool | None:
        """The first of these tools that is offered; bridges add a prefix such as ``mcp__acp__`` to names."""
        plain = {tool.name.rpartition("__")[2]: tool for tool in reversed(self.tools)}
        return next((plain[name] for name in names if name in plain), None)


# Text that agents add to user messages: not a prompt.
_ADDED = re.compile(
    r"\s*(<(system-reminder|environment_context|user_instructions|turn_aborted|permissions|skill|INSTRUCTIONS)\b"
    r"|# AGENTS\.md instructions|\[Request interrupted|\[structured-output-enforce\]|You MUST call the StructuredOutput"
    r"|Your response above was stopped by a safety classifier)"
)


def is_prompt(text: str) -> bool:
    return bool(text.strip()) and not _ADDED.match(text)
