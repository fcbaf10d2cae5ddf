"""A server on loopback that speaks as much of the API of Gitea as is asked for, and writes down what it is asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "t0ken-t0ken-t0ken-t0ken"
PLACE = "/api/v1/repos/o/r"


class Gitea:
    """Knows issue 24, the label merge-ready, and the pull requests that are made. ``twist`` answers in its place."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.tokens: list[str] = []
        self.pulls: list[dict[str, Any]] = []
        self.twist: Callable[[BaseHTTPRequestHandler], bool] | None = None
        gitea = self

        class Answering(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def _serve(self) -> None:
                size = int(self.headers.get("Content-Length", "0"))
                body = json.loads(self.rfile.read(size)) if size else None
                gitea.asked.append((self.command, self.path, body))
                gitea.tokens.append(self.headers.get("Authorization", ""))
                if gitea.twist is not None and gitea.twist(self):
                    return
                status, answer = gitea.answer(self.command, self.path, body)
                content = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = _serve

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self._thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    def answer(self, method: str, address: str, body: Any) -> tuple[int, Any]:
        parts = urlsplit(address)
        path, page = parts.path.removeprefix(PLACE), int(parse_qs(parts.query).get("page", ["1"])[0])
        match method, path.split("/")[1:]:
            case "GET", []:
                return 200, {"default_branch": "trunk"}
            case "GET", ["issues", "24"]:
                labels = [{"id": 1, "name": "bug"}, {"id": 2, "name": "p 1"}]
                return 200, {"title": "A title", "body": "A body", "labels": labels}
            case "GET", ["issues", "25"]:
                return 200, {"title": "No body", "body": None, "labels": None}
            case "GET", ["labels"]:
                return 200, [{"id": 7, "name": "merge-ready"}] if page == 2 else [{"id": 1, "name": "bug"}] * (
                    page == 1
                )
            case "GET", ["pulls"]:
                return 200, [pull for pull in self.pulls if pull["state"] == "open"] if page == 1 else []
            case "POST", ["pulls"]:
                number = len(self.pulls) + 7
                made = {"number": number, "title": body["title"]}
                self.pulls.append({**made, "state": "open", "head": {"ref": body["head"]}})
                return 201, self.pulls[-1]
            case "PATCH", ["pulls", number]:
                (pull,) = (pull for pull in self.pulls if pull["number"] == int(number))
                pull.update(body)
                return 201, pull
            case "POST", ["issues", _, "comments"] | ["issues", _, "labels"] | ["statuses", _]:
                return 201, {}
        return 404, {"message": "The target couldn't be found."}
