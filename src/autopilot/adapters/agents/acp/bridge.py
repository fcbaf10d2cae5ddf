"""The way to an ACP agent: a program of its own, run inside the agent's sandbox, that holds one turn of talk with it.

    python -I -S acp_bridge.py ORDER < prompt
    python -I -S acp_bridge.py --meet LIBRARIES PROGRAM WORD…

ORDER is a JSON file; see ``Order`` in acp.py. Standard output is one JSON event a line, told by acp_client.py. It runs
inside because a sandboxed command has no input that could be written to later, and because one end of the process
namespace then ends client and agent alike: some agents outlive their clients. The second form asks an agent for its
version.
"""

# Light on purpose: the agent is started before anything heavy is loaded.
# ruff: noqa: PTH100, PTH109, PTH123

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# After its pipe was closed, after the request to end, after the end by force. The first is short: some never mind it.
GRACES_S = (0.3, 1.0, 1.0)
FAILED = 70


def main(order_path: str) -> NoReturn:
    with open(order_path, encoding="utf-8") as file:
        order = json.load(file)
    # Where it was started: without walls that is the agent's clone, and the call's own path the user's repository.
    order["project"] = os.getcwd()
    prompt = sys.stdin.buffer.read().decode(errors="replace")
    agent = start(order["argv"])
    # The library takes a second to load, and so does the agent: they do it in parallel.
    load_library(order["libraries"])
    from autopilot.adapters.agents.acp import client as acp_client

    acp_client.hold_turn(agent, order, prompt, tell)
    end(agent)
    leave(0)


def meet(libraries: str, argv: list[str]) -> NoReturn:
    agent = start(argv)
    load_library(libraries.split(":"))
    from autopilot.adapters.agents.acp import client as acp_client

    version = acp_client.ask_version(agent)
    end(agent)  # and whatever it still has to say stands before the answer
    write(version)
    leave(0 if version else FAILED)


def start(argv: list[str]) -> subprocess.Popen[bytes]:
    """It speaks through a socket: a pipe could be opened by the code it runs, which would answer in its place."""
    ours, theirs = socket.socketpair()
    try:
        agent = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=theirs.fileno())
    except OSError as error:
        tell("error", during="start", message=f"{argv[0]}: {error.strerror}")
        leave(FAILED)
    theirs.close()
    agent.stdout = io.FileIO(ours.detach())
    return agent


def load_library(folders: list[str]) -> None:
    """Isolated mode leaves all packages off the path; they go last, so that they hide nothing."""
    own = os.path.abspath(__file__).rsplit(os.sep, 5)[0]
    sys.path.extend(folder for folder in (*folders, own) if folder not in sys.path)
    # Those are for programs of the user's; here they would be one more thing to load.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"


def end(agent: subprocess.Popen[bytes]) -> None:
    """First by closing what it reads, so that it can put its session away; then by signal. Its children end with us."""
    assert agent.stdin is not None
    for step, grace_s in zip((agent.stdin.close, agent.terminate, agent.kill), GRACES_S, strict=True):
        step()
        try:
            agent.wait(grace_s)
        except subprocess.TimeoutExpired:
            continue
        return


def tell(event: str, **fields: Any) -> None:
    write(json.dumps({"type": event, **fields}, ensure_ascii=False))


def write(line: str) -> None:
    sys.stdout.buffer.write(line.encode(errors="replace") + b"\n")
    sys.stdout.buffer.flush()


def leave(code: int) -> NoReturn:
    """Without waiting for threads, tasks or pipes of the library's."""
    os._exit(code)


if __name__ == "__main__":
    if sys.argv[1] == "--meet":
        meet(sys.argv[2], sys.argv[3:])
    main(sys.argv[1])
