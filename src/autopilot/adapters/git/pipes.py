"""Waiting for a pipe, whatever its number: select() knows none from 1024 on, and hundreds of children have more."""

from __future__ import annotations

import select
import time


def is_ready(descriptor: int, deadline: float) -> bool:
    """Whether it can be read, or has ended, before that moment of the monotonic clock."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))
