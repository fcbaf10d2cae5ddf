"""The head of one request to the proxy, read strictly: what two programs could read differently is refused."""

from __future__ import annotations

import re

from msgspec import Struct

from autopilot.adapters.egress.body import find_length
from autopilot.model.egress import Target, parse_target

MAX_HEAD = 16 * 1024
END = b"\r\n\r\n"
# Printable characters only: no line end, NUL or tab that a server behind us could take for more than one line.
_FIRST_LINE = re.compile(rb"([A-Z]{1,20}) ([!-~]{1,8192}) HTTP/1\.[01]")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):([\t -~\x80-\xff]*+)")
_ABSOLUTE = re.compile(r"(?i:http)://([^/?#]+)((?:[/?][^#]*)?)")
_HAS_PORT = re.compile(r":[0-9]*\Z")
# About the connection to us, which ends here; the host is the one we checked.
_OWN_FIELDS = (b"host", b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization")


class Request(Struct, frozen=True):
    target: Target
    head: bytes = b""  # to be sent on; empty for a tunnel
    length: int | None = 0  # of the body behind the head; None where it comes in chunks


class BadRequest(Struct, frozen=True):
    reason: str


def parse_request(head: bytes) -> Request | BadRequest:
    """``head`` ends before the empty line. A tunnel (CONNECT), or a plain request in absolute form."""
    first, *fields = head.split(b"\r\n")
    line = _FIRST_LINE.fullmatch(first)
    if line is None:
        return BadRequest("the first line is not that of a request to a proxy")
    named = [(match[1].lower(), match[2].strip()) for field in fields if (match := _FIELD.fullmatch(field))]
    if len(named) != len(fields):
        return BadRequest("a header field is malformed")
    method, text = line[1], line[2].decode()
    if method == b"CONNECT":
        target = parse_target(text)
        return Request(target) if target else BadRequest("CONNECT needs a host name and a port")
    try:
        length = find_length(named)
    except ValueError:
        return BadRequest("it is not clear where the request ends")
    kept = [field for field, (name, _) in zip(fields, named, strict=True) if name not in _OWN_FIELDS]
    return _parse_absolute(method, text, kept, length)


def _parse_absolute(method: bytes, text: str, fields: list[bytes], length: int | None) -> Request | BadRequest:
    """One request for each connection: a second one could be meant for another host."""
    parts = _ABSOLUTE.fullmatch(text)
    if parts is None:
        return BadRequest("only CONNECT and addresses that start with http:// are served")
    authority, path = parts[1], parts[2]
    target = parse_target(authority if _HAS_PORT.search(authority) else f"{authority}:80")
    if target is None:
        return BadRequest("the address has no host name that could be checked")
    first = f"{method.decode()} {path if path.startswith('/') else f'/{path}'} HTTP/1.1\r\nHost: {target}"
    return Request(target, b"\r\n".join([first.encode(), *fields, b"Connection: close"]) + END, length)
