"""The proxy on real sockets: what it connects, what it refuses, and that no client can hurt it or its neighbours."""

from __future__ import annotations

import random
import socket
import threading
import time

import pytest

from autopilot.adapters.egress import proxy as proxies
from autopilot.adapters.egress import tunnel
from autopilot.adapters.egress.dialing import connect_to_any, dial, dial_local, is_own_address
from autopilot.adapters.egress.request import MAX_HEAD
from autopilot.model.egress import Egress, HostRule, Target
from autopilot.model.errors import Unavailable
from tests.contract.egress.kit import LIMIT_S, Door, Host, door, greet, host, open_descriptors, read_all

# covers: T5.network

ALLOWED = Egress((HostRule("allowed.example", 8080), HostRule("*.below.example", 8443), HostRule("secure.example")))


def to(decoy: Host):
    """Every allowed host is at the decoy."""
    return lambda _target, _rule: connect_to_any(("127.0.0.1",), decoy.port)


def through(client: socket.socket, name: bytes) -> bytes:
    client.sendall(b"CONNECT " + name + b" HTTP/1.1\r\n\r\n")
    return client.recv(len(proxies.ESTABLISHED))


TUNNEL = b"CONNECT secure.example:443 HTTP/1.1\r\n\r\n"


def test_an_allowed_host_is_reached_through_a_tunnel() -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened, opened.connect() as client:
        assert through(client, b"allowed.example:8080") == proxies.ESTABLISHED
        client.sendall(b"\x16\x03 any bytes")
        client.shutdown(socket.SHUT_WR)
        assert read_all(client) == b"\x16\x03 any bytes"
        assert opened.proxy.refused == ()


def test_what_came_with_the_request_goes_on_first() -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened:
        answer = opened.ask(b"CONNECT a.below.example:8443 HTTP/1.1\r\n\r\nearly")
        assert answer == proxies.ESTABLISHED + b"early"


def test_on_the_port_of_tls_the_client_greets_the_host_it_asked_for() -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened:
        for greeting in (greet("secure.example"), greet("SECURE.example")):
            assert opened.ask(TUNNEL + greeting) == proxies.ESTABLISHED + greeting
        assert opened.proxy.refused == ()
        decoy.received.clear()
        # Another site at the same address, none at all, or no greeting.
        for greeting in (greet("evil.example"), greet(None), b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff", b""):
            assert opened.ask(TUNNEL + greeting) == proxies.ESTABLISHED
        assert decoy.received == []
        assert opened.proxy.refused == ("evil.example",)


def test_a_greeting_that_comes_byte_by_byte_is_understood() -> None:
    greeting = greet("secure.example")
    with host() as decoy, door(ALLOWED, to(decoy)) as opened, opened.connect() as client:
        assert through(client, b"secure.example:443") == proxies.ESTABLISHED
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(len(greeting)):
            client.sendall(greeting[place : place + 1])
        client.shutdown(socket.SHUT_WR)
        assert read_all(client) == greeting


def test_a_large_exchange_arrives_whole_in_both_directions() -> None:
    sent = bytes(range(256)) * 40_000
    with host() as decoy, door(ALLOWED, to(decoy)) as opened, opened.connect() as client:
        assert through(client, b"allowed.example:8080") == proxies.ESTABLISHED
        writer = threading.Thread(target=lambda: (client.sendall(sent), client.shutdown(socket.SHUT_WR)))
        writer.start()
        assert read_all(client) == sent
        writer.join()


def test_a_host_that_is_not_allowed_is_never_looked_up_and_is_named_once() -> None:
    def never(_target: Target, _rule: HostRule) -> socket.socket:
        raise AssertionError("a refused host was dialled")

    with door(ALLOWED, never) as opened:
        for _ in range(2):
            assert opened.status(b"CONNECT evil.example:443 HTTP/1.1\r\n\r\n") == 403
        assert opened.status(b"GET http://evil.example/ HTTP/1.1\r\n\r\n") == 403
        assert opened.status(b"CONNECT allowed.example:80 HTTP/1.1\r\n\r\n") == 403
        assert opened.proxy.refused == ("evil.example", "evil.example:80", "allowed.example:80")


def test_hosts_that_cannot_be_reached_are_named_unless_another_one_could() -> None:
    dead = {"secure.example"}

    def nobody(target: Target, _rule: HostRule) -> socket.socket:
        if target.host in dead:
            raise OSError(113, "No route to host")
        return dial_local(decoy.port)

    with host() as decoy, door(ALLOWED, nobody) as opened:
        assert opened.proxy.unreached == ()
        assert opened.status(b"CONNECT secure.example:443 HTTP/1.1\r\n\r\n") == 502
        assert opened.proxy.unreached == ("secure.example cannot be reached: No route to host",)
        assert opened.status(b"CONNECT allowed.example:8080 HTTP/1.1\r\n\r\n") == 200
        assert opened.proxy.unreached == (), "this machine is online"


def test_the_answer_tells_the_agent_what_its_user_can_do() -> None:
    with door(ALLOWED) as opened:
        assert b'hosts = ["evil.example"]' in opened.ask(b"CONNECT evil.example:443 HTTP/1.1\r\n\r\n")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "169.254.169.254", "10.0.0.7", "::ffff:127.0.0.1"])
