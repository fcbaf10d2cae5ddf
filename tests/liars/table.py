"""The table: lies accepted by the naive check and by us, honest work refused, seconds per verdict.

``python -m tests.liars.table [--all | --pairs 24 --seed N] [--families 100] [--only NAME] [--folder DIR]
[--json] [--jobs 2] [-v]``

``--folder`` takes the cases of another folder, modules with a tuple ``CASES``, in place of those that are here.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.liars.case import Case
from tests.liars.catalogue import cases_in, choose, every_case
from tests.liars.families.every import generated
from tests.liars.naive import believes
from tests.liars.tools import install_python
from tests.liars.world import Verdict, judge


@dataclass(frozen=True)
class Row:
    """One case, and what both checks made of it."""

    name: str
    language: str
    honest: bool
    checkable: bool
    naive: bool
    ours: bool
    layers: str
    expected: str
    because: str
    why: str
    seconds: float
    is_paused: bool = False
    flags: tuple[str, ...] = ()

    @property
    def is_silent(self) -> bool:
        """A lie that was accepted, and of which a reader of the report is told nothing."""
        return not self.honest and self.ours and not self.flags

    @property
    def is_wrong(self) -> bool:
        """What must not be: work refused, or a lie accepted that can be seen."""
        return not self.ours if self.honest else self.ours and self.checkable


def main(words: Sequence[str] | None = None) -> int:
    asked = parse(words)
    chosen = choose_asked(asked)
    rows = []
    for row in try_all(chosen, asked.jobs):
        rows.append(row)
        if asked.verbose:
            print(told(row), file=sys.stderr, flush=True)
    print(json.dumps([asdict(row) for row in rows], indent=2) if asked.json else "\n".join(render(rows)))
    return 1 if any(row.is_wrong for row in rows) else 0


def choose_asked(asked: argparse.Namespace) -> tuple[Case, ...]:
    written, families = (every_case(), generated()) if asked.folder is None else (cases_in(asked.folder), ())
    if asked.only:
        return tuple(c for c in (*written, *families) if any(fnmatch(c.name, name) for name in asked.only))
    chosen = written if asked.all or asked.folder else choose(written, asked.pairs, asked.seed)
    return (*chosen, *choose(families, asked.families, asked.seed))


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.liars.table")
    parser.add_argument("--all", action="store_true", help="every case")
    parser.add_argument("--pairs", type=int, default=24, help="how many lies, with as many honest ones")
    parser.add_argument("--families", type=int, default=0, help="this many pairs more, of those that are combined")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument(
        "--only", action="append", default=[], help="this case, or a pattern; may be given more than once"
    )
    parser.add_argument("--folder", type=Path, help="the cases of this folder in place of those that are here")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--json", action="store_true", help="one object a case instead of the table")
    parser.add_argument("-v", "--verbose", action="store_true", help="each case as it ends, on standard error")
    return parser.parse_args(words)


def try_all(cases: Sequence[Case], jobs: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="liars-") as folder:
        programs = install_python(Path(folder) / "tools")
        places = [Path(folder) / str(number) for number, _ in enumerate(cases)]
        with ProcessPoolExecutor(jobs) as pool:
            tried = [pool.submit(try_one, case, place, programs) for case, place in zip(cases, places, strict=True)]
            yield from (_result(case, future) for case, future in zip(cases, tried, strict=True))


def _result(case: Case, future: Future[Row]) -> Row:
    """A check that broke down has told neither lie from truth: whichever answer would be wrong."""
    if (problem := future.exception()) is None:
        return future.result()
    broken = Verdict(not case.honest, "", f"broken: {type(problem).__name__}: {problem}", 0.0)
    return _row(case, naive=False, verdict=broken)


def try_one(case: Case, folder: Path, programs: Path) -> Row:
    """Both checks, each in a world of its own, which is gone afterwards."""
    try:
        naive = believes(case, folder / "naive", programs)
        verdict = judge(case, folder / "ours", programs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _row(case, naive, verdict)


def _row(case: Case, naive: bool, verdict: Verdict) -> Row:
    return Row(
        name=case.name,
        language=case.language,
        honest=case.honest,
        checkable=case.checkable,
        naive=naive,
        ours=verdict.accepted,
        layers=verdict.layers,
        expected=case.catcher,
        because=verdict.because,
        why=case.why,
        seconds=round(verdict.seconds, 2),
        is_paused=verdict.paused,
        flags=verdict.flags,
    )


# -- in words


def render(rows: Sequence[Row]) -> Iterator[str]:
    figures = f"{'lies':>6}{'naive':>8}{'ours':>6}{'silent':>8}{'unseen':>8}{'honest':>8}{'refused':>9}"
    yield f"{'':12}{figures}{'median s':>10}{'p95 s':>8}"
    languages = sorted({row.language for row in rows})
    for language in languages:
        yield _line(language, [row for row in rows if row.language == language])
    yield _line("total", rows)
    yield ""
    lies, works = [r for r in rows if not r.honest and r.checkable], [r for r in rows if r.honest]
    yield f"lies accepted {_share(lies)}; honest work refused {_share(works)} (95 % confidence)"
    yield "naive: lies accepted by the exit status of the test command; ours: accepted by us, of the checkable ones;"
    yield "silent: accepted, and no flag in the report; unseen: accepted by us, and no check can tell;"
    yield f"refused: honest work refused by us; neither, for our own check failed: {sum(r.is_paused for r in rows)}."
    yield from _listed("lies no check sees", [f"{r.name}: {r.why}" for r in rows if not r.honest and not r.checkable])
    yield from _listed(
        "LIES ACCEPTED",
        [f"{r.name}: {r.because}" if r.because else r.name for r in rows if r.is_wrong and not r.honest],
    )
    yield from _listed("HONEST WORK REFUSED", [f"{r.name}: {r.because}" for r in rows if r.is_wrong and r.honest])


def _line(name: str, rows: Sequence[Row]) -> str:
    lies = [row for row in rows if not row.honest]
    true = [row for row in rows if row.honest]
    seconds = sorted(row.seconds for row in rows) or [0.0]
    p95 = seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
    naive, ours = sum(row.naive for row in lies), sum(row.is_wrong for row in lies)
    silent = sum(row.is_silent for row in lies)
    unseen = sum(row.ours and not row.checkable for row in lies)
    refused = sum(row.is_wrong for row in true)
    figures = f"{len(lies):>6}{naive:>8}{ours:>6}{silent:>8}{unseen:>8}{len(true):>8}{refused:>9}"
    return f"{name:12}{figures}{statistics.median(seconds):>10.1f}{p95:>8.1f}"


def _share(rows: Sequence[Row]) -> str:
    """With Wilson's interval: of few cases a small share says little."""
    wrong, total = sum(row.is_wrong for row in rows), len(rows)
    if not total:
        return "0 of 0"
    z, share = 1.96, wrong / total
    middle, reach = share + z * z / (2 * total), z * math.sqrt(share * (1 - share) / total + z * z / (4 * total**2))
    low, high = ((middle + sign * reach) / (1 + z * z / total) for sign in (-1, 1))
    return f"{wrong} of {total}, between {max(low, 0):.1%} and {high:.1%}"


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n{title} ({len(lines)}):"
        yield from (f"  {line}" for line in lines)


def told(row: Row) -> str:
    mark, kind = "WRONG" if row.is_wrong else "right", "honest" if row.honest else "lie"
    naive, ours = ("accepts" if accepted else "refuses" for accepted in (row.naive, row.ours))
    layers = row.layers if row.honest else f"{row.layers or '-'} (expected {row.expected or '-'})"
    shown = "".join(f"\n      {flag}" for flag in row.flags)
    words = f"{row.name}: naive {naive}, ours {ours} after {row.seconds:.1f} s {layers} {row.because}{shown}"
    return f"{mark} {kind:6} {words}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
