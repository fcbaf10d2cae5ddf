"""The agents that are known by name, and the kinds you can make others of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from autopilot.adapters.agents.acp.dialect import AcpDialect
from autopilot.adapters.agents.claude.dialect import ClaudeDialect
from autopilot.adapters.agents.codex.dialect import CodexDialect
from autopilot.adapters.agents.command import CommandDialect
from autopilot.adapters.agents.dialect import Dialect
from autopilot.model.profile import Tier


class Trial(Struct, frozen=True):
    """How an agent is sent to the model server that ships with us: its settings while it is on trial."""

    base_url: str
    model: str  # one that it knows, so that it has nothing to warn about


class Preset(Struct, frozen=True):
    dialect: Callable[[], Dialect]
    provider: str  # agents of one provider share its limits
    about: str
    trial: Trial | None = None  # None where that server does not speak to it
    hosts: tuple[str, ...] = ()  # that it needs for its model and to stay signed in
    models: Mapping[str, str] = {}  # by class, for profiles; "" for the one it chooses itself


MESSAGES = Trial("{url}", "claude-sonnet-4-5")
RESPONSES = Trial("{url}/v1", "gpt-5.5")
CHAT = Trial("{url}/v1", "scripted")

# Models first, then sign-in: a token that runs out is renewed there.
ANTHROPIC = ("api.anthropic.com", "platform.claude.com", "console.anthropic.com", "claude.ai")
OPENAI = ("api.openai.com", "chatgpt.com", "auth.openai.com")
GOOGLE = ("generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com")

# Names that the programs themselves keep up to date, never those of single models: these go out of use. Codex has none,
# but efforts of whichever model it chooses.
CLAUDE_MODELS: Mapping[str, str] = {Tier.STRONG: "opus", Tier.MEDIUM: "sonnet", Tier.LIGHT: "haiku"}
CODEX_MODELS: Mapping[str, str] = {Tier.STRONG: "@high", Tier.MEDIUM: "", Tier.LIGHT: "@low"}
GEMINI_MODELS: Mapping[str, str] = {Tier.STRONG: "pro", Tier.MEDIUM: "", Tier.LIGHT: "flash"}

PRESETS: Mapping[str, Preset] = {
    "claude": Preset(ClaudeDialect, "anthropic", "Claude Code", MESSAGES, ANTHROPIC, CLAUDE_MODELS),
    "codex": Preset(CodexDialect, "openai", "OpenAI Codex", RESPONSES, OPENAI, CODEX_MODELS),
    # It has models of many vendors; which of them is chosen by its login.
    "opencode": Preset(
        AcpDialect.opencode, "opencode", "OpenCode, by ACP", CHAT, ("opencode.ai", *ANTHROPIC, *OPENAI, *GOOGLE)
    ),
    "gemini": Preset(AcpDialect.gemini, "google", "Gemini CLI, by ACP", None, GOOGLE, GEMINI_MODELS),
    "claude-acp": Preset(AcpDialect.claude, "anthropic", "Claude Code, by ACP", MESSAGES, ANTHROPIC, CLAUDE_MODELS),
    "codex-acp": Preset(AcpDialect.codex, "openai", "OpenAI Codex, by ACP", RESPONSES, OPENAI, CODEX_MODELS),
}

# What `kind` in your settings may say.
KINDS: Mapping[str, Preset] = {
    "claude": PRESETS["claude"],
    "codex": PRESETS["codex"],
    "acp": Preset(AcpDialect, "", "any agent that speaks ACP"),
    "command": Preset(CommandDialect, "", "any program"),
}
