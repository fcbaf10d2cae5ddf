"""Every case there is, and a part of them by seed."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.liars.case import Case

Pair = tuple[Case, Case]  # a lie and honest work of the same language


def every_case() -> tuple[Case, ...]:
    """Of all modules ``cases/<language>/*.py``, by name."""
    names = sorted((path.parent.name, path.stem) for path in (Path(__file__).parent / "cases").glob("*/*.py"))
    return tuple(case for place, name in names for case in import_module(f"tests.liars.cases.{place}.{name}").CASES)


def cases_in(folder: Path) -> tuple[Case, ...]:
    """Of a folder outside of this repository, whose modules may import one another."""
    sys.path.insert(0, str(folder))
    modules = [import_module(path.stem) for path in sorted(folder.glob("*.py"))]
    return tuple(case for module in modules for case in getattr(module, "CASES", ()))


def choose(cases: Sequence[Case], pairs: int, seed: int | str) -> tuple[Case, ...]:
    """This many lies and as many honest ones. Each language has its share: none is left out by chance."""
    chance = random.Random(seed)
    ranked = sorted(_ranked(cases, chance), key=lambda each: each[0])
    return tuple(case for _, pair in ranked[:pairs] for case in pair)


def _ranked(cases: Sequence[Case], chance: random.Random) -> list[tuple[float, Pair]]:
    """Pairs, each with its place in its own language as a fraction; the first of every language comes first."""
    ranked: list[tuple[float, Pair]] = []
    for language in sorted({case.language for case in cases}):
        lies = [case for case in cases if case.language == language and not case.honest]
        true = [case for case in cases if case.language == language and case.honest]
        chance.shuffle(lies)
        chance.shuffle(true)
        paired = list(zip(lies, true, strict=False))
        ranked += [(place and (place + chance.random()) / len(paired), pair) for place, pair in enumerate(paired)]
    return ranked
