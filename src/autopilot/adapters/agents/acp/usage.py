"""What a turn over ACP has used: agents report it in three places, and none in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from autopilot.model.agent import Usage


class Meter:
    """Counts while the turn goes on, and corrects itself by the agent's own sum at its end."""

    def __init__(self, usd_before: float) -> None:
        self.usage = Usage()
        self.session_total = Usage()
        self._usd_before = usd_before
        self._produced = False

    def produced(self) -> None:
        """The model has said or done something since its use was last told."""
        self._produced = True

    def report(self, update: Mapping[str, Any]) -> None:
        """``used`` is how full the context is, input and output of one step. Told twice, it is still one step."""
        if self._produced:
            self.usage = replace(self.usage, tokens_in=self.usage.tokens_in + _count(update.get("used")))
            self._produced = False
        match update.get("cost"):
            case {"amount": float() | int() as amount, "currency": "USD"} if amount >= 0:
                self.session_total = Usage(usd=float(amount))
                self.usage = replace(self.usage, usd=max(0.0, amount - self._usd_before))

    def settle(self, stop: Mapping[str, Any]) -> None:
        """The agent's own sum; where it is of the last step only, what was counted is more, and stands."""
        reported = _read_sum(stop.get("usage")) or _read_quota(stop.get("_meta"))
        if reported is None:
            return
        missing = max(0, self.usage.tokens - reported.tokens)
        self.usage = replace(reported, tokens_in=reported.tokens_in + missing, usd=self.usage.usd)


def _read_sum(value: object) -> Usage | None:
    """Whether input includes what came from a cache, and output the thoughts, the total tells."""
    if not isinstance(value, Mapping):
        return None
    input_, output, total = (_count(value.get(name)) for name in ("inputTokens", "outputTokens", "totalTokens"))
    read, written, thought = (
        _count(value.get(name)) for name in ("cachedReadTokens", "cachedWriteTokens", "thoughtTokens")
    )
    remaining = total - input_ - output
    tokens_in = input_ + read + written if read + written and remaining >= read + written else input_
    tokens_out = output + thought if thought and total - tokens_in - output >= thought else output
    return Usage(tokens_in, tokens_out, read)


def _read_quota(meta: object) -> Usage | None:
    match meta:
        case {"quota": {"token_count": {"input_tokens": input_, "output_tokens": output}}}:
            return Usage(_count(input_), _count(output))
    return None


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 < value < 1 << 50 else 0
