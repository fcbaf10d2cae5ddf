"""A notice for a web address."""

from __future__ import annotations

import http.client
from email.message import Message
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import msgspec

from autopilot.adapters.notify.loopback import is_loopback
from autopilot.model.errors import Unavailable
from autopilot.model.notice import Notice

TIMEOUT_S = 5.0
HINT = "Look at webhook below [notify] in your settings.toml."


class Webhook:
    """POSTs JSON. Whatever is said of an address names its host alone: the rest of it is often the secret."""

    name = "the webhook"

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self._url = url
        self._timeout_s = timeout_s
        # A proxy has no business between this machine and itself.
        direct = (ProxyHandler({}),) if is_loopback(urlsplit(url).hostname or "") else ()
        self._opener = build_opener(_SameHost, *direct)

    def send(self, notice: Notice) -> None:
        headers = {"Content-Type": "application/json", "User-Agent": "autopilot"}
        request = Request(self._url, msgspec.json.encode(notice), headers, method="POST")
        host = urlsplit(self._url).hostname
        try:
            with self._opener.open(request, timeout=self._timeout_s):
                return  # what it answers is of no interest
        except HTTPError as error:
            error.close()
            raise Unavailable(f"{host} answered {error.code}: {error.reason}", HINT) from None
        except (URLError, http.client.HTTPException, OSError, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise Unavailable(f"the notification could not be sent to {host} ({type(reason).__name__})", HINT) from None


class _SameHost(HTTPRedirectHandler):
    """Follows to another path of the same place, and nowhere else; what is sent there is the same."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,  # noqa: ARG002 -- the server's own words
        headers: Message,
        newurl: str,
    ) -> Request:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if (old.scheme, old.netloc) != (new.scheme, new.netloc):
            raise HTTPError(req.full_url, code, "it leads to another host, and is not followed", headers, fp)
        return Request(newurl, req.data, dict(req.header_items()), method="POST")

    http_error_308 = HTTPRedirectHandler.http_error_302
