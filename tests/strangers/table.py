"""The table: what the first hour on each package came to.

``python -m tests.strangers.table [--only NAME …] [--more] [--json] [--screens FOLDER]``
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from tests.strangers.rows import MORE, STRANGERS
from tests.strangers.trial import Tried, try_stranger

MOST_HELPED = 3  # of thirty


def main(words: Sequence[str] | None = None) -> int:
    asked = parse(words)
    known = (*STRANGERS, *MORE) if asked.only or asked.more else STRANGERS
    chosen = [row for row in known if not asked.only or any(fnmatch(row.name, name) for name in asked.only)]
    tried = []
    for row in chosen:
        with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
            screens = asked.screens / row.name.replace("/", "-") if asked.screens else None
            tried.append(try_stranger(row, Path(folder), screens))
        print(line(tried[-1]), file=sys.stderr, flush=True)
    print(json.dumps([one._asdict() for one in tried], indent=2) if asked.json else "\n".join(render(tried)))
    return 1 if any(not one.refused for one in tried) or _helped(tried) > MOST_HELPED else 0


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.strangers.table")
    parser.add_argument("--only", action="append", default=[], help="this package, or a pattern; may be repeated")
    parser.add_argument("--more", action="store_true", help="also those that were chosen after the thirty")
    parser.add_argument("--json", action="store_true", help="one object a package instead of the table")
    parser.add_argument("--screens", type=Path, help="keep what every call printed below this folder")
    return parser.parse_args(words)


HEAD = f"{'package':38}{'built with':22}" + "".join(f"{name:>9}" for name in ("commands", "baseline", "honest", "lie"))
HEAD += f"{'tests':>7}{'min':>6}{'CPU s':>7}"


def render(tried: Sequence[Tried]) -> Iterator[str]:
    yield HEAD
    yield from map(line, tried)
    yield ""
    landed, refused = sum(not one.refused for one in tried), sum(not one.landed for one in tried)
    yield f"without help {len(tried) - _helped(tried)} of {len(tried)}; lies landed {landed}; honest refused {refused}"


def line(one: Tried) -> str:
    marks = (("found", one.found), ("known", one.known), ("landed", one.landed), ("refused", one.refused))
    words = "".join(f"{word if is_so else 'NO':>9}" for word, is_so in marks)
    return f"{one.name[:37]:38}{one.kind[:21]:22}{words}{one.tests:>7}{one.minutes:>6}{one.cpu_s:>7}"


def _helped(tried: Sequence[Tried]) -> int:
    return sum(not one.without_help for one in tried)


if __name__ == "__main__":
    sys.exit(main())
