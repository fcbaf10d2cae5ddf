"""The program inside a sandbox that starts services, waits until they are ready, and runs the command beside them.

Its text is given to the interpreter in there, so it imports nothing of Autopilot. What it writes to the report is JSON,
a line when the services are ready and a line at the end. All that is started ends with the sandbox.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Any

KEPT = 16384  # bytes of what a service printed last; the rest is counted
NAP_S = 0.05
PROBE_S = 10.0  # the longest that one probe may take
PATIENCE_S = 5.0  # for a service to answer when the command has ended
NOT_STARTED = 125
ANYWHERE = ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::"))


class Problem(Exception):
    """Why a service cannot be used: ``kind`` and ``detail`` as the report has them."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind)
        self.kind, self.detail = kind, detail


class Running:
    """A started service. Its output is read by a thread, so that it never waits for room, however much it prints."""

    def __init__(self, described: dict[str, Any], env: dict[str, str]) -> None:
        self.name: str = described["name"]
        self._ready: str = described["ready"]
        self._port: int = described["port"]
        self._limit_s: float = described["ready_s"]
        self._start: str = described["start"]
        self._env = env
        self._process: subprocess.Popen[bytes] | None = None
        self.last, self.printed, self.ready_ms = b"", 0, -1

    def bring_up(self) -> None:
        self._must_be_free()
        began = time.monotonic()
        self._process = self._spawn(self._start)
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        detail = ""
        while (left_s := began + self._limit_s - time.monotonic()) > 0:
            trouble = self._find_trouble(left_s)
            if trouble == "":
                self.ready_ms = round((time.monotonic() - began) * 1000)
                return
            # A probe that was cut off when the time was up says less than the one before it.
            if not detail or time.monotonic() < began + self._limit_s:
                detail = trouble
            if self._process.poll():  # 0 is a program that went on in the background
                raise Problem("ended", f"{_status(self._process.returncode)}")
            time.sleep(NAP_S)
        raise Problem("late", detail)

    def must_be_there(self) -> None:
        """After the command: it may be busy, but it must answer."""
        deadline = time.monotonic() + PATIENCE_S
        while detail := self._find_trouble(PATIENCE_S):
            code = self._process.poll() if self._process else None
            if code is not None:
                raise Problem("lost", f"ended with exit status {_status(code)}")
            if time.monotonic() > deadline:
                raise Problem("lost", f"does not answer: {detail}")
            time.sleep(NAP_S)

    def _must_be_free(self) -> None:
        """Whatever answers in its place would be asked instead, and might be a service of the user's own."""
        if self._port:
            for family, address in ANYWHERE:
                _must_be_bound(family, address, self._port)
        elif self._find_trouble(PROBE_S) == "":
            raise Problem("answers")

    def _find_trouble(self, left_s: float) -> str:
        """Why it is not ready; "" when it is."""
        if not self._ready:
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=min(left_s, 1.0)).close()
            except OSError as error:
                return error.strerror or str(error)
            return ""
        probe = self._spawn(self._ready)
        try:
            printed = probe.communicate(timeout=min(left_s, PROBE_S))[0]
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(probe.pid, signal.SIGKILL)
            probe.wait()
            return f"it did not end within {min(left_s, PROBE_S):.0f} s"
        lines = _whole_lines(printed[-KEPT:], len(printed)).strip().splitlines()
        return "" if probe.returncode == 0 else (lines or [f"exit status {probe.returncode}"])[-1]

    def _spawn(self, command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["bash", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=self._env,
        )

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while chunk := os.read(process.stdout.fileno(), 65536):
            self.last = (self.last + chunk)[-KEPT:]
            self.printed += len(chunk)


def attend(described: list[dict[str, Any]], given: dict[str, str], argv: list[str], report_fd: int) -> int:
    """Exit status of the command; it is not started where a service is not ready.

    ``given``: variables of the services, for them and for the command.
    """
    own = {**os.environ, **given}
    env = {name: value for name, value in own.items() if name != "REPORT_FD"}
    services = [Running(description, env) for description in described]
    for running in services:
        try:
            running.bring_up()
        except Problem as problem:
            _write(report_fd, {"problem": _render(running, problem), "ready": _list_ready(services)})
            return NOT_STARTED
    _write(report_fd, {"ready": _list_ready(services)})
    inherited = [int(os.environ["REPORT_FD"])] if "REPORT_FD" in os.environ else []
    command = subprocess.Popen(argv, pass_fds=inherited, env=own)
    status = command.wait()
    end: dict[str, Any] = {}
    for running in services:
        try:
            running.must_be_there()
        except Problem as problem:
            end = {"problem": _render(running, problem)}
            break
    _write(report_fd, {**end, "printed": [running.printed for running in services]})
    return _status(status)


def _must_be_bound(family: int, address: str, port: int) -> None:
    """At any address: a name such as localhost leads to several, and a service of the user's may be at one of them."""
    try:
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            tried.bind((address, port))
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise Problem("taken" if error.errno == errno.EADDRINUSE else "closed", error.strerror or "") from error
        # A machine without this family has nothing there.


def _whole_lines(end: bytes, printed: int) -> str:
    """Without the line that was cut where keeping begins: half of a secret value could not be removed from it."""
    kept = end if printed <= len(end) else end.partition(b"\n")[2]
    return kept.decode(errors="replace")


def _list_ready(services: list[Running]) -> list[list[Any]]:
    return [[running.name, running.ready_ms] for running in services if running.ready_ms >= 0]


def _status(code: int) -> int:
    """As a shell has it: a signal counts from 128 on."""
    return code if code >= 0 else 128 - code


def _render(running: Running, problem: Problem) -> dict[str, Any]:
    time.sleep(NAP_S)  # its last words may be on their way
    return {
        "name": running.name,
        "kind": problem.kind,
        "detail": problem.detail,
        "last": _whole_lines(running.last, running.printed),
        "printed": running.printed,
    }


def _write(report_fd: int, line: dict[str, Any]) -> None:
    os.write(report_fd, json.dumps(line).encode() + b"\n")


def _run(argv: list[str]) -> int:
    try:
        return attend(json.loads(argv[1]), json.loads(argv[2]), argv[3:], int(argv[0]))
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        sys.stderr.flush()
        return 127 if isinstance(error, FileNotFoundError) else 126


if __name__ == "__main__":
    # A terminal sends Ctrl-C to all of its programs; this one goes on. A function, since ignoring is inherited.
    signal.signal(signal.SIGINT, lambda *_: None)
    sys.stdout.flush()
    os._exit(_run(sys.argv[1:]))  # threads that still read go with it
