"""Claude Code, by its own command line: ``claude -p`` and its stream of JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from autopilot.adapters.agents.claude.program import find_native
from autopilot.adapters.agents.claude.stream import read_stream
from autopilot.adapters.agents.dialect import Desk, Login, Program, Spelling
from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import AgentCall

QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}
# What it starts ends with its answer. Otherwise it would stay, after a good answer, until some server it started ends.
NOTHING_AFTERWARDS = {
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS": "60000",
}
RETRIES = 2  # of its own; the usual ten would hide a limit or a wrong key for minutes
# Its commits would stand beside the branch that is taken in, or its work would come after its answer.
DENIED = ("EnterWorktree", "ExitWorktree", "CronCreate", "ScheduleWakeup", "Monitor")
LEAST_USD = 0.01  # it takes no budget of nothing
SHORTEST_IDLE_S, LONGEST_IDLE_S = 10.0, 180.0
TOKEN_OF_A_PLAN = "sk-ant-oat"  # how a token of `claude setup-token` begins


class ClaudeDialect:
    program = "claude"
    login = Login(
        files=(".claude/.credentials.json",),
        key_variable="ANTHROPIC_API_KEY",
        command=("auth", "login"),
    )

    def locate(self, found: Path) -> Program:
        return find_native(found)

    def spell(self, call: AgentCall, desk: Desk) -> Spelling:
        argv = (
            *(str(desk.program.path), "-p", "--output-format", "stream-json", "--verbose"),
            # The walls are ours. Settings and servers of the project are an agent's work, and never obeyed.
            *("--permission-mode", "bypassPermissions", "--setting-sources", "", "--strict-mcp-config"),
            *("--disallowedTools", ",".join(DENIED)),
            *("--max-budget-usd", f"{max(call.caps.usd, LEAST_USD):.2f}"),
            *(("--model", call.model) if call.model else ()),
            *(("--json-schema", msgspec.json.encode(call.schema).decode()) if call.schema else ()),
            # No id of ours for a new session: a second try with the same one would be refused.
            *(("--resume", call.session) if call.session else ()),
            *desk.config.args,
        )
        return Spelling(argv, _environment(call, desk))

    def read(self, lines: Iterable[bytes], call: AgentCall, desk: Desk) -> Iterator[PartialReply]:  # noqa: ARG002
        return read_stream(lines, call)


def _environment(call: AgentCall, desk: Desk) -> dict[str, str]:
    """IS_SANDBOX is not among them, although root needs it to bypass permissions.

    In our sandbox no one is root; without one it would be untrue, and is for the user to say (``env`` of the agent).
    """
    env = {
        **QUIET,
        **NOTHING_AFTERWARDS,
        "CLAUDE_CONFIG_DIR": str(desk.home / ".claude"),
        "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
        "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS": str(int(_idle_s(call.caps.stall_s) * 1000)),
    }
    if desk.key:
        is_plan = desk.key.startswith(TOKEN_OF_A_PLAN)
        env["CLAUDE_CODE_OAUTH_TOKEN" if is_plan else "ANTHROPIC_API_KEY"] = desk.key
    if desk.config.base_url:
        env["ANTHROPIC_BASE_URL"] = desk.config.base_url
    return env


def _idle_s(stall_s: float) -> float:
    """Well before we take it for stalled, so that it can ask its model once more."""
    return min(max(stall_s / 3, SHORTEST_IDLE_S), LONGEST_IDLE_S)
