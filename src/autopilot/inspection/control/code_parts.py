"""Parts of build files that are code: the lines and blocks that configure tests and checks, found by patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from autopilot.text.lazy_regex import lazy_regex

_GRADLE = lazy_regex(
    r"^[ \t]*(?:(?:tasks\.)?(?:test|check|testing|jacoco\w*|checkstyle\w*|pmd\w*|spotbugs\w*|detekt|ktlint|spotless)|"
    r"(?:tasks\.)?(?:withType|named|register)\s*[(<][^\n{]{0,200}\b(?:Test|test|check|Checkstyle)\b[^\n{]*+)\s*\{",
    re.MULTILINE,
)
_GRADLE_LINES = lazy_regex(
    r"useJUnit|ignoreFailures|\btestImplementation\b.{0,300}\b(?:files|fileTree)\b|\bonlyIf\b|\benabled\s*=|"
    r"\btest\.\w+\s*[.=]|exclude.{0,300}[tT]est|dependsOn.{0,300}test"
)
_POM = lazy_regex(
    r"surefire|failsafe|checkstyle|\bpmd\b|maven-pmd|spotbugs|jacoco|enforcer|spotless|maven-invoker|errorprone|"
    r"antrun|exec-maven"
)
_POM_LINES = lazy_regex(
    r"<(?:skipTests|skipITs|maven\.test\.[\w.]+|surefire\.[\w.]+|failsafe\.[\w.]+|testSourceDirectory|testFailureIgnore|"
    r"(?:checkstyle|pmd|spotbugs|jacoco|enforcer)\.[\w.]+|systemPath)>[^<]*"
)


def lines_of(expression: str) -> Callable[[str], str]:
    """The lines of a file that match."""
    pattern = lazy_regex(expression)

    def part(text: str) -> str:
        return "\n".join(line.strip() for line in text.splitlines() if pattern.search(line))

    return part


def blocks_of(expression: str) -> Callable[[str], str]:
    """The blocks that start with a match and extend over lines in brackets."""
    pattern = lazy_regex(rf"^[ \t]*{expression}", re.MULTILINE)

    def part(text: str) -> str:
        return "\n".join(_blocks(text, pattern))

    return part


def gradle_part(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if _GRADLE_LINES.search(line)]
    return "\n".join([*_blocks(text, _GRADLE), *lines])


def vite_part(text: str) -> str:
    """The ``test`` of a Vite config is Vitest's; the rest builds the product."""
    return "\n".join(_blocks(text, lazy_regex(r"(?<![\w.])['\"]?test['\"]?\s*:\s*\{|\bmergeConfig\s*\(|\bVITEST\b")))


def pom_part(text: str) -> str:
    plugins = re.findall(r"<plugin>(?:(?!</?plugin>).)*+</plugin>", text, re.DOTALL)
    resources = re.findall(r"<testResources>(?:(?!</?testResources>).)*+</testResources>", text, re.DOTALL)
    kept = [_plain(block) for block in (*plugins, *resources) if block in resources or _POM.search(block)]
    return "\n".join([*kept, *_POM_LINES.findall(text)])


def _blocks(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    position = 0
    while found := pattern.search(text, position):
        end = _block_end(text, found)
        yield _plain(text[found.start() : end])
        position = max(end, found.end())


def _block_end(text: str, found: re.Match[str]) -> int:
    """To the bracket that closes the one opened on this line; to the end of the line where none is."""
    line_end = text.find("\n", found.end())
    line_end = len(text) if line_end == -1 else line_end
    depth = 0
    for bracket in lazy_regex(r"[\[({})\]]").finditer(text, found.start()):
        if depth == 0 and bracket.start() > line_end:
            break
        depth += 1 if bracket[0] in "[({" else -1
        if depth <= 0 and bracket.start() >= found.end() - 1:
            return max(bracket.end(), found.end())
    return len(text) if depth > 0 else line_end


def _plain(block: str) -> str:
    return " ".join(block.split())
