"""Every way to be told, with the real thing at the other end: a server, a command, a program on the PATH.

covers: NOTE
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.notify.command import Command
from autopilot.adapters.notify.desktop import Desktop
from autopilot.adapters.notify.memory import Remembered
from autopilot.adapters.notify.webhook import Webhook
from autopilot.model.errors import Unavailable
from autopilot.model.notice import Notice, NoticeKind, Wanted
from autopilot.ports.notifier import Notifier

NOTICE = Notice(
    kind=NoticeKind.GATE,
    run="run-1",
    repository="/work/shop",
    status="waiting",
    exit_status=3,
    title="Autopilot: shop waits for you",
    reason="--map asks <you> & waits",
    command="autopilot answer map",
    waiting=(Wanted("map", "2 phases", "autopilot answer map"),),
)


class Server(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.heard: list[tuple[str, str, dict[str, Any]]] = []
        self.elsewhere = ""  # where /away leads to

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answering(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, self.headers["Content-Type"], json.loads(body)))
        status, place = {
            "/told": (204, ""),
            "/gone": (404, ""),
            "/next": (307, "/told"),
            "/moved": (308, "/told"),
            "/found": (302, "/told"),
            "/round": (307, "/round"),
            "/away": (307, self.server.elsewhere),
        }[self.path.partition("?")[0]]
        self.send_response(status)
        if place:
            self.send_header("Location", place)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Not among the words of the tests."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def program(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)


# --- the webhook


@pytest.mark.parametrize("path", ["/told", "/next", "/moved", "/found"])
def test_a_webhook_is_told_in_json_and_followed_on_its_own_host(server: Server, path: str) -> None:
    Webhook(f"{server.url}{path}").send(NOTICE)
    told_at, form, told = server.heard[-1]
    assert (told_at, form) == ("/told", "application/json")
    assert (told["kind"], told["run"], told["waiting"][0]["command"]) == ("gate", "run-1", "autopilot answer map")


def test_a_webhook_that_leads_to_another_host_is_not_followed(server: Server) -> None:
    with Server() as other:
        server.elsewhere = f"{other.url}/told"
        with pytest.raises(Unavailable, match="another host, and is not followed"):
            Webhook(f"{server.url}/away").send(NOTICE)
        assert other.heard == []


@pytest.mark.parametrize("path", ["/gone?token=s3cret", "/round?token=s3cret"])
def test_a_webhook_that_refuses_is_told_of_without_its_address(server: Server, path: str) -> None:
    with pytest.raises(Unavailable) as caught:
        Webhook(f"{server.url}{path}").send(NOTICE)
    assert "127.0.0.1 answered" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_webhook_nobody_listens_at_is_unavailable() -> None:
    with Server() as server:
        url = server.url  # free again after this
    with pytest.raises(Unavailable, match=r"could not be sent to 127\.0\.0\.1"):
        Webhook(f"{url}/told?token=s3cret").send(NOTICE)


# --- the command


def test_a_command_has_the_notice_on_its_input_and_in_its_environment(tmp_path: Path) -> None:
    command = (
        'cat > told.json; printf "%s|%s|%s" "$AUTOPILOT_NOTICE" "$AUTOPILOT_COMMAND" "$MINE" > told.txt; pwd > where'
    )
    Command(command, {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "MINE": "mine"}).send(NOTICE)
    assert json.loads((tmp_path / "told.json").read_text())["title"] == NOTICE.title
    assert (tmp_path / "told.txt").read_text() == "gate|autopilot answer map|mine"
    assert Path((tmp_path / "where").read_text().strip()) == tmp_path.resolve(), "not in the repository"


def test_a_command_that_does_not_read_its_input_is_told_all_the_same(tmp_path: Path) -> None:
    Command("exec true", {"HOME": str(tmp_path)}).send(NOTICE)


@pytest.mark.parametrize(("command", "why"), [("exit 3", "ended with status 3"), ("not-there-at-all", "status 127")])
def test_a_command_that_fails_is_unavailable(tmp_path: Path, command: str, why: str) -> None:
    with pytest.raises(Unavailable, match=why):
        Command(command, {"HOME": str(tmp_path)}).send(NOTICE)


def test_a_command_that_does_not_end_is_ended_with_its_children(tmp_path: Path) -> None:
    command = "sleep 600 & echo $! > child; wait"
    with pytest.raises(Unavailable, match=r"did not end within 2 s"):
        Command(command, {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, timeout_s=2).send(NOTICE)
    child = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
    for _ in range(200):
        if not child.exists() or " Z " in child.read_text():
            break
        time.sleep(0.05)
    else:
        pytest.fail("its child is still there")


# --- the desktop


def desktop(folder: Path, **more: str) -> Desktop:
    return Desktop({"PATH": f"{folder}:{os.environ['PATH']}", "TOLD": str(folder / "told"), **more})


def test_the_desktop_is_told_in_words_that_are_no_options_and_no_markup(tmp_path: Path) -> None:
    program(tmp_path, "notify-send", 'printf "%s\\n" "$@" > "$TOLD"')
    desktop(tmp_path, DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere").send(NOTICE)
    words = (tmp_path / "told").read_text().splitlines()
    assert words[-4:] == ["--", NOTICE.title, "--map asks &lt;you&gt; &amp; waits", "autopilot answer map"]
    assert "--urgency=critical" in words


def test_a_bus_in_the_runtime_folder_is_a_session_too(tmp_path: Path) -> None:
    program(tmp_path, "notify-send", 'touch "$TOLD"')
    (tmp_path / "bus").touch()
    desktop(tmp_path, XDG_RUNTIME_DIR=str(tmp_path)).send(NOTICE)
    assert (tmp_path / "told").exists()


def test_without_a_session_or_without_the_program_nothing_is_wrong(tmp_path: Path) -> None:
    Desktop({"PATH": str(tmp_path), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}).send(NOTICE)
    program(tmp_path, "notify-send", 'touch "$TOLD"')
    desktop(tmp_path).send(NOTICE)
    assert not (tmp_path / "told").exists()


def test_a_desktop_that_cannot_show_it_is_unavailable(tmp_path: Path) -> None:
    program(tmp_path, "notify-send", "exit 1")
    with pytest.raises(Unavailable, match="notify-send: it ended with status 1"):
        desktop(tmp_path, DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere").send(NOTICE)


# --- the fake


def test_the_fake_keeps_what_it_is_told_and_can_be_out_of_order() -> None:
    kept = Remembered()
    several: list[Notifier] = [kept, Remembered(problem="out of order")]
    several[0].send(NOTICE)
    assert kept.notices == [NOTICE]
    with pytest.raises(Unavailable, match="out of order"):
        several[1].send(NOTICE)
