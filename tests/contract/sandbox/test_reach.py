"""What a check reaches of this machine: nothing, the ports that the user named, or all of it by the user's word.

The decoy is a service on the machine's own loopback. It is reached where it may be, so that it is seen to be there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap
from autopilot.model.conditions import Conditions, Reach
from autopilot.ports.sandbox import Exited, Outcome, run
from autopilot.steps.observing.surroundings import under
from tests.contract.egress.kit import Host, host

# covers: T5.reach

PYTHON = f"{sys.base_prefix}/bin/python3"
REACHED, REFUSED = Exited(0), Exited(1)
TALK = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=20) as client:
    client.sendall(b"hello")
    assert client.recv(5) == b"hello"
"""


@pytest.fixture
def decoy() -> Iterator[Host]:
    with host() as made:
        yield made


@pytest.fixture
def other() -> Iterator[Host]:
    with host() as made:
        yield made


def check(sandbox, place, conditions: Conditions, port: int, address: str = "127.0.0.1") -> Outcome:
    return run(sandbox, under(conditions, place.spec(PYTHON, "-c", TALK, address, str(port))))


def test_without_permission_no_service_of_the_machine_is_reached(place, confined, decoy) -> None:
    assert check(confined, place, Conditions(), decoy.port).ended == REFUSED
    assert decoy.received == []
    assert check(confined, place, Conditions(network=Reach.OPEN), decoy.port).ended == REACHED, "the control"
    assert decoy.received == [b"hello"]


def test_a_named_port_is_reached_and_another_is_not(place, confined, decoy, other) -> None:
    named = Conditions(network=Reach.LOOPBACK, ports=(decoy.port,))
    for address in ("127.0.0.1", "localhost"):
        assert check(confined, place, named, decoy.port, address).ended == REACHED
    assert check(confined, place, named, other.port).ended == REFUSED
    assert other.received == []
    assert check(confined, place, Conditions(network=Reach.OPEN), other.port).ended == REACHED, "the control"


def test_named_ports_show_no_sign_of_a_proxy(place, confined, decoy) -> None:
    named = Conditions(network=Reach.LOOPBACK, ports=(decoy.port,))
    variables, listening = (
        run(confined, under(conditions, place.sh("env | cut -d= -f1 | sort; tail -n +2 /proc/net/tcp | wc -l"))).output
        for conditions in (Conditions(), named)
    )
    assert variables.splitlines()[:-1] == listening.splitlines()[:-1]
    assert listening.splitlines()[-1] == b"1", "the named port, and no other"


def test_ports_count_for_loopback_alone(place, confined, decoy) -> None:
    assert check(confined, place, Conditions(network=Reach.NONE, ports=(decoy.port,)), decoy.port).ended == REFUSED


def test_what_the_user_has_taken_back_since_is_reached_no_more(place, decoy, other) -> None:
    """A run keeps the conditions that it began with; what they may be at most is a matter of today."""
    today = Conditions(network=Reach.LOOPBACK, ports=(decoy.port,))
    then = Conditions(network=Reach.LOOPBACK, ports=(decoy.port, other.port))
    sandbox = Bubblewrap(place.state, allowed=today)
    sandbox.give_away(place.backing)
    assert check(sandbox, place, then, decoy.port).ended == REACHED
    for begun in (then, Conditions(network=Reach.OPEN)):
        assert check(sandbox, place, begun, other.port).ended == REFUSED
