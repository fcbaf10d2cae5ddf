"""The command line as a process of its own without the start of an interpreter: each call is a fork of one that waits.

Importing everything takes a fifth of the smallest whole run. A server that has done it forks for every call; what runs
there is ``main`` of the package, from its words to its exit status, with the caller's folder, environment and files.

    python -m tests.scenario.kit.warm SOCKET      serves until its standard input is closed
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import autopilot
from autopilot.__main__ import main
from autopilot.text.lazy_regex import LazyRegex
from tests.signals import restore_signals

ROOT = Path(__file__).parents[3]
LARGEST_REQUEST = 1 << 20


def call(words: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_s: float) -> tuple[int, str, str]:
    """Run ``autopilot`` with these words to its end: exit status, output and errors."""
    request = {"words": list(words), "folder": str(folder), "environment": dict(environment)}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _connect(_server()) as line:
        line.settimeout(timeout_s)
        socket.send_fds(line, [json.dumps(request).encode()], [out.fileno(), err.fileno()])
        pid = int(line.recv(32))
        try:
            status = int(line.recv(32))
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise
        return status, _text(out), _text(err)


def _text(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode("utf-8"))


@cache
def _server() -> str:
    """One for each process that tests; it ends with it."""
    folder = tempfile.TemporaryDirectory(prefix="warm-")
    address = f"{folder.name}/socket"
    command = (sys.executable, "-m", "tests.scenario.kit.warm", address)
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    atexit.register(folder.cleanup)
    atexit.register(process.stdin.close)
    return address


def _connect(address: str) -> socket.socket:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(address)
    return line


# -- the server


def serve(address: str) -> None:
    import_everything()
    gc.freeze()  # or the collector of every fork goes through all modules, and copies their pages
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(address)
    listening.listen(16)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that answer
    sys.stdout.write("ready\n")
    sys.stdout.close()
    while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
        line, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            answer(line)
        line.close()


def import_everything() -> None:
    for found in pkgutil.walk_packages(autopilot.__path__, "autopilot."):
        if not found.name.endswith(("__main__", "program")):
            importlib.import_module(found.name)
    for late in (made for made in gc.get_objects() if isinstance(made, LazyRegex)):
        assert late.compiled  # once here, instead of in every fork


def answer(line: socket.socket) -> NoReturn:
    """One call: its process id first, then its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, files, _, _ = socket.recv_fds(line, LARGEST_REQUEST, 2)
    pid = os.fork()
    if pid == 0:
        line.close()
        end(perform, json.loads(message), *files)
    line.send(str(pid).encode())
    _, status = os.waitpid(pid, 0)
    line.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def end(work: Callable[..., int], *given: Any) -> NoReturn:
    """With its status, and at once: taking down all that was imported would take longer than most commands do."""
    status = 1
    try:
        status = work(*given)
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 1
    finally:
        if sys.exc_info()[0] is not None:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def perform(request: dict[str, Any], out: int, err: int) -> int:
    """As a shell starts a command: its folder, environment, files and signals, and nothing of ours."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for place, file in enumerate((nothing, out, err)):
        os.dup2(file, place)
        os.close(file)
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115 -- for as long as it lives
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    restore_signals()
    sys.argv = ["autopilot", *request["words"]]
    return main(request["words"])


if __name__ == "__main__":
    serve(sys.argv[1])
