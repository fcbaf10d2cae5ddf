"""The server name in the first message of a TLS client."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.adapters.egress.client_hello import MAX_HELLO, read_server_name
from tests.contract.egress.kit import greet

# covers: T5.network

GREETING = greet("secure.example")


def in_records(message: bytes, size: int) -> bytes:
    """The same handshake message in records of that size."""
    parts = [message[place : place + size] for place in range(0, len(message), size)]
    return b"".join(b"\x16\x03\x01" + len(part).to_bytes(2) + part for part in parts)


def test_the_name_of_a_real_client_is_read() -> None:
    assert read_server_name(GREETING) == "secure.example"
    assert read_server_name(GREETING + b"more") == "secure.example"
    assert read_server_name(greet(None)) == ""


def test_every_beginning_of_a_greeting_waits_for_the_rest() -> None:
    assert {read_server_name(GREETING[:size]) for size in range(len(GREETING))} == {None}


@pytest.mark.parametrize("size", [100, 300, 1000])
def test_a_greeting_in_several_records_is_put_together(size: int) -> None:
    assert read_server_name(in_records(GREETING[5:], size)) == "secure.example"


def test_a_greeting_in_very_many_records_is_refused() -> None:
    assert read_server_name(in_records(GREETING[5:], 3)) == ""


def test_a_greeting_with_two_names_has_none() -> None:
    name = b"secure.example"
    entry = b"\0" + len(name).to_bytes(2) + name
    one, two = ((len(entries)).to_bytes(2) + entries for entries in (entry, entry + entry))
    doubled = GREETING.replace(b"\0\0" + len(one).to_bytes(2) + one, b"\0\0" + len(two).to_bytes(2) + two)
    assert doubled != GREETING
    assert read_server_name(adjust_lengths(doubled, len(entry))) == ""


def adjust_lengths(data: bytes, more: int) -> bytes:
    """The lengths of record, message and extensions, for a greeting that has grown by ``more`` bytes."""
    record, message = (int.from_bytes(data[place : place + size]) for place, size in ((3, 2), (6, 3)))
    at = 9 + 2 + 32
    at += 1 + data[at]
    at += 2 + int.from_bytes(data[at : at + 2])
    at += 1 + data[at]
    extensions = int.from_bytes(data[at : at + 2]) + more
    head = data[:3] + (record + more).to_bytes(2) + data[5:6] + (message + more).to_bytes(3) + data[9:at]
    return head + extensions.to_bytes(2) + data[at + 2 :]


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\x15\x03\x01\0\2\2\x28",
        b"\x16\x02\x01\0\1\1",
        b"\x16\x03\x01\0\1\2",
        b"\x16\x03\x01" + b"\xff\xff" + b"\1" * MAX_HELLO,
        b"\x16\x03\x01\0\0" * MAX_HELLO,
        b"\x16\x03\x01\0\4\1\0\0\0",
    ],
)
def test_what_is_no_greeting_has_no_name(data: bytes) -> None:
    assert read_server_name(data) == ""


@given(st.binary(max_size=300))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    assert read_server_name(data) is None or read_server_name(b"\x16\x03\x01" + data) != "secure.example"


@given(st.integers(0, len(GREETING) - 1), st.integers(0, 255))
def test_a_changed_byte_never_breaks_the_reader(place: int, value: int) -> None:
    changed = GREETING[:place] + bytes([value]) + GREETING[place + 1 :]
    assert read_server_name(changed) is None or isinstance(read_server_name(changed), str)
