"""No prose decides: in the rooms that decide, nobody searches a text that an agent or a command may have written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.house import SOURCE, modules, named, nodes, parsed

DECIDING_ROOMS = ("flows", "gates", "rails", "engine", "events", "steps", "api")
FREE_TEXT = {
    *("because", "detail", "excerpt", "failure", "message", "note", "problem", "reason", "refusal", "said", "saw"),
    *("stop_reason", "summary", "text", "why", "words"),
}
LOOKS_INTO = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "find", "index"}
SEARCHES = {"search", "match", "fullmatch", "findall", "finditer"}
# Text of others that has to be read, by a function that does nothing else.
READERS = {
    "api/people/questions_file.py": "a user's file of questions and answers",
    "engine/issue/issue_opening.py": "whether an issue's text begins with a heading",
    "events/anchor.py": "the message of our own anchor commit",
    "events/earlier_journals.py": "journals of versions that had only the words",
    "gates/contradiction.py": "what a reviewer claims, against what was seen: it can only lower a verdict",
    "gates/deferral.py": "whether a reviewer's reason says anything: it can only refuse a deferral",
    "gates/debugging/hypothesis.py": "whether a hypothesis was eliminated before; what its test printed",
    "gates/evidence/declared.py": "what a plan declares that it will change",
    "gates/evidence/sabotage.py": "what a test tool printed about a missing name",
    "gates/evidence/test_id.py": "test names in a plan's text",
    "gates/red.py": "what a shell printed about a command it could not read",
    "steps/observing/observing.py": "PASS and FAIL lines of test scripts; calls reported as refused (SBX)",
}


def decisions(tree: ast.AST) -> Iterator[str]:
    """Every place where the outcome depends on what stands in a free text."""
    for node in nodes(tree):
        match node:
            case ast.Compare(ops=ops, left=left, comparators=others):
                for op, other in zip(ops, others, strict=True):
                    within = isinstance(op, ast.In | ast.NotIn) and _name(other) in FREE_TEXT
                    equal = isinstance(op, ast.Eq | ast.NotEq) and _is_text(left, other)
                    if within or equal:
                        yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if (
                attr in LOOKS_INTO and _name(value) in FREE_TEXT
            ):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr=attr), args=args) if attr in SEARCHES:
                if any(_name(argument) in FREE_TEXT for argument in args):
                    yield f"{node.lineno}: {ast.unparse(node)}"


def _is_text(*sides: ast.expr) -> bool:
    """Whether a free text is compared with a text that is written here, and not with another of its kind."""
    written = any(isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value for side in sides)
    named_so = any(isinstance(side, ast.Name) and side.id.isupper() for side in sides)
    return (written or named_so) and any(_name(side) in FREE_TEXT for side in sides)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=value)):  # detail.casefold()
            return _name(value)
        case _:
            return ""


def found_in(path: Path) -> list[str]:
    return [f"{named(path)}:{what}" for what in decisions(parsed(path))]


@pytest.mark.parametrize("room", DECIDING_ROOMS)
def test_nothing_is_decided_by_words_in_a_text(room: str) -> None:
    others = [path for path in modules(SOURCE / room) if path.relative_to(SOURCE).as_posix() not in READERS]
    assert [what for path in others for what in found_in(path)] == []


def spelled(tree: ast.AST) -> Iterator[str]:
    """Every place that takes a subject apart by its spelling."""
    for node in nodes(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="subject"), attr=attr)) if attr in LOOKS_INTO:
                yield f"{node.lineno}: {ast.unparse(node)}"


def test_only_one_module_knows_how_a_subject_is_spelled() -> None:
    assert [f"{named(path)}:{what}" for path in modules() for what in spelled(parsed(path))] == []
    assert list(spelled(ast.parse('seen.subject.startswith("script:")'))) != []


@pytest.mark.parametrize("reader", READERS)
def test_a_module_that_may_read_a_text_still_does(reader: str) -> None:
    assert found_in(SOURCE / reader) != []


@pytest.mark.parametrize(
    "line",
    [
        '"ended as budget" in step.detail',
        'step.detail.casefold().startswith("violation")',
        "any(words in landing.because for words in MOVED)",
        "BUDGET.search(detail)",
        "reason == PROVEN",
        'detail == "gone"',
    ],
)
def test_a_decision_by_prose_is_found(line: str) -> None:
    assert list(decisions(ast.parse(line))) != []


@pytest.mark.parametrize(
    "line", ["if step.detail: pass", "ending is Ending.BUDGET", "a.reason == b.reason", "reason in REASONS"]
)
def test_what_only_looks_like_one_is_not(line: str) -> None:
    assert list(decisions(ast.parse(line))) == []
