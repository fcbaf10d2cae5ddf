"""What ``cargo test`` prints, read by rule: one block for each test program, held against its own summary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from autopilot.model.evidence.testing import Ended, TestResult
from autopilot.testtools.formats.results import numbered, shortened
from autopilot.testtools.packs.cargo_panic import panic_message, reason_of
from autopilot.testtools.sources import Sources
from autopilot.text.lazy_regex import lazy_regex

LONGEST_LINE = 1000  # of those that are looked at closely; what cargo itself prints is shorter
_BLOCK = lazy_regex(r"^running \d+ tests?$", re.MULTILINE)
_SUMMARY = lazy_regex(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;", re.MULTILINE)
_HEADER = lazy_regex(r" +(?:Running (?:unittests )?(\S+) \((?:\S*/)?([^\s/]+?)(?:-[0-9a-f]{16})?\)|Doc-tests \S+)")
_DOC_LINE = lazy_regex(r" \(line \d+\)")
_STORY = lazy_regex(r"^---- (.+?) (?:stdout|stderr) ----$", re.MULTILINE)
_ENDS = {"ok": Ended.PASSED, "FAILED": Ended.FAILED, "ignored": Ended.SKIPPED}
_TIME = lazy_regex(r" <\d+\.\d+s>\Z")
_COMPILER = lazy_regex(
    r"error(?:\[E\d+\])?: (?!test failed|doctest failed|\d+ targets? failed|process didn't exit)(.+)"
)


class _Program(Struct, frozen=True):
    """Where the tests of a block come from."""

    name: str = ""  # in front of a test's own name
    file: str = ""


def read_output(out: str, errors: str, sources: Sources) -> tuple[tuple[TestResult, ...], str]:
    """The results, and why they cannot be relied on."""
    starts = [found.start() for found in _BLOCK.finditer(out)]
    blocks = [out[start:end] for start, end in pairwise([*starts, len(out)])]
    results, problem = list[TestResult](), ""
    for block, origin in zip(blocks, _programs(errors, len(blocks)), strict=True):
        stories = _stories(block)
        found = [_result(name, word, why, stories, origin, sources) for name, word, why in _lines(block)]
        problem = problem or _doubt(block, found)
        results += found
    return numbered(results), problem


def not_compiled(errors: str) -> tuple[str, ...]:
    """What cargo and the compiler say before the first test program is started."""
    messages = list[str]()
    for line in errors.splitlines():
        if _header(line):
            break
        if found := _COMPILER.match(line):
            messages.append(shortened(found[1]))
    return tuple(dict.fromkeys(messages))[:20]


def _header(line: str) -> re.Match[str] | None:
    return _HEADER.fullmatch(line) if line.startswith("  ") and len(line) < LONGEST_LINE else None


def _programs(errors: str, blocks: int) -> list[_Program]:
    """One for each block. The tests of documentation come last, in one block or several, and bear their file's name."""
    found = [match for line in errors.splitlines() if (match := _header(line))]
    paths = [(match[1], match[2]) for match in found if match[1]]
    programs = [_Program(path, path) if "tests/" in path else _Program(name) for path, name in paths]
    documents = blocks - len(programs)
    if documents < 0 or (documents > 0) != (len(paths) < len(found)):
        # One without Rust's own test harness has no block, or printed text looks like one: no name can be told.
        return [_Program()] * blocks
    return programs + [_Program()] * documents


def _lines(block: str) -> Iterator[tuple[str, str, str]]:
    """Name, end and reason of each test. What a test prints uncaught may stand between its name and its end."""
    open_name = ""
    for line in block.splitlines():
        if line.startswith(("failures:", "test result: ")):
            return
        name, sign, rest = line[5:].partition(" ... ") if line.startswith("test ") else ("", "", line)
        rest = _TIME.sub("", rest[-LONGEST_LINE:])
        word = "ignored" if rest.startswith("ignored, ") else next((end for end in _ENDS if rest.endswith(end)), "")
        if sign:
            open_name = name.removesuffix(" - should panic")
        if open_name and (word if sign else rest in _ENDS):
            yield open_name, word, rest.partition(", ")[2] if word == "ignored" else ""
            open_name = ""


def _result(name: str, word: str, why: str, stories: dict[str, str], origin: _Program, sources: Sources) -> TestResult:
    file, separator, _ = name.partition(" - ")
    if not separator or not file.endswith((".rs", ".md")):
        *modules, last = name.split("::")
        file = origin.file or sources.find(last, ["src", "lib", origin.name, *modules])
    ended, story = _ENDS[word], stories.get(name, "")
    by = reason_of(story, file) if ended is Ended.FAILED else None
    title = _DOC_LINE.sub("", name)  # the line of a test in the documentation moves with every line above it
    id = f"{origin.name}::{title}" if origin.name else title
    return TestResult(id, ended, by, file, shortened(panic_message(story) if by else why))


def _stories(block: str) -> dict[str, str]:
    """What each failed test printed, by its name."""
    pieces = _STORY.split(block)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _doubt(block: str, results: list[TestResult]) -> str:
    """A program that ended before its summary ran no test to its end; one whose lines differ from it printed some."""
    summaries = _SUMMARY.findall(block)
    if not summaries:
        return "a test program exited before it printed its summary"
    counted = Counter(result.ended for result in results)
    counts = tuple(str(counted[end]) for end in (Ended.PASSED, Ended.FAILED, Ended.SKIPPED))
    return "" if counts == summaries[-1] else "the result lines of a test program do not match its summary"
