"""What an agent reaches from its own network: named hosts and ports through the proxy, and nothing else.

Every attack has its control: the same with the machine's network succeeds. All hosts are decoys on loopback.
"""

from __future__ import annotations

import os
import socket
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from autopilot.adapters.egress.dialing import connect_to_any
from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.model.egress import Egress, HostRule
from autopilot.ports.sandbox import CommandSpec, Exited, Outcome, Profile, run
from tests.contract.egress.kit import Host, host

# covers: T5.network, T5.agents

PYTHON = f"{sys.base_prefix}/bin/python3"
SUCCEEDED = Exited(0)
EGRESS = Egress((HostRule("api.example.org", 8443),))
ASK = """
import os, socket, sys
proxy = os.environ["HTTPS_PROXY"].removeprefix("http://").split(":")
with socket.create_connection((proxy[0], int(proxy[1])), timeout=20) as client:
    client.sendall(f"CONNECT {sys.argv[1]} HTTP/1.1\\r\\n\\r\\nhello".encode())
    client.shutdown(socket.SHUT_WR)
    answer = b""
    while data := client.recv(4096):
        answer += data
print(answer.decode())
"""


@pytest.fixture
def decoy() -> Iterator[Host]:
    with host() as made:
        yield made


def agent(place, script: str, *words: str, egress: Egress | None, **more) -> CommandSpec:
    """With the machine's network where there is no ``egress``."""
    given = {"profile": Profile.AGENT, "network": egress is None, "egress": egress, **more}
    return place.spec(PYTHON, "-c", textwrap.dedent(script), *words, **given)


def test_an_allowed_host_is_reached_through_the_proxy(place, decoy) -> None:
    sandbox = Bubblewrap(place.state, dial=lambda _target, _rule: connect_to_any(("127.0.0.1",), decoy.port))
    sandbox.give_away(place.backing)
    outcome = run(sandbox, agent(place, ASK, "api.example.org:8443", egress=EGRESS))
    assert (outcome.ended, outcome.refused_hosts) == (SUCCEEDED, ())
    assert outcome.output.endswith(b"hello\n")
    assert decoy.received == [b"hello"]


def test_any_other_host_is_refused_and_named(place, confined) -> None:
    for target, name in (("example.org:443", "example.org"), ("api.example.org:22", "api.example.org:22")):
        outcome = run(confined, agent(place, ASK, target, egress=EGRESS))
        assert b"403 Forbidden" in outcome.output
        assert outcome.refused_hosts == (name,)


def test_a_named_port_of_the_machine_is_on_the_agents_own_loopback(place, confined, decoy) -> None:
    script = f"""
        import socket
        for address in ("127.0.0.1", "localhost"):
            with socket.create_connection((address, {decoy.port}), timeout=20) as client:
                client.sendall(b"hello")
                assert client.recv(5) == b"hello"
        """
    assert run(confined, agent(place, script, egress=Egress((), (decoy.port,)))).ended == SUCCEEDED
    assert run(confined, agent(place, script, egress=Egress())).ended != SUCCEEDED


