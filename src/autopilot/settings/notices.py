"""What settings say about notifications, checked: a wrong word would show only when nobody is told."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from autopilot.adapters.notify.loopback import is_loopback
from autopilot.model.notice import NoticeKind, Notify


def notify_faults(notify: Notify) -> Iterator[tuple[str, str]]:
    """What is wrong, and what to do about it. An address is not repeated: most of it may be a secret."""
    kinds = ", ".join(NoticeKind)
    for kind in notify.on:
        if kind not in list(NoticeKind):
            yield f'on names "{kind}"', f"write any of {kinds}"
    if notify.webhook and not _is_address(notify.webhook):
        yield "webhook is no address that starts with https://", "without TLS only this machine itself may be told"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        parts.port  # noqa: B018 -- says whether there is one that can be read
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
