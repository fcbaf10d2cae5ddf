"""How the proxy comes to listen inside a sandbox that has a network of its own.

A socket belongs to the network it was made in for good. The first program inside makes the listening sockets on
the sandbox's loopback and sends them to us over an inherited one; then it becomes the agent. So nothing of ours runs
beside the agent, no socket of ours is to be seen by it, and there is no way out but what we accept and connect.
"""

from __future__ import annotations

import fcntl
import select
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from autopilot.model.egress import Egress

FIRST_PORT = 47_128  # of the proxy, inside; the next one where a port of this machine has the same number
MOST_SOCKETS = 64
# By the module below `socket`, which takes as long to load as all the rest.
HAND_OUT = """
import _socket as net, os, sys
def listen(family, address, port):
    listener = net.socket(family, net.SOCK_STREAM)
    listener.bind((address, port))
    listener.listen(64)
    return listener
channel, ports = net.socket(fileno=int(sys.argv[1])), [int(port) for port in sys.argv[2].split(",")]
listeners = [listen(net.AF_INET, "127.0.0.1", port) for port in ports if port]
try:
    listeners += [listen(net.AF_INET6, "::1", port) for port in ports[1:]]
except OSError:
    pass
numbers = b"".join(listener.fileno().to_bytes(4, sys.byteorder) for listener in listeners)
channel.sendmsg([b"."], [(net.SOL_SOCKET, net.SCM_RIGHTS, numbers)])
channel.close()
try:
    os.execvp(sys.argv[3], sys.argv[3:])
except OSError as error:
    print(f"{sys.argv[3]}: {error.strerror}", file=sys.stderr)
    sys.exit(127 if isinstance(error, FileNotFoundError) else 126)
"""


def choose_port(egress: Egress) -> int:
    return next(port for port in range(FIRST_PORT, 65_536) if port not in egress.local_ports)


def hand_out(argv: Sequence[str], egress: Egress, channel: int) -> tuple[str, ...]:
    """The command that makes the sockets, sends them to us and becomes ``argv``. The first port is the proxy's own."""
    ports = ",".join(map(str, (choose_port(egress) if egress.is_proxied else 0, *egress.local_ports)))
    python = str(Path(sys.base_prefix, "bin", "python3"))
    return (python, "-I", "-S", "-c", HAND_OUT, str(channel), ports, *argv)


def receive_listeners(channel: socket.socket, stop_fd: int) -> list[socket.socket]:
    """The sockets that the first program inside made; none when it ended before, or the proxy stops."""
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    poll.register(stop_fd, select.POLLIN)
    if any(number == stop_fd for number, _ in poll.poll()):
        return []
    numbers = socket.recv_fds(channel, 1, MOST_SOCKETS, socket.MSG_CMSG_CLOEXEC)[1]
    return [socket.socket(fileno=number) for number in numbers]


def render_environment(egress: Egress) -> dict[str, str]:
    """What programs read to find a proxy; Node's own fetch does so only on request."""
    if not egress.is_proxied:
        return {}
    address = f"http://127.0.0.1:{choose_port(egress)}"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "WS_PROXY", "WSS_PROXY")
    direct = "localhost,127.0.0.1,::1"
    settings = {**dict.fromkeys(names, address), "NO_PROXY": direct}
    return {
        **settings,
        **{name.lower(): value for name, value in settings.items()},
        "NODE_USE_ENV_PROXY": "1",
    }


def open_channel(lowest: int) -> tuple[socket.socket, int]:
    """Our end, and the number of the other, which the sandbox inherits: no lower than a shell of ours may use."""
    ours, theirs = socket.socketpair()
    with theirs:
        return ours, fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, lowest)
