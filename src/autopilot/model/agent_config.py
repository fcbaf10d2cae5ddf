"""What your settings say about one agent: which program it is, what it may use, what it costs."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Price(Struct, frozen=True):
    """USD for a million tokens."""

    input: float
    output: float
    cached: float | None = None  # input read from a cache; as dear as other input unless said


class AgentConfig(Struct, frozen=True):
    """An empty field means: as it is usual for this agent."""

    kind: str = ""  # claude, codex, acp, command
    program: str = ""  # a name on your PATH, or a path
    args: tuple[
        str, ...
    ] = ()  # words after the program; for a command they may hold {prompt}, {reply}, {schema}, {model}
    model: str = ""  # unless the role's own choice names one
    models: Mapping[str, str] = {}  # by class (strong, medium, light), for profiles; goes before the usual ones
    base_url: str = ""  # where its model is, if not at the vendor's
    key_env: str = ""  # the variable of yours that holds its key
    env: Mapping[str, str] = {}  # said to it as they are
    test_env: Mapping[str, str] = {}  # for `autopilot agents test`: how to send it to a model at {url}, with {key}
    pass_env: tuple[str, ...] = ()  # variables of yours it is given
    show: tuple[str, ...] = ()  # folders it may read
    hosts: tuple[str, ...] = ()  # it may reach besides those it usually needs: example.org, *.example.org, host:port
    egress: str = ""  # "open": it reaches any host, and this machine's loopback
    own_sandbox: bool = False  # it starts a sandbox of its own, and needs user namespaces for it
    provider: str = ""  # agents of one provider share its limits
    prompt: str = ""  # a command gets its prompt by "stdin" or in a "file"
    reply: str = ""  # a command answers on "stdout" or in a "file"
    wall_s: float | None = None
    stall_s: float | None = None
    tokens: int | None = None
    usd: float | None = None
    price: Price | None = None  # of its model, where the table has none
