"""OpenAI Codex, by ``codex exec --json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from autopilot.adapters.agents.codex.program import locate
from autopilot.adapters.agents.codex.reading import RETRY_LOG, read
from autopilot.adapters.agents.codex.rollout import interleave
from autopilot.adapters.agents.dialect import Desk, Login, Program, Spelling
from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import AgentCall

# Its own key goes by the name it knows. A key for another address has a name of ours: under its own name Codex might
# also show it to its vendor.
KEY, KEY_ELSEWHERE = "CODEX_API_KEY", "AUTOPILOT_MODEL_KEY"
ELSEWHERE = "elsewhere"
RETRIES = 3
LONGEST_SILENCE_S = 300.0

SETTINGS: Mapping[str, Any] = {
    # Ours confines it already, and its own would make .git read-only: no commit could be made.
    "sandbox_mode": "danger-full-access",
    "approval_policy": "never",
    # A login shell would put the machine's PATH in place of the sandbox's, and with it lose toolchains.
    "allow_login_shell": False,
    "cli_auth_credentials_store": "file",
    "analytics.enabled": False,
    # Plugins hold up the end of every call by seconds, apps reach into the user's other accounts, the tokens of
    # sub-agents are counted apart, where no cap sees them.
    "features.plugins": False,
    "features.apps": False,
    "features.multi_agent": False,
    # Without a network it would try for ever.
    "features.unbounded_connection_retries": False,
    # What is said to Codex alone, and not to the commands it runs.
    "shell_environment_policy.exclude": [KEY, KEY_ELSEWHERE, "RUST_LOG", "TZ"],
}
# Its log tells how long it is going to wait, which no event does; it comes on the stream that nobody listens to.
BOTH_STREAMS = ("/bin/sh", "-c", 'exec "$@" 2>&1', "sh")


class CodexDialect:
    program = "codex"
    login = Login(files=(".codex/auth.json",), key_variable=KEY, command=("login", "--device-auth"))

    def locate(self, found: Path) -> Program:
        return locate(found)

    def spell(self, call: AgentCall, desk: Desk) -> Spelling:
        model = spell_model(call.model)
        name = model.pop("model", "")
        settings = {**SETTINGS, **spell_provider(call, desk), **model}
        schema = desk.private / "schema.json"
        return Spelling(
            argv=(
                *BOTH_STREAMS,
                *(str(desk.program.path), "exec", *(("resume",) if call.session else ())),
                *("--json", "--skip-git-repo-check"),
                *(word for name, value in settings.items() for word in ("-c", f"{name}={render_toml(value)}")),
                *(("-m", name) if name else ()),
                *(("--output-schema", str(schema)) if call.schema else ()),
                *desk.config.args,
                *((call.session,) if call.session else ()),
                "-",
            ),
            env={
                "RUST_LOG": f"{RETRY_LOG}=warn",
                "TZ": "UTC",  # of the times it names when a limit ends
                **({KEY_ELSEWHERE if desk.config.base_url else KEY: desk.key} if desk.key else {}),
            },
            files={schema.name: msgspec.json.encode(call.schema)} if call.schema else {},
        )

    def read(self, lines: Iterable[bytes], call: AgentCall, desk: Desk) -> Iterator[PartialReply]:
        yield from read(interleave(lines, Path(desk.home)), call)


def spell_provider(call: AgentCall, desk: Desk) -> dict[str, Any]:
    """Nothing for the vendor's own, whose patience is fixed."""
    if not desk.config.base_url:
        return {}
    about = {
        "name": ELSEWHERE,
        "base_url": desk.config.base_url,
        "wire_api": "responses",
        "supports_websockets": False,
        # Retries of single requests are silent however long they wait, so only those are made that are told.
        "request_max_retries": 0,
        "stream_max_retries": RETRIES,
        # Well below our own patience: a stream that hangs is taken up again, not given up.
        "stream_idle_timeout_ms": int(min(LONGEST_SILENCE_S, call.caps.stall_s / 3) * 1000),
        **({"env_key": KEY_ELSEWHERE} if desk.key else {}),
    }
    return {
        "model_provider": ELSEWHERE,
        **{f"model_providers.{ELSEWHERE}.{name}": value for name, value in about.items()},
    }


def spell_model(model: str) -> dict[str, Any]:
    """``gpt-5.5``, ``gpt-5.5@high`` or ``@high``: its own model with that effort."""
    name, _, effort = model.partition("@")
    return {**({"model": name} if name else {}), **({"model_reasoning_effort": effort} if effort else {})}


def render_toml(value: str | bool | int | list[str]) -> str:
    """The JSON of these is TOML too."""
    return msgspec.json.encode(value).decode()
