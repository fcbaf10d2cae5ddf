"""Validates the settings about notifications and a forge: an error would otherwise appear only when one is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from autopilot.adapters.http.loopback import is_loopback
from autopilot.model.forge import ForgeConfig, ForgeKind
from autopilot.model.notice import NoticeKind, Notify
from autopilot.model.telemetry.spans import Telemetry

_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}\Z")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\Z")
# One word that no program can take for an option.
_WORD = re.compile(r"[^-\s]\S*\Z")


def notify_faults(notify: Notify) -> Iterator[tuple[str, str]]:
    """Fault and remedy. The address is not repeated, because it may contain a secret."""
    kinds = ", ".join(NoticeKind)
    for kind in notify.on:
        if kind not in list(NoticeKind):
            yield f'on contains "{kind}", which is not a kind of notification', f"write some of {kinds}"
    if notify.webhook and not _is_address(notify.webhook):
        yield "webhook is not an https:// address", "use https://; http:// is allowed only for this machine (localhost)"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        parts.port  # noqa: B018 -- raises ValueError for an invalid port
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


def forge_faults(forge: ForgeConfig) -> Iterator[tuple[str, str]]:
    """Fault and remedy. The remote is not repeated, because an address may contain a key."""
    if forge.kind not in list(ForgeKind):
        yield f'kind is "{forge.kind}", which Autopilot does not know', f"write one of {', '.join(ForgeKind)}"
    if forge.kind == ForgeKind.GITEA and not forge.url:
        yield "url is missing: it says which Gitea or Forgejo", 'write its address: url = "https://git.example.org"'
    if forge.url and not _is_address(forge.url):
        yield "url is not an https:// address", "use https://; http:// is allowed only for this machine (localhost)"
    if not _VARIABLE.match(forge.token_env):
        yield "token_env is not the name of a variable", 'write the name, not the token: token_env = "GITEA_TOKEN"'
    if not _WORD.match(forge.remote):
        yield "remote is neither a name nor an address", 'write the name of a remote: remote = "origin"'
    if forge.base and not _WORD.match(forge.base):
        yield (
            f'base is "{forge.base}", which is not the name of a branch',
            "write the name of a branch, or omit it for the default branch of the forge",
        )


def telemetry_faults(telemetry: Telemetry) -> Iterator[tuple[str, str]]:
    """Fault and remedy. The address is not repeated, because it may contain a secret."""
    if telemetry.otlp and not _is_address(telemetry.otlp):
        yield "otlp is not an https:// address", "use https://; http:// is allowed only for this machine (localhost)"
    elif telemetry.otlp and urlsplit(telemetry.otlp).username is not None:
        yield "otlp contains a user name", 'name a header: headers_env = { Authorization = "MY_VARIABLE" }'
    for header in telemetry.headers_env:
        if not _HEADER.match(header):
            yield (
                f'headers_env contains "{header}", which is not the name of a header',
                "write one such as Authorization",
            )
