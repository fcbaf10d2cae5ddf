"""How much a criterion counts: a trailing ``(weight 2)`` or ``[weight: 2]``."""

from __future__ import annotations

import re

from msgspec import Struct

LEAST, MOST = 0.1, 10.0
_WEIGHT = re.compile(r"[(\[]\s*weight\s*+[:=]?\s*([^\s()\[\]]{1,20})\s*[)\]]\s*+\.?\s*\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4})?\Z")


class Weighed(Struct, frozen=True):
    text: str  # without the mark
    weight: float = 1.0
    flaw: str = ""  # why the weight that stands there is not used
    given: bool = False


def take_weight(text: str) -> Weighed:
    """A weight near nothing or near everything would take the other criteria out of the score: neither is used."""
    found = _WEIGHT.search(text)
    if not found:
        return Weighed(text)
    rest = text[: found.start()].rstrip()
    weight = float(found[1]) if _NUMBER.match(found[1]) else 0.0
    if LEAST <= weight <= MOST:
        return Weighed(rest, weight, given=True)
    return Weighed(rest, flaw=f"weight {found[1]} is not a number from {LEAST:g} to {MOST:g}: 1 is used", given=True)
