"""Validates the settings about notifications: an error would otherwise only show as a missing notification."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from autopilot.adapters.notify.loopback import is_loopback
from autopilot.model.notice import NoticeKind, Notify


def notify_faults(notify: Notify) -> Iterator[tuple[str, str]]:
    """Fault and remedy. The address is not repeated, because it may contain a secret."""
    kinds = ", ".join(NoticeKind)
    for kind in notify.on:
        if kind not in list(NoticeKind):
            yield f'on contains "{kind}"', f"write some of {kinds}"
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
