"""The server name in a TLS client's first message: whom it is about to talk to, whatever it told the proxy.

Many sites share the addresses of one provider. To one of them, a client could ask us for an allowed name and then greet
another site at the same address.
"""

from __future__ import annotations

MAX_HELLO = 16 * 1024  # with keys for new algorithms it has about two
MOST_RECORDS = 16  # real clients send one; thousands, byte by byte, would only keep us busy
_HANDSHAKE, _CLIENT_HELLO, _SERVER_NAME, _HOST_NAME = 22, 1, 0, 0


class _Bytes:
    """Reads numbers and fields with a length before them; IndexError beyond the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        if self._at + size > len(self._data):
            raise IndexError
        self._at += size
        return self._data[self._at - size : self._at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size))

    def field(self, size: int) -> bytes:
        return self.take(self.number(size))

    def __bool__(self) -> bool:
        return self._at < len(self._data)


def read_server_name(data: bytes) -> str | None:
    """The name; "" when these bytes are no greeting with a name in it; None when more of it has to come first."""
    try:
        message = _join_records(data[:MAX_HELLO])
    except ValueError:
        return ""
    except IndexError:
        return None if len(data) < MAX_HELLO else ""
    try:
        return _find_name(_Bytes(message))
    except IndexError:
        return ""


def _join_records(data: bytes) -> bytes:
    """The first handshake message, put together from its records. IndexError while it is not complete."""
    records, message = _Bytes(data), b""
    for _ in range(MOST_RECORDS):
        if records.number(1) != _HANDSHAKE or records.number(1) != 3:
            raise ValueError
        records.take(1)
        message += records.field(2)
        if message and message[0] != _CLIENT_HELLO:
            raise ValueError
        size = 4 + int.from_bytes(message[1:4])
        if size <= len(message):
            return message[:size]
    raise ValueError


def _find_name(hello: _Bytes) -> str:
    hello.take(4 + 2 + 32)  # kind and length, version, random
    for size in (1, 2, 1):  # session, ciphers, compressions
        hello.field(size)
    extensions = _Bytes(hello.field(2))
    names = []
    while extensions:
        kind, content = extensions.number(2), extensions.field(2)
        if kind == _SERVER_NAME:
            names.append(content)
    if len(names) != 1:
        return ""
    listed = _Bytes(_Bytes(names[0]).field(2))
    kind, name = listed.number(1), listed.field(2)
    # Of several names a server could choose another than we.
    return name.decode("ascii", "replace") if kind == _HOST_NAME and not listed else ""