def test_an_allowed_name_that_leads_to_a_private_address_is_refused(address: str) -> None:
    rebound = lambda target, rule: dial(target, rule, resolve=lambda _host, _port: [address])  # noqa: E731
    with door(ALLOWED, rebound) as opened:
        assert opened.status(b"CONNECT allowed.example:8080 HTTP/1.1\r\n\r\n") == 403
        assert opened.proxy.refused == ("allowed.example:8080",)


def test_of_several_addresses_only_the_public_ones_are_tried() -> None:
    tried = ["127.0.0.1", "10.0.0.7"]
    with pytest.raises(Unavailable, match="not a public address"):
        dial(Target("allowed.example", 443), HostRule("allowed.example"), resolve=lambda _host, _port: tried)


def test_a_machine_that_talks_to_itself_is_found_out() -> None:
    """By whatever address: it is then the same at both ends. Between two hosts it is not."""
    with host() as decoy, dial_local(decoy.port) as connected:
        assert is_own_address(connected)
    with socket.create_server(("127.0.0.3", 0)) as other:
        address = other.getsockname()
        with socket.create_connection(address, source_address=("127.0.0.2", 0)) as connected:
            assert not is_own_address(connected)


def test_a_private_host_of_the_settings_is_reached_by_its_address() -> None:
    with host() as decoy:
        rule = HostRule("127.0.0.1", decoy.port, may_be_private=True)
        dial(Target("127.0.0.1", decoy.port), rule).close()


def test_a_host_that_cannot_be_reached_is_told() -> None:
    def fail(_target: Target, _rule: HostRule) -> socket.socket:
        raise ConnectionRefusedError(111, "Connection refused")

    with door(ALLOWED, fail) as opened:
        assert b"502 Bad Gateway" in opened.ask(b"CONNECT allowed.example:8080 HTTP/1.1\r\n\r\n")
        assert opened.proxy.refused == ()


def test_ports_of_the_machine_are_reached_only_by_number() -> None:
    with host() as named, host() as other, door(Egress((), (named.port,))) as opened:
        ask = b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\nhello"
        assert opened.ask(ask % named.port) == proxies.ESTABLISHED + b"hello"
        assert opened.status(ask % other.port) == 403
        assert opened.status(b"GET http://localhost:%d/ HTTP/1.1\r\n\r\n" % other.port) == 403
        assert other.received == []


