"""Which hosts an agent may reach: rules by name and port, and which addresses a name may lead to."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from msgspec import Struct

DEFAULT_PORT = 443
OPEN, BY_HOST = "open", "hosts"  # what `egress` in the settings may be
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
FIRST_LOCAL_PORT = 1024  # inside a sandbox nobody may listen on a lower one

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
# Programs read such a last label as part of an address: 2130706433, 0x7f.1 and 127.1 are all 127.0.0.1.
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_MAX_NAME = 253
# Services that hand out a machine's credentials, at addresses that are not private by their number.
_METADATA = frozenset(map(ipaddress.ip_address, ("168.63.129.16", "100.100.100.200", "fd00:ec2::254")))
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Ranges that Python takes for public: IPv4 addresses carried in other ways, site-local ones, protocol assignments.
_SPECIAL = tuple(map(ipaddress.ip_network, ("::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48", "fec0::/10", "192.0.0.0/24")))

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Target(Struct, frozen=True):
    """Where a connection is to go: a name in lower case or an address in its canonical form, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class HostRule(Struct, frozen=True):
    """One host, or with ``*.`` every host below a name, on one port."""

    host: str
    port: int = DEFAULT_PORT
    # The user wrote host and port: then it may lie in a private network. A default or a bare name may not.
    may_be_private: bool = False

    def __str__(self) -> str:
        return self.host if self.port == DEFAULT_PORT else str(Target(self.host, self.port))

    def matches(self, target: Target) -> bool:
        if target.port != self.port:
            return False
        if self.host.startswith("*."):
            return target.host.endswith(self.host[1:]) and parse_address(target.host) is None
        return target.host == self.host


class Egress(Struct, frozen=True):
    """What an agent may reach: hosts through the proxy, and ports of this machine that its own loopback has too."""

    rules: tuple[HostRule, ...] = ()
    local_ports: tuple[int, ...] = ()
    is_proxied: bool = True  # False: those ports and nothing else, without any sign of a proxy

    def find_rule(self, target: Target) -> HostRule | None:
        return next((rule for rule in self.rules if rule.matches(target)), None)

    def is_local(self, target: Target) -> bool:
        return target.host in LOCAL_NAMES and target.port in self.local_ports

    def describe(self) -> str:
        names = [*map(str, self.rules), *(f"127.0.0.1:{port}" for port in self.local_ports)]
        return ", ".join(names) or "no host"


def parse_target(text: str) -> Target | None:
    """``host:port`` as a request names it; None for anything that two programs could read differently."""
    host, port = _split_port(text)
    name = parse_host(host)
    if name is None or not _PORT.fullmatch(port) or int(port) > 65535:
        return None
    return Target(name, int(port))


def parse_host(text: str) -> str | None:
    """A host name in lower case without its final dot, or a canonical address; None for everything else."""
    if text.startswith("["):
        inner = text[1:-1]
        address = parse_address(inner) if text.endswith("]") and "%" not in inner else None
        return str(address) if isinstance(address, ipaddress.IPv6Address) else None
    if not text.isascii() or len(text) > _MAX_NAME + 1:
        return None
    name = text.lower().removesuffix(".")
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        address = parse_address(name)
        return str(address) if isinstance(address, ipaddress.IPv4Address) else None
    return name if len(name) <= _MAX_NAME and all(map(_LABEL.fullmatch, name.split("."))) else None


def parse_rule(text: str) -> HostRule | None:
    """A host of the settings: ``example.org``, ``*.example.org``, ``example.org:8443``, ``192.0.2.7:8000``."""
    host, port = _split_port(text)
    if not port:
        host, number = text, DEFAULT_PORT
    elif _PORT.fullmatch(port) and int(port) <= 65535:
        number = int(port)
    else:
        return None
    wildcard = "*." if host.startswith("*.") else ""
    name = parse_host(host.removeprefix("*."))
    if name is None or (wildcard and (parse_address(name) or "." not in name)):
        return None
    return HostRule(wildcard + name, number, may_be_private=bool(port) and not wildcard)


def parse_url_rule(url: str) -> HostRule | None:
    """The host and port of an address that the user wrote; None when it is no address of the web."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": DEFAULT_PORT}.get(parts.scheme, 0)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    except ValueError:
        return None
    return parse_rule(f"{host}:{port}") if host and port else None


def make_egress(rules: Iterable[HostRule]) -> Egress:
    """Hosts of this machine's loopback are ports of it; every rule once."""
    unique = tuple(dict.fromkeys(rules))
    local = tuple(dict.fromkeys(rule.port for rule in unique if is_offered(rule)))
    return Egress(tuple(rule for rule in unique if rule.host not in LOCAL_NAMES), local)


def is_offered(rule: HostRule) -> bool:
    """Whether it is a port of this machine that can be listened on inside a sandbox too."""
    return rule.host in LOCAL_NAMES and rule.may_be_private and rule.port >= FIRST_LOCAL_PORT


def may_connect(rule: HostRule, text: str) -> bool:
    """Whether a host of that rule may be at this address: a name must not lead to a service of the machine itself."""
    address = parse_address(text)
    if address is None:
        return False
    address = _unwrap(address)
    if literal := parse_address(rule.host):
        return address == _unwrap(literal)
    if address in _METADATA or address.is_multicast or address.is_unspecified or _is_special(address):
        return False
    if address.is_global:
        return True
    is_own = address.is_loopback or address.is_link_local or address.is_reserved
    return rule.may_be_private and address.is_private and not is_own


def _is_special(address: Address) -> bool:
    return any(address in network for network in _SPECIAL if network.version == address.version)


def parse_address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _unwrap(address: Address) -> Address:
    """The IPv4 address that an IPv6 address only carries."""
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour or address
    return ipaddress.IPv4Address(address.packed[-4:]) if address in _NAT64 else address


def _split_port(text: str) -> tuple[str, str]:
    """``[::1]:80`` and ``host:80`` in two; no port for a bare host. More than one colon belongs to no host name."""
    if text.startswith("["):
        host, bracket, rest = text.partition("]")
        return host + bracket, rest[1:] if rest.startswith(":") else rest and "?"
    host, _, port = text.partition(":")
    return host, port
