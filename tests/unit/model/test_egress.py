"""The rules by which an agent reaches a host, and the addresses that a name may lead to."""

from __future__ import annotations

import ipaddress
import socket
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.egress import (
    Egress,
    HostRule,
    Target,
    make_egress,
    may_connect,
    parse_host,
    parse_rule,
    parse_target,
    parse_url_rule,
)

# covers: T5.network

READABLE = {
    "api.example.org:443": Target("api.example.org", 443),
    "API.Example.ORG:443": Target("api.example.org", 443),
    "api.example.org.:443": Target("api.example.org", 443),
    "xn--bcher-kva.example:443": Target("xn--bcher-kva.example", 443),
    "127.0.0.1:80": Target("127.0.0.1", 80),
    "127.0.0.1.:80": Target("127.0.0.1", 80),
    "[::1]:80": Target("::1", 80),
    "[0:0:0:0:0:0:0:1]:80": Target("::1", 80),
    "[2001:DB8::0007]:80": Target("2001:db8::7", 80),
}
UNREADABLE = [
    "",
    ":443",
    "api.example.org",
    "api.example.org:",
    "api.example.org:0",
    "api.example.org:65536",
    "api.example.org:0443",
    "api.example.org:443:443",
    "api.example.org:+443",
    "api.example.org:４４３",
    "api.example.org..:443",
    ".example.org:443",
    "a..b:443",
    "user@api.example.org:443",
    "api.example.org@evil.example:443",
    "user:password@api.example.org:443",
    "api.example.org/:443",
    "api.example.org#.evil.example:443",
    "api.example.org%2eevil.example:443",
    "api.example.org\\.evil.example:443",
    "api.example.org\r\nHost:443",
    "api example.org:443",
    "bücher.example:443",
    "api.example。org:443",
    "-api.example.org:443",
    f"{'a' * 64}.example:443",
    f"{'a.' * 130}example:443",
    "*.example.org:443",
    # All of them are an address to one program or another.
    "2130706433:80",
    "0x7f000001:80",
    "0x7f.1:80",
    "127.1:80",
    "0177.0.0.1:80",
    "127.0.0.01:80",
    "127.0.0.1.1:80",
    "1.2.3.0x4:80",
    "example.123:80",
    "::1:80",
    "[::1:80",
    "[::1]80",
    "[::1%25lo]:80",
    "[::1%lo]:80",
    "[127.0.0.1]:80",
    "[example.org]:80",
]


@pytest.mark.parametrize("text", READABLE)
def test_a_target_has_one_spelling(text: str) -> None:
    assert parse_target(text) == READABLE[text]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_could_be_read_in_two_ways_is_no_target(text: str) -> None:
    assert parse_target(text) is None


@given(st.text(max_size=300))
def test_a_parsed_host_is_plain_and_parses_to_itself(text: str) -> None:
    host = parse_host(text)
    if host is not None:
        assert set(host) <= set(string.ascii_lowercase + string.digits + "-_.:")
        assert parse_host(f"[{host}]" if ":" in host else host) == host


NUMBERS = st.one_of(
    st.integers(0, 2**33).map(str), st.integers(0, 2**33).map(hex), st.integers(0, 2**33).map(lambda n: f"0{n:o}")
)


@given(st.lists(NUMBERS, min_size=1, max_size=5).map(".".join), st.sampled_from(["", "."]))
def test_no_form_of_a_number_that_a_resolver_takes_for_an_address_is_a_name(text: str, dot: str) -> None:
    try:
        address = socket.inet_ntoa(socket.inet_aton(text))
    except OSError:
        address = None
    assert parse_host(text + dot) in (None, address)


@given(st.ip_addresses(), st.integers(1, 65535))
def test_every_address_is_a_target_in_its_canonical_form(address: ipaddress.IPv4Address, port: int) -> None:
    target = Target(str(address), port)
    assert parse_target(str(target)) == target


ALLOWED = Egress(
    (HostRule("api.example.org"), HostRule("*.example.net"), HostRule("gateway.example.org", 8443)), (8080,)
)


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    {
        "api.example.org:443": True,
        "API.EXAMPLE.ORG.:443": True,
        "api.example.org:80": False,
        "example.org:443": False,
        "evil-api.example.org:443": False,
        "x.api.example.org:443": False,
        "api.example.org.evil.example:443": False,
        "a.example.net:443": True,
        "a.b.example.net:443": True,
        "example.net:443": False,
        "evilexample.net:443": False,
        "gateway.example.org:8443": True,
        "gateway.example.org:443": False,
        "127.0.0.1:443": False,
        "[::1]:443": False,
    }.items(),
)
def test_a_host_is_reached_by_its_exact_name_or_below_a_wildcard_on_its_port(text: str, is_allowed: bool) -> None:
    target = parse_target(text)
    assert target is not None
    assert bool(ALLOWED.find_rule(target)) is is_allowed


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_port_of_the_machine_is_reached_only_when_it_is_named(host: str) -> None:
    for port, is_named in ((8080, True), (8081, False), (443, False)):
        target = parse_target(f"{host}:{port}")
        assert target is not None
        assert ALLOWED.is_local(target) is is_named


