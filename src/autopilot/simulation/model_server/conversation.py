"""A conversation: who asks, what was asked and how far the answer has come, told by one request of any wire."""

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


class Conversation(Struct, frozen=True):
    wire: Wire
    model: str = ""
    session: str = ""
    prompt: str = ""  # the latest that a person or a program asked, without what the agent adds of its own
    prompts: int = 0  # how many such prompts there were
    steps: int = 0  # how many answers of the model follow that prompt
    outputs: tuple[str, ...] = ()  # what the tools said since
    last_failed: bool = False  # the latest tool output is marked as an error
    tools: tuple[Tool, ...] = ()
    schema: dict[str, Any] | None = None  # the form the answer's text must have
    stream: bool = False
    max_tokens: int | None = None

    @property
    def key(self) -> tuple[str, int, str]:
        """The same for every request that works on one prompt, retries and reconnects among them."""
        return self.session, self.prompts, self.prompt

    def tool(self, *names: str) -> Tool | None:
        """The first of these names that is offered; bridges put a prefix such as ``mcp__acp__`` before the name."""
        plain = {each.name.rpartition("__")[2]: each for each in reversed(self.tools)}
        return next((plain[name] for name in names if name in plain), None)


# What agents put into user messages on their own: no one asked this, so it begins nothing.
_ADDED = re.compile(
    r"\s*(<(system-reminder|environment_context|user_instructions|turn_aborted|permissions|skill|INSTRUCTIONS)\b"
    r"|# AGENTS\.md instructions|\[Request interrupted|\[structured-output-enforce\]|You MUST call the StructuredOutput"
    r"|Your response above was stopped by a safety classifier)"
)


def is_prompt(text: str) -> bool:
    return bool(text.strip()) and not _ADDED.match(text)
