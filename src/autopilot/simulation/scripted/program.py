"""The scripted agent itself: a program of its own, run inside the agent's sandbox, that acts and answers by script.

    python -I -S scripted_program.py ORDER < prompt

ORDER is a JSON file: the role, phase, task, attempt and number of this call, the call chosen from the script (or null)
and the script's default. Standard output is one JSON event a line, the last of them the result; what its commands print
goes to standard error. Only light modules are imported up here: every call of every demo and test waits for them.
"""

# Paths are plain strings here because pathlib alone would add a third to the start-up time.
# ruff: noqa: PTH100, PTH103, PTH107, PTH110, PTH118, PTH120, PTH123

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
SHOWN_OF_PROMPT = 200
HANG_S = 86_400.0
HEARD = "heard-"  # laid beside ORDER, with its number, when a report of usage was heard and is within the caps
HEARD_AFTER_S = 60.0
POLL_S = 0.002
WORKERS = ("executor", "debugger", "analyst", "designer", "implementer")  # what their script committed is theirs
FLOOD_LINE = b"~" * 1023 + b"\n"


def main(order_path: str) -> None:
    with open(order_path, encoding="utf-8") as file:
        order = json.load(file)
    prompt = sys.stdin.buffer.read()
    head, tail = (part.decode(errors="replace") for part in (prompt[:SHOWN_OF_PROMPT], prompt[-SHOWN_OF_PROMPT:]))
    tell("start", version=VERSION, prompt_bytes=len(prompt), prompt_head=head, prompt_tail=tail)
    call = order["call"]
    if call is None and order["default"] == "fail":
        give_up(
            "the script has no call for {role}, phase {phase}, task {task!r}, attempt {attempt}, call {nth}".format(
                **order
            )
        )
    follow(order, call or {}, Meter(os.path.dirname(order_path)))


def follow(order: dict[str, Any], call: dict[str, Any], meter: Meter) -> None:
    # Told before anything is done, so that a call over its budget is one even when it then hangs.
    meter.report(call.get("usage", {}))
    ending = call.get("ending", "completed")
    is_honest = ending == "completed" and not {"reply", "raw"} & call.keys()
    before = current_commit() if is_honest and order["role"] in WORKERS else ""
    for number, action in enumerate(call.get("do", ()), start=1):
        perform(number, action, meter)
    said = {"text": call["raw"]} if "raw" in call else {"reply": call.get("reply")}
    if is_honest:
        said = {"reply": honest_reply(order, before)}
    tell("result", ending=ending, usage=meter.total, retry_after_s=call.get("retry_after_s"), **said)


class Meter:
    """What this call has used up to now. Every report waits to be heard: one over the cap is the last thing done."""

    def __init__(self, folder: str) -> None:
        self.total: dict[str, Any] = {}
        self._folder = folder
        self._reports = 0

    def report(self, more: dict[str, Any]) -> None:
        self._reports += 1
        for name, figure in more.items():
            before = self.total.get(name, 0)
            self.total[name] = bool(figure or before) if isinstance(figure, bool) else round(before + figure, 9)
        tell("usage", **self.total)
        if more:
            self._wait_until_heard()

    def _wait_until_heard(self) -> None:
        heard = os.path.join(self._folder, f"{HEARD}{self._reports}")
        for _ in range(int(HEARD_AFTER_S / POLL_S)):
            if os.path.exists(heard):
                return
            time.sleep(POLL_S)


def perform(number: int, action: dict[str, Any], meter: Meter) -> None:
    kind = next(key for key in action if key != "text")
    what = action[kind]
    if kind == "usage":
        meter.report(what)
        return
    tell("action", number=number, kind=kind, what=what if kind in ("write", "delete", "git", "run", "sleep") else None)
    try:
        failure = ACTIONS[kind](what, action)
    except OSError as error:
        failure = str(error)
    if failure:
        give_up(f"action {number} ({kind}): {failure}")


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
    return f"git {' '.join(arguments)} ended with {code}" if code else None


def run(command: str, _: dict[str, Any]) -> None:
    """Its exit code is told and nothing more: an agent's own commands fail all the time."""
    tell("ran", exit_code=spawn(["bash", "-c", command]))


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
    """Run a command with its output on our standard error; its exit code, negative for a signal."""
    source = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0) if stdin is None else (os.POSIX_SPAWN_DUP2, stdin, 0)
    sys.stdout.flush()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=[source, (os.POSIX_SPAWN_DUP2, 2, 1)])
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def current_commit() -> str:
    try:
        from_git = os.popen("git rev-parse --verify --quiet HEAD")
    except OSError:
        return ""
    with from_git:
        return from_git.read().strip()


def honest_reply(order: dict[str, Any], before: str) -> dict[str, Any]:
    # Isolated mode leaves the program's own package off the path; it goes last, so that it hides nothing.
    sys.path.append(os.path.abspath(__file__).rsplit(os.sep, 4)[0])
    from autopilot.simulation.honest import replies as honest

    return honest.reply(order, before)


def tell(event: str, **fields: Any) -> None:
    # "type" stands first: a result cut off for its length is still known to have been one.
    sys.stdout.write(json.dumps({"type": event, **fields}) + "\n")
    sys.stdout.flush()


def give_up(why: str) -> NoReturn:
    tell("failed", why=why)
    sys.exit(FAILED)


if __name__ == "__main__":
    main(sys.argv[1])
