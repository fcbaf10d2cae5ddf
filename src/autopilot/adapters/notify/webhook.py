"""A notice for a web address."""

from __future__ import annotations

from urllib.request import Request

import msgspec

from autopilot.adapters.http.one_host import OneHost
from autopilot.model.errors import Unavailable
from autopilot.model.notice import Notice

TIMEOUT_S = 5.0
HINT = "Check `webhook` below [notify] in your settings.toml."
HEADERS = {"Content-Type": "application/json", "User-Agent": "autopilot"}


class Webhook:
    """POSTs JSON; followed to another path of the same place. What it answers is of no interest."""

    name = "the webhook"

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self._url = url
        self._host = OneHost(url, timeout_s, "the notification could not be sent to {}", HINT, follows=True)

    def send(self, notice: Notice) -> None:
        request = Request(self._url, msgspec.json.encode(notice), HEADERS, method="POST")
        answered = self._host.send(request)
        if not 200 <= answered.status < 300:
            raise Unavailable(f"{self._host.name} answered {answered.status}: {answered.reason}", HINT)
