"""Suspicion: hints in new or changed code that a green run of it may be luck, so that it is run again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from autopilot.text.file_kind import is_test, suffix_of
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.masking import is_masked, mask

_PYTHON = frozenset({".py"})
_SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"})
_OTHERS = frozenset({".go", ".rs", ".java", ".kt", ".rb", ".php", ".cs", ".swift"})
_ANY = _PYTHON | _SCRIPTS | _OTHERS
_SHELL = frozenset({".sh", ".bash", ".bats"})

# A seeded generator gives the same numbers every time.
_SEEDED = lazy_regex(
    r"\bseed\w*\s*[(=:]|\bRandom\s*\(\s*\w|\bdefault_rng\s*\(\s*\w|\bseed_from_u64\b|\bNewSource\s*\(\s*\d"
)
CHANCE = "randomness without a seed"
ORDER = "an order that is not guaranteed"


class _Hint(Struct, frozen=True):
    why: str
    where: frozenset[str]
    pattern: re.Pattern[str]


def _hint(why: str, *patterns: str, where: frozenset[str] = _ANY) -> _Hint:
    return _Hint(why, where, lazy_regex("|".join(patterns), re.MULTILINE))


_HINTS = (
    _hint(
        CHANCE,
        r"\brandom\.\w+\s*\(|\bMath\.random\b|\bsecrets\.\w+\s*\(|\buuid[14]\s*\(|\brandomUUID\b|\brandomBytes\b",
        r"\brand\.(?:Int|Float|Perm|Shuffle|random|gen)\w*\b|\bthread_rng\b|\bnew Random\s*\(\s*\)|\bshuffle\s*\(",
    ),
    _hint(
        CHANCE,
        r"\bshuf\b|\$\(\(\s*RANDOM\b|\$\{?RANDOM\b|/dev/u?random\b|\bsort\s+(?:-R|--random-sort)\b|\brand\(\)|\buuidgen\b",
        where=_SHELL,
    ),
    _hint(
        "the clock",
        r"\btime\.(?:time|monotonic|perf_counter)(?:_ns)?\s*\(|\bdatetime\.(?:now|utcnow|today)\s*\(|\bdate\.today\s*\(",
        r"\bDate\.now\s*\(|\bnew Date\s*\(\s*\)|\bperformance\.now\s*\(|\btime\.(?:Now|Since)\s*\(|\bTime\.now\b",
        r"\b(?:Instant|SystemTime|LocalDate(?:Time)?)(?:::|\.)now\s*\(|\bcurrentTimeMillis\s*\(",
    ),
    _hint(
        "a fixed waiting time",
        r"\b[sS]leep\s*\(|\busleep\s*\(|\bset(?:Timeout|Interval)\s*\(|\btime\.After\s*\(",
    ),
    _hint(
        "concurrent work",
        r"\bthreading\.\w+\s*\(|\bThread\s*\(|\b(?:Thread|Process)PoolExecutor\b|\bmultiprocessing\b|\bnew Worker\s*\(",
        r"\basyncio\.(?:gather|create_task|wait)\b|\bPromise\.(?:race|any|allSettled|all)\b|\bThread\.new\b",
        r"^[ \t]*go[ \t]+(?:func\b|\w+\s*\()|\bt\.Parallel\s*\(|\bthread::spawn\b|\btokio::spawn\b|\brayon::",
    ),
    _hint(
        "the network",
        r"\brequests\.(?:get|post|put|delete)\s*\(|\burlopen\s*\(|\bhttpx\.\w+|\baiohttp\b|\bsocket\.socket\s*\(",
        r"\bfetch\s*\(|\baxios\b|\bnet\.(?:Dial|Listen)\w*\s*\(|\bhttp\.(?:Get|Post|createServer|get|request)\b",
        r"\bTcp(?:Stream|Listener)::|\bHTTPServer\s*\(|\.listen\s*\(",
    ),
    _hint(
        ORDER,
        r"\bos\.listdir\s*\(|\bi?glob\s*\(|\.iterdir\s*\(|\blist\s*\(\s*set\s*\(|\bin\s+set\s*\(|(?<![\w.])hash\s*\(",
        where=_PYTHON,
    ),
    _hint(
        ORDER,
        r"\bHash(?:Map|Set)\b[^\n]{0,200}\biter\b|\brange\s+\w*[mM]ap\w*\b|\breaddir\w*\s*\(",
        where=_SCRIPTS | _OTHERS,
    ),
    _hint("a name that differs from run to run", r"\bmktemp\s*\(|\bgetpid\s*\(|\bprocess\.pid\b"),
)
_TMP = lazy_regex(r"['\"`]/tmp/")


def why_flaky(texts: Mapping[str, str]) -> tuple[str, ...]:
    """One hint a file and kind, as ``tests/test_a.py:3: the clock``. An empty result proves nothing."""
    return tuple(hint for path, text in texts.items() for hint in _hints(path, text))


def asks_chance(texts: Mapping[str, str]) -> bool:
    return any(hint.endswith(f": {CHANCE}") for hint in why_flaky(texts))


def _hints(path: str, text: str) -> list[str]:
    if not is_masked(path):
        return []
    code = mask(path, text, strings=suffix_of(path) not in _SHELL)  # there, what is quoted is still done
    seeded = _SEEDED.search(code) is not None
    found: dict[str, int] = {}
    for hint in _HINTS:
        if suffix_of(path) not in hint.where or (seeded and hint.why is CHANCE):
            continue
        if match := hint.pattern.search(code):
            found.setdefault(hint.why, _line(text, match))
    if is_test(path) and (match := _TMP.search(mask(path, text, strings=False))):
        found["a fixed path that other processes may use too"] = _line(text, match)
    return [f"{path}:{line}: {why}" for why, line in found.items()]


def _line(text: str, match: re.Match[str]) -> int:
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    return text.count("\n", 0, start) + 1
