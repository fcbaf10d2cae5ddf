"""A scripted agent for the Agent Client Protocol (ACP), for testing clients.

    python -I -S scripted_acp.py SCRIPT

SCRIPT is a JSON file. ``do`` lists what the agent does when it is prompted, one action each (see ``ACTIONS``), and
``stop`` or ``error`` is its answer afterwards. ``capabilities``, ``auth_methods`` and ``session`` are put into its
answers to the first requests, ``errors`` answers a request of that method with an error, and ``ignores`` names what it
ignores: "cancel", "term", "end" (of its input). The protocol is implemented here without a library, so that a client
and its library are tested against independent code.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

SESSION = "session-1"
REFUSED = -32601
CHUNK = "agent_message_chunk"


class Agent:
    def __init__(self, script: dict[str, Any]) -> None:
        self._script = script
        self._ignores = script.get("ignores", ())
        self._asked = 0
        self._place = "."  # the project folder that the client names

    def serve(self) -> None:
        if "term" in self._ignores:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while (message := self._receive()) is not None:
            self._answer(message)
        while "end" in self._ignores:
            time.sleep(60)

    def _answer(self, message: dict[str, Any]) -> None:
        method, number = message.get("method"), message.get("id")
        if number is None:
            return
        if error := self._script.get("errors", {}).get(method):
            self._send(id=number, error=error)
            return
        match method:
            case "initialize":
                about = {"name": "scripted-acp", "version": "1"}
                can, ways = self._script.get("capabilities", {}), self._script.get("auth_methods", [])
                met = {"agentCapabilities": can, "agentInfo": about, "authMethods": ways}
                self._send(id=number, result={"protocolVersion": 1, **met})
            case "session/new":
                self._place = message["params"]["cwd"]
                self._send(id=number, result={"sessionId": SESSION, **self._script.get("session", {})})
            case "session/load":
                self._update(CHUNK, content={"type": "text", "text": "said before"})
                self._send(id=number, result={})
            case "session/prompt":
                self._work(number, message["params"])
            case "session/resume" | "session/set_mode" | "session/set_config_option" | "authenticate":
                self._update("agent_thought_chunk", content={"type": "text", "text": json.dumps(message["params"])})
                self._send(id=number, result={"configOptions": []} if "config" in str(method) else {})
            case _:
                self._send(id=number, error={"code": REFUSED, "message": f"no method {method}"})

    def _work(self, number: object, params: dict[str, Any]) -> None:
        prompt = "".join(block["text"] for block in params["prompt"])
        self._update("agent_thought_chunk", content={"type": "text", "text": _digest(prompt)})
        for action in self._script.get("do", ()):
            ((kind, value),) = action.items()
            if ACTIONS[kind](self, value) is CANCELLED:
                self._send(id=number, result={"stopReason": "cancelled"})
                return
        if error := self._script.get("error"):
            self._send(id=number, error=error)
        else:
            self._send(id=number, result=self._script.get("stop", {"stopReason": "end_turn"}))

    def say(self, text: str) -> None:
        self._update(CHUNK, content={"type": "text", "text": text})

    def update(self, value: dict[str, Any]) -> None:
        self._send(method="session/update", params={"sessionId": SESSION, "update": value})

    def run(self, command: str) -> None:
        """Run a command as a tool, in its own process session, and report its output."""
        self._update("tool_call", toolCallId=command, title=command, kind="execute", status="in_progress")
        shell = ["bash", "-c", command]
        done = subprocess.run(
            shell, cwd=self._place, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True
        )
        content = [{"type": "content", "content": {"type": "text", "text": done.stdout.decode(errors="replace")}}]
        self._update("tool_call_update", toolCallId=command, status="completed", content=content)

    def leave(self, seconds: str) -> None:
        """Start a child process without waiting for it."""
        subprocess.Popen(["sleep", seconds], start_new_session=True, stdout=subprocess.DEVNULL)

    def request(self, value: dict[str, Any]) -> None:
        """Send a request to the client and report its answer."""
        self._asked += 1
        number = f"asked-{self._asked}"
        params = {"sessionId": SESSION, **value["params"]}
        self._send(id=number, method=value["method"], params=params)
        while (message := self._receive()) is not None and message.get("id") != number:
            pass
        answer = message or {}
        self.say(json.dumps({"answer": answer.get("result", answer.get("error"))}) + "\n")

    def flood(self, size: int) -> None:
        for _ in range(size // 10_000):
            self._update("tool_call_update", toolCallId="flood", rawOutput="~" * 10_000)

    def write(self, line: str) -> None:
        """Write a raw line to the output."""
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def crash(self, code: int) -> None:
        os._exit(code)

    def hang(self, _: bool) -> object:
        """Wait until the client cancels."""
        while (message := self._receive()) is not None:
            if message.get("method") == "session/cancel" and "cancel" not in self._ignores:
                return CANCELLED
        while "end" in self._ignores:
            time.sleep(60)
        os._exit(0)

    def _receive(self) -> dict[str, Any] | None:
        line = sys.stdin.readline()
        message: dict[str, Any] | None = json.loads(line) if line else None
        return message

    def _update(self, name: str, /, **fields: Any) -> None:
        self.update({"sessionUpdate": name, **fields})

    def _send(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}))


CANCELLED = object()
ACTIONS: dict[str, Callable[[Agent, Any], object]] = {
    "say": Agent.say,
    "update": Agent.update,
    "run": Agent.run,
    "leave": Agent.leave,
    "request": Agent.request,
    "flood": Agent.flood,
    "write": Agent.write,
    "crash": Agent.crash,
    "hang": Agent.hang,
}


def _digest(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123
        Agent(json.load(file)).serve()
