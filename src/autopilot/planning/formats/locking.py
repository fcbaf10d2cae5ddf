"""The fingerprint of a frozen spec that may lie in several files of another tool's format."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from autopilot.model.run import SpecLock
from autopilot.planning.formats.registry import format_named
from autopilot.planning.spec.spec import spec_hash

KEPT = (
    "get the new text but keep the criteria that the run began with; "
    "to start over with what stands there now: `autopilot run --fresh`"
)


def tell_changed(lock: SpecLock, now: str) -> str:
    return f"{lock.path} changed since the run began ({lock.sha256[:12]} -> {now[:12]})"


def fingerprint(lock: SpecLock, format: str, read: Callable[[str], bytes | None]) -> str:
    """Over all its files, without what changes as work proceeds; "" when the first of them is not there."""
    first = read(lock.path)
    if first is None:
        return ""
    known = format_named(format)
    if known is None:
        return spec_hash(first.decode("utf-8", "replace"))
    total = hashlib.sha256()
    for path in (lock.path, *lock.also):
        content = read(path)
        text = "absent" if content is None else known.neutral(path, content.decode("utf-8", "replace"))
        total.update(f"{path}\0{text}\0".encode("utf-8", "surrogatepass"))
    return total.hexdigest()