ATTACKS = {
    "a port of the machine": ("127.0.0.1", "socket.create_connection(('127.0.0.1', {port}), timeout=5)"),
    "another loopback address": ("127.0.0.2", "socket.create_connection(('127.0.0.2', {port}), timeout=5)"),
    "an address that means this machine": ("127.0.0.1", "socket.create_connection(('0.0.0.0', {port}), timeout=5)"),
    "an abstract socket": ("127.0.0.1", "socket.socket(socket.AF_UNIX).connect('\\0{name}')"),
}


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("nested", [False, True])
def test_no_service_of_the_machine_is_reached(place, confined, attack, nested) -> None:
    name, (address, code) = f"autopilot-decoy-{os.getpid()}", ATTACKS[attack]
    with socket.create_server((address, 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        script = "import socket; " + code.format(port=server.getsockname()[1], name=name)
        assert run(confined, agent(place, script, egress=Egress(), nested=nested)).ended == Exited(1)

        class Unrestricted(Bubblewrap):
            def _command(self, spec: CommandSpec) -> tuple[str, ...]:
                return spec.argv

        assert run(Unrestricted(place.state), agent(place, script, egress=None, nested=nested)).ended == SUCCEEDED


def test_no_datagram_leaves(place, confined) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(20)
        script = f"import socket; socket.socket(2, 2).sendto(b'%s', ('127.0.0.1', {server.getsockname()[1]}))"
        run(confined, agent(place, script % "from inside", egress=Egress()))
        assert run(confined, agent(place, script % "control", egress=None)).ended == SUCCEEDED
        assert server.recv(100) == b"control"


def test_nothing_but_its_own_loopback_is_in_the_agents_network(place, confined) -> None:
    script = "import socket; print([name for _, name in socket.if_nameindex()])"
    assert run(confined, agent(place, script, egress=Egress())).output == b"['lo']\n"


def test_a_server_of_the_agents_own_is_reached_by_the_agent(place, confined) -> None:
    script = """
        import socket
        with socket.create_server(("127.0.0.1", 8080)) as server:
            socket.create_connection(server.getsockname(), timeout=5).close()
        """
    assert run(confined, agent(place, script, egress=Egress())).ended == SUCCEEDED


def test_the_agent_holds_no_descriptor_of_the_proxy(place, confined) -> None:
    script = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    outcome = run(confined, agent(place, script, egress=Egress((), (8080,))))
    assert outcome.output == b"['0', '1', '2', '3']\n"  # the last is the listing itself


# The first process of the sandbox still holds the socket over which the listening ones were sent.
STEAL = """
    import ctypes, os, socket, sys
    libc = ctypes.CDLL(None, use_errno=True)
    first = libc.syscall(434, 1, 0)
    for number in os.listdir("/proc/1/fd"):
        stolen = libc.syscall(438, first, int(number), 0)
        if stolen < 0 or not os.readlink(f"/proc/1/fd/{number}").startswith("socket:"):
            continue
        channel, mine = socket.socket(fileno=stolen), socket.create_server(("127.0.0.1", 0))
        try:
            socket.send_fds(channel, [b"."], [mine.fileno()])
        except OSError:
            pass
        mine.close()
    sys.argv = ["", sys.argv[1]]
    """


def test_sockets_that_the_agent_sends_in_its_place_are_not_served(place, confined, decoy) -> None:
    """At the worst it has a second door to the same rules."""
    outcome = run(confined, agent(place, textwrap.dedent(STEAL) + ASK, "127.0.0.1:9999", egress=Egress()))
    assert b"403 Forbidden" in outcome.output


@pytest.mark.parametrize(("word", "code"), [("/nonexistent/program", 127), ("/etc/passwd", 126)])
def test_a_command_that_cannot_be_started_ends_as_in_a_shell(place, confined, word, code) -> None:
    spec = place.spec(word, profile=Profile.AGENT, egress=Egress())
    assert run(confined, spec).ended == Exited(code)


def test_a_proxy_of_the_users_own_does_not_replace_ours(place, confined) -> None:
    script = "import os; print(*(os.environ[name] for name in ('HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NO_PROXY')))"
    spec = agent(place, script, egress=Egress(), env={"HTTPS_PROXY": "http://10.0.0.1:3128", "NO_PROXY": "*"})
    ours = "http://127.0.0.1:47128"
    assert run(confined, spec).output.decode().split() == [ours, ours, ours, "localhost,127.0.0.1,::1"]


def test_the_proxy_ends_with_its_agent(place, confined, decoy, no_leaks) -> None:
    """A program that is stopped in the middle of a connection leaves nothing behind."""
    script = f"""
        import socket, time
        client = socket.create_connection(("127.0.0.1", {decoy.port}))
        client.sendall(b"hello"); client.recv(5)
        print("connected", flush=True)
        time.sleep(300)
        """
    running = confined.start(agent(place, script, egress=Egress((), (decoy.port,))))
    assert next(running.lines()) == b"connected"
    running.stop(grace_s=0)
    outcome: Outcome = running.wait()
    assert outcome.ended != SUCCEEDED


def test_two_agents_at_once_have_the_same_ports_and_their_own_rules(place, confined, decoy, tmp_path: Path) -> None:
    with host() as other:
        first = confined.start(agent(place, ASK, f"127.0.0.1:{decoy.port}", egress=Egress((), (decoy.port,))))
        second = confined.start(agent(place, ASK, f"127.0.0.1:{decoy.port}", egress=Egress((), (other.port,))))
        outcomes = [running.wait() for running in (first, second)]
    assert outcomes[0].output.endswith(b"hello\n")
    assert b"403 Forbidden" in outcomes[1].output