@given(st.from_regex(r"[a-z]{1,9}(\.[a-z]{1,9}){0,4}", fullmatch=True), st.integers(1, 65535))
def test_a_host_that_no_rule_names_is_never_allowed(host: str, port: int) -> None:
    is_named = host in ("api.example.org",) or host.endswith(".example.net")
    found = ALLOWED.find_rule(Target(host, port))
    assert bool(found) is (is_named and port == 443)


RULES = {
    "example.org": HostRule("example.org"),
    "Example.org.": HostRule("example.org"),
    "*.example.org": HostRule("*.example.org"),
    "example.org:443": HostRule("example.org", 443, may_be_private=True),
    "*.example.org:8443": HostRule("*.example.org", 8443),
    "192.0.2.7:8000": HostRule("192.0.2.7", 8000, may_be_private=True),
    "[2001:db8::7]:8000": HostRule("2001:db8::7", 8000, may_be_private=True),
    "127.0.0.1:8000": HostRule("127.0.0.1", 8000, may_be_private=True),
    "host": HostRule("host"),
}


@pytest.mark.parametrize("text", RULES)
def test_a_host_of_the_settings_is_understood(text: str) -> None:
    assert parse_rule(text) == RULES[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "*.",
        "*.org",
        "*.*.org",
        "a.*.org",
        "*.192.0.2.7",
        "https://example.org",
        "example.org/x",
        "a b",
        "x:",
        "x:0",
    ],
)
def test_what_is_no_host_of_the_settings_is_none(text: str) -> None:
    assert parse_rule(text) is None


@pytest.mark.parametrize(
    ("url", "rule"),
    {
        "https://models.example.org/v1": HostRule("models.example.org", 443, may_be_private=True),
        "http://models.example.org": HostRule("models.example.org", 80, may_be_private=True),
        "http://[::1]:8080/v1": HostRule("::1", 8080, may_be_private=True),
        "https://user@models.example.org:8443/": HostRule("models.example.org", 8443, may_be_private=True),
        "models.example.org": None,
        "ftp://models.example.org": None,
        "http://": None,
        "http://x:99999/": None,
        "http://[": None,
        "plain words": None,
        "": None,
    }.items(),
)
def test_an_address_of_the_settings_names_its_host_and_port(url: str, rule: HostRule | None) -> None:
    assert parse_url_rule(url) == rule


def test_hosts_of_the_machines_own_loopback_are_ports() -> None:
    rules = [parse_rule(text) for text in ("localhost:8080", "127.0.0.1:8080", "[::1]:9090", "a.example", "a.example")]
    made = make_egress(rule for rule in rules if rule)
    assert made == Egress((HostRule("a.example"),), (8080, 9090))
    assert made.describe() == "a.example, 127.0.0.1:8080, 127.0.0.1:9090"
    assert Egress().describe() == "no host"


BARE, NAMED = HostRule("models.example.org"), HostRule("models.example.org", 8000, may_be_private=True)


@pytest.mark.parametrize(
    ("address", "bare", "named"),
    [
        ("93.184.215.14", True, True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True, True),
        ("10.0.0.7", False, True),
        ("172.16.0.7", False, True),
        ("192.168.0.7", False, True),
        ("fd12:3456::7", False, True),
        ("::ffff:10.0.0.7", False, True),
        ("127.0.0.1", False, False),
        ("127.8.8.8", False, False),
        ("::1", False, False),
        ("::ffff:127.0.0.1", False, False),
        ("64:ff9b::7f00:1", False, False),
        ("2002:7f00:1::", False, False),
        ("0.0.0.0", False, False),
        ("::", False, False),
        ("169.254.169.254", False, False),
        ("::ffff:169.254.169.254", False, False),
        ("fe80::1", False, False),
        ("fd00:ec2::254", False, False),
        ("168.63.129.16", False, False),
        ("100.100.100.200", False, False),
        ("100.64.0.1", False, False),
        ("224.0.0.1", False, False),
        ("ff02::1", False, False),
        ("255.255.255.255", False, False),
        ("240.0.0.1", False, False),
        ("fe80::1%eth0", False, False),
        ("not an address", False, False),
    ],
)
def test_a_name_leads_to_public_addresses_and_to_private_ones_only_where_its_port_is_written(
    address: str, bare: bool, named: bool
) -> None:
    assert (may_connect(BARE, address), may_connect(NAMED, address)) == (bare, named)


def test_an_address_of_the_settings_is_that_address_alone() -> None:
    rule = HostRule("10.0.0.7", 8000, may_be_private=True)
    assert may_connect(rule, "10.0.0.7")
    assert may_connect(rule, "::ffff:10.0.0.7")
    assert not may_connect(rule, "10.0.0.8")


@given(st.ip_addresses(v=4))
def test_an_address_is_judged_alike_however_it_is_wrapped(address: ipaddress.IPv4Address) -> None:
    wrapped = str(ipaddress.IPv6Address(f"::ffff:{address}"))
    assert may_connect(BARE, wrapped) is may_connect(BARE, str(address))


@pytest.mark.parametrize(
    "address", ["64:ff9b:1::a00:1", "::ffff:0:10.0.0.1", "::10.0.0.1", "fec0::1", "192.0.0.8", "64:ff9b::a00:1"]
)
def test_no_name_leads_to_an_address_that_only_looks_public(address: str) -> None:
    assert not may_connect(HostRule("api.example"), address)
    assert may_connect(HostRule("api.example"), "93.184.216.34")