def test_a_plain_request_reaches_the_host_it_was_checked_for() -> None:
    egress = Egress((HostRule("plain.example", 80),))
    with host() as decoy, door(egress, to(decoy)) as opened:
        opened.ask(b"GET http://plain.example/x HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert b"".join(decoy.received).splitlines()[:2] == [b"GET /x HTTP/1.1", b"Host: plain.example:80"]


SECOND = b"GET /taken HTTP/1.1\r\nHost: other.example\r\n\r\n"
POST = b"POST http://plain.example/x HTTP/1.1\r\n"
FIRSTS = {
    "without a body": (b"GET http://plain.example/x HTTP/1.1\r\n\r\n", b""),
    "a body of a length": (POST + b"Content-Length: 4\r\n\r\n", b"body"),
    "a body in chunks": (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"4\r\nbody\r\n1\r\n!\r\n0\r\n\r\n"),
}


@pytest.mark.parametrize("first", FIRSTS)
@pytest.mark.parametrize("pause_s", [0.0, 0.2])
def test_a_second_request_on_the_same_connection_reaches_nobody(first: str, pause_s: float) -> None:
    """It could name another site of the same server. The first one arrives whole, byte by byte or at once."""
    head, body = FIRSTS[first]
    with host() as decoy, door(Egress((HostRule("plain.example", 80),)), to(decoy)) as opened:
        with opened.connect() as client:
            client.sendall(head + body[:1])
            for byte in body[1:]:
                client.sendall(bytes((byte,)))
            time.sleep(pause_s)
            client.sendall(SECOND)
            client.shutdown(socket.SHUT_WR)
            answer = read_all(client)
        received = b"".join(decoy.received)
    assert received == answer and received.startswith(head[:4])
    assert received.endswith(b"\r\n\r\n" + body) and b"taken" not in received
    assert b"taken" in _by_tunnel(head + body + SECOND), "the control"


def _by_tunnel(sent: bytes) -> bytes:
    """The same bytes where nothing is checked but the host: what a server would get."""
    with host() as decoy, door(Egress((HostRule("plain.example", 80),)), to(decoy)) as opened:
        opened.ask(b"CONNECT plain.example:80 HTTP/1.1\r\n\r\n" + sent)
        return b"".join(decoy.received)


def test_a_large_body_arrives_whole() -> None:
    body = random.Random(7).randbytes(3_000_000)
    with host() as decoy, door(Egress((HostRule("plain.example", 80),)), to(decoy)) as opened:
        opened.ask(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert b"".join(decoy.received).endswith(b"\r\n\r\n" + body)


@pytest.mark.parametrize(
    "chunks", [b"4;x=y\r\nbody\r\n", b"04 \r\n", b"-1\r\n", b"4\r\nbody!", b"4\nbody", b"0\r\nX: y\r\n\r\n", b"f" * 99]
)
def test_chunks_that_two_programs_could_read_differently_end_the_connection(chunks: bytes) -> None:
    with host() as decoy, door(Egress((HostRule("plain.example", 80),)), to(decoy)) as opened:
        opened.ask(POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + SECOND)
        assert b"taken" not in b"".join(decoy.received)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n\r\n",
        b"\x16\x03\x01" + b"\0" * 300,
        b"GET / HTTP/1.1\r\n\r\n",
        b"CONNECT allowed.example:8080 HTTP/1.1\r\nX: " + b"x" * MAX_HEAD + b"\r\n\r\n",
        b"x" * (4 * MAX_HEAD),
        b"CONNECT " + b"a" * 9000 + b":443 HTTP/1.1\r\n\r\n",
        b"CONNECT allowed.example:8080 HTTP/1.1\n\n",
        b"CONNECT allowed.example:8080 HTTP/1.1\r\n",
    ],
)
def test_a_client_that_sends_garbage_ends_only_its_own_connection(sent: bytes) -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened:
        assert opened.status(sent) in (0, 400)
        assert opened.ask(b"CONNECT allowed.example:8080 HTTP/1.1\r\n\r\nok").endswith(b"ok")
        assert decoy.received == [b"ok"]


REQUESTS = (
    b"CONNECT allowed.example:8080 HTTP/1.1\r\nHost: x\r\n\r\nbody",
    TUNNEL + greet("secure.example"),
    b"POST http://allowed.example:8080/x HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody",
)


def mutate(rng: random.Random, request: bytes) -> bytes:
    changed = bytearray(request)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(changed))
        match rng.randrange(4):
            case 0:
                changed[place] = rng.randrange(256)
            case 1:
                del changed[place : place + rng.randint(1, 20)]
            case 2:
                changed[place:place] = rng.choice((b"\r\n", b"\0", b" ", b"@", b"\r\n\r\n", rng.randbytes(9)))
            case 3:
                changed[place:place] = request[: rng.randint(1, len(request))]
        if not changed:
            return b""
    return bytes(changed)


def test_no_mutated_request_reaches_another_host_or_harms_the_proxy() -> None:
    """The decoy stands for every allowed host; whatever is dialled has to be one of them."""
    rng, dialled = random.Random(4711), set()
    with host() as decoy:

        def note(target: Target, rule: HostRule) -> socket.socket:
            dialled.add((str(target), rule.matches(target)))
            return connect_to_any(("127.0.0.1",), decoy.port)

        with door(ALLOWED, note) as opened:
            for _ in range(400):
                opened.ask(mutate(rng, rng.choice(REQUESTS)))
            assert opened.ask(REQUESTS[0]).endswith(b"body")
    assert dialled <= {("allowed.example:8080", True), ("secure.example:443", True)}
    assert dialled


