"""The agents that are known by name, and the kinds you can make others of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from autopilot.adapters.agents.acp.dialect import AcpDialect
from autopilot.adapters.agents.claude.dialect import ClaudeDialect
from autopilot.adapters.agents.codex.dialect import CodexDialect
from autopilot.adapters.agents.command import CommandDialect
from autopilot.adapters.agents.dialect import Dialect


class Trial(Struct, frozen=True):
    """How an agent is sent to the model server that ships with us: its settings while it is on trial."""

    base_url: str
    model: str  # one that it knows, so that it has nothing to warn about


class Preset(Struct, frozen=True):
    dialect: Callable[[], Dialect]
    provider: str  # agents of one provider share its limits
    about: str
    trial: Trial | None = None  # None where that server does not speak to it


MESSAGES = Trial("{url}", "claude-sonnet-4-5")
RESPONSES = Trial("{url}/v1", "gpt-5.5")
CHAT = Trial("{url}/v1", "scripted")

PRESETS: Mapping[str, Preset] = {
    "claude": Preset(ClaudeDialect, "anthropic", "Claude Code", MESSAGES),
    "codex": Preset(CodexDialect, "openai", "OpenAI Codex", RESPONSES),
    "opencode": Preset(AcpDialect.opencode, "opencode", "OpenCode, by ACP", CHAT),
    "gemini": Preset(AcpDialect.gemini, "google", "Gemini CLI, by ACP"),
    "claude-acp": Preset(AcpDialect.claude, "anthropic", "Claude Code, by ACP", MESSAGES),
    "codex-acp": Preset(AcpDialect.codex, "openai", "OpenAI Codex, by ACP", RESPONSES),
}

# What `kind` in your settings may say.
KINDS: Mapping[str, Preset] = {
    "claude": PRESETS["claude"],
    "codex": PRESETS["codex"],
    "acp": Preset(AcpDialect, "", "any agent that speaks ACP"),
    "command": Preset(CommandDialect, "", "any program"),
}
