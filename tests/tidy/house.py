"""Where the rooms and files of this repository are, for tests that ask whether the house is in order."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "autopilot"
PURE_ROOMS = (
    "model",
    "text",
    "testtools",
    "inspection",
    "events",
    "planning",
    "gates",
    "rails",
    "repomap",
    "reports",
    "flows",
)

# Made by tools and ignored by git; never part of the repository.
MADE = {".git", ".venv", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".import_linter_cache"}
MADE |= {".agents", "__pycache__", "build", "dist"}
TEXT = {".py", ".md", ".sh", ".toml", ".txt", ".lock", ".json", ".jsonl", ".html", ".css", ".js", ".editorconfig", ""}


def text_files(below: Path = ROOT) -> Iterator[Path]:
    for path in sorted(below.iterdir()):
        if path.name in MADE or path.name.endswith(".egg-info") or path.is_symlink():
            continue
        if path.is_dir():
            yield from text_files(path)
        elif path.suffix in TEXT:
            yield path


def modules(below: Path = SOURCE) -> list[Path]:
    return [path for path in text_files(below) if path.suffix == ".py"]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Everything in a whole file: a dozen tests look through all files, and walking them takes longer than looking."""
    return tuple(ast.walk(tree))


def with_any(words: Iterable[str], files: Iterable[Path]) -> list[Path]:
    """Those in which one of these words stands: to parse all of them takes seconds."""
    chosen = tuple(words)
    return [path for path in files if any(word in path.read_text(encoding="utf-8") for word in chosen)]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