def test_a_silent_client_is_given_up() -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened, opened.connect() as client:
        head, rest = tunnel.receive_head(client, b"\r\n\r\n", 100, opened.proxy._stop_fd, limit_s=0.05)
        assert (head, rest) == (b"", b"")


def test_a_tunnel_in_which_nothing_moves_is_given_up() -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened:
        ours, theirs = socket.socketpair()
        server, far = socket.socketpair()
        with ours, theirs, server, far:
            tunnel.carry(theirs, server, opened.proxy._stop_fd, idle_s=0.05)


def test_more_connections_than_allowed_wait_and_are_served_later() -> None:
    with host() as decoy, door(ALLOWED, to(decoy)) as opened:
        clients = [opened.connect() for _ in range(proxies.MOST_CONNECTIONS)]
        for client in clients:
            assert through(client, b"allowed.example:8080") == proxies.ESTABLISHED
        with opened.connect() as late:
            late.sendall(b"CONNECT allowed.example:8080 HTTP/1.1\r\n\r\n")
            late.settimeout(0.5)
            with pytest.raises(TimeoutError):
                late.recv(1)
            clients.pop().close()
            late.settimeout(LIMIT_S)
            assert late.recv(len(proxies.ESTABLISHED)) == proxies.ESTABLISHED
        for client in clients:
            client.close()


def test_closing_ends_every_connection_and_leaves_no_thread_and_no_descriptor() -> None:
    with host() as decoy:
        threads, descriptors = threading.active_count(), open_descriptors()
        opened = Door(ALLOWED, to(decoy))
        clients = [opened.connect() for _ in range(8)]
        for client in clients[:4]:
            assert through(client, b"allowed.example:8080") == proxies.ESTABLISHED
        opened.proxy.close()
        for client in clients:
            assert b"200" not in read_all(client)
            client.close()
        wait_until(lambda: threading.active_count() <= threads and open_descriptors() <= descriptors)


def test_closing_does_not_wait_for_a_name_that_is_being_resolved() -> None:
    resolving, answer = threading.Event(), threading.Event()

    def slow(_target: Target, _rule: HostRule) -> socket.socket:
        resolving.set()
        assert answer.wait(LIMIT_S)
        raise OSError(110, "timed out")

    opened = Door(ALLOWED, slow)
    with opened.connect() as client:
        client.sendall(b"CONNECT allowed.example:8080 HTTP/1.1\r\n\r\n")
        assert resolving.wait(LIMIT_S)
        opened.proxy.close()
        assert not answer.is_set()
        answer.set()


def test_a_proxy_that_was_never_started_or_is_closed_twice_is_closed_quietly() -> None:
    Door(ALLOWED).proxy.close()
    idle = proxies.Proxy(ALLOWED)
    idle.close()
    with door(ALLOWED) as opened:
        opened.proxy.close()


def test_a_sandbox_that_ends_before_it_hands_out_a_socket_ends_the_proxy() -> None:
    threads = threading.active_count()
    proxy = proxies.Proxy(ALLOWED)
    socket.socket(fileno=proxy.start()).close()
    wait_until(lambda: threading.active_count() <= threads)
    proxy.close()


def wait_until(holds) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_port_of_this_machine_that_is_not_named_is_not_connected_whoever_sends_its_socket() -> None:
    """The sockets come from inside. Were what runs there an attacker, it could listen on any port and send that."""
    with host() as named, host() as other:
        listeners = [socket.create_server(("127.0.0.2", decoy.port)) for decoy in (named, other)]
        listeners.append(socket.socket(socket.AF_UNIX))
        proxy = proxies.Proxy(Egress(local_ports=(named.port,), is_proxied=False))
        channel = socket.socket(fileno=proxy.start())
        socket.send_fds(channel, [b"."], [listener.fileno() for listener in listeners])
        for opened in (channel, *listeners):
            opened.close()
        with socket.create_connection(("127.0.0.2", named.port), timeout=LIMIT_S) as client:
            client.sendall(b"hello")
            assert client.recv(5) == b"hello", "the control"
        with pytest.raises(ConnectionError):
            socket.create_connection(("127.0.0.2", other.port), timeout=LIMIT_S).close()
        proxy.close()
        assert other.received == []
