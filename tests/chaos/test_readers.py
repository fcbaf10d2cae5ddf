"""Whatever a stranger wrote is read in time and memory that have a bound, and never ends in a traceback. covers: T1

`make test` draws some texts by the seed of the day, `make chaos` reads 100,000 mutated and 61,000 long ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.chaos.level import LEVEL, share
from tests.chaos.readers import READERS, Cost, lengthen, mutate, read_all, seeds
from tests.seed import chance

SHARDS = 4
AT_ONCE = 2_000  # readings of one process


def drawn(make: Callable[[str, Random], str], random: Random, count: int) -> Iterator[tuple[str, str]]:
    texts, names = seeds(), sorted(READERS)
    return ((random.choice(names), make(random.choice(texts), random)) for _ in range(count))


def read_many(make: Callable[[str, Random], str], purpose: str, count: int) -> Cost:
    cost = Cost()
    for first in range(0, count, AT_ONCE):
        random = chance(f"{purpose} {first}")
        cost.take(read_all(drawn(make, random, min(AT_ONCE, count - first))))
    return cost


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_mutated_text_is_read_or_refused(shard: int, capsys: pytest.CaptureFixture[str]) -> None:
    cost = read_many(mutate, f"mutated {shard}", share(LEVEL.mutated_texts, shard, SHARDS))
    with capsys.disabled():
        print(f"\nmutated: {cost}")
    assert cost.faults == []


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_long_text_is_read_or_refused(shard: int, capsys: pytest.CaptureFixture[str]) -> None:
    cost = read_many(lengthen, f"long {shard}", share(LEVEL.long_texts, shard, SHARDS))
    with capsys.disabled():
        print(f"\nlong: {cost}")
    assert cost.faults == []


def test_a_reader_that_fails_waits_for_ever_or_takes_the_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(_: str) -> None:
        while True:
            sum(range(1_000))

    wrong = {"raises": lambda text: {}[text], "computes": compute, "takes": lambda _: bytearray(250 << 20)}
    for name, read in wrong.items():
        monkeypatch.setitem(READERS, name, read)
    faults = read_all((name, "x") for name in wrong).faults
    kinds = [re.sub(r"[0-9.]+", "N", fault.partition(":")[0]) for fault in faults]
    assert kinds == ["KeyError", "never came back", "N s", "N MB"]
