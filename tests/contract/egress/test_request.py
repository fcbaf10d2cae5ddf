"""The head of a request to the proxy: what is read, and all that is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.adapters.egress.request import BadRequest, Request, parse_request
from autopilot.model.egress import Target

# covers: T5.network


def test_a_tunnel_names_its_host() -> None:
    head = b"CONNECT api.example.org:443 HTTP/1.1\r\nHost: other.example:443\r\nProxy-Authorization: Basic eDp5"
    assert parse_request(head) == Request(Target("api.example.org", 443))


def test_a_plain_request_is_sent_on_to_the_host_that_was_checked() -> None:
    head = (
        b"POST http://Model.Example.org:8080/v1/x?y=1 HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n"
        b"Proxy-Connection: keep-alive\r\nconnection: keep-alive\r\nProxy-Authorization: Basic eDp5"
    )
    sent = b"POST /v1/x?y=1 HTTP/1.1\r\nHost: model.example.org:8080\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
    assert parse_request(head) == Request(Target("model.example.org", 8080), sent, 2)


@pytest.mark.parametrize(
    ("address", "target", "path"),
    [
        ("http://example.org", Target("example.org", 80), b"/"),
        ("HTTP://example.org/", Target("example.org", 80), b"/"),
        ("http://example.org?x", Target("example.org", 80), b"/?x"),
        ("http://[::1]/a", Target("::1", 80), b"/a"),
        ("http://[::1]:81//b", Target("::1", 81), b"//b"),
    ],
)
def test_an_address_is_taken_apart(address: str, target: Target, path: bytes) -> None:
    request = parse_request(b"GET " + address.encode() + b" HTTP/1.1")
    assert isinstance(request, Request)
    assert (request.target, request.head.split(b" ")[1]) == (target, path)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"CONNECT",
        b"CONNECT api.example.org:443",
        b"CONNECT api.example.org:443 HTTP/2.0",
        b"CONNECT api.example.org:443  HTTP/1.1",
        b"connect api.example.org:443 HTTP/1.1",
        b"CONNECT api.example.org HTTP/1.1",
        b"CONNECT user@api.example.org:443 HTTP/1.1",
        b"CONNECT user:pass@api.example.org:443 HTTP/1.1",
        b"CONNECT http://api.example.org:443 HTTP/1.1",
        b"CONNECT api.example.org:443\tHTTP/1.1",
        b"CONNECT api.example.org:443 HTTP/1.1\nHost: x",
        b"CONNECT api.example.org:443 HTTP/1.1\rHost: x",
        b"CONNECT api.example.org:443 HTTP/1.1\r\n folded: x",
        b"CONNECT api.example.org:443 HTTP/1.1\r\nHost : x",
        b"CONNECT api.example.org:443 HTTP/1.1\r\nno colon",
        b"CONNECT api.example.org:443 HTTP/1.1\r\nX: a\nY: b",
        b"CONNECT api.example.org:443 HTTP/1.1\r\nX: a\0b",
        b"CONNECT \xc3\xa4.example:443 HTTP/1.1",
        b"GET / HTTP/1.1\r\nHost: api.example.org",
        b"GET https://api.example.org/ HTTP/1.1",
        b"GET ftp://api.example.org/ HTTP/1.1",
        b"GET http:api.example.org HTTP/1.1",
        b"GET http:// HTTP/1.1",
        b"GET http:///path HTTP/1.1",
        b"GET http://api.example.org:/ HTTP/1.1",
        b"GET http://user@api.example.org/ HTTP/1.1",
        b"GET http://api.example.org\\@evil.example/ HTTP/1.1",
        b"GET http://api.example.org:80:80/ HTTP/1.1",
        b"GET http://api.example.org/#@evil.example HTTP/1.1",
        b"GET http://0x7f.1/ HTTP/1.1",
        b"GET http://2130706433/ HTTP/1.1",
        b"POST http://x.example/ HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2",
        b"POST http://x.example/ HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
        b"POST http://x.example/ HTTP/1.1\r\nContent-Length: +2",
        b"POST http://x.example/ HTTP/1.1\r\nContent-Length: 2, 2",
        b"POST http://x.example/ HTTP/1.1\r\nContent-Length:",
        b"POST http://x.example/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked",
        b"POST http://x.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        b"POST http://x.example/ HTTP/1.1\r\nTransfer-Encoding: xchunked",
        b"GET * HTTP/1.1",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0",
        b"\x05\x01\x00",
    ],
)
def test_what_is_not_plainly_a_request_to_a_proxy_is_refused(head: bytes) -> None:
    assert isinstance(parse_request(head), BadRequest)


@given(st.binary(max_size=400))
def test_no_bytes_are_too_strange_to_be_refused(head: bytes) -> None:
    assert isinstance(parse_request(head), BadRequest | Request)


FIELDS = st.lists(st.binary(max_size=30), max_size=4)


@given(FIELDS, st.binary(max_size=30))
def test_no_line_is_smuggled_into_what_is_sent_on(fields: list[bytes], path: bytes) -> None:
    head = b"\r\n".join([b"GET http://example.org/" + path + b" HTTP/1.1", *fields])
    request = parse_request(head)
    if isinstance(request, Request):
        lines = request.head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        assert request.target == Target("example.org", 80)
        assert [line for line in lines if line.lower().startswith(b"host:")] == [b"Host: example.org:80"]
        assert not any(control in request.head for control in (b"\0", b"\n\n", b"\r\r"))
        assert request.head.count(b"\r") == request.head.count(b"\n") == request.head.count(b"\r\n")
