"""Which repository of a forge the address of a remote names, where it is on the host that the user has configured."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from autopilot.model.errors import Unavailable

_SCP = re.compile(r"(?:[\w.+-]{1,64}@)?([\w.-]{1,253}):(?!//)([^\s:]{1,500})\Z")
_PART = re.compile(r"[\w.-]{1,100}\Z")


def repository_at(address: str, host: str) -> str:
    """``owner/name``, on GitLab with groups before it; Unavailable for any other host than the configured one."""
    found, path = _split(address)
    if found.lower() != host.lower():
        hint = "Correct url below [forge] in your settings.toml, or name another remote there."
        raise Unavailable(f"the remote is on {found or 'this machine'}, and the forge of your settings on {host}", hint)
    parts = path.strip("/").removesuffix(".git").split("/")
    if len(parts) < 2 or any(not _PART.match(part) or set(part) == {"."} for part in parts):
        raise Unavailable("the address of the remote names no repository", "Look at `git remote -v`.")
    return "/".join(parts)


def _split(address: str) -> tuple[str, str]:
    if "://" not in address:
        match = _SCP.match(address)
        return (match[1], match[2]) if match else ("", "")
    try:
        parts = urlsplit(address)
        return parts.hostname or "", parts.path
    except ValueError:
        return "", ""
