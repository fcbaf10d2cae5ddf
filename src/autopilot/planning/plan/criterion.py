"""Criteria: ``text -- verified by: `command` (expectation) (weight N)``, "`command` passes", the trace form, and prose.

Kind: an explicit leading mark ``[new]``, ``[keep]`` or ``[already]`` decides; else *keep* when the command is a
configured project command or a whole-project check, or the text says so; else *new*.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Kind, Strength
from autopilot.model.planning.visual import is_visual
from autopilot.model.policy import Commands
from autopilot.planning.plan.expectation import judge_output, parse_expectation, unknown_expectation
from autopilot.planning.plan.sentence_command import sentence_command
from autopilot.planning.plan.trace import is_trace
from autopilot.planning.plan.weight import take_weight
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.shell import cannot_fail, normalise_command, only_looks, unmask

__all__ = ["cannot_fail", "judge_output", "keeps", "parse_criterion", "runnable"]

_VERIFIED = lazy_regex(r"(?:(?:(?<!\s)\s++)?(?:--|[–—-])\s*+|(?<!\s)\s++)?\bverified\s++by\s*+:\s*+", re.IGNORECASE)
_SPAN = lazy_regex(r"(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_EMPTY_SPAN = lazy_regex(r"(`{1,3})\s*+\1(?=\s*+(?:[(`.,;]|\Z))")
_MARK = lazy_regex(r"\[(new|keep|already)\]\s*", re.IGNORECASE)
_KEEPS = lazy_regex(
    r"\b(?:compiles|builds? (?:still )?(?:succeeds?|passes)|lint(?:er|ing)? (?:still )?(?:passes|succeeds?|is clean)|"
    r"type[- ]?checks?|still|no regressions?|(?:all|existing|full) (?:existing )?(?:unit )?tests?(?: suite)? "
    r"(?:still )?(?:pass|passes|stay green|remain green))\b",
    re.IGNORECASE,
)
_PART = lazy_regex(r"[;.!?]\s+(?=\S)")
_ASKS = lazy_regex(r"\b(?:whether|if)\b[^;.,]{0,80}?\bstill\b", re.IGNORECASE)
# Checks of the whole project that hold before the work too; one with a path or a filter is about the work.
_WHOLE = lazy_regex(
    r"(?:npm|pnpm|yarn|bun) (?:run )?(?:build|lint|typecheck|type-check|test|check)|"
    r"(?:npx |pnpm exec )?tsc(?: -b)?(?: --noEmit)?(?: --pretty)?|"
    r"(?:npx |pnpm exec )?(?:eslint|vitest run|jest)(?: \.)?|cargo (?:build|check|test|clippy|fmt --check)|"
    r"go (?:build|vet|test) \./\.\.\.|make (?:build|lint|test|check)|(?:python3? -m )?pytest(?: -\w+)*|"
    r"ruff check(?: \.)?|mypy(?: \.)?|(?:\./)?gradlew (?:build|test|check)|dotnet (?:build|test)|mix (?:compile|test)"
)
_TEST_NAME = lazy_regex(r"[a-z0-9]_[a-z0-9]|::|\bTest[A-Z]")
_CD = lazy_regex(r"cd\s[^&;|]{1,1000}+&&\s*+")
EMPTY = "there is no command after `verified by:`, so nothing is run for it"
NOT_CLOSED = "the backticks around the command after `verified by:` are not closed, so nothing is run for it"
NOT_IN_BACKTICKS = "the command after `verified by:` is not in backticks"
_PAGER = lazy_regex(r"(?:head|tail)\b[^|;&]*\Z")


def parse_criterion(
    text: str, id: str, line: int, commands: Commands, path: str = ""
) -> tuple[Criterion, tuple[Complaint, ...]]:
    """Read one criterion. What is not understood becomes prose with a complaint; an expectation is never guessed."""
    weighed = take_weight(text.strip())
    criterion, complaints = _parse(weighed.text, id, line, commands, path)
    within = take_weight(criterion.text)
    weight = weighed if weighed.given else within
    if weight.flaw:
        complaints = (*complaints, Complaint(path, line, weight.flaw))
    return replace(criterion, text=within.text, weight=weight.weight), complaints


def _parse(text: str, id: str, line: int, commands: Commands, path: str) -> tuple[Criterion, tuple[Complaint, ...]]:
    kind, body = _take_mark(text)
    found = _VERIFIED.search(body)
    if not found:
        if command_line := sentence_command(body, commands):
            return replace(runnable(body, command_line, id, line, commands), kind=kind or Kind.KEEP), ()
        form, command = (Form.TRACE, body) if is_trace(body) else (Form.PROSE, "")
        visual = form is Form.PROSE and is_visual(body)
        return Criterion(id, body, form, command=command, kind=kind or Kind.NEW, line=line, visual=visual), ()
    statement, rest = body[: found.start()].strip(), body[found.end() :].strip()
    span = _SPAN.match(rest)
    inner = (span[2] if span else rest).strip()
    if traced := next((form for form in (inner, rest) if is_trace(form)), ""):
        return Criterion(id, statement or traced, Form.TRACE, command=traced, kind=kind or Kind.NEW, line=line), ()
    if not span or not inner:
        is_empty = not rest.strip("` ") or _EMPTY_SPAN.match(rest)
        is_open = rest.startswith("`")
        why = EMPTY if is_empty else NOT_CLOSED if is_open else NOT_IN_BACKTICKS
        return _not_understood(statement or body, id, line, path, why)
    expectation = parse_expectation(rest[span.end() :])
    if expectation is None:
        return _not_understood(statement, id, line, path, unknown_expectation(rest[span.end() :]))
    criterion = runnable(statement, inner, id, line, commands, expectation)
    return (replace(criterion, kind=kind) if kind else criterion), ()


def runnable(
    text: str,
    command: str,
    id: str,
    line: int,
    commands: Commands,
    expectation: Expectation = Expectation(),  # noqa: B008  (frozen)
) -> Criterion:
    """A criterion with a command, its kind and strength worked out."""
    normal = normalise_command(command)
    if expectation == Expectation():
        normal = unmask(normal)
    return Criterion(
        id,
        text or f"`{normal}` succeeds",
        Form.COMMAND,
        command=normal,
        expectation=expectation,
        kind=Kind.KEEP if keeps(text, normal, commands, expectation.text) else Kind.NEW,
        strength=Strength.GREP if only_looks(normal) else Strength.COMMAND,
        line=line,
    )


def keeps(text: str, command: str, commands: Commands, shown: str = "") -> bool:
    """``shown``: what is to stand in its output. A check of the whole that is to show one test by name asks for it."""
    plain = _CD.sub("", _bare(command), count=1)
    configured = {_bare(value) for _, value in commands.checks()}
    if plain in configured or _WHOLE.fullmatch(plain) is not None:
        return _TEST_NAME.search(shown) is None
    # "`valid(at)` tells whether it still holds" is about something new, and so is a text with such a sentence in it.
    return all(_KEEPS.search(_ASKS.sub(" ", part)) for part in _PART.split(text))


def _bare(command: str) -> str:
    """The command without ``2>&1`` and a trailing ``| head`` or ``| tail``, which only shape its output."""
    before, _, after = command.rpartition("|")
    return (before if _PAGER.match(after.strip()) else command).strip().removesuffix("2>&1").strip()


def _take_mark(text: str) -> tuple[Kind | None, str]:
    found = _MARK.match(text)
    return (Kind(found[1].lower()), text[found.end() :]) if found else (None, text)


def _not_understood(text: str, id: str, line: int, path: str, why: str) -> tuple[Criterion, tuple[Complaint, ...]]:
    return Criterion(id, text, Form.PROSE, line=line), (Complaint(path, line, why),)
