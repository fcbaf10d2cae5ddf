"""A stand-in for the vendors' hosts: TLS on loopback with a certificate of the test's own, a scripted model behind it.

An agent is told nothing about it. It asks the proxy for its vendor's host by name, and the proxy connects it here.
"""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from autopilot.adapters.egress.dialing import connect_to_any
from autopilot.model.egress import HostRule, Target

# By which variable each kind of program is told of one more authority to trust.
TRUST = ("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "CODEX_CA_CERTIFICATE")


class Vendor:
    """``asked`` are the hosts that were connected to, in order."""

    def __init__(self, folder: Path, names: tuple[str, ...], model_port: int) -> None:
        folder.mkdir()
        self.authority, certificate, key = make_certificates(folder, names)
        self.asked: list[str] = []
        self._model_port = model_port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    def dial(self, target: Target, rule: HostRule) -> socket.socket:
        self.asked.append(str(target))
        return connect_to_any(("127.0.0.1",), self._server.getsockname()[1])

    @property
    def environment(self) -> Mapping[str, str]:
        return dict.fromkeys(TRUST, str(self.authority))

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self._server.accept()[0],), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        model = socket.create_connection(("127.0.0.1", self._model_port))
        with suppress(OSError), client, model, self._context.wrap_socket(client, server_side=True) as secure:
            back = threading.Thread(target=copy, args=(model, secure), daemon=True)
            back.start()
            copy(secure, model)
            back.join()

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()


def copy(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


@contextmanager
def stand_in(folder: Path, names: tuple[str, ...], model_port: int) -> Iterator[Vendor]:
    made = Vendor(folder, names, model_port)
    try:
        yield made
    finally:
        made.close()


def make_certificates(folder: Path, names: tuple[str, ...]) -> tuple[Path, Path, Path]:
    """An authority, and a certificate by it for all the names, with its key."""
    authority, certificate, key = (folder / name for name in ("authority.pem", "certificate.pem", "key.pem"))
    elliptic = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    authority_key = folder / "authority-key.pem"
    openssl = ("openssl", "req", "-x509", *elliptic)
    made = (*openssl, "-subj", "/CN=test authority", "-keyout", str(authority_key), "-out", str(authority))
    subprocess.run(made, check=True, capture_output=True)
    extensions = (
        *("-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names)),
        *("-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth"),
    )
    signed = ("-CA", str(authority), "-CAkey", str(authority_key))
    leaf = (*openssl, "-subj", "/CN=test vendor", *signed, *extensions, "-keyout", str(key), "-out", str(certificate))
    subprocess.run(leaf, check=True, capture_output=True)
    return authority, certificate, key
