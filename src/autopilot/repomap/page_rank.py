"""PageRank: what is referred to by much that is referred to itself; with seeds, what lies near them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

DAMPING = 0.85
ROUNDS = 30
ENOUGH = 1e-6  # of change in a round, over all files

Edge = tuple[str, str, float]  # from, to, weight


def page_rank(
    names: Iterable[str], edges: Iterable[Edge], seeds: Mapping[str, float] | None = None, damping: float = DAMPING
) -> dict[str, float]:
    """The rank of each name; together they make 1. Without seeds, or where all are 0, everything is one."""
    order = tuple(dict.fromkeys(names))
    if not order:
        return {}
    index = {name: place for place, name in enumerate(order)}
    start = _start(order, seeds or {})
    outgoing = _outgoing(index, edges)
    rank = start
    for _ in range(ROUNDS):
        flowing = [0.0] * len(order)
        kept = 0.0
        for place, share in enumerate(rank):
            if not share:
                continue
            if not outgoing[place]:
                kept += share  # nothing leads on: it begins again at the seeds
            for target, weight in outgoing[place]:
                flowing[target] += share * weight
        beginning = 1 - damping + damping * kept
        following = [beginning * seed + damping * flow for seed, flow in zip(start, flowing, strict=True)]
        moved = sum(abs(new - old) for new, old in zip(following, rank, strict=True))
        rank = following
        if moved < ENOUGH:
            break
    return dict(zip(order, rank, strict=True))


def _start(order: tuple[str, ...], seeds: Mapping[str, float]) -> list[float]:
    total = sum(seeds.get(name, 0.0) for name in order)
    if total <= 0:
        return [1 / len(order)] * len(order)
    return [seeds.get(name, 0.0) / total for name in order]


def _outgoing(index: Mapping[str, int], edges: Iterable[Edge]) -> list[list[tuple[int, float]]]:
    """By place, where it leads and with which share; an edge to itself or out of the names counts for nothing."""
    weights: list[dict[int, float]] = [{} for _ in index]
    for source, target, weight in edges:
        if source != target and source in index and target in index and weight > 0:
            leads = weights[index[source]]
            leads[index[target]] = leads.get(index[target], 0.0) + weight
    shares = []
    for leads in weights:
        total = sum(leads.values())
        shares.append([(target, weight / total) for target, weight in leads.items()])
    return shares
