"""The program of the scripted agent: runs inside the agent's sandbox and acts and replies by a script.

Started by ``launcher.py``. ORDER, its argument, is a JSON file: the role, phase, task, attempt and number of this
call, the call chosen from the script (or null) and the script's default. Standard output is one JSON event a line, the
last of them the result; what its commands print goes to standard error. Only small modules are imported here: every
call of the demo and of tests waits for them.
"""

# Paths are plain strings here because pathlib alone would add a third to the start-up time.
# ruff: noqa: PTH103, PTH107, PTH110, PTH118, PTH120, PTH123

from __future__ import annotations

import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

VERSION = "1"
FAILED = 70
EXCERPT_BYTES = 200
HANG_S = 86_400.0
ACCEPTED = "heard-"  # a file next to ORDER, with the number of a usage report that is within the caps
ACCEPT_TIMEOUT_S = 60.0
POLL_S = 0.002
WORKERS = ("executor", "debugger", "analyst", "designer", "implementer")  # roles whose commits are their work
FLOOD_LINE = b"~" * 1023 + b"\n"


def main(order_path: str) -> None:
    with open(order_path, encoding="utf-8") as file:
        order = json.load(file)
    prompt = sys.stdin.buffer.read()
    head, tail = (part.decode(errors="replace") for part in (prompt[:EXCERPT_BYTES], prompt[-EXCERPT_BYTES:]))
    emit("start", version=VERSION, prompt_bytes=len(prompt), prompt_head=head, prompt_tail=tail)
    call = order["call"]
    if call is None and order["default"] == "fail":
        task = f", task {order['task']}" if order["task"] else ""
        asked = f"{order['role']}, phase {order['phase']}{task}, attempt {order['attempt']}, call {order['nth']}"
        fail(f"the script has no call for {asked}, and its default is fail")
    play_call(order, call or {}, Meter(os.path.dirname(order_path)))


def play_call(order: dict[str, Any], call: dict[str, Any], meter: Meter) -> None:
    # Reported before the first action, so that a call over its budget is stopped even if it hangs.
    meter.report(call.get("usage", {}))
    ending = call.get("ending", "completed")
    is_honest = ending == "completed" and not {"reply", "raw"} & call.keys()
    before = current_commit() if is_honest and order["role"] in WORKERS else ""
    for number, action in enumerate(call.get("do", ()), start=1):
        perform(number, action, meter)
    reply = {"text": call["raw"]} if "raw" in call else {"reply": call.get("reply")}
    if is_honest:
        reply = {"reply": honest_reply(order, before)}
    emit("result", ending=ending, usage=meter.total, retry_after_s=call.get("retry_after_s"), **reply)


class Meter:
    """The usage of this call so far. Every report waits for its acceptance: one over a cap ends the call."""

    def __init__(self, folder: str) -> None:
        self.total: dict[str, Any] = {}
        self._folder = folder
        self._reports = 0

    def report(self, more: dict[str, Any]) -> None:
        self._reports += 1
        for name, figure in more.items():
            before = self.total.get(name, 0)
            self.total[name] = bool(figure or before) if isinstance(figure, bool) else round(before + figure, 9)
        emit("usage", **self.total)
        if more:
            self._wait_until_accepted()

    def _wait_until_accepted(self) -> None:
        marker = os.path.join(self._folder, f"{ACCEPTED}{self._reports}")
        for _ in range(int(ACCEPT_TIMEOUT_S / POLL_S)):
            if os.path.exists(marker):
                return
            time.sleep(POLL_S)


def perform(number: int, action: dict[str, Any], meter: Meter) -> None:
    kind = next(key for key in action if key != "text")
    value = action[kind]
    if kind == "usage":
        meter.report(value)
        return
    emit("action", number=number, kind=kind, what=value if kind in ("write", "delete", "git", "run", "sleep") else None)
    try:
        failure = ACTIONS[kind](value, action)
    except OSError as error:
        failure = str(error)
    if failure:
        fail(f"action {number} ({kind}): {failure}")


def write(path: str, action: dict[str, Any]) -> None:
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(action["text"])


def patch(diff: str, _: dict[str, Any]) -> str | None:
    stdin = os.memfd_create("patch")
    with open(stdin, "wb", closefd=False) as file:
        file.write(diff.encode())
    os.lseek(stdin, 0, os.SEEK_SET)
    return "it does not apply" if spawn(["git", "apply", "--whitespace=nowarn", "-"], stdin) else None


def delete(path: str, _: dict[str, Any]) -> None:
    os.remove(path)


def git(arguments: list[str], _: dict[str, Any]) -> str | None:
    code = spawn(["git", *arguments])
    return f"git {' '.join(arguments)} exited with status {code}" if code else None


def run(command: str, _: dict[str, Any]) -> None:
    """Run a command and report its exit status; a failure does not end the call."""
    emit("ran", exit_code=spawn(["bash", "-c", command]))


def sleep(seconds: float, _: dict[str, Any]) -> None:
    time.sleep(seconds)


def crash(code: int, _: dict[str, Any]) -> NoReturn:
    sys.stdout.flush()
    os._exit(code)


def hang(_: bool, __: dict[str, Any]) -> None:
    time.sleep(HANG_S)


def flood(size: int, _: dict[str, Any]) -> None:
    sys.stdout.flush()
    for _line in range(size // len(FLOOD_LINE)):
        sys.stdout.buffer.write(FLOOD_LINE)
    sys.stdout.buffer.flush()


ACTIONS: dict[str, Any] = {
    "write": write,
    "patch": patch,
    "delete": delete,
    "git": git,
    "run": run,
    "sleep": sleep,
    "crash": crash,
    "hang": hang,
    "flood": flood,
}


def spawn(argv: list[str], stdin: int | None = None) -> int:
    """Run a command with its output on standard error; returns its exit code, negative for a signal."""
    source = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0) if stdin is None else (os.POSIX_SPAWN_DUP2, stdin, 0)
    sys.stdout.flush()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=[source, (os.POSIX_SPAWN_DUP2, 2, 1)])
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def current_commit() -> str:
    from autopilot.simulation.honest.context import git as ask_git

    return ask_git("rev-parse", "--verify", "--quiet", "HEAD").strip()


def honest_reply(order: dict[str, Any], before: str) -> dict[str, Any]:
    from autopilot.simulation.honest import replies as honest

    return honest.reply(order, before)


def emit(event: str, **fields: Any) -> None:
    # "type" comes first, so that a result can be recognized even if the line is cut.
    sys.stdout.write(json.dumps({"type": event, **fields}) + "\n")
    sys.stdout.flush()


def fail(why: str) -> NoReturn:
    emit("failed", why=why)
    sys.exit(FAILED)
