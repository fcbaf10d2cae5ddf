"""What tokens cost where an agent does not say: an estimate from a table, labelled as one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from autopilot.adapters.agents.listening import PartialReply
from autopilot.model.agent import Usage
from autopilot.model.agent_config import Price

# USD for a million tokens, list prices of November 2026 for prompts of ordinary length. A model is found by the longest
# name its own begins with; the name of a family stands for its dearest member.
PRICES: Mapping[str, Price] = {
    "claude-fable": Price(10, 50, 1),
    "claude-opus": Price(5, 25, 0.5),
    "claude-sonnet": Price(3, 15, 0.3),
    "claude-haiku": Price(1, 5, 0.1),
    "gpt-5": Price(1.25, 10, 0.125),
    "gpt-5-mini": Price(0.25, 2, 0.025),
    "gpt-5-nano": Price(0.05, 0.4, 0.005),
    "gpt-5.": Price(5, 30, 0.5),
    "gpt-5.1": Price(1.25, 10, 0.125),
    "gpt-5.2": Price(1.75, 14, 0.175),
    "gpt-5.3": Price(1.75, 14, 0.175),
    "gpt-5.4": Price(2.5, 15, 0.25),
    "gpt-5.4-mini": Price(0.75, 4.5, 0.075),
    "gpt-5.4-nano": Price(0.2, 1.25, 0.02),
    "gpt-5.6-sol": Price(4, 20, 0.4),
    "gpt-5.6-terra": Price(2, 12, 0.2),
    "gpt-5.6-luna": Price(0.2, 1.2, 0.02),
    "gpt-6": Price(10, 50, 1),
    "gpt-6-sol": Price(2, 10, 0.2),
    "gpt-6-luna": Price(0.1, 0.5, 0.01),
    "gpt-6.1-sol": Price(2, 10, 0.1),
    "gpt-6.1-terra": Price(1, 5, 0.05),
    "o3": Price(2, 8, 0.5),
    "o4-mini": Price(1.1, 4.4, 0.275),
    "gemini-2.5-pro": Price(1.25, 10, 0.31),
    "gemini-2.5-flash": Price(0.3, 2.5, 0.075),
}
FAMILIES = ("opus", "sonnet", "haiku")  # as Claude Code is told them
# A model nobody knows counts as the dearest: a money cap that counts nothing would be no cap.
DEAREST = max(PRICES.values(), key=lambda price: price.output)


def find_price(model: str) -> Price:
    return known_price(model) or DEAREST


def known_price(model: str) -> Price | None:
    name = model.rpartition("/")[2]
    name = f"claude-{name}" if name in FAMILIES else name
    known = [prefix for prefix in PRICES if name.startswith(prefix)]
    return PRICES[max(known, key=len)] if known else None


def estimate(usage: Usage, price: Price) -> Usage:
    cached = price.input if price.cached is None else price.cached
    fresh = max(0, usage.tokens_in - usage.tokens_cached)
    usd = fresh * price.input + usage.tokens_cached * cached + usage.tokens_out * price.output
    return replace(usage, usd=usd / 1_000_000, usd_is_estimate=True)


def discount(usage: Usage, price: Price) -> Usage:
    """With the cached tokens that their price leaves out; none where nothing cheaper is known of them."""
    cached = min(usage.tokens_cached, usage.tokens_in)
    share = 1.0 if price.cached is None or not price.input else min(1.0, price.cached / price.input)
    return replace(usage, tokens_discounted=cached - round(cached * share))


def with_price(partial: PartialReply, model: str, own: Price | None) -> PartialReply:
    """What was said, its money estimated unless it was reported. ``tokens_in`` includes what came from a cache."""
    if not partial.usage.tokens:
        return partial
    price = own or find_price(partial.model or model)
    usage = discount(partial.usage, price)
    return replace(partial, usage=usage if usage.usd else estimate(usage, price))
