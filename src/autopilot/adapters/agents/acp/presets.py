"""ACP agents that are known by name: how each is started, told about its model, and understood when it fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.adapters.agents.acp.failure import Wording
from autopilot.adapters.agents.claude.dialect import LEAST_USD, ClaudeDialect
from autopilot.adapters.agents.codex import dialect as codex
from autopilot.adapters.agents.codex import failure as codex_failure
from autopilot.adapters.agents.dialect import Desk, Login
from autopilot.adapters.agents.prices import find_price
from autopilot.model.agent import AgentCall, Ending

OWN = "autopilot"  # what a provider of the user's own is called in an agent's settings
ROOM = {"context": 200_000, "output": 32_000}  # of a model nobody described


class Setting(Struct, frozen=True):
    """What one call finds: arguments after the program's own, variables, files in its HOME, metadata of a session."""

    arguments: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    home_files: Mapping[str, bytes] = {}
    meta: Mapping[str, Any] = {}


class AcpPreset(Struct, frozen=True):
    program: str = ""
    arguments: tuple[str, ...] = ()  # after the program
    login: Login = Login()
    modes: tuple[str, ...] = ()  # of a session; the first that the agent has is chosen
    auth: tuple[str, ...] = ()  # ways to sign in with the key it was given, should it ask
    settle: Callable[[AgentCall, Desk], Setting] = lambda _call, _desk: Setting()
    chooses_model: bool = False  # over the protocol; otherwise its settings say it
    wordings: tuple[Wording, ...] = ()
    cost_of_session: bool = True  # as the protocol has it; otherwise of one process
    priced_by_us: bool = False  # with an address of the user's: then what it reports is an estimate
    sessions: bool = True  # it can go on with one, and not only says so


def _settle_opencode(call: AgentCall, desk: Desk) -> Setting:
    folders = {"DATA": ".local/share", "CONFIG": ".config", "STATE": ".local/state", "CACHE": ".cache"}
    off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    config = {"autoupdate": False, "share": "disabled", "permission": {"*": "allow"}, **_opencode_model(call, desk)}
    return Setting(
        env={
            **{f"XDG_{name}_HOME": str(desk.home / folder) for name, folder in folders.items()},
            **{f"OPENCODE_DISABLE_{name}": "1" for name in off},
            "OPENCODE_CONFIG_CONTENT": msgspec.json.encode(config).decode(),
        }
    )


def _opencode_model(call: AgentCall, desk: Desk) -> dict[str, Any]:
    """Without an address of the user's: the provider the model's name begins with, or what its login chooses."""
    key = {"apiKey": desk.key} if desk.key else {}
    if not desk.config.base_url:
        provider = call.model.partition("/")[0]
        named = {"provider": {provider: {"options": key}}} if key and provider else {}
        return named | ({"model": call.model, "small_model": call.model} if call.model else {})
    price = desk.config.price or find_price(call.model)
    model = {
        "name": call.model,
        "tool_call": True,
        "limit": ROOM,
        # It reports the tokens of its last step only, but adds up what they cost.
        "cost": {"input": price.input, "output": price.output, "cache_read": price.cached or price.input},
    }
    provider_settings = {
        "npm": "@ai-sdk/openai-compatible",
        "name": OWN,
        "options": {"baseURL": desk.config.base_url, **key},
        "models": {call.model: model},
    }
    name = f"{OWN}/{call.model}"
    return {
        "model": name,
        "small_model": name,
        "enabled_providers": [OWN],
        "provider": {OWN: provider_settings},
    }


def _settle_gemini(call: AgentCall, desk: Desk) -> Setting:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key" if desk.key else "oauth-personal"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"disableAutoUpdate": True},
    }
    return Setting(
        arguments=("-m", call.model) if call.model else (),
        env={
            "GEMINI_CLI_HOME": str(desk.home),
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            **({"GEMINI_API_KEY": desk.key} if desk.key else {}),
            **({"GOOGLE_GEMINI_BASE_URL": desk.config.base_url} if desk.config.base_url else {}),
        },
        home_files={".gemini/settings.json": msgspec.json.encode(settings)},
    )


def _settle_claude(call: AgentCall, desk: Desk) -> Setting:
    # Settings of the project are an agent's work, and never obeyed.
    options = {"settingSources": [], "strictMcpConfig": True, "maxBudgetUsd": max(call.caps.usd, LEAST_USD)}
    return Setting(
        env={
            **ClaudeDialect().spell(call, desk).env,
            **({"ANTHROPIC_MODEL": call.model} if call.model else {}),
        },
        meta={"claudeCode": {"options": options}},
    )


def _settle_codex(call: AgentCall, desk: Desk) -> Setting:
    """By its file of settings, which both programs of this name read."""
    settings = {
        **codex.SETTINGS,
        **codex.spell_provider(call, desk),
        **codex.spell_model(call.model),
    }
    lines = (f"{name} = {codex.render_toml(value)}\n" for name, value in settings.items())
    key = {codex.KEY_ELSEWHERE if desk.config.base_url else codex.KEY: desk.key} if desk.key else {}
    return Setting(
        env={"CODEX_HOME": str(desk.home / ".codex"), **key},
        home_files={".codex/config.toml": "".join(lines).encode()},
    )


OPENCODE = AcpPreset(
    program="opencode",
    arguments=("acp", "--pure"),
    login=Login(files=(".local/share/opencode/auth.json",), command=("auth", "login")),
    settle=_settle_opencode,
    wordings=(
        # It hands on its provider's words, and of the fields only that it was the provider.
        Wording(r"(?i)^[^\n]{0,80}(?:rate.?limit|too many requests|usage limit|quota)", Ending.RATE_LIMITED),
        Wording(r"(?i)^[^\n]{0,80}(?:api.?key|unauthori[sz]ed|authentication)", Ending.AUTH),
        Wording(r"(?i)^[^\n]{0,80}(?:overloaded|unavailable)", Ending.OVERLOADED),
        Wording(r"(?i)^[^\n]{0,80}(?:context (?:length|window)|prompt is too long)", Ending.CONTEXT_EXHAUSTED),
    ),
    priced_by_us=True,
)

GEMINI = AcpPreset(
    program="gemini",
    arguments=("--acp", "--approval-mode", "yolo", "--skip-trust"),
    login=Login(files=(".gemini/oauth_creds.json", ".gemini/google_accounts.json"), key_variable="GEMINI_API_KEY"),
    auth=("gemini-api-key",),
    settle=_settle_gemini,
    sessions=False,  # 0.61.0 overwrites the session it is asked to load
)

CLAUDE = AcpPreset(
    program="claude-agent-acp",
    login=Login(
        files=ClaudeDialect.login.files,
        key_variable=ClaudeDialect.login.key_variable,
        command=("--cli", *ClaudeDialect.login.command),
    ),
    settle=_settle_claude,
    wordings=(Wording("^Prompt is too long", Ending.CONTEXT_EXHAUSTED),),
    cost_of_session=False,
)

CODEX = AcpPreset(
    program="codex-acp",
    login=Login(files=codex.CodexDialect.login.files, key_variable=codex.KEY),
    # Ours confines it already, and the modes below these make .git read-only.
    modes=("agent-full-access", "full-access"),
    auth=("codex-api-key", "api-key"),
    settle=_settle_codex,
    wordings=(
        Wording(r"^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b", Ending.CRASHED),
        *(Wording(f"^{re.escape(opening)}", ending) for opening, ending in codex_failure.OPENINGS.items()),
    ),
)

GENERIC = AcpPreset(chooses_model=True)
