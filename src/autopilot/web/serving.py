"""The server behind `autopilot web`: its socket, its link, its end."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import sys
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from autopilot.api.page.records import Records
from autopilot.api.people.open_requests import check_readable
from autopilot.model.errors import Unavailable, UsageError
from autopilot.settings.reading import Settings
from autopilot.web.application import make_application
from autopilot.web.connections import AT_ONCE, serve_bounded
from autopilot.web.protection import Address, Entrance, Guard

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8787


class Place(Struct, frozen=True):
    """Where the page listens, as the user asked for it."""

    address: str = ""  # "" for this machine alone
    port: int | None = None
    certificate: str = ""
    key: str = ""
    behind_proxy: str = ""  # the address by which the proxy is reached
    scraper: str = ""  # the token of a program that reads the figures

    @property
    def listens_beyond(self) -> bool:
        """Whether others than this machine can reach it."""
        return bool(self.address) and not self.address.startswith(("127.", "::1"))

    @property
    def has_tls(self) -> bool:
        return bool(self.certificate and self.key)


def serve(place: Place, settings: Settings, only: tuple[Path, ...], *, may_write: bool, open_browser: bool) -> int:
    _check_certificate(place)
    check_readable(settings.state)
    listener = listen(place.address or LOOPBACK, place.port)
    port = listener.getsockname()[1]
    address, shown = _address(place, port)
    opened = False

    def announce(path: str) -> None:
        nonlocal opened
        link = f"{shown}{path}"
        sys.stdout.write(f"{'open' if not opened else 'the link has been used; the next one is'} {link}\n")
        sys.stdout.flush()
        if open_browser and not opened:
            webbrowser.open(link)
        opened = True

    entrance = Entrance(announce, place.scraper)
    application = make_application(Records(settings.state, only), settings, may_write=may_write)
    entrance.announce()
    sys.stderr.write("Ctrl-C ends the page; runs go on without it\n")
    serve_bounded(Guard(application, entrance, address), listener, certificate=place.certificate, key=place.key)
    return 0


def _check_certificate(place: Place) -> None:
    """Before a link is printed that would lead nowhere."""
    if not place.has_tls:
        return
    hint = "name a certificate and its key, both as PEM files"
    for name, file in (("certificate", place.certificate), ("key", place.key)):
        if not Path(file).exists():
            raise UsageError(f"the {name} {file} does not exist", hint)
    message = f"the certificate {place.certificate} with the key {place.key} cannot be used"
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(place.certificate, place.key)
    except ssl.SSLError as error:
        fault = "the key belongs to another certificate" if "MISMATCH" in str(error) else "they are not PEM files"
        raise UsageError(f"{message}: {fault}", hint) from error
    except OSError as error:
        raise UsageError(f"{message}: {error.strerror}", hint) from error


def listen(address: str, port: int | None, default: int = DEFAULT_PORT) -> socket.socket:
    """At the named port or at the default; at any other where somebody has the default."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    except ValueError:
        raise UsageError(f"{address} is no IP address", "name one of this machine, such as 192.168.1.5") from None
    for candidate in (port,) if port is not None else (default, 0):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, candidate))
        except OSError as error:
            listener.close()
            reason = error.strerror
            continue
        listener.listen(AT_ONCE)
        return listener
    raise Unavailable(
        f"the page cannot listen at {address}, port {port}: {reason}", "name another port: --port 0 takes any"
    )


def _address(place: Place, port: int) -> tuple[Address, str]:
    """What browsers may call this server, and the beginning of the link."""
    if place.behind_proxy:
        parts = urlsplit(place.behind_proxy)
        if parts.scheme != "https" or not parts.netloc or parts.path.strip("/"):
            raise UsageError(f"{place.behind_proxy} is no address of a proxy", "write --behind-proxy https://NAME")
        return Address(frozenset({parts.netloc.lower()}), "https"), f"https://{parts.netloc}"
    scheme = "https" if place.has_tls else "http"
    names = [place.address] if place.address else [LOOPBACK, "localhost"]
    hosts = [f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names]
    return Address(frozenset(hosts), scheme), f"{scheme}://{hosts[0]}"
