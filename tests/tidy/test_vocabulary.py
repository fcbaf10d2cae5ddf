"""Names, messages and documents use standard terms; docs/glossary.md says which word is used for what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.house import ROOT, SOURCE, modules, named, nodes, parsed

# Rooms whose names and messages have been reworded. Add a room when its last private word is gone.
ROOMS = (
    "adapters",
    "api",
    "cli",
    "engine",
    "events",
    "flows",
    "gates",
    "inspection",
    "model",
    "planning",
    "ports",
    "rails",
    "reports",
    "settings",
    "simulation",
    "steps",
    "testtools",
    "text",
)
DOCUMENTS = (
    "agents.md",
    "commands.md",
    "discussion.md",
    "events.md",
    "evidence.md",
    "issue-mode.md",
    "reports.md",
    "scripted-agent.md",
    "settings.md",
    "tutorial-issue.md",
)

PAGES = ("ARCHITECTURE.md", "README.md")

# A name is split into its words; each of these has a standard term.
BANNED_IN_NAMES = {
    "said": "reply, message, answer or text",
    "told": "message, lines or reported",
    "heard": "received",
    "hear": "receive, parse or read",
    "saw": "observed",
    "sing": "run",
    "man": "assign",
    "errand": "purpose",
    "wish": "option or request",
    "wishes": "options",
    "seating": "assignment",
    "staffing": "agents",
    "sitting": "session",
    "aside": "scratch or backup",
    "mend": "fix",
    "mends": "fixes or debug rounds",
    "crew": "agents or workers",
    "apart": "on own branch",
    "hush": "hide or discard",
    "deaf": "closed",
    "noting": "inbox or record",
    "somebody": "user, agent or reviewer",
    "whom": "user, agent or reviewer",
}
BANNED_NAMES = {
    "o": "observation",
    "one": "the thing itself",
    "each": "the thing itself",
    "there": "exists, found or path",
    "what": "kind, subject or description",
    "words": "arguments, text or lines",
    "again": "repeated",
    "at": "position, time or commit",
}
# Phrases that need a second reading, in strings of the product and in documents.
BANNED_PHRASES = {
    "takes it up": "resumes it, reads it",
    "taken up": "resumed, read",
    "take up": "resume",
    "come to rest": "stop",
    "comes to rest": "stops",
    "came to rest": "stopped",
    "given back": "reverted, restored",
    "nobody": "name the subject: no user, no agent, no process",
    "somebody": "the user, an agent, a reviewer, another process",
    "whoever": "the user, the agent, the process that …",
    "is told": "is reported, gets",
    "was told": "was reported, received",
    "in words": "as text",
    "put off": "postponed, skipped",
    "mended": "fixed",
    "begin anew": "start over",
    "start anew": "start over",
    "no end after": "timed out after",
    "under way": "in progress",
    "a look": "a check, an observation",
    "steps in": "replaces it as fallback",
    "papers": "files, documents",
}


_ANY_PHRASE = re.compile(rf"\b(?:{'|'.join(BANNED_PHRASES)})\b")


def room_modules() -> list[Path]:
    return [path for room in ROOMS for path in modules(SOURCE / room)]


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that a module defines: classes, functions, parameters, variables and attributes of its objects."""
    for node in nodes(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def find_banned_names(tree: ast.AST) -> Iterator[str]:
    for line, name in names_in(tree):
        parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
        terms = [f"{part} -> {BANNED_IN_NAMES[part]}" for part in parts if part in BANNED_IN_NAMES]
        if name in BANNED_NAMES:
            terms.append(f"{name} -> {BANNED_NAMES[name]}")
        yield from (f"line {line}: {name}: {term}" for term in terms)


def strings_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def find_banned_phrases(text: str) -> list[str]:
    plain = " ".join(text.split()).lower()
    if not _ANY_PHRASE.search(plain):
        return []
    return [f"{phrase} -> {term}" for phrase, term in BANNED_PHRASES.items() if re.search(rf"\b{phrase}\b", plain)]


def test_no_name_uses_a_private_word() -> None:
    assert [f"{named(path)} {found}" for path in room_modules() for found in find_banned_names(parsed(path))] == []


def test_no_message_uses_a_phrase_that_needs_a_second_reading() -> None:
    found = [
        f"{named(path)} line {line}: {phrase}"
        for path in room_modules()
        for line, text in strings_in(parsed(path))
        for phrase in find_banned_phrases(text)
    ]
    assert found == []


def test_no_document_uses_a_phrase_that_needs_a_second_reading() -> None:
    paths = [*(ROOT / "docs" / name for name in DOCUMENTS), *(ROOT / name for name in PAGES)]
    found = [
        f"{path.name}: {phrase}" for path in paths for phrase in find_banned_phrases(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("code", ["said = 1", "def told(): ...", "class Hearing2Heard: ...", "self.last_said = 1"])
def test_a_private_word_is_found_in_every_kind_of_name(code: str) -> None:
    assert list(find_banned_names(ast.parse(code)))


@pytest.mark.parametrize("code", ["asides_free = 1", "print(said)", "reply = 1", "def run_canary(): ..."])
def test_a_standard_name_is_left_alone(code: str) -> None:
    assert not list(find_banned_names(ast.parse(code)))


def test_a_phrase_is_found_across_a_line_break_and_not_inside_a_word() -> None:
    assert find_banned_phrases("`autopilot resume` takes\nit up") == ["takes it up -> resumes it, reads it"]
    assert find_banned_phrases("newspapers") == []
